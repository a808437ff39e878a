import type { Counts } from '../contract/article.ts';
import type { ChangedFile } from '../contract/pull-request.ts';
import { type Html, html } from './html.ts';
import type { PageContext } from './layout.ts';
import {
  type Folder,
  type FolderBlock,
  foldersOf,
  layOutFolders,
  layOutMap,
  type MapBlock,
  type MapKind,
  type MapSize,
  mapColors,
  mapKindOf,
} from './map-layout.ts';
import { baseName } from './text.ts';

export const mostFilesOnMap = 200;

const size = { width: 960, height: 190, gap: 2 };
const folderSize = { width: 960, height: 260, gap: 2 };
const stripSize = { width: 960, height: 12, gap: 2, isRow: true };
/** Shown at a third of this, where a narrower gap would not be seen. */
const thumbSize = { width: 480, height: 300, gap: 5 };
const thumbStripSize = { width: 720, height: 24, gap: 4, isRow: true };

const mostInStrip = 5;

const letterWidth = 7.6;
const labelHeight = 34;
const narrowestLabel = 78;

/** Fingers miss smaller targets. */
const smallestLink = 28;

const mostListed = 20;
const listId = 'folders';

export function changeMap(
  context: PageContext,
  files: ChangedFile[],
  counts: Counts,
  placeOf: (fileName: string) => string | null,
): Html {
  if (files.length > mostFilesOnMap) return folderMap(context, files, counts);
  const isStrip = files.length <= mostInStrip;
  const { width, height } = isStrip ? stripSize : size;
  const blocks = layOutMap(files, isStrip ? stripSize : size);
  const labelsOf = fileLabels(files);
  const drawn = blocks.map((block) => {
    const { file } = block;
    const lines = `+${file.additions} −${file.deletions}`;
    const name = `${file.fileName} ${lines}`;
    const isLarge = block.width >= smallestLink && block.height >= smallestLink;
    const target = isLarge ? placeOf(file.fileName) : null;
    const shape = html`<title>${name}</title>${rectangle(block)}${label(block, labelsOf(file), lines)}`;
    return target ? html`<a href="${target}" aria-label="${name}">${shape}</a>` : html`<g>${shape}</g>`;
  });
  const map = html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="${isStrip ? 'img' : 'group'}" aria-label="${context.words.article.map}">${drawn}</svg>`;
  const folded = isStrip ? map : foldedMap(context, mapShapes(files, stripSize), map);
  return html`<figure class="map${isStrip && ' strip'}"${context.ours}>
${blocks.length > 0 && html`${folded}\n`}${caption(context, counts)}
</figure>`;
}

function folderMap(context: PageContext, files: ChangedFile[], counts: Counts): Html {
  const { words, ours } = context;
  const folders = foldersOf(files);
  const drawn = layOutFolders(folders, folderSize).map((block) => {
    const { path, files: own } = block.folder;
    const count = words.inArticle.files(own.length);
    const parts = nameOf(context, path).split('/');
    const names = parts.map((_, index) => parts.slice(index).join('/'));
    const name = `${nameOf(context, path)}${words.comma}${count}`;
    return html`<a href="#${listId}" aria-label="${name}" tabindex="-1"><title>${name}</title>${bandsOf(block)}${
      block.width >= narrowestLabel && label(block, names, count, html` aria-hidden="true"`)
    }</a>`;
  });
  return html`<figure class="map folders"${ours}>
${foldedMap(
  context,
  mapShapes(files, stripSize),
  html`<svg viewBox="0 0 ${folderSize.width} ${folderSize.height}" preserveAspectRatio="none" role="group" aria-label="${words.article.map}">${drawn}</svg>`,
)}
${caption(context, counts, folders.length)}
${folderList(context, folders)}
</figure>`;
}

/** A strip that opens to the whole map, so that the first sentence is seen without scrolling. */
const foldedMap = ({ words }: PageContext, strip: Html, whole: Html): Html =>
  html`<details class="whole"><summary aria-label="${words.article.map}"><svg viewBox="0 0 ${stripSize.width} ${stripSize.height}" preserveAspectRatio="none" aria-hidden="true">${strip}</svg></summary>
${whole}</details>`;

function caption(
  { words }: PageContext,
  { files, additions, deletions, commits, parts }: Counts,
  folders?: number,
): Html {
  const { inArticle, article } = words;
  const count = inArticle.files(files);
  return html`<figcaption><b>${folders === undefined ? count : article.filesInFolders(count, folders)}</b> ${
    additions + deletions > 0 &&
    html`<span class="counts"><span class="plus">+${words.number(additions)}</span> <span class="minus">−${words.number(deletions)}</span></span> `
  }${parts.map(({ kind, files: count }) => html`<span class="kind ${mapKindOf(kind)}">${inArticle.parts[kind](count)}</span> `)}${
    commits > 0 && html`<span>${inArticle.commits(commits)}</span>`
  }</figcaption>`;
}

export function mapLegend({ words }: PageContext): Html {
  const { mapKinds } = words.article;
  return html`<p class="legend meta"><span>${words.home.legend}</span> ${(
    Object.keys(mapColors) as MapKind[]
  ).map((kind) => html`<span class="kind ${kind}">${mapKinds[kind]}</span> `)}</p>`;
}

export function mapPicture(files: ChangedFile[], { isStrip = false } = {}): Html {
  const pictureSize = isStrip ? thumbStripSize : thumbSize;
  return html`<svg xmlns="http://www.w3.org/2000/svg" ${viewOf(pictureSize)}>${mapShapes(files, pictureSize)}</svg>`;
}

export const mapShapes = (files: ChangedFile[], pictureSize: MapSize): Html =>
  files.length > mostFilesOnMap
    ? html`${layOutFolders(foldersOf(files), pictureSize).map(bandsOf)}`
    : html`${layOutMap(files, pictureSize).map(rectangle)}`;

export const mapThumb = (files: ChangedFile[]): Html =>
  html`<svg class="thumb" ${viewOf(thumbSize)} aria-hidden="true">${mapShapes(files, thumbSize)}</svg>`;

const viewOf = ({ width, height }: MapSize): Html =>
  html`viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"`;

const rectangle = ({ x, y, width, height, kind }: Omit<MapBlock, 'file'>): Html =>
  html`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${mapColors[kind]}"/>`;

const bandsOf = ({ x, width, bands }: FolderBlock): Html =>
  html`${bands.map((band) => rectangle({ x, width, ...band }))}`;

/** The names of a file, the longest first: a name that occurs twice has its folder. */
function fileLabels(files: ChangedFile[]): (file: ChangedFile) => string[] {
  const times = new Map<string, number>();
  for (const { fileName } of files) times.set(baseName(fileName), (times.get(baseName(fileName)) ?? 0) + 1);
  return ({ fileName }) => {
    const base = baseName(fileName);
    if ((times.get(base) ?? 0) < 2) return [base];
    const folder = baseName(fileName.slice(0, Math.max(0, fileName.length - base.length - 1)));
    return folder === '' ? [base] : [`${folder}/${base}`, `${folder}/…`];
  };
}

function label(
  { x, y, width, height }: Omit<MapBlock, 'file' | 'kind'>,
  names: string[],
  below: string,
  attributes?: Html,
): Html | null {
  if (height < labelHeight) return null;
  const name = names.find((one) => width >= [...one].length * letterWidth + 14);
  return name === undefined
    ? null
    : html`<text x="${x + 6}" y="${y + 15}"${attributes}>${name}<tspan x="${x + 6}" dy="15">${below}</tspan></text>`;
}

const nameOf = ({ words }: PageContext, path: string): string =>
  path === '' ? words.article.noFolder : path;

function folderList(context: PageContext, folders: Folder[]): Html {
  const { words } = context;
  const shown = folders.slice(0, folders.length > mostListed ? mostListed - 1 : mostListed);
  const rest = folders.slice(shown.length);
  const filesIn = (some: Folder[]): string =>
    words.inArticle.files(some.reduce((sum, { files }) => sum + files.length, 0));
  return html`<details><summary>${words.article.foldersAsList}</summary><table id="${listId}">${shown.map(
    (folder) =>
      html`<tr><th scope="row"><bdi>${nameOf(context, folder.path)}</bdi></th><td>${filesIn([folder])}</td><td><span class="plus">+${words.number(folder.additions)}</span> <span class="minus">−${words.number(folder.deletions)}</span></td></tr>`,
  )}${
    rest.length > 0 &&
    html`<tr><th scope="row">${words.article.moreFolders(rest.length)}</th><td>${filesIn(rest)}</td><td></td></tr>`
  }</table></details>`;
}
