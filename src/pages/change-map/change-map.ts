import type { Counts } from '../../contract/article.ts';
import type { ChangedFile } from '../../contract/pull-request.ts';
import { baseName } from '../file-name.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { foldedMap, folderMap, folderPicture, mostFilesOnMap, stripSize } from './folder-map.ts';
import { layOutMap, type MapBlock, type MapSize } from './lay-out-map.ts';
import { type MapKind, mapColors, mapKindOf } from './map-kinds.ts';

const size = { width: 960, height: 190, gap: 2 };

/** Few files are one row. */
const mostInStrip = 5;

/** Shown at a third of this, where a narrower gap would not be seen. */
const thumbSize = { width: 480, height: 300, gap: 5 };
const thumbStripSize = { width: 720, height: 24, gap: 4, isRow: true };

/** What a letter of a label takes, and what a label takes in all. */
const letterWidth = 7.6;
const labelHeight = 34;

/** Smaller targets are missed by fingers; the change is then reached by reading on. */
const smallestLink = 28;

/** The map as the picture of an article, above how large the change is. A block leads to where its file is told of. */
export function changeMap(
  context: PageContext,
  files: ChangedFile[],
  counts: Counts,
  placeOf: (fileName: string) => string | null,
): Html {
  if (files.length > mostFilesOnMap)
    return folderMap(context, files, (folders) => caption(context, counts, folders));
  const isStrip = files.length <= mostInStrip;
  const { width, height } = isStrip ? stripSize : size;
  const blocks = layOutMap(files, isStrip ? stripSize : size);
  const { article } = context.words;
  const labelOf = labelsOf(files);
  const describe = ({ file }: MapBlock): string => `${file.fileName} ${linesOf(file)}`;
  const drawn = blocks.map((block) => {
    const target = isLarge(block) ? placeOf(block.file.fileName) : null;
    const shape = html`<title>${describe(block)}</title>${rectangle(block)}${label(block, labelOf)}`;
    return target
      ? html`<a href="${target}" aria-label="${describe(block)}">${shape}</a>`
      : html`<g>${shape}</g>`;
  });
  const map = html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="${isStrip ? 'img' : 'group'}" aria-label="${article.map}">${drawn}</svg>`;
  const folded = isStrip ? map : foldedMap(context, mapShapes(files, stripSize), map);
  return html`<figure class="map${isStrip && ' strip'}"${context.ours}>
${blocks.length > 0 && html`${folded}\n`}${caption(context, counts)}
</figure>`;
}

/** How large a change is: files and lines, what kinds of files, commits. */
function caption(
  { words }: PageContext,
  { files, additions, deletions, commits, parts }: Counts,
  folders?: number,
): Html {
  const { inArticle, article } = words;
  return html`<figcaption><b>${folders === undefined ? inArticle.files(files) : article.filesInFolders(inArticle.files(files), folders)}</b> ${
    additions + deletions > 0 &&
    html`<span class="counts"><span class="plus">+${words.number(additions)}</span> <span class="minus">−${words.number(deletions)}</span></span> `
  }${parts.map(({ kind, files: count }) => html`<span class="kind ${mapKindOf(kind)}">${inArticle.parts[kind](count)}</span> `)}${
    commits > 0 && html`<span>${inArticle.commits(commits)}</span>`
  }</figcaption>`;
}

/** What the colours of maps mean. */
export function mapLegend({ words }: PageContext): Html {
  const { mapKinds } = words.article;
  return html`<p class="legend meta"><span>${words.home.legend}</span> ${(
    Object.keys(mapColors) as MapKind[]
  ).map((kind) => html`<span class="kind ${kind}">${mapKinds[kind]}</span> `)}</p>`;
}

/** The map alone, as a picture that lists load; as a strip where they have little room. */
export const mapPicture = (files: ChangedFile[], { isStrip = false } = {}): Html =>
  html`<svg xmlns="http://www.w3.org/2000/svg" ${viewOf(isStrip ? thumbStripSize : thumbSize)}>${mapShapes(files, isStrip ? thumbStripSize : thumbSize)}</svg>`;

/** What a map consists of, for a picture of a size. */
export const mapShapes = (files: ChangedFile[], pictureSize: MapSize): Html =>
  files.length > mostFilesOnMap
    ? folderPicture(files, pictureSize)
    : html`${layOutMap(files, pictureSize).map(rectangle)}`;

/** The same within a page, which has not to wait for it. */
export const mapThumb = (files: ChangedFile[]): Html =>
  html`<svg class="thumb" ${viewOf(thumbSize)} aria-hidden="true">${layOutMap(files, thumbSize).map(rectangle)}</svg>`;

const viewOf = ({ width, height }: { width: number; height: number }): Html =>
  html`viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"`;

const rectangle = ({ x, y, width, height, kind }: MapBlock): Html =>
  html`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fillOf(kind)}"/>`;

const fillOf = (kind: MapKind): string => mapColors[kind];

const isLarge = ({ width, height }: MapBlock): boolean => width >= smallestLink && height >= smallestLink;

const linesOf = ({ additions, deletions }: ChangedFile): string => `+${additions} −${deletions}`;

/** What a file can be called, the longest first: names that occur twice stand behind their folder. */
function labelsOf(files: ChangedFile[]): (file: ChangedFile) => string[] {
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
  { x, y, width, height, file }: MapBlock,
  labelOf: (file: ChangedFile) => string[],
): Html | null {
  if (height < labelHeight) return null;
  const name = labelOf(file).find((one) => width >= [...one].length * letterWidth + 14);
  return name === undefined
    ? null
    : html`<text x="${x + 6}" y="${y + 15}">${name}<tspan x="${x + 6}" dy="15">${linesOf(file)}</tspan></text>`;
}
