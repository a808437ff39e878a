import { type OfflineArticles, writeOffline } from '../../writing/rules/write.ts';
import { coverageOf, type DiffFeed, type PullRequestPayload, readForWriting } from './read-for-writing.ts';

/** Reads a pull request, writes the article in every language that needs no model, and checks each sentence. */
export async function writeOfflineArticles(
  payload: PullRequestPayload,
  feed: DiffFeed,
): Promise<OfflineArticles> {
  const source = await readForWriting(payload, feed);
  void feed.onProgress({ step: 'checking claims', done: 0, total: 1 });
  return writeOffline(source, coverageOf(payload, source.facts.files));
}
