import type { Excerpt, Statement } from '../../contract/told-parts.ts';
import type { ChangeType } from '../../domain/change-types.ts';
import { shownHeading } from '../../domain/excerpt-heading.ts';
import { typeLabels } from '../article-row.ts';
import { fileName } from '../file-name.ts';
import { type Html, html, type Shown } from '../html.ts';
import { webAddress } from '../links.ts';
import type { PageContext } from '../page-context.ts';
import { type CodeLine, type ExcerptCode, isGap } from './cited-code.ts';
import { codeLines } from './code.ts';
import type { ShownArticle } from './shown-article.ts';

/** Above this, lines take both columns. */
const widestLine = 66;

/** Whether an article has code that is too wide for the column of its text. */
export const isWide = ({ excerpts }: ShownArticle): boolean =>
  [...excerpts.values()].some((code) =>
    code.some((one) => !isGap(one) && one.indent.length + one.length > widestLine),
  );

/** An excerpt behind the sentences that it belongs to, with the type of the change where articles have several. */
export function excerptFigure(
  context: PageContext,
  shown: ShownArticle,
  excerpt: Excerpt,
  { statements, type }: { statements: Statement[]; type: ChangeType | null },
): Html {
  const { fileName: file, heading } = excerpt;
  const evidence = statements.flatMap((one) => one.evidence).find((one) => one.fileName === file);
  return codeFigure(context, {
    file,
    heading,
    code: shown.excerpts.get(excerpt) ?? [],
    statements,
    address: webAddress(evidence?.hostUrl ?? null),
    beside: type && typeLabels([type]),
  });
}

interface Figure {
  file: string;
  heading: string | null;
  code: ExcerptCode;
  statements: Statement[];
  /** Where the host shows the lines. */
  address: string | null;
  beside?: Shown;
  /** Whether context can be what is cited. */
  citesContext?: boolean;
}

export function codeFigure(context: PageContext, figure: Figure): Html {
  const { file, heading, code, statements, address, beside, citesContext = false } = figure;
  const lines = code.flatMap((one) => (isGap(one) ? [] : [one]));
  const isNew = lines.every(({ side }) => side === 'added');
  const numbers = rangeOf(lines);
  const name = shownHeading(heading);
  const within = name && html` <span class="within">› <bdi>${name}</bdi></span>`;
  const linked = address
    ? html`<a href="${address}" rel="noreferrer">${numbers}</a>`
    : html`<span>${numbers}</span>`;
  return html`<figure class="excerpt${isNew && ' new'}"${context.ours}><figcaption><span>${fileName(file)}${within}</span> <span class="side">${beside} ${linked}</span></figcaption>
<div class="lines" role="group" aria-label="${file}">${codeLines(context, code, { statements, file, citesContext })}</div></figure>`;
}

/** Numbers as they are after the change, or before it where all lines go. */
function rangeOf(lines: CodeLine[]): string {
  const after = lines.flatMap(({ newLine }) => newLine ?? []);
  const numbers = after.length > 0 ? after : lines.flatMap(({ oldLine }) => oldLine ?? []);
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === last ? `${first ?? ''}` : `${first}–${last}`;
}
