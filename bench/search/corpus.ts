import { contentOf } from '../../src/actions/articles/write-article.ts';
import type { PublishedContent } from '../../src/db/articles.ts';
import { offlineLanguages } from '../../src/writing/articles.ts';
import { writeOffline } from '../../src/writing/rules/write.ts';
import { readMerged } from '../mirrors.ts';

/** A real pull request with its articles without a model, by language. */
export interface RealArticle {
  number: number;
  contents: Record<string, PublishedContent>;
}

const coverage = { filesRead: 0, filesTotal: 0, linesRead: 0, linesTotal: 0, skipped: [], skippedTotal: 0 };

export async function readArticles(
  mirror: string,
  count: number,
  random: () => number,
): Promise<RealArticle[]> {
  const read: RealArticle[] = [];
  for await (const { pullRequest, source } of readMerged(mirror, count, random)) {
    const written = writeOffline(source, coverage);
    const about = { host: '', hostUrl: null, headSha: pullRequest.sha, baseSha: pullRequest.parent ?? '' };
    read.push({
      number: Number(/#(\d+)/.exec(pullRequest.title)?.[1] ?? 1),
      contents: Object.fromEntries(
        offlineLanguages.map((languageCode) => [
          languageCode,
          contentOf(written[languageCode], {
            codeHosts: [],
            pullRequest: about,
            languageCode,
            now: new Date(),
          }),
        ]),
      ),
    });
  }
  return read;
}
