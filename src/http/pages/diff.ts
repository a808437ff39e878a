import { contentInLanguage, readArticleAbout } from '../../actions/articles/read-article.ts';
import {
  type FileDiff,
  linesOf,
  mostPartBytes,
  readFilesOfDiff,
} from '../../actions/pull-requests/cite-lines.ts';
import { LanguageCode } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { findArticlePageData } from '../../db/article-pages.ts';
import { Failure } from '../../domain/errors.ts';
import { type DiffOfFile, diffPage as showDiff } from '../../pages/article/diff.ts';
import { pagesOfDiff } from '../../pages/article/diff-links.ts';
import { mostPageBytes } from '../../pages/room.ts';
import { articleCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { pullRequestAddress, pullRequestPath } from '../pull-requests.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { languageOf, setLines, shownLine } from './code-lines.ts';
import type { SetBlock } from './highlight.ts';
import { page, presentIn } from './page.ts';

const mostLinesOfFile = 1_500;

/** A line has more markup than this. */
const bytesPerLine = 100;

/** What could not fit is not even coloured. */
function diffOfFile(
  blocks: SetBlock[],
  { file, language }: { file: FileDiff; language: string | null },
  page: { left: number },
): DiffOfFile {
  let left = mostLinesOfFile;
  let omitted = 0;
  const hunks: DiffOfFile['hunks'] = [];
  for (const hunk of file.hunks) {
    const lines = linesOf(hunk);
    const shown = lines.slice(0, left).filter(({ text }) => {
      page.left -= shownLine(text).length + bytesPerLine;
      return page.left > 0;
    });
    omitted += lines.length - shown.length;
    left -= shown.length;
    if (shown.length > 0)
      hunks.push({
        heading: hunk.heading,
        lines: setLines(blocks, shown, { language, mostIndent: 0 }).lines,
      });
  }
  return { hunks, omitted };
}

export const diffPage = (deps: Deps) =>
  page({
    params: pullRequestPath,
    query: {
      ...hostQuery(deps.codeHosts),
      language: Type.Optional(LanguageCode()),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    },
    async show({ params, query, viewer, acceptLanguage, contextIn }) {
      const address = pullRequestAddress(deps, { params, query });
      const { found: article, seen } = await readArticleAbout(deps, address, viewer);
      const stored = contentInLanguage(article, {
        requested: query.language,
        own: viewer?.user?.language,
        acceptLanguage,
      });
      const find = (fileNames: string[]) =>
        findArticlePageData(deps.database, {
          articleId: article.id,
          languageCode: stored.languageCode,
          fileNames,
          mostPartBytes,
          viewer: seen,
        });
      const all = (await find([]))?.change?.files ?? [];
      const starts = pagesOfDiff(all);
      const { page = 1 } = query;
      if (page > Math.max(1, starts.length))
        throw new Failure('NOT_FOUND', 'The diff of this article has fewer pages.');
      const names = all.slice(starts[page - 1], starts[page]).map(({ fileName }) => fileName);
      const change = (await find(names))?.change ?? null;
      const files = await readFilesOfDiff(change?.parts ?? [], new Set(names));
      const blocks: SetBlock[] = [];
      const room = { left: mostPageBytes };
      const diffs = new Map(
        [...files].map(([name, file]) => [
          name,
          diffOfFile(blocks, { file, language: languageOf(name, change) }, room),
        ]),
      );
      const isComplete = await deps.highlighter.highlight(blocks);
      const shown = { ...presentIn(article, stored), change };
      return {
        page: showDiff(contextIn(stored.languageCode), shown, { page, diffs }),
        ...(isComplete && articleCachePolicy(article)),
      };
    },
  });
