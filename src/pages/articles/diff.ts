import type { Statement } from '../../contract/article-parts.ts';
import type { ArticleContent } from '../../contract/articles.ts';
import type { ChangedFile } from '../../contract/pull-requests.ts';
import { statementsOf } from '../../domain/articles.ts';
import { type Html, html, nothing } from '../html.ts';
import { layout, noIndex, type PageContext } from '../layout.ts';
import { articleLink, rawDiffLink } from '../links.ts';
import { lineCounts, repositoryName } from '../rows.ts';
import { fileName, plainText, said, shownPath, text, within } from '../text.ts';
import { codeLine, isCited, linesOfPlace, restInRaw } from './code.ts';
import { fileId, pagesOfDiff } from './diff-links.ts';
import type { CodeLine, ShownArticle } from './shown-article.ts';
import { headline } from './shown-article.ts';

export interface DiffOfFile {
  hunks: { heading: string; lines: CodeLine[] }[];
  omitted: number;
}

interface ShownDiffPage {
  page: number;
  /** The diffs by path, without files that have no lines, such as pictures. */
  diffs: Map<string, DiffOfFile>;
}

/** The sentences of an article that cite lines, each once. */
export function citingSentences(content: ArticleContent): Statement[] {
  if (content.stale) return [];
  const { scope: _, ...citing } = statementsOf(content);
  const all = Object.values(citing).flat();
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

export function diffPage(
  context: PageContext,
  shown: Pick<ShownArticle, 'article' | 'content' | 'change'>,
  { page, diffs }: ShownDiffPage,
): Html {
  const { words, firstHost } = context;
  const { article, content } = shown;
  const all = shown.change?.files ?? [];
  const starts = pagesOfDiff(all);
  const [start = 0, end = all.length] = [starts[page - 1], starts[page]];
  const files = all.slice(start, end);
  const sentences = citingSentences(content);
  const back = articleLink(article, firstHost, { language: content.languageCode });
  const sections = files.flatMap((file, index) => {
    const raw = rawDiffLink(article, firstHost, file.fileName);
    const one = { file, id: fileId(start + index), diff: diffs.get(file.fileName), sentences, back, raw };
    return changedFile(context, one) ?? [];
  });
  const omitted = files.length - sections.length;
  const title = `${words.article.fullDiff}${words.inArticle.colon}${plainText(headline(shown))}`;
  return layout(context, {
    title: `${title} · ${article.owner}/${article.repo}#${article.prNumber}`,
    description: title,
    head: noIndex,
    scripts: ['copy.js'],
    main: html`<div class="diff">
<header><p class="meta">${repositoryName(context, article)} <a href="${back}">#${article.prNumber}</a> <span>${words.article.fullDiff}</span></p>
<h1><a href="${back}"${within(context.language, content.languageCode)}>${said(content.languageCode, headline(shown))}</a></h1>
${content.stale && html`<p class="stale">${words.article.stale}</p>`}
${filesOf(context, files, { start, total: content.counts.files })}</header>
${sections}${omitted > 0 && restInRaw(rawDiffLink(article, firstHost), words.article.moreFiles(omitted))}
${pageLinks(context, shown, { page, of: starts.length })}
<span class="confirmation" id="copied" role="status" data-done="${words.article.copied}" data-failed="${words.article.notCopied}"></span>
</div>`,
  });
}

export const filesOf = (
  context: PageContext,
  files: ChangedFile[],
  { start, total }: { start: number; total: number },
): Html =>
  html`<details class="files"${files.length <= 12 && html` open`}><summary>${context.words.article.filesOf(start + 1, start + files.length, total)}</summary>
<ol>${context.room.fit(
    files,
    (file, index) =>
      html`<li><a href="#${fileId(start + index)}">${fileName(file.fileName)}</a> ${lineCounts(context, file)}</li>\n`,
  )}</ol></details>`;

interface FileOnPage {
  file: ChangedFile;
  id: string;
  diff: DiffOfFile | undefined;
  sentences: Statement[];
  back: string;
  raw: string;
}

export function changedFile(context: PageContext, shown: FileOnPage): Html | null {
  const { words, room } = context;
  const { file, id, diff, raw } = shown;
  const { fileName: name, previousFileName, status } = file;
  const moved = previousFileName !== undefined && previousFileName !== name;
  const heading = html`<h2><span>${fileName(name)}${moved && html` <span class="quiet">← <bdi>${shownPath(previousFileName)}</bdi></span>`}</span> <span class="side"><span>${words.article.statuses[status]}</span> ${lineCounts(context, file)}</span></h2>`;
  if (!room.take(heading)) return null;
  let omitted = diff?.omitted ?? 0;
  const pieces = (diff?.hunks ?? []).flatMap((hunk) => {
    const { piece, lines } = diffPiece(context, hunk, shown);
    omitted += hunk.lines.length - lines;
    return lines > 0 ? piece : [];
  });
  return html`<section class="changed" id="${id}">${heading}
${pieces}${omitted > 0 && restInRaw(raw, words.inArticle.moreLines(omitted))}${
  pieces.length + omitted === 0 && html`<p class="gap">${words.article.noLines}</p>`
}</section>
`;
}

function diffPiece(
  context: PageContext,
  { heading, lines }: DiffOfFile['hunks'][number],
  { file: { fileName: name }, sentences, back, raw }: FileOnPage,
): { piece: Html; lines: number } {
  const about = sentences.filter(({ evidence }) => evidence.some((one) => one.fileName === name));
  const noted = new Set<Statement>();
  const shownLines = context.room.fit(lines, (line) => {
    const found =
      line.side === 'context'
        ? []
        : about.filter(({ evidence }) => evidence.some((one) => one.fileName === name && isCited(one, line)));
    for (const one of found) noted.add(one);
    return codeLine(context, line, { sentences: found.map(({ id }) => id).join(' '), raw });
  });
  const cited = noted.size > 0 && notes(context, { sentences: [...noted], name, back });
  const isNoted = cited && context.room.take(cited);
  const piece = html`<div class="piece${isNoted && ' noted'}">${isNoted && cited}<div class="lines" role="group" aria-label="${shownPath(name)}">${heading !== '' && html`<p class="gap">⋯ <bdi>${heading}</bdi></p>`}${shownLines}</div></div>
`;
  return { piece, lines: shownLines.length };
}

const notes = (
  { words }: PageContext,
  { sentences, name, back }: { sentences: Statement[]; name: string; back: string },
): Html =>
  html`<div class="notes" role="group" aria-label="${words.article.evidence}"><ul>${sentences.map(
    ({ id, text: sentence, evidence }) =>
      html`<li><a href="${back}#${id}">${text(sentence)}</a> <span class="places">${evidence
        .filter((one) => one.fileName === name)
        .slice(0, 4)
        .map((one) => html`<span>${linesOfPlace(words, one)}</span> `)}</span></li>`,
  )}</ul></div>`;

function pageLinks(
  { words, firstHost }: PageContext,
  { article, content }: Pick<ShownArticle, 'article' | 'content'>,
  { page, of }: { page: number; of: number },
): Html {
  if (of < 2) return nothing;
  const link = (to: number, word: string | number, rel?: string): Html =>
    html`<a${rel && html` rel="${rel}"`} href="${articleLink(article, firstHost, { language: content.languageCode, page: to > 1 ? to : undefined }, '/diff')}">${word}</a> `;
  return html`<nav class="pages" aria-label="${words.home.pages}">${page > 1 && link(page - 1, words.home.previousPage, 'prev')}<span>${words.article.pageOf(page, of)}</span> ${page < of && link(page + 1, words.home.nextPage, 'next')}</nav>`;
}
