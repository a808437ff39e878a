import type { ArticleContent } from '../../contract/article.ts';
import type { Hunk, Statement } from '../../contract/article-parts.ts';
import { hunkId } from '../../domain/article.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { articleLink, webAddress } from '../links.ts';
import { fileName } from '../text.ts';
import { type Beside, type CodeLine, type HunkCode, isGap } from './cited-code.ts';
import { codeLines } from './code.ts';
import type { ShownArticle } from './shown-article.ts';

/** The lines of a change, below the sentences that are about them. */
export function hunkFigure(
  context: PageContext,
  shown: ShownArticle,
  hunk: Hunk,
  change: Pick<ArticleContent['mainChanges'][number], 'statements' | 'evidence'> | undefined,
): Html {
  const { fileName: file, heading } = hunk;
  const { statements = [], evidence = [] } = change ?? {};
  const code = shown.hunks.get(hunk) ?? [];
  const around = code.flatMap((one) => (isGap(one) && one.beside ? [one.beside] : []));
  const linked = evidence.find((one) => one.fileName === file && one.hostUrl !== null);
  return codeFigure(context, shown, {
    file,
    heading,
    code,
    indent: around[0]?.indent ?? null,
    statements,
    newId: shown.newSentences.has(hunkId(hunk)) ? hunkId(hunk) : null,
    address: webAddress(linked?.hostUrl ?? null),
  });
}

interface Figure {
  file: string;
  heading: string | null;
  code: HunkCode;
  /** What its lines were indented by, where others can be put beside them. */
  indent?: string | null;
  statements: Statement[];
  /** What it is found by, where a reader who comes back has not read it. */
  newId?: string | null;
  /** Where the host shows the lines. */
  address: string | null;
  /** Whether context can be what is cited. */
  citesContext?: boolean;
}

export function codeFigure(
  context: PageContext,
  { article, content }: Pick<ShownArticle, 'article' | 'content'>,
  { file, heading, code, statements, newId = null, address, indent = null, citesContext = false }: Figure,
): Html {
  const { words, firstHost, ours } = context;
  const lines = code.flatMap((one) => (isGap(one) ? [] : [one]));
  const numbers = rangeOf(lines);
  const within = heading && html` <span class="within">› <bdi>${heading}</bdi></span>`;
  const linked = address
    ? html`<a href="${address}" rel="noreferrer" title="${words.article.linesOnHost}">${numbers}</a>`
    : html`<span>${numbers}</span>`;
  const linkTo = (beside: Beside): string =>
    articleLink(
      article,
      firstHost,
      { language: content.languageCode, file, ...beside, indent: beside.indent.length },
      '/lines',
    );
  return html`<figure class="hunk${newId && ' new'}"${newId && html` id="${newId}"`}${ours}><figcaption><span>${fileName(file)}${within}</span> <span class="side">${linked} <button type="button" class="tool copy" hidden>${words.article.copyLines}</button></span></figcaption>
<div class="lines" role="group" aria-label="${file}"${indent !== null && html` data-indent="${indent}"`}>${codeLines(context, code, { statements, file, citesContext, linkTo })}</div></figure>`;
}

/** Numbers as they are after the change, or before it where all lines go. */
function rangeOf(lines: CodeLine[]): string {
  const after = lines.flatMap(({ newLine }) => newLine ?? []);
  const numbers = after.length > 0 ? after : lines.flatMap(({ oldLine }) => oldLine ?? []);
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === last ? `${first ?? ''}` : `${first}–${last}`;
}
