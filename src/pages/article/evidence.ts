import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { webAddress, withQuery } from '../links.ts';
import { baseName, fileName } from '../text.ts';
import type { Words } from '../words/words.ts';
import type { CodeGap, CodeLine } from './cited-code.ts';
import { codeFigure } from './hunk.ts';
import { citationKey, type Item, type Place, placesByFile, type ShownArticle } from './shown-article.ts';

/**
 * What bears an item out and its hunk does not show, in the margin: each file opens to the lines themselves, where there are
 * any to show.
 */
export function evidence(context: PageContext, shown: ShownArticle, item: Item): Html {
  const files = [...placesByFile(item)];
  if (files.length === 0) return nothing;
  return html`<div class="evidence" role="group" aria-label="${context.words.article.evidence}"${context.ours}>${files.map(
    ([, places]) => openable(context, shown, item, places),
  )}</div>`;
}

const named = (words: Words, file: string, places: Place[]): Html =>
  html`<span class="names">${fileName(file)}<b class="base">${baseName(file)}</b></span> <span class="places">${places.map(
    (place) =>
      html`<span data-sentences="${place.sentences.join(' ')}">${linesOfPlace(words, place)}</span> `,
  )}</span>`;

/** Lines by their side and numbers, `+94` or `−96–98`. */
export const linesOfPlace = (
  { inArticle }: Words,
  { startLine, endLine, side }: Pick<Place, 'startLine' | 'endLine' | 'side'>,
): string => inArticle.lines(startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`, side);

function openable(
  context: PageContext,
  shown: ShownArticle,
  { id, statements }: Item,
  places: Place[],
): Html {
  const { words } = context;
  const file = places[0]?.fileName ?? '';
  const code = shown.cited.get(citationKey(id, file));
  const address = places.map(({ hostUrl }) => webAddress(hostUrl)).find((one) => one !== null) ?? null;
  if (!code || code.runs.length === 0)
    return html`<p class="cite">${named(words, file, places)}${
      address && html` <a class="out" href="${address}" rel="noreferrer">${words.article.linesOnHost}</a>`
    }</p>`;
  const joined = code.runs.flatMap((run, index) => [...gapBetween(code.runs[index - 1], run), ...run]);
  const figure = codeFigure(context, shown, {
    file,
    heading: null,
    code: joined,
    statements,
    address,
    citesContext: true,
  });
  const rest = address ?? diffOf(context, shown, file);
  return html`<details><summary>${named(words, file, places)}</summary>${figure}${
    code.omitted > 0 &&
    html`<p class="out"><a href="${rest}" rel="noreferrer">${words.inArticle.moreLines(code.omitted)}</a></p>`
  }</details>`;
}

/** What lies between two runs of lines, which the page does not have. */
function gapBetween(before: CodeLine[] | undefined, run: CodeLine[]): CodeGap[] {
  if (!before) return [];
  const from = before.findLast(({ newLine }) => newLine !== null)?.newLine ?? 0;
  const to = run.find(({ newLine }) => newLine !== null)?.newLine ?? 0;
  const count = to - from - 1;
  return count > 0 ? [{ count, lines: null }] : [];
}

function diffOf({ firstHost }: PageContext, { article }: ShownArticle, file: string): string {
  const { owner, repo, prNumber, host } = article;
  const place = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pulls/${prNumber}/diff`;
  return withQuery(place, { host: host === firstHost ? undefined : host, file });
}
