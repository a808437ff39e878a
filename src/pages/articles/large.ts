import type { ArticleContent } from '../../contract/articles.ts';
import type { ChangedFile } from '../../contract/pull-requests.ts';
import { folderId, folderName, mostFilesOnMap } from '../change-map.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { foldersOf } from '../map-layout.ts';
import { said, text } from '../text.ts';
import { diffLinks } from './diff-links.ts';
import type { ShownArticle } from './shown-article.ts';

const isLarge = ({ change }: ShownArticle): boolean => (change?.files.length ?? 0) > mostFilesOnMap;

const fewestMoved = 10;

/**
 * The summary of a large change: "Moves 300 files from a to b." or the number of files added, removed, moved and
 * edited.
 */
export function extent(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const { scope, languageCode } = shown.content;
  const files = shown.change?.files ?? [];
  const turn = files.length < fewestMoved ? null : commonTurn(files);
  const { extents } = words.article;
  if (turn) return html`<p class="standfirst"${ours}>${text(extents.moves(files.length, turn))}</p>\n`;
  if (scope && scope.kind !== 'noPublicChange' && (isLarge(shown) || isLong(scope))) {
    const count =
      isLarge(shown) &&
      html`${words.inArticle.colon}<span${ours}>${words.inArticle.files(files.length)}</span>`;
    return html`<p class="standfirst">${said(languageCode, scope.statement.text)}${count}</p>\n`;
  }
  if (!isLarge(shown)) return nothing;
  return html`<p class="standfirst"${ours}>${text(sayFiles(context, files))}</p>\n`;
}

/** The characters of a scope that fit into a label. */
const longestLabel = 48;

export const isLong = ({ statement }: NonNullable<ArticleContent['scope']>): boolean =>
  statement.text.length > longestLabel;

function sayFiles(context: PageContext, files: ChangedFile[]): string {
  const { extents } = context.words.article;
  const kinds = new Set(files.map(happeningOf));
  const [only] = kinds;
  const folders = countFolders(files);
  return only && kinds.size === 1
    ? extents[only](files.length, folders)
    : extents.all(context.words.inArticle.files(files.length), folders, happenings(context, files));
}

const countFolders = (files: ChangedFile[]): number =>
  new Set(files.map(({ fileName }) => fileName.slice(0, fileName.lastIndexOf('/') + 1))).size;

interface Turn {
  from: string;
  to: string;
}

const isMoved = ({ status }: ChangedFile): boolean => status === 'renamed' || status === 'copied';

/** The folders that all files were moved from and to; null if they differ. */
function commonTurn(files: ChangedFile[]): Turn | null {
  let common: Turn | null = null;
  for (const { fileName, previousFileName, status } of files) {
    if (status !== 'renamed' || previousFileName === undefined) return null;
    const turn = renameTurn(previousFileName, fileName);
    if (common && (common.from !== turn.from || common.to !== turn.to)) return null;
    common = turn;
  }
  return common;
}

function renameTurn(before: string, after: string): Turn {
  const [one, other] = [before.split('/'), after.split('/')];
  while (one.length > 1 && other.length > 1 && one.at(-1) === other.at(-1)) {
    one.pop();
    other.pop();
  }
  return { from: one.join('/'), to: other.join('/') };
}

function happeningOf(file: ChangedFile): 'added' | 'removed' | 'moved' | 'edited' {
  if (isMoved(file)) return 'moved';
  return file.status === 'added' || file.status === 'removed' ? file.status : 'edited';
}

/** The changes to files by frequency: "12 edited, 3 new, 40 moved from `legacy/pkg`". */
function happenings({ words }: PageContext, files: ChangedFile[]): string {
  const { happened } = words.article;
  const groups = Map.groupBy(files, happeningOf);
  return [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([what, own]) => {
      const turn = what === 'moved' ? commonTurn(own) : null;
      return turn ? happened.movedFrom(own.length, turn.from) : happened[what](own.length);
    })
    .join(words.comma);
}

const firstFolders = 8;

export function folderList(context: PageContext, shown: ShownArticle): Html {
  if (!isLarge(shown)) return nothing;
  const { words, ours } = context;
  const inDiff = diffLinks(context, shown);
  const rows = foldersOf(shown.change?.files ?? []).map(({ path, files, additions, deletions }, index) => {
    const lines =
      additions + deletions > 0 &&
      html`<span class="plus">+${words.number(additions)}</span> <span class="minus">−${words.number(deletions)}</span>`;
    return html`<tr id="${folderId(index)}"><th scope="row"><a href="${inDiff(files[0]?.fileName)}" rel="nofollow"><bdi>${folderName(context, path)}</bdi></a></th><td>${text(happenings(context, files))}</td><td>${lines}</td></tr>
`;
  });
  const rest = rows.slice(firstFolders);
  return html`<section class="folders"${ours}><h2>${words.article.folders}</h2>
<table>${rows.slice(0, firstFolders)}</table>${
    rest.length > 0 &&
    html`
<details><summary>${words.article.moreFolders(rest.length)}</summary><table>${rest}</table></details>`
  }</section>`;
}
