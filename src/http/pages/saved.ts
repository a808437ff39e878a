import { readFileSync } from 'node:fs';
import { readFilesOfDiff } from '../../actions/pull-requests/cite-lines.ts';
import { withReview } from '../../actions/reviews/read-review.ts';
import type { ShownDiff } from '../../db/article-pages.ts';
import { filesToSave, savedPage } from '../../pages/articles/saved.ts';
import { alone, type ShownArticle } from '../../pages/articles/shown-article.ts';
import type { Html } from '../../pages/html.ts';
import type { PageContext } from '../../pages/layout.ts';
import { packageFolder } from '../../version.ts';
import { writerQuery } from '../articles.ts';
import type { Deps } from '../deps.ts';
import { pageAboutArticle } from './about-article.ts';
import { citedFiles, setCode, setDiffs } from './code-lines.ts';
import type { Highlighter } from './highlight.ts';

let read: string | undefined;

/** The style sheet without fonts, as pages look without scripts: evidence is opened below its paragraph. */
const savedStyles = (): string =>
  (read ??= readFileSync(new URL('web/style.css', packageFolder), 'utf8')
    .replace(/@font-face \{[^}]*url\([^}]*\}\n/g, '')
    .replace(/\/\*[^*]*\*\//g, '')
    .replace(/\n\s+/g, '\n')
    .replaceAll('(scripting: enabled)', 'not all')
    .replaceAll('(scripting: none)', 'all'));

interface Saved extends Pick<ShownArticle, 'article' | 'content' | 'isPrivate'> {
  /** The diff, and whether the article is about it. */
  change: (Pick<ShownDiff, 'files' | 'parts'> & { isSame: boolean }) | null;
}

export async function saveArticle(
  highlighter: Highlighter,
  { change, ...own }: Saved,
  context: PageContext,
): Promise<{ page: Html; isComplete: boolean }> {
  const diff = change?.isSame ? change : null;
  const { isComplete, ...code } = await setCode(highlighter, own.content, change && { ...change, diff });
  const names = new Set(filesToSave(change?.files ?? []).map(({ fileName }) => fileName));
  const files = await readFilesOfDiff(change?.parts ?? [], names);
  const set = await setDiffs(highlighter, files, change);
  const shown = { ...alone, ...own, ...code, change };
  const made = savedPage(context, shown, { diffs: set.diffs, styles: savedStyles() });
  return { page: made, isComplete: isComplete && set.isComplete };
}

/** The article as a file to keep, with the rights of its page. */
export const getSavedArticle = (deps: Deps) =>
  pageAboutArticle(deps, {
    query: writerQuery,
    choose: async ({ found, seen }, { writer }) => {
      const whole = await withReview(deps, found, seen);
      return writer ? deps.writeWithoutModel(whole, seen) : whole;
    },
    async show({ reply, stored, about, context, findChange }) {
      const names = filesToSave((await findChange([]))?.files ?? []).map(({ fileName }) => fileName);
      const change = await findChange([...names, ...citedFiles(about.content)]);
      const own = { ...about, isPrivate: stored.repository.isPrivate, change };
      const saved = await saveArticle(deps.highlighter, own, context);
      const name = `${stored.owner}-${stored.repo}-${stored.number}`.replace(/[^\w.-]+/g, '-');
      reply.header('content-disposition', `attachment; filename="${name}.html"`);
      return saved;
    },
  });
