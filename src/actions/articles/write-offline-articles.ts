import type { GrammarLibrary } from '../../grammars.ts';
import { type OfflineArticles, writeOffline } from '../../writing/offline/offline-article.ts';
import { coverageOf, type DiffOwner, readForWriting, type ToldPullRequest } from './read-for-writing.ts';

/** Reads a pull request, writes the article in every language that needs no model, and checks each sentence. */
export async function writeOfflineArticles(
  told: ToldPullRequest,
  owner: DiffOwner,
  grammars: GrammarLibrary,
): Promise<OfflineArticles> {
  const source = await readForWriting(told, owner, grammars);
  void owner.onProgress({ step: 'checking claims', done: 0, total: 1 });
  return writeOffline(source, source.diff, coverageOf(told, source.facts.files));
}
