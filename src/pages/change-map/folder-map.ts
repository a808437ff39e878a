import type { ChangedFile } from '../../contract/pull-request.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { type Folder, type FolderBlock, foldersOf, layOutFolders } from './lay-out-folders.ts';
import type { MapSize } from './lay-out-map.ts';
import { mapColors } from './map-kinds.ts';

/** Of more files, a map shows the folders. */
export const mostFilesOnMap = 200;

const size = { width: 960, height: 260, gap: 2 };

/** What a letter of a label takes; narrower blocks have none. */
const letterWidth = 7.6;
const narrowestLabel = 78;
const labelHeight = 34;

const mostListed = 20;

/** Where blocks lead; a browser opens what lies around it. */
const listId = 'folders';

/** The map of a change of many files, with its folders as a list. */
export function folderMap(
  context: PageContext,
  files: ChangedFile[],
  caption: (folders: number) => Html,
): Html {
  const { words, ours } = context;
  const folders = foldersOf(files);
  const drawn = layOutFolders(folders, size).map((block) => {
    const { path, files: own } = block.folder;
    const name = `${nameOf(context, path)}${words.comma}${words.inArticle.files(own.length)}`;
    return html`<a href="#${listId}" aria-label="${name}" tabindex="-1"><title>${name}</title>${bandsOf(block)}${label(context, block)}</a>`;
  });
  return html`<figure class="map folders"${ours}>
${foldedMap(
  context,
  folderPicture(files, stripSize),
  html`<svg viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none" role="group" aria-label="${words.article.map}">${drawn}</svg>`,
)}
${caption(folders.length)}
${list(context, folders)}
</figure>`;
}

/** A map in a row, as high as a line; it opens to the whole of it. */
export const stripSize = { width: 960, height: 12, gap: 2, isRow: true };

/** The map as a strip that opens to it, so that the first sentence is seen without scrolling. */
export const foldedMap = ({ words }: PageContext, strip: Html, whole: Html): Html =>
  html`<details class="whole"><summary aria-label="${words.article.map}"><svg viewBox="0 0 ${stripSize.width} ${stripSize.height}" preserveAspectRatio="none" aria-hidden="true">${strip}</svg></summary>
${whole}</details>`;

/** The same as a picture without words. */
export const folderPicture = (files: ChangedFile[], pictureSize: MapSize): Html =>
  html`${layOutFolders(foldersOf(files), pictureSize).map(bandsOf)}`;

const bandsOf = ({ x, width, bands }: FolderBlock): Html =>
  html`${bands.map(
    ({ kind, y, height }) =>
      html`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${mapColors[kind]}"/>`,
  )}`;

const nameOf = ({ words }: PageContext, path: string): string =>
  path === '' ? words.article.noFolder : path;

function label(context: PageContext, { x, y, width, height, folder }: FolderBlock): Html | null {
  if (height < labelHeight || width < narrowestLabel) return null;
  const parts = nameOf(context, folder.path).split('/');
  const names = parts.map((_, index) => parts.slice(index).join('/'));
  const fits = (one: string) => width >= [...one].length * letterWidth + 14;
  const name = names.find(fits);
  return name === undefined
    ? null
    : html`<text x="${x + 6}" y="${y + 15}" aria-hidden="true">${name}<tspan x="${x + 6}" dy="15">${context.words.inArticle.files(folder.files.length)}</tspan></text>`;
}

function list(context: PageContext, folders: Folder[]): Html {
  const { words } = context;
  const shown = folders.slice(0, folders.length > mostListed ? mostListed - 1 : mostListed);
  const rest = folders.slice(shown.length);
  return html`<details><summary>${words.article.foldersAsList}</summary><table id="${listId}">${shown.map(
    ({ path, files, additions, deletions }) =>
      html`<tr><th scope="row"><bdi>${nameOf(context, path)}</bdi></th><td>${words.inArticle.files(files.length)}</td><td><span class="plus">+${words.number(additions)}</span> <span class="minus">−${words.number(deletions)}</span></td></tr>`,
  )}${
    rest.length > 0 &&
    html`<tr><th scope="row">${words.article.moreFolders(rest.length)}</th><td>${words.inArticle.files(rest.reduce((sum, { files }) => sum + files.length, 0))}</td><td></td></tr>`
  }</table></details>`;
}
