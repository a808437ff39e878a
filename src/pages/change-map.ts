import type { Counts } from '../contract/articles.ts';
import type { ChangedFile } from '../contract/pull-requests.ts';
import { type Html, html, nothing } from './html.ts';
import type { PageContext } from './layout.ts';
import {
  foldersOf,
  layOutFolders,
  layOutMap,
  type MapBlock,
  type MapKind,
  type MapSize,
  mapColors,
  mapKindOf,
  stripOfKinds,
} from './map-layout.ts';
import { baseName } from './text.ts';

export const mostFilesOnMap = 200;

const size = { width: 960, height: 240, gap: 2 };
const stripSize = { width: 960, height: 10, gap: 2, isRow: true };
const letterWidth = 7.6;
const labelHeight = 34;

/** The smallest area with a link, in pixels: smaller targets are hard to hit with a finger. */
const smallestLink = 28;

/** A strip that expands to the map and its legend. Each block of the map links to its file or folder. */
export function changeMap(
  context: PageContext,
  files: ChangedFile[],
  counts: Counts,
  placeOf: (fileName: string) => string | null,
): Html {
  if (files.length === 0) return nothing;
  const { words } = context;
  const isByFolder = files.length > mostFilesOnMap;
  const view = (height: number): Html =>
    html`viewBox="0 0 ${size.width} ${height}" preserveAspectRatio="none"`;
  const strip = isByFolder
    ? html`${bandsOf(stripOfKinds(files, stripSize))}`
    : html`${layOutMap(files, stripSize).map(rectangle)}`;
  return html`<figure class="map"${context.ours}>
<details><summary aria-label="${words.article.map}"><svg ${view(stripSize.height)} aria-hidden="true">${patterns()}${strip}</svg></summary>
<svg ${view(size.height)} role="group" aria-label="${words.article.map}">${isByFolder ? folderBlocks(context, files, placeOf) : fileBlocks(files, placeOf)}</svg>
${caption(context, counts)}</details>
</figure>`;
}

function fileBlocks(files: ChangedFile[], placeOf: (fileName: string) => string | null): Html {
  const labelsOf = fileLabels(files);
  return html`${layOutMap(files, size).map((block) => {
    const { file } = block;
    const lines = `+${file.additions} −${file.deletions}`;
    const name = `${file.fileName} ${lines}`;
    const shape = html`<title>${name}</title>${rectangle(block)}${label(block, labelsOf(file), lines)}`;
    const target = placeOf(file.fileName);
    return target !== null && block.width >= smallestLink && block.height >= smallestLink
      ? html`<a href="${target}" aria-label="${name}">${shape}</a>`
      : html`<g>${shape}</g>`;
  })}`;
}

function folderBlocks(
  context: PageContext,
  files: ChangedFile[],
  placeOf: (fileName: string) => string | null,
): Html {
  const { words } = context;
  const folders = foldersOf(files);
  return html`${layOutFolders(folders, size).map((block) => {
    const { path, files: own } = block.folder;
    const count = words.inArticle.files(own.length);
    const parts = folderName(context, path).split('/');
    const names = parts.map((_, index) => parts.slice(index).join('/'));
    const name = `${folderName(context, path)}${words.comma}${count}`;
    const shape = html`<title>${name}</title>${bandsOf(block.bands.map((band) => ({ ...block, ...band })))}${label(block, names, count, html` aria-hidden="true"`)}`;
    return placeOf(own[0]?.fileName ?? '') === null
      ? html`<g>${shape}</g>`
      : html`<a href="#${folderId(folders.indexOf(block.folder))}" aria-label="${name}">${shape}</a>`;
  })}`;
}

export const folderId = (index: number): string => `folder-${index + 1}`;

function caption({ words }: PageContext, { commits, parts }: Counts): Html {
  const { inArticle } = words;
  return html`<figcaption>${parts.map(({ kind, files: count }) => html`<span class="kind"><svg viewBox="0 0 12 12" aria-hidden="true"><rect width="12" height="12" fill="${fillOf(mapKindOf(kind))}"/></svg>${inArticle.parts[kind](count)}</span> `)}${
    commits > 0 && html`<span>${inArticle.commits(commits)}</span>`
  }</figcaption>`;
}

const fillOf = (kind: MapKind): string => `url(#kind-${kind})`;

const hatches: Record<MapKind, string> = {
  source: '',
  test: 'M-2 2 2-2M0 8 8 0M6 10 10 6',
  documentation: 'M0 2H8M0 6H8',
  build: 'M0 0 8 8M8 0 0 8',
  configuration: 'M2 0V8M6 0V8',
  manifest: 'M-2 6 2 10M0 0 8 8M6-2 10 2',
  other: 'M2 2h1v1h-1zM6 6h1v1h-1z',
};

/** Kinds are distinguished by color, and in print by hatching. */
const patterns = (): Html =>
  html`<defs>${(Object.keys(mapColors) as MapKind[]).map(
    (kind) =>
      html`<pattern id="kind-${kind}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="${mapColors[kind]}"/><path class="hatch" d="${hatches[kind]}"/></pattern>`,
  )}</defs>`;

export const mapShapes = (files: ChangedFile[], pictureSize: MapSize): Html =>
  files.length > mostFilesOnMap
    ? html`${layOutFolders(foldersOf(files), pictureSize).map(({ x, width, bands }) => bands.map((band) => coloured({ x, width, ...band })))}`
    : html`${layOutMap(files, pictureSize).map(coloured)}`;

type Rectangle = Omit<MapBlock, 'file'>;

const filled = ({ x, y, width, height }: Rectangle, fill: string): Html =>
  html`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;

const coloured = (block: Rectangle): Html => filled(block, mapColors[block.kind]);

const rectangle = (block: Rectangle): Html => filled(block, fillOf(block.kind));

const bandsOf = (bands: Rectangle[]): Html => html`${bands.map(rectangle)}`;

/** Labels for a file, longest first. A name that occurs twice gets its folder. */
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
  const name = names.find((one) => width >= Math.max([...one].length, below.length) * letterWidth + 14);
  return name === undefined
    ? null
    : html`<text x="${x + 6}" y="${y + 15}"${attributes}>${name}<tspan x="${x + 6}" dy="15">${below}</tspan></text>`;
}

export const folderName = ({ words }: PageContext, path: string): string =>
  path === '' ? words.article.noFolder : path;
