import type { Excerpt, Statement } from '../../contract/told-parts.ts';
import { touches } from '../../domain/beats.ts';
import type { ChangeType } from '../../domain/change-types.ts';
import { shownHeading } from '../../domain/excerpt-heading.ts';
import { typeLabels } from '../article-row.ts';
import { fileName } from '../file-name.ts';
import { type Html, html, type Shown } from '../html.ts';
import { linesLink, webAddress } from '../links.ts';
import type { PageContext } from '../page-context.ts';
import { type Beside, type CodeLine, type ExcerptCode, isGap } from './cited-code.ts';
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
  const ofFile = statements.flatMap((one) => one.evidence).filter((one) => one.fileName === file);
  const code = shown.excerpts.get(excerpt) ?? [];
  const around = code.flatMap((one) => (isGap(one) && one.beside ? [one.beside] : []));
  const evidence = ofFile.find((one) => touches(excerpt, one)) ?? ofFile[0];
  return codeFigure(context, shown, {
    file,
    heading,
    code,
    indent: around[0]?.indent ?? null,
    statements,
    address: webAddress(evidence?.hostUrl ?? null),
    type: type && typeLabels([type]),
  });
}

interface Figure {
  file: string;
  heading: string | null;
  code: ExcerptCode;
  /** What its lines were indented by, where others can be put beside them. */
  indent?: string | null;
  statements: Statement[];
  /** Where the host shows the lines. */
  address: string | null;
  type?: Shown;
  /** Whether context can be what is cited. */
  citesContext?: boolean;
}

export function codeFigure(
  context: PageContext,
  { article, content, change }: Pick<ShownArticle, 'article' | 'content' | 'change'>,
  { file, heading, code, statements, address, type, indent = null, citesContext = false }: Figure,
): Html {
  const { words, firstHost, ours } = context;
  const lines = code.flatMap((one) => (isGap(one) ? [] : [one]));
  // Only where all of a file is new do signs say nothing.
  const isNew = change?.files.some(({ fileName, status }) => fileName === file && status === 'added');
  const numbers = rangeOf(lines);
  const name = shownHeading(heading);
  const within = name && html` <span class="within">› <bdi>${name}</bdi></span>`;
  const linked = address
    ? html`<a href="${address}" rel="noreferrer" title="${words.article.linesOnHost}">${numbers}</a>`
    : html`<span>${numbers}</span>`;
  const linkTo = (beside: Beside): string =>
    linesLink(article, firstHost, {
      language: content.languageCode,
      file,
      ...beside,
      indent: beside.indent.length,
    });
  return html`<figure class="excerpt${isNew && ' new'}"${ours}><figcaption><span>${fileName(file)}${within}</span> <span class="side">${type} ${linked} <button type="button" class="tool copy" hidden>${words.article.copyLines}</button></span></figcaption>
<div class="lines" role="group" aria-label="${file}"${indent !== null && html` data-indent="${indent}"`}>${codeLines(context, code, { statements, file, citesContext, linkTo })}</div></figure>`;
}

/** Numbers as they are after the change, or before it where all lines go. */
function rangeOf(lines: CodeLine[]): string {
  const after = lines.flatMap(({ newLine }) => newLine ?? []);
  const numbers = after.length > 0 ? after : lines.flatMap(({ oldLine }) => oldLine ?? []);
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === last ? `${first ?? ''}` : `${first}–${last}`;
}
