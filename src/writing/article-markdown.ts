import type { ArticleContent } from '../contract/article.ts';
import type { Hunk, Statement } from '../contract/told-parts.ts';
import type { ArticleSection } from '../domain/article.ts';
import { labelsOf, originalTitle, otherLanguageOf, risksOf, showsAll } from '../domain/article-form.ts';
import { type ArticleWords, articleWordsFor, writtenBy } from '../domain/article-words.ts';
import { nameHiddenInLine } from '../domain/hidden-characters.ts';
import { afterSentence } from '../domain/join-sentences.ts';
import { evidenceMarkdown } from './evidence-markdown.ts';
import { codeSpan, lineOfText, linkTo, paragraphsOfText, quotedMarkdown } from './markdown-text.ts';

/** What a page of Markdown needs to know about an article. */
export interface MarkdownSource {
  owner: string;
  repo: string;
  /** Null for a change that is no pull request. */
  prNumber: number | null;
  hostPrUrl: string | null;
  /** The author's. */
  title: string;
  /** Empty where it is not known. */
  authorLogin: string;
  state: 'open' | 'closed' | 'merged' | null;
  content: Omit<ArticleContent, 'likeCount' | 'stale'>;
}

type Content = MarkdownSource['content'];
type Change = Content['mainChanges'][number];

/** A paragraph, a heading, a list or a hunk, and what it belongs to. */
export interface MarkdownBlock {
  section: ArticleSection;
  text: string;
}

/** One language of an article as a page of Markdown. Languages that have no words of their own get English ones. */
export function articleMarkdown(source: MarkdownSource, languageCode: string): string {
  return `${articleBlocks(source, languageCode)
    .map(({ text }) => text)
    .join('\n\n')}\n`;
}

/** The same block by block, in its order. */
export function articleBlocks(source: MarkdownSource, languageCode: string): MarkdownBlock[] {
  const { content } = source;
  const words = articleWordsFor(languageCode);
  const risks = risksOf(content).map(({ point }) => risk(point, words));
  const why = tell(content.background, words, { print: paragraphsOfText });
  const changes = content.mainChanges.map((change) =>
    changeOf(change, words, content.writer.kind === 'offline'),
  );
  const isByModel = content.writer.kind === 'ai';
  const [first = [], ...others] = changes;
  const parts: [ArticleSection, string[]][] = [
    ['summary', opening(source, words)],
    ...(isByModel
      ? ([
          ['background', [why]],
          ['changes', first],
          ['points', risks],
          ['changes', others.flat()],
        ] satisfies [ArticleSection, string[]][])
      : ([
          ['points', risks],
          ['background', [...authorWords(source, words), why]],
          ['changes', section(words.change, changes.flat())],
        ] satisfies [ArticleSection, string[]][])),
    ['changes', section(words.tests, tests(content, words))],
    ['also', section(words.also, [rest(content, words)])],
    ['background', isByModel ? authorWords(source, words) : []],
    ['summary', ['---', footer(content, words)]],
  ];
  return parts.flatMap(([of, texts]) =>
    texts.filter((text) => text !== '').map((text) => ({ section: of, text })),
  );
}

/** What the rest does not mention: a sentence by a model, or a line for each edit. */
function rest({ also, writer }: Content, words: ArticleWords): string {
  const isBare = writer.kind === 'offline';
  const told = also.map(({ statement }) => tell([statement], words, { print: lineOfText, isBare }));
  return !isBare && told.length === 1 ? told.join('') : told.map((line) => `- ${line}`).join('\n');
}

/** A heading with what stands below it, unless that is nothing. */
const section = (heading: string, told: string[]): string[] =>
  told.some((part) => part !== '') ? [`## ${heading}`, ...told] : [];

/** What stands above all sections. */
function opening(source: MarkdownSource, words: ArticleWords): string[] {
  const { content, owner, repo, prNumber, hostPrUrl, authorLogin, state } = source;
  const { standfirst, scope, aiGeneratedTitle } = content;
  const name =
    [owner, repo].filter(Boolean).map(lineOfText).join('/') + (prNumber === null ? '' : `#${prNumber}`);
  const original = originalTitle(source.title, content);
  const lead = standfirst?.text === aiGeneratedTitle ? null : standfirst;
  return [
    `# ${lineOfText(aiGeneratedTitle)}`,
    original === null ? '' : `${words.originalTitle}${lineOfText(original)}`,
    lead ? tell([lead], words, { print: paragraphsOfText, isShown: () => true }) : '',
    [
      hostPrUrl ? linkTo(hostPrUrl, name) : name,
      lineOfText(authorLogin),
      state && words.states[state],
      content.headSha && `\`${content.headSha.slice(0, 10)}\``,
      ...labelsOf(content).map(
        ({ label, name }) => words.labels[label] + (name ? `${words.colon} ${lineOfText(name)}` : ''),
      ),
    ]
      .filter(Boolean)
      .join(' · '),
    countsLine(content, words),
    scope ? `**${lineOfText(scope.statement.text)}**` : '',
  ];
}

function footer({ coverage, verification, writer }: Content, words: ArticleWords): string {
  const said = [words.read(coverage), ...writtenBy(words, writer), words.checked(verification)];
  return paragraphsOfText(
    said
      .map((sentence) => `${sentence}${afterSentence(sentence)}`)
      .join('')
      .trim(),
  );
}

/** What the author wrote, quoted whole; of older articles one sentence of it. */
function authorWords({ authorLogin, content }: MarkdownSource, words: ArticleWords): string[] {
  const { authorWords: written, quote, languageCode } = content;
  if (!written && !quote) return [];
  const markdown = written?.markdown ?? quote?.text ?? '';
  const where = written ? words.writtenIn[written.from] : words.quotedFrom[quote?.from ?? 'description'];
  const other = otherLanguageOf(markdown, languageCode);
  const by = [lineOfText(authorLogin) + where, ...(other ? [words.original[other]] : [])].join(' · ');
  return [`## ${words.authorsWords}`, `${quotedMarkdown(markdown)}\n>\n> — ${by}`];
}

function countsLine({ counts }: Content, words: ArticleWords): string {
  const { files, additions, deletions, commits, parts } = counts;
  const told = [words.files(files)];
  if (additions + deletions > 0) told.push(`+${additions} −${deletions}`);
  if (parts.length > 0) told.push(parts.map((part) => words.parts[part.kind](part.files)).join(words.comma));
  if (commits > 0) told.push(words.commits(commits));
  return told.join(' · ');
}

function risk({ label, statements }: Content['notablePoints'][number], words: ArticleWords): string {
  const name = label ? words.labels[label] : words.risk;
  return `> **${name}** ${tell(statements, words, { print: lineOfText, between: '\n>\n> ' })}`;
}

/** A section of a model under its heading, or a hunk under where it lies. */
function changeOf(
  { heading, fileName, statements, hunk, evidence }: Change,
  words: ArticleWords,
  isBare: boolean,
): string[] {
  const isShown = (lines: Lines): boolean => showsAll(hunk, lines);
  return [
    ...(heading === null ? [] : [`## ${lineOfText(heading)}`]),
    ...(heading === null && statements.length > 0 && !hunk ? [codeSpan(fileName)] : []),
    tell(statements, words, {
      print: paragraphsOfText,
      known: hunk?.fileName ?? (heading === null ? fileName : ''),
      isShown,
      isBare,
    }),
    ...(hunk
      ? [
          hunkMarkdown(
            hunk,
            words,
            evidence.find((one) => one.fileName === hunk.fileName),
          ),
        ]
      : []),
  ];
}

const signs = { context: ' ', added: '+', removed: '-' };

/** Lines of a diff in a fence that nothing in them can close. */
function hunkMarkdown(
  { fileName, heading, lines, moreBefore, moreAfter }: Hunk,
  words: ArticleWords,
  shown: Lines | undefined,
): string {
  const printed = lines.map(({ kind, text }) => `${signs[kind]}${nameHiddenInLine(text.replace(/\r$/, ''))}`);
  const longest = printed
    .flatMap((line) => line.match(/`+/g) ?? [])
    .reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  const place = [fileName, ...(heading ? [heading] : [])].map(codeSpan).join(' › ');
  const more = (count: number): string => (count > 0 ? `⋯ ${words.moreLines(count)}` : '');
  return [
    shown?.hostUrl ? linkTo(shown.hostUrl, place) : place,
    more(moreBefore),
    [`${fence}diff`, ...printed, fence].join('\n'),
    more(moreAfter),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function tests({ tests: changed }: Content, words: ArticleWords): string[] {
  if (!changed) return [];
  const { added, addedTotal, statements } = changed;
  return [
    addedTotal > 0 ? words.newTests(added.map(codeSpan), addedTotal - added.length) : '',
    ...statements.map((one) => tell([one], words, { print: paragraphsOfText, isBare: true })),
  ];
}

type Lines = Statement['evidence'][number];

interface Manner {
  /** How a sentence becomes Markdown. */
  print: (text: string) => string;
  /** What stands between two sentences. */
  between?: string;
  /** The file that is named already. */
  known?: string;
  /** Whether a hunk shows where a sentence stands: then that is not told. */
  isShown?: (lines: Lines) => boolean;
  /** Without the lines: rules name what they are about. */
  isBare?: boolean;
}

/** Sentences, and behind the last of them their lines: among the sentences, these would be in the way. */
function tell(
  statements: Statement[],
  words: ArticleWords,
  { print, between = ' ', known = '', isShown = () => false, isBare = false }: Manner,
): string {
  const isTold = (lines: Lines): boolean => !isBare && !isShown(lines);
  const said = statements.map(({ text, basis, source, evidence }) => {
    const sentence =
      basis === 'judgement' ? `*${words.judgement}${words.colon}* ${print(text)}` : print(text);
    const isQuoted = source && !evidence.some(isTold);
    return isQuoted ? `${sentence}${words.author(words.quotedFrom[source])}` : sentence;
  });
  const evidence = statements.flatMap((one) => one.evidence).filter(isTold);
  const places = evidenceMarkdown(evidence, known, words.andMore);
  return `${said.join(between)}${places === '' ? '' : words.evidence(places)}`;
}
