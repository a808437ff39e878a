import type { ChangedFile } from '../../contract/pull-requests.ts';
import type { PageContext } from '../layout.ts';
import { articleLink } from '../links.ts';
import type { ShownArticle } from './shown-article.ts';

const mostFilesOnPage = 60;
const mostChangesOnPage = 1_200;

/** The indexes in the list of files at which the pages of the diff begin. */
export function pagesOfDiff(files: ChangedFile[]): number[] {
  const starts: number[] = [];
  let left = { files: 0, changes: 0 };
  for (const [index, { additions, deletions }] of files.entries()) {
    const changes = additions + deletions;
    if (left.files === 0 || left.changes < changes) {
      starts.push(index);
      left = { files: mostFilesOnPage, changes: mostChangesOnPage };
    }
    left = { files: left.files - 1, changes: left.changes - changes };
  }
  return starts;
}

export const fileId = (index: number): string => `file-${index + 1}`;

export function diffLinks(
  { firstHost, saved }: PageContext,
  { article, content, change }: Pick<ShownArticle, 'article' | 'content' | 'change'>,
): (fileName?: string) => string {
  if (saved) return (name = '') => `#${saved.get(name) ?? 'diff'}`;
  const files = change?.files ?? [];
  const starts = pagesOfDiff(files);
  const indexes = new Map(files.map((file, index) => [file.fileName, index]));
  return (name) => {
    const index = name === undefined ? undefined : indexes.get(name);
    const page = index === undefined ? 1 : starts.findLastIndex((start) => start <= index) + 1;
    const query = { language: content.languageCode, page: page > 1 ? page : undefined };
    const address = articleLink(article, firstHost, query, '/diff');
    return index === undefined ? address : `${address}#${fileId(index)}`;
  };
}
