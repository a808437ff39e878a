import type { AlsoChanged, Statement } from '../../contract/article-parts.ts';
import type { ArticleContent } from '../../contract/articles.ts';
import {
  authorPlaceOf,
  firstDependencies,
  headingOfRest,
  judgementWord,
  placeOfDependency,
  sayLabel,
  sayTurn,
} from '../../domain/article-words.ts';
import {
  blockBelow,
  isPullQuote,
  otherLanguageOf,
  paragraphsOf,
  pointId,
  risksAfterSections,
  risksOf,
} from '../../domain/articles.ts';
import { isFromClone } from '../../domain/repositories.ts';
import { afterSentence, nameHiddenInLine } from '../../domain/text.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { webAddress } from '../links.ts';
import { markdownBlocks } from '../markdown.ts';
import { fileName, said, text, within } from '../text.ts';
import { evidence, hunkFigure, linesOfPlace } from './code.ts';
import { alsoItem, changeItem, type ShownArticle } from './shown-article.ts';

export function sentences(
  { words, ours }: PageContext,
  { newSentences }: Pick<ShownArticle, 'newSentences'>,
  statements: Statement[],
): Html {
  return html`${statements.map(({ id, text: said, evidence, ...one }) => {
    const word = judgementWord(words.inArticle, one);
    return html`${word && html`<small class="judgement"${ours}>${word}</small> `}<span class="sentence${newSentences.has(id) && ' new'}" id="${id}"${
      evidence.length > 0 && html` data-sentence`
    }>${text(said)}</span>${afterSentence(said)}`;
  })}`;
}

/** The paragraphs of a section, with the labels of risks. */
const telling = (context: PageContext, shown: ShownArticle, statements: Statement[]): Html =>
  html`${paragraphsOf(shown.content, statements).map((paragraph) => {
    const { label, statements: own } = sayLabel(context.words.inArticle, paragraph);
    if (label === null) return paragraphs(context, shown, own);
    return html`<p class="told risky ${paragraph.label}"><b${context.ours}>${label}${context.words.inArticle.colon}</b>${sentences(context, shown, own)}</p>`;
  })}`;

export function paragraphs(context: PageContext, shown: ShownArticle, statements: Statement[]): Html {
  const groups: Statement[][] = [];
  for (const statement of statements) {
    const last = groups.at(-1);
    const isSame = last?.at(-1)?.basis === statement.basis || statement.basis === 'judgement';
    if (last && isSame) last.push(statement);
    else groups.push([statement]);
  }
  return html`${groups.map(
    (group) =>
      foreignQuote(context, shown, group, sentences(context, shown, group)) ??
      html`<p class="told">${sentences(context, shown, group)}</p>`,
  )}`;
}

export function foreignQuote(
  { words, ours }: PageContext,
  { content: { languageCode } }: Pick<ShownArticle, 'content'>,
  statements: Statement[],
  said: Html,
): Html | null {
  const quoted = statements.every(({ source }) => source) ? statements : [];
  const other = otherLanguageOf(quoted.map((one) => one.text).join(' '), languageCode);
  if (other === null) return null;
  const file = quoted.flatMap(({ evidence }) => evidence)[0]?.fileName;
  return html`<blockquote class="written"${within(languageCode, other)}><p>${said}</p></blockquote>
<p class="meta"${ours}>${file && html`<span>${words.inArticle.quotedIn(file)}</span> `}<span>${words.inArticle.original[other]}</span></p>
`;
}

const mostSources = 3;

function risks(
  context: PageContext,
  shown: ShownArticle,
  some: { point: ArticleContent['notablePoints'][number]; index: number }[],
): Html {
  const { words, ours } = context;
  const boxes = some.map(
    ({ point, index }) =>
      html`<div class="risk${point.label && ` ${point.label}`}" id="${pointId(index)}"><p class="told"><b${ours}>${point.label ? words.inArticle.labels[point.label] : words.inArticle.risk}</b>${words.inArticle.afterLabel}${sentences(context, shown, point.statements)}</p>
<p class="source"${ours}>${sourcesOf(context, shown, point).slice(0, mostSources)}</p></div>
`,
  );
  return boxes.length === 0
    ? nothing
    : html`<aside class="risks" aria-label="${words.article.callouts}">${boxes}</aside>`;
}

function sourcesOf(
  { words }: PageContext,
  { article }: ShownArticle,
  { statements }: ArticleContent['notablePoints'][number],
): Html[] {
  const sources = statements.flatMap(({ source, evidence }) => {
    const lines = evidence.map((one) => {
      const place = html`${fileName(one.fileName)} ${linesOfPlace(words, one)}`;
      const address = webAddress(one.hostUrl);
      return address
        ? html`<a href="${address}" rel="noreferrer">${place}</a> `
        : html`<span>${place}</span> `;
    });
    if (lines.length > 0 || !source) return lines;
    return [html`<span><bdi>${article.authorLogin}</bdi>${words.inArticle.quotedFrom[source]}</span> `];
  });
  return [...new Map(sources.map((source) => [String(source), source])).values()];
}

const firstLines = 15;

/** Older articles have only one sentence of the author. */
export function authorWords(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const { content, article } = shown;
  const { authorWords: written, quote, languageCode } = content;
  const from = written?.from ?? 'description';
  const markdown = written?.markdown ?? quote?.text ?? '';
  const blocks = markdownBlocks(markdown, {
    isCommitMessage: !written || from !== 'description' || isFromClone(article),
    hostPrUrl: article.hostPrUrl,
  });
  if (blocks.length === 0) return nothing;
  const other = otherLanguageOf(markdown, languageCode);
  const attributes = html` dir="auto"${other && within(languageCode, other)}`;
  const { isNamed, place, notes } = authorPlaceOf(words.inArticle, content);
  const by = html`<span>${isNamed && html`<bdi>${article.authorLogin}</bdi>`}${place}</span>${notes.map((note) => html` <span>${note}</span>`)}`;
  const isByModel = content.writer.kind === 'ai';
  if (!written || (isPullQuote(markdown) && !isByModel))
    return html`<figure class="quote" id="words"><blockquote${attributes}>${blocks[0]?.shown}</blockquote>
<figcaption class="meta"${ours}>${by}</figcaption></figure>`;
  const quotation = (some: typeof blocks): Html =>
    html`<blockquote class="written"${attributes}>${some.map((block) => block.shown)}</blockquote>`;
  const onHost = webAddress(article.hostPrUrl);
  const below = html`<p class="meta"${ours}>${by}${
    written.more && onHost && html` <a href="${onHost}" rel="noreferrer">${words.article.restOnHost}</a>`
  }</p>`;
  if (isByModel)
    return html`<section class="description" id="words"><details><summary${ours}>${words.inArticle.authorsWords[from]}</summary>${quotation(blocks)}
${below}</details></section>`;
  let lines = 0;
  const later = blocks.findIndex((block, index) => {
    lines += block.lines;
    return index > 0 && lines > firstLines;
  });
  const first = later < 0 ? blocks : blocks.slice(0, later);
  const rest = blocks.slice(first.length);
  return html`<section class="description" id="words"><h2 class="unseen"${ours}>${words.inArticle.authorsWords[from]}</h2>
${quotation(first)}${
  rest.length > 0 &&
  html`
<details><summary${ours}>${words.article.readOn}</summary>${quotation(rest)}</details>`
}
${below}</section>`;
}

/** Risks follow the first section: the author's words, or else the first change. */
export function changes(context: PageContext, shown: ShownArticle): Html {
  const { content } = shown;
  const { mainChanges, authorWords: written } = content;
  const isByModel = content.writer.kind === 'ai';
  const isFirst = mainChanges.length > 0 && (isByModel || !written);
  const after = isFirst ? risksAfterSections(content) : [];
  const sections = mainChanges.map(
    (_, index) => html`${change(context, shown, index)}${risks(context, shown, after[index] ?? [])}`,
  );
  return html`${!isFirst && risks(context, shown, risksOf(content))}${
    sections.length > 0 &&
    html`
<section class="changes">${!isByModel && html`<h2${context.ours}>${context.words.inArticle.change}</h2>`}
${sections}</section>`
  }`;
}

function change(context: PageContext, shown: ShownArticle, index: number): Html {
  const { heading, hunk } = shown.content.mainChanges[index] ?? { heading: null, hunk: null };
  const item = changeItem(shown.content, index);
  return html`<div class="stop item beat" id="${item.id}">${heading !== null && html`<h2 class="statement">${said(shown.content.languageCode, heading)}</h2>\n`}${
    item.statements.length > 0 &&
    html`<div class="telling">${telling(context, shown, item.statements)}</div>\n`
  }${callers(context, shown, item.statements)}${hunk && hunkFigure(context, shown, hunk, item.statements)}
${evidence(context, shown, item)}</div>
`;
}

function callers({ words, ours }: PageContext, { content }: ShownArticle, statements: Statement[]): Html {
  const block = blockBelow(content, statements);
  if (!block) return nothing;
  const side = (name: string, code: string): Html =>
    html`<figure><figcaption${ours}>${name}</figcaption><pre dir="ltr"><code>${code.split('\n').map(nameHiddenInLine).join('\n')}</code></pre></figure>`;
  return html`<div class="callers">${side(words.inArticle.before, block.before)}${side(words.inArticle.after, block.after)}</div>\n`;
}

export function tests(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const changed = shown.content.tests;
  if (!changed || changed.addedTotal + changed.statements.length === 0) return nothing;
  const { added, addedTotal, statements } = changed;
  const names = added.map((name) => `\`\` ${name.replace(/`{2,}/g, '`')} \`\``);
  return html`<section class="tests" id="tests"><h2${ours}>${words.inArticle.tests}</h2>
${addedTotal > 0 && html`<p class="told"${ours}>${text(words.inArticle.newTests(names, addedTotal - added.length))}</p>\n`}${statements.map(
  (one) => html`<p class="told">${sentences(context, shown, [one])}</p>\n`,
)}</section>`;
}

export function dependencies(context: PageContext, { content }: ShownArticle): Html {
  const { words, ours } = context;
  const table = content.dependencies;
  if (!table) return nothing;
  const { moreDependencies, dependencies: title } = words.inArticle;
  const rowOf = (item: (typeof table.items)[number]): Html => {
    const [fileName, use] = placeOfDependency(words.inArticle, item);
    return html`<tr><th scope="row"><code>${item.name}</code></th><td>${sayTurn(words.inArticle, item)}</td><td><code>${fileName}</code>${use && html`<span${ours}>${use}</span>`}</td></tr>\n`;
  };
  const { shown, more } = firstDependencies(table);
  const first = shown.map(rowOf);
  const rest = table.items.filter((item) => !shown.includes(item)).map(rowOf);
  const unlisted = table.total - table.items.length;
  return html`<section class="dependencies" id="dependencies"><h2${ours}>${title}</h2>
<table>${first}</table>
${rest.length > 0 && html`<details><summary${ours}>${moreDependencies(more)}</summary><table>${rest}</table>${unlisted > 0 && html`<p${ours}>${moreDependencies(unlisted)}</p>`}</details>\n`}</section>`;
}

export function also(context: PageContext, shown: ShownArticle): Html {
  const { content } = shown;
  if (content.also.length === 0) return nothing;
  const item = alsoItem(content);
  const lines = item.statements.map((one) => sentences(context, shown, [one]));
  const shownLines =
    lines.length === 1
      ? html`<p class="told">${lines}</p>`
      : html`<ul>${lines.map((line) => html`<li>${line}</li>\n`)}</ul>`;
  const heading = html`<h2${context.ours}>${headingOfRest(context.words.inArticle, content)}</h2>`;
  if (item.statements.length > 0)
    return html`<section class="also">${heading}
<div class="item beat"><div class="telling">${shownLines}</div>${evidence(context, shown, item)}</div></section>`;
  return html`<section class="also">${heading}
<ul>${content.also.map((row) => html`<li>${sentences(context, shown, [row.statement])}${onlyFile(context, row)}</li>\n`)}</ul></section>`;
}

function onlyFile({ ours }: PageContext, { statement, files: [only = ''], filesTotal }: AlsoChanged): Html {
  const address = webAddress(statement.evidence.find((one) => one.fileName === only)?.hostUrl ?? null);
  if (filesTotal !== 1 || (!address && statement.text.includes(only))) return nothing;
  const name = fileName(only);
  return html` <span class="where"${ours}>${address ? html`<a href="${address}" rel="noreferrer">${name}</a>` : name}</span>`;
}
