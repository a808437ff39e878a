import type { Statement } from '../../contract/article-parts.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import {
  type Beside,
  type CodeGap,
  type CodeLine,
  type HunkCode,
  isGap,
  type SyntaxKind,
} from './cited-code.ts';

/** From here on a line is as high as six, and scrolls. */
const longLine = 400;

const signs = { added: '+', removed: '−', context: '' };
const classes: Record<SyntaxKind, string> = {
  keyword: 'k',
  name: 'n',
  string: 's',
  number: 'd',
  comment: 'c',
};

interface Cited {
  statements: Statement[];
  file: string;
  citesContext: boolean;
  /** Where lines are that the page does not have. */
  linkTo: (beside: Beside) => string;
}

/**
 * Lines with their numbers and signs; those that sentences cite can be marked with them. Between changed lines, context is not
 * what a sentence is about, even where it lies in the range that it cites.
 */
export function codeLines(
  context: PageContext,
  code: HunkCode,
  { statements, file, citesContext, linkTo }: Cited,
): Html {
  const citing = (line: CodeLine): string =>
    statements
      .filter(() => citesContext || line.side !== 'context')
      .filter(({ evidence }) => evidence.some((one) => one.fileName === file && isCited(one, line)))
      .map(({ id }) => id)
      .join(' ');
  return html`${code.map((one) => (isGap(one) ? gap(context, one, { citing, linkTo }) : codeLine(one, citing(one))))}`;
}

function isCited(
  { side, startLine, endLine }: Statement['evidence'][number],
  { oldLine, newLine }: CodeLine,
): boolean {
  const number = side === 'old' ? oldLine : newLine;
  return number !== null && number >= startLine && number <= endLine;
}

function codeLine({ side, oldLine, newLine, indent, tokens, length }: CodeLine, sentences: string): Html {
  const isLong = length >= longLine;
  return html`<div class="line ${side}${isLong && ' long'}" data-line="${newLine ?? oldLine}"${
    sentences && html` data-sentences="${sentences}"`
  }><i>${signs[side]}</i><span class="indent">${indent}</span><code${isLong && html` tabindex="0"`}>${tokens.map(
    ({ kind, text }) => (kind === null ? text : html`<span class="${classes[kind]}">${text}</span>`),
  )}</code></div>`;
}

function gap(
  { words }: PageContext,
  { count, lines, beside, cutOff = 0, indent = null }: CodeGap,
  { citing, linkTo }: { citing: (line: CodeLine) => string; linkTo: Cited['linkTo'] },
): Html {
  const isCutOff = cutOff > 0 || !beside;
  const said = isCutOff
    ? words.inArticle.moreLines(cutOff || count)
    : words.article.linesBeside[beside.direction](count);
  const told = html`<span aria-hidden="true">⋯</span> ${said}`;
  if (lines === null)
    return beside
      ? html`<a class="gap" href="${linkTo(beside)}" rel="nofollow">${told}</a>`
      : html`<p class="gap">${told}</p>`;
  return lines.length === 0
    ? nothing
    : html`<details class="gap"${indent !== null && html` data-indent="${indent}"`}><summary>${told}</summary>${lines.map(
        (line) => codeLine(line, citing(line)),
      )}</details>`;
}
