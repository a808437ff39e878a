import type { Hunk, Statement } from '../contract/article-parts.ts';
import type { ArticleContent } from '../contract/articles.ts';
import {
  type ArticleWords,
  articleWordsFor,
  authorTextOf,
  countsLine,
  firstDependencies,
  footOf,
  headingOfRest,
  judgementWord,
  placeOfDependency,
  sayLabel,
  sayTurn,
  sayUnchanged,
} from '../domain/article-words.ts';
import {
  type ArticleSection,
  blockBelow,
  labelsOf,
  originalTitle,
  otherLanguageOf,
  paragraphsOf,
  printsAuthorWords,
  risksAfterSections,
  risksOf,
} from '../domain/articles.ts';
import { splitReferences } from '../domain/issue-references.ts';
import { codePointName, nameHidden, nameHiddenInLine } from '../domain/text.ts';
import { headlineOf } from '../domain/titles.ts';

export interface MarkdownSource {
  owner: string;
  repo: string;
  /** The number of the pull request; null for another change, such as a local branch. */
  prNumber: number | null;
  hostPrUrl: string | null;
  title: string;
  authorLogin: string;
  state: 'open' | 'closed' | 'merged' | null;
  content: Omit<ArticleContent, 'likeCount' | 'stale'>;
}

type Content = MarkdownSource['content'];
type Change = Content['mainChanges'][number];

export interface MarkdownBlock {
  section: ArticleSection;
  text: string;
}

/** The article in one language as a page of Markdown. Labels are English if we have none in that language. */
export function articleMarkdown(source: MarkdownSource, languageCode: string): string {
  return `${articleBlocks(source, languageCode)
    .map(({ text }) => text)
    .join('\n\n')}\n`;
}

export function articleBlocks(source: MarkdownSource, languageCode: string): MarkdownBlock[] {
  const { content } = source;
  const words = articleWordsFor(languageCode);
  const isByModel = content.writer.kind === 'ai';
  const printRisks = (risks: { point: Content['notablePoints'][number] }[]): string[] =>
    risks.map(({ point }) => risk(point, words, source.authorLogin, isByModel));
  const why = sentences(content.background, words, { print: paragraphsOfText });
  const changes = content.mainChanges.map((change) => changeOf(change, content, words));
  const risks = isByModel ? risksAfterSections(content) : [];
  const author = printsAuthorWords(content) ? authorWords(source, words) : [];
  const story: [ArticleSection, string[]][] = isByModel
    ? [
        ['background', [why]],
        ...changes.flatMap((texts, at): [ArticleSection, string[]][] => [
          ['changes', texts],
          ['points', printRisks(risks[at] ?? [])],
        ]),
      ]
    : [
        ['points', printRisks(risksOf(content))],
        ['background', [...author, why]],
        ['changes', section(words.change, changes.flat())],
      ];
  const parts: [ArticleSection, string[]][] = [
    ['summary', opening(source, words)],
    ...story,
    ['changes', section(words.review.heading, review(source, words))],
    ['changes', section(words.dependencies, dependencies(content, words))],
    ['changes', section(words.tests, tests(content, words))],
    ['also', section(headingOfRest(words, content), [rest(content, words)])],
    ['background', isByModel ? author : []],
    ['summary', ['---', paragraphsOfText(footOf(words, content))]],
  ];
  return parts.flatMap(([of, texts]) =>
    texts.filter((text) => text !== '').map((text) => ({ section: of, text })),
  );
}

function rest({ also, writer }: Content, words: ArticleWords): string {
  const lines = also.map(({ statement }) => sentences([statement], words, { print: lineOfText }));
  return writer.kind === 'ai' && lines.length === 1
    ? lines.join('')
    : lines.map((line) => `- ${line}`).join('\n');
}

const section = (heading: string, texts: string[]): string[] =>
  texts.some((text) => text !== '') ? [`## ${heading}`, ...texts] : [];

function opening(source: MarkdownSource, words: ArticleWords): string[] {
  const { content, owner, repo, prNumber, hostPrUrl, authorLogin, state } = source;
  const { standfirst, scope, aiGeneratedTitle } = content;
  const name =
    [owner, repo].filter(Boolean).map(lineOfText).join('/') + (prNumber === null ? '' : `#${prNumber}`);
  const original = originalTitle(source.title, content);
  const lead = standfirst?.text === aiGeneratedTitle ? null : standfirst;
  const isByModel = content.writer.kind === 'ai';
  const size = countsLine(words, content.counts, isByModel);
  return [
    `# ${lineOfText(headlineOf(source.title, content))}`,
    original === null ? '' : `${words.originalTitle}${lineOfText(original)}`,
    lead ? sentences([lead], words, { print: paragraphsOfText }) : '',
    [
      hostPrUrl ? linkTo(hostPrUrl, name) : name,
      lineOfText(authorLogin),
      state && words.states[state],
      content.headSha && `\`${content.headSha.slice(0, 10)}\``,
      ...labelsOf(content).map(({ label }) => words.labels[label]),
      isByModel && size,
    ]
      .filter(Boolean)
      .join(' · '),
    isByModel ? '' : size,
    scope ? `**${lineOfText(scope.statement.text)}**` : '',
  ];
}

function authorWords({ authorLogin, content, hostPrUrl }: MarkdownSource, words: ArticleWords): string[] {
  const author = authorTextOf(words, content, lineOfText(authorLogin));
  if (!author) return [];
  const { heading, text, by } = author;
  return [`## ${heading}`, `${quotedMarkdown(text, hostPrUrl)}\n>\n> ${by}`];
}

function risk(
  { label, statements }: Content['notablePoints'][number],
  words: ArticleWords,
  author: string,
  isByModel: boolean,
): string {
  const name = label ? words.labels[label] : words.risk;
  const said = sentences(statements, words, { print: lineOfText, between: '\n\n', author });
  const isQuoted = said.startsWith('>');
  const [place] = statements.flatMap(({ evidence }) => evidence);
  const seen = place && !isQuoted && !isByModel ? words.evidence(fileMarkdown(place.fileName, [place])) : '';
  return `> **${name}**${isQuoted ? '\n\n' : words.afterLabel}${said}${seen}`
    .replaceAll('\n', '\n> ')
    .replace(/ +$/gm, '');
}

function changeOf(
  { heading, fileName, statements, hunk, evidence }: Change,
  content: Content,
  words: ArticleWords,
): string[] {
  const prose = paragraphsOf(content, statements)
    .map((paragraph) => {
      const { label, statements: own } = sayLabel(words, paragraph);
      if (label === null) return sentences(own, words, { print: paragraphsOfText });
      return `**${label}${words.colon.trimEnd()}** ${sentences(own, words, { print: lineOfText })}`;
    })
    .join('\n\n');
  const block = callers(blockBelow(content, statements), words);
  if (hunk) return [headingMarkdown(heading), prose, block, hunkMarkdown(hunk, evidence, words)];
  const isNamed = content.writer.kind === 'offline' && evidence.every((one) => one.fileName === fileName);
  if (heading === null) return [isNamed ? fileMarkdown(fileName, evidence) : '', prose, block];
  return [headingMarkdown(heading), prose, block];
}

function callers(block: Content['beforeAfter'], { before, after, colon }: ArticleWords): string {
  if (!block) return '';
  const side = (name: string, code: string): string =>
    `${name}${colon.trimEnd()}\n\n${fenced(code.split('\n').map(nameHiddenInLine))}`;
  return `${side(before, block.before)}\n\n${side(after, block.after)}`;
}

const headingMarkdown = (heading: string | null): string =>
  heading === null ? '' : `## ${lineOfText(heading)}`;

const signs = { context: ' ', added: '+', removed: '-' };

/** A fence longer than any run of backticks in the lines, so that no line closes it. */
function fenced(lines: string[], language = ''): string {
  const longest = lines
    .flatMap((line) => line.match(/`+/g) ?? [])
    .reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence].join('\n');
}

function hunkMarkdown(
  { fileName, heading, lines, moreBefore, moreAfter }: Hunk,
  evidence: Statement['evidence'],
  words: ArticleWords,
): string {
  const printed = lines.map(({ kind, text }) => `${signs[kind]}${nameHiddenInLine(text.replace(/\r$/, ''))}`);
  const place = [fileName, ...(heading ? [heading] : [])].map(codeSpan).join(' › ');
  const more = (count: number): string => (count > 0 ? '⋯' : '');
  const marked = [more(moreAfter), ...sayUnchanged(words, lines)];
  return [fileMarkdown(fileName, evidence, place), more(moreBefore), fenced(printed, 'diff'), ...marked]
    .filter(Boolean)
    .join('\n\n');
}

function review({ content, hostPrUrl, state }: MarkdownSource, words: ArticleWords): string[] {
  const { points = [], rest: others = null } = content.review ?? {};
  const { asReviewed, asMerged, asNow } = words.review;
  const texts = points.flatMap(({ fileName, words: said, statements, hunkAsReviewed, hunk }) => [
    ...(points.length > 1 ? [words.review.on(fileName)] : []),
    ...said.map(({ author, markdown, url, cut }) => {
      const by = `— ${url === null ? lineOfText(author) : linkTo(url, lineOfText(author))}${cut ? ` · ${words.shortened}` : ''}`;
      return `${quotedMarkdown(markdown, hostPrUrl)}\n>\n> ${by}`;
    }),
    sentences(statements, words, { print: paragraphsOfText }),
    ...(hunkAsReviewed ? [`**${asReviewed}**`, hunkMarkdown(hunkAsReviewed, [], words)] : []),
    ...(hunk
      ? [
          `**${state === 'merged' ? asMerged : asNow}**`,
          hunkMarkdown(
            hunk,
            statements.flatMap(({ evidence }) => evidence),
            words,
          ),
        ]
      : []),
  ]);
  return [
    ...texts,
    others && points.length > 0 ? sentences([others], words, { print: paragraphsOfText }) : '',
  ];
}

/** Markdown cannot fold a long list, and agents that read the page search it anyway. */
const mostDependencies = 30;

function dependencies({ dependencies: table }: Content, words: ArticleWords): string[] {
  if (!table) return [];
  const { shown, more } = firstDependencies(table, mostDependencies);
  const rows = shown.map((item) => {
    const [fileName, use] = placeOfDependency(words, item);
    return `- ${codeSpan(item.name)} ${lineOfText(sayTurn(words, item))} (${codeSpan(fileName)}${use})`;
  });
  return [[...rows, ...(more > 0 ? [`- ${words.moreDependencies(more)}`] : [])].join('\n')];
}

function tests({ tests: changed }: Content, words: ArticleWords): string[] {
  if (!changed) return [];
  const { added, addedTotal, statements } = changed;
  return [
    addedTotal > 0 ? words.newTests(added.map(codeSpan), addedTotal - added.length) : '',
    ...statements.map((one) => sentences([one], words, { print: paragraphsOfText })),
  ];
}

interface Manner {
  print: (text: string) => string;
  between?: string;
  author?: string;
}

/** Quotations in another language are paragraphs of their own, so that they can be translated. */
function sentences(
  statements: Statement[],
  words: ArticleWords,
  { print, between = words.betweenSentences, author = '' }: Manner,
): string {
  const said = statements.map((statement) => {
    const { text, source } = statement;
    if (source && otherLanguageOf(text, words.code) !== null) return quotation(statement, words, author);
    const word = judgementWord(words, statement);
    const sentence = word ? `*${word}*${words.colon}${print(text)}` : print(text);
    return source ? `${sentence}${words.author(source)}` : sentence;
  });
  return said.join(said.some((one) => one.startsWith('>')) ? '\n\n' : between);
}

function fileMarkdown(fileName: string, evidence: Statement['evidence'], name = codeSpan(fileName)): string {
  const address = evidence.find((one) => one.fileName === fileName)?.hostUrl;
  return address ? linkTo(address, name) : name;
}

function quotation(
  { text, source, evidence: [place] }: Statement,
  words: ArticleWords,
  author: string,
): string {
  const where = source ? words.quotedFrom[source] : '';
  const by = place ? words.quotedIn(fileMarkdown(place.fileName, [place])) : `${lineOfText(author)}${where}`;
  const other = otherLanguageOf(text, words.code);
  return `> ${lineOfText(text)}\n>\n> — ${by}${other ? ` · ${words.original[other]}` : ''}`;
}

const codeSpans = /(?<!`)(`[^`]+`)(?!`)/;
const markup = /[\\`*_[\]<>#|~$]|&(?=\w+;)|:(?=\/\/)|(?<=www)\./gi;
const beginnings = /^[-+](?=[\s-]|$)|(?<=^\d{1,9})[.)](?=\s|$)/;
const lineBreaks = /[\r\n]+/g;

/**
 * Plain text with code spans as one line of Markdown. Markdown in the text is escaped, and invisible characters are
 * named.
 */
export const lineOfText = (text: string): string => linkedLine(text, null);

/** Issue numbers become links if the host of the pull request is known. */
const linkedLine = (text: string, hostPrUrl: string | null): string =>
  text
    .trim()
    .replace(lineBreaks, ' ')
    .split(codeSpans)
    .map((part, index) => (index % 2 === 1 ? nameHidden(part, 'exact') : linkedWords(part, hostPrUrl)))
    .join('');

const linkedWords = (words: string, hostPrUrl: string | null): string =>
  splitReferences(nameHidden(words, 'prose'), hostPrUrl)
    .map(({ text, address }) => {
      const literal = text.replace(markup, '\\$&');
      return address === null ? literal : linkTo(address, literal);
    })
    .join('');

/** Plain text as paragraphs of Markdown, none of which can begin a list, heading or block. */
function paragraphsOfText(text: string, hostPrUrl: string | null = null): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((paragraph) => linkedLine(paragraph, hostPrUrl).replace(beginnings, '\\$&'))
    .join('\n\n');
}

/** File and symbol names may contain backticks, line breaks and bidirectional control characters. */
export function codeSpan(name: string): string {
  const shown = nameHiddenInLine(name).replaceAll('\t', codePointName);
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 || /^ .* $/s.test(shown) ? ' ' : '';
  return `${fence}${padding}${shown}${padding}${fence}`;
}

export function linkTo(address: string, text: string): string {
  const closed = address.replace(
    /[()<>\\\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
  return `[${text}](${closed})`;
}

const blockStart = /^(\s{0,12}(?:[-*+] |\d{1,9}[.)] |#{1,6} |> ?)?)(.*)$/;

/**
 * Markdown of other people as a quotation: lists, headings and code blocks are kept, and everything else is escaped. A
 * fence that is left open is closed at the end of the quotation.
 */
function quotedMarkdown(markdown: string, hostPrUrl: string | null): string {
  let fence = '';
  const lines = markdown
    .trim()
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => {
      const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
      if (fence !== '') {
        // A fence with words after it closes nothing.
        if (marks.startsWith(fence) && line.trim() === marks) fence = '';
        return nameHiddenInLine(line);
      }
      if (marks !== '') {
        fence = marks;
        return marks;
      }
      const [, start = '', text = ''] = blockStart.exec(line) ?? [];
      const isText = start.trim() === '';
      return start + (isText ? paragraphsOfText(text, hostPrUrl) : linkedLine(text, hostPrUrl));
    });
  return [...lines, ...(fence === '' ? [] : [fence])].map((line) => `> ${line}`.trimEnd()).join('\n');
}
