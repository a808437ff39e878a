import type { Hunk, Statement } from '../../contract/article-parts.ts';
import { sayUnchanged } from '../../domain/article-words.ts';
import { hunkId } from '../../domain/articles.ts';
import { type Html, html, nothing } from '../html.ts';
import { layout, noIndex, type PageContext } from '../layout.ts';
import { articleLink, rawDiffLink, webAddress } from '../links.ts';
import { baseName, fileName, plainText, said, shownPath } from '../text.ts';
import type { Words } from '../words/words.ts';
import { diffLinks } from './diff-links.ts';
import {
  type Beside,
  type CodeGap,
  type CodeLine,
  citationKey,
  type HunkCode,
  headline,
  type Item,
  isGap,
  type Place,
  placesByFile,
  type ShownArticle,
  type SyntaxKind,
} from './shown-article.ts';

/** The characters of a code line above which it scrolls in a box of six lines. */
const longLine = 400;

const signs = { added: '+', removed: '−', context: '' };
const classes: Record<SyntaxKind, string> = {
  keyword: 'k',
  name: 'n',
  string: 's',
  number: 'd',
  comment: 'c',
};

export function isCited(
  { side, startLine, endLine }: Statement['evidence'][number],
  { oldLine, newLine }: CodeLine,
): boolean {
  const number = side === 'old' ? oldLine : newLine;
  return number !== null && number >= startLine && number <= endLine;
}

export function codeLine(
  { words }: PageContext,
  { side, oldLine, newLine, indent, tokens, length, cut }: CodeLine,
  { sentences, raw }: { sentences: string; raw: string },
): Html {
  const isLong = length >= longLine;
  return html`<div class="line ${side}${isLong && ' long'}" data-line="${newLine ?? oldLine}"${
    side === 'context' && oldLine !== null && newLine !== null && html` data-old="${oldLine}"`
  }${
    sentences && html` data-sentences="${sentences}"`
  }><i>${signs[side]}</i><span class="indent">${indent}</span><code${isLong && html` tabindex="0"`}>${tokens.map(
    ({ kind, text }) => (kind === null ? text : html`<span class="${classes[kind]}">${text}</span>`),
  )}</code>${cut > 0 && html`<a class="gap cut" href="${raw}" rel="nofollow">⋯ ${words.article.moreCharacters(cut)}</a>`}</div>`;
}

function gap(
  { words }: PageContext,
  { count, lines, beside, indent = null }: CodeGap,
  { show, linkTo }: { show: (line: CodeLine) => Html; linkTo: (beside: Beside) => string },
): Html {
  const said = beside ? words.article.linesBeside[beside.direction](count) : words.inArticle.moreLines(count);
  const text = html`<span aria-hidden="true">⋯</span> ${said}`;
  if (lines?.length === 0) return nothing;
  if (lines)
    return html`<details class="gap"${indent !== null && html` data-indent="${indent}"`}><summary>${text}</summary>${lines.map(show)}</details>`;
  return beside
    ? html`<a class="gap" href="${linkTo(beside)}" rel="nofollow">${text}</a>`
    : html`<p class="gap">${text}</p>`;
}

export function hunkFigure(
  context: PageContext,
  shown: Pick<ShownArticle, 'article' | 'content' | 'change' | 'hunks' | 'newSentences'>,
  hunk: Hunk,
  statements: Statement[],
): Html {
  const { fileName: file, heading } = hunk;
  const code = shown.hunks.get(hunk) ?? [];
  const around = code.flatMap((one) => (isGap(one) && one.beside ? [one.beside] : []));
  return codeFigure(context, shown, {
    file,
    heading,
    code,
    indent: around[0]?.indent ?? null,
    statements,
    newId: shown.newSentences.has(hunkId(hunk)) ? hunkId(hunk) : null,
    notes: sayUnchanged(context.words.inArticle, hunk.lines),
  });
}

interface Figure {
  file: string;
  code: HunkCode;
  heading?: string | null;
  indent?: string | null;
  statements?: Statement[];
  newId?: string | null;
  notes?: string[];
  /** Whether context lines count as cited; by default they do not, because sentences are about changed lines. */
  citesContext?: boolean;
  address?: string | null;
}

function codeFigure(
  context: PageContext,
  shown: Pick<ShownArticle, 'article' | 'content' | 'change'>,
  {
    file,
    heading,
    code,
    statements = [],
    newId,
    notes = [],
    indent = null,
    citesContext = false,
    address,
  }: Figure,
): Html {
  const { article, content } = shown;
  const { words, firstHost, ours, room, saved } = context;
  const raw = rawDiffLink(article, firstHost, file);
  const show = (line: CodeLine): Html => {
    const citing = statements
      .filter(() => citesContext || line.side !== 'context')
      .filter(({ evidence }) => evidence.some((one) => one.fileName === file && isCited(one, line)));
    return codeLine(context, line, { sentences: citing.map(({ id }) => id).join(' '), raw });
  };
  const linkTo = (beside: Beside): string => {
    const query = { language: content.languageCode, file, ...beside, indent: beside.indent.length };
    return articleLink(article, firstHost, query, '/lines');
  };
  const lines = room.fit(code, (one) => (isGap(one) ? gap(context, one, { show, linkTo }) : show(one)));
  const omitted = code.slice(lines.length).filter((one) => !isGap(one)).length;
  const isOpenable = code.some((one) => isGap(one) && one.beside);
  const link = address === undefined ? diffLinks(context, shown)(file) : address;
  const name = html`${fileName(file)}${heading && html` <span class="within">› <bdi>${heading}</bdi></span>`}`;
  return html`<figure class="hunk${newId && ' new'}"${newId && html` id="${newId}"`}${ours}><figcaption>${link === null ? html`<span>${name}</span>` : html`<a href="${link}" rel="nofollow" title="${words.article.fullDiff}">${name}</a>`}${!saved && html` <span class="side">${isOpenable && html`<button type="button" class="tool show-around" hidden>${words.article.showAround}</button> `}<button type="button" class="tool copy" hidden>${words.article.copyLines}</button></span>`}</figcaption>
<div class="lines" role="group" aria-label="${shownPath(file)}"${indent !== null && html` data-indent="${indent}"`}>${lines}${omitted > 0 && restInRaw(raw, words.inArticle.moreLines(omitted))}</div>${notes.map((note) => html`<p class="unchanged">${note}</p>`)}</figure>`;
}

/** Lines that do not fit on a page are in the raw diff. */
export const restInRaw = (raw: string, said: string): Html =>
  html`<a class="gap" href="${raw}" rel="nofollow"><span aria-hidden="true">⋯</span> ${said}</a>`;

export function evidence(context: PageContext, shown: ShownArticle, item: Item): Html {
  const files = [...placesByFile(item)];
  if (files.length === 0) return nothing;
  return html`<div class="evidence" role="group" aria-label="${context.words.article.evidence}"${context.ours}>${files.map(
    ([, places]) => openable(context, shown, item, places),
  )}</div>`;
}

const named = (words: Words, places: Place[]): Html =>
  html`<b>${shownPath(baseName(places[0]?.fileName ?? ''))}</b> <span class="places">${places.map(
    (place) =>
      html`<span data-sentences="${place.sentences.join(' ')}">${linesOfPlace(words, place)}</span> `,
  )}</span>`;

export const linesOfPlace = (
  { inArticle }: Words,
  { startLine, endLine, side, unchanged }: Pick<Place, 'startLine' | 'endLine' | 'side' | 'unchanged'>,
): string =>
  inArticle.lines(startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`, side, unchanged);

/** Lines that are on no page link to the full diff. */
function openable(
  context: PageContext,
  shown: ShownArticle,
  { id, statements }: Item,
  places: Place[],
): Html {
  const { words } = context;
  const file = places[0]?.fileName ?? '';
  const code = shown.cited.get(citationKey(id, file));
  const inDiff = addressOfFile(context, shown, file, places);
  if (!code || code.runs.length === 0)
    return html`<p class="cite">${inDiff ? html`<a href="${inDiff}" rel="nofollow">${named(words, places)}</a>` : named(words, places)}</p>`;
  const joined = code.runs.flatMap((run, index) => [...gapBetween(code.runs[index - 1], run), ...run]);
  const figure = codeFigure(context, shown, {
    file,
    code: joined,
    statements,
    citesContext: true,
    address: inDiff,
  });
  return html`<details><summary>${named(words, places)}</summary>${figure}${
    code.omitted > 0 &&
    inDiff &&
    html`<p class="out"><a href="${inDiff}" rel="nofollow">${words.inArticle.moreLines(code.omitted)}</a></p>`
  }</details>`;
}

/** The address of a file in the diff, or else on its host; null if neither has it. */
function addressOfFile(
  context: PageContext,
  shown: ShownArticle,
  file: string,
  places: Place[],
): string | null {
  const isInDiff = !shown.change || shown.change.files.some(({ fileName: name }) => name === file);
  return isInDiff ? diffLinks(context, shown)(file) : webAddress(places[0]?.hostUrl ?? null);
}

function gapBetween(before: CodeLine[] | undefined, run: CodeLine[]): CodeGap[] {
  if (!before) return [];
  const from = before.findLast(({ newLine }) => newLine !== null)?.newLine ?? 0;
  const to = run.find(({ newLine }) => newLine !== null)?.newLine ?? 0;
  const count = to - from - 1;
  return count > 0 ? [{ count, lines: null }] : [];
}

interface ShownLines {
  file: string;
  lines: CodeLine[];
  beyond: CodeGap | null;
  indent: string | null;
}

export function linesPage(
  context: PageContext,
  shown: Pick<ShownArticle, 'article' | 'content' | 'change'>,
  { file, lines, beyond, indent }: ShownLines,
): Html {
  const { article, content } = shown;
  const isAbove = beyond?.beside?.direction === 'above';
  const rest = beyond ? [beyond] : [];
  const code = isAbove ? [...rest, ...lines] : [...lines, ...rest];
  const figure = codeFigure(context, shown, { file, code, indent });
  const back = articleLink(article, context.firstHost, { language: content.languageCode });
  return layout(context, {
    title: `${shownPath(file)} · ${plainText(headline(shown))}`,
    head: noIndex,
    scripts: ['lines.js'],
    main: html`<div class="article beside"><h1>${said(content.languageCode, headline(shown))}</h1>
<p class="meta"><a href="${back}">${context.words.article.backToArticle}</a></p>
${figure}</div>`,
  });
}
