import type { ChangedFile } from '../../contract/pull-request.ts';
import { baseName } from '../file-name.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { layOutMap, type MapBlock } from './lay-out-map.ts';
import { type MapKind, mapColors } from './map-kinds.ts';

const size = { width: 960, height: 190, gap: 2 };

/** Shown at a third of this, where a narrower gap would not be seen. */
const thumbSize = { width: 480, height: 300, gap: 5 };

/** What a letter of a label takes, and what a label takes in all. */
const letterWidth = 7.6;
const labelHeight = 34;

/** Smaller targets are missed by fingers; the change is then reached by reading on. */
const smallestLink = 28;

/** The map as the picture of an article. A block leads to the change that tells of its file. */
export function changeMap(
  { words }: PageContext,
  files: ChangedFile[],
  changeOf: (fileName: string) => string | null,
): Html {
  const blocks = layOutMap(files, size);
  if (blocks.length === 0) return nothing;
  const { article } = words;
  const kinds = [...new Set(blocks.map(({ kind }) => kind))].sort();
  const describe = ({ file, files: count }: MapBlock): string =>
    file ? `${file.fileName} ${counts(file)}` : article.mapRest(count);
  return html`<figure class="map">
<svg viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none" role="group" aria-label="${article.map}">${blocks.map(
    (block) => {
      const target = isLarge(block) && block.file ? changeOf(block.file.fileName) : null;
      const drawn = html`${rectangle(block)}${label(block)}`;
      return target
        ? html`<a href="${target}" aria-label="${describe(block)}"><title>${describe(block)}</title>${drawn}</a>`
        : html`<g><title>${describe(block)}</title>${drawn}</g>`;
    },
  )}</svg>
<figcaption><b>${article.map}</b> ${kinds.map((kind) => html`<span class="kind ${kind}">${article.mapKinds[kind]}</span> `)}</figcaption>
</figure>`;
}

/** The map alone, as a picture that lists load. */
export const mapPicture = (files: ChangedFile[]): Html =>
  html`<svg xmlns="http://www.w3.org/2000/svg" ${thumbView}>${thumbBlocks(files)}</svg>`;

/** The same within a page, which has not to wait for it. */
export const mapThumb = (files: ChangedFile[]): Html =>
  html`<svg class="thumb" ${thumbView} aria-hidden="true">${thumbBlocks(files)}</svg>`;

const thumbView = html`viewBox="0 0 ${thumbSize.width} ${thumbSize.height}"`;
const thumbBlocks = (files: ChangedFile[]): Html[] => layOutMap(files, thumbSize).map(rectangle);

const rectangle = ({ x, y, width, height, kind }: MapBlock): Html =>
  html`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fillOf(kind)}"/>`;

const fillOf = (kind: MapKind): string => mapColors[kind];

const isLarge = ({ width, height }: MapBlock): boolean => width >= smallestLink && height >= smallestLink;

const counts = ({ additions, deletions }: ChangedFile): string => `+${additions} −${deletions}`;

function label({ x, y, width, height, file }: MapBlock): Html {
  const name = file && baseName(file.fileName);
  if (!file || !name || height < labelHeight || width < [...name].length * letterWidth + 14) return nothing;
  return html`<text x="${x + 6}" y="${y + 15}">${name}<tspan x="${x + 6}" dy="15">${counts(file)}</tspan></text>`;
}
