import type { ArticleContent } from '../contract/article.ts';
import type { AlsoChanged, Excerpt, Statement } from '../contract/told-parts.ts';
import type { ArticleSection } from '../domain/article.ts';
import { type ArticleWords, articleWordsFor, writtenBy } from '../domain/article-words.ts';
import { beatsOf, touches } from '../domain/beats.ts';
import { afterSentence } from '../domain/join-sentences.ts';
import { isToldAgain } from '../domain/standfirst.ts';
import { evidenceMarkdown } from './evidence-markdown.ts';
import { excerptMarkdown } from './excerpt-markdown.ts';
import { type Headings, headingsFor } from './headings.ts';
import { codeSpan, lineOfText, linkTo, paragraphsOfText } from './markdown-text.ts';

/** What a page of Markdown needs to know about an article. */
export interface MarkdownSource {
  owner: string;
  repo: string;
  /** Null for a change that is no pull request. */
  prNumber: number | null;
  hostPrUrl: string | null;
  /** Empty where it is not known. */
  authorLogin: string;
  state: 'open' | 'closed' | 'merged' | null;
  content: Pick<
    ArticleContent,
    | 'aiGeneratedTitle'
    | 'standfirst'
    | 'quote'
    | 'counts'
    | 'headSha'
    | 'background'
    | 'mainChanges'
    | 'notablePoints'
    | 'also'
    | 'coverage'
    | 'verification'
    | 'writer'
  >;
}

type Content = MarkdownSource['content'];

/** What an article is said in. */
interface Voice {
  headings: Headings;
  words: ArticleWords;
  writer: Content['writer'];
}

/** A paragraph, a heading, a list or an excerpt, and what it belongs to. */
export interface MarkdownBlock {
  section: ArticleSection;
  text: string;
}

/** One language of an article as a page of Markdown. Languages that have no headings of their own get English ones. */
export function articleMarkdown(source: MarkdownSource, languageCode: string): string {
  return `${articleBlocks(source, languageCode)
    .map(({ text }) => text)
    .join('\n\n')}\n`;
}

/** The same block by block, in its order. */
export function articleBlocks(source: MarkdownSource, languageCode: string): MarkdownBlock[] {
  const { content } = source;
  const [headings, words] = [headingsFor(languageCode), articleWordsFor(languageCode)];
  const voice = { headings, words, writer: content.writer };
  const stops = content.mainChanges.flatMap((change, index) =>
    stop(change, voice, content.mainChanges[index - 1]?.fileName ?? null),
  );
  const rows = content.also.map((row) => rowOf(row, voice)).join('\n');
  const parts: [ArticleSection, string[]][] = [
    ['summary', opening(source, voice)],
    [
      'background',
      section(headings.background, [tell(content.background, voice, { print: paragraphsOfText })]),
    ],
    ['points', content.notablePoints.flatMap((point) => callout(point, voice))],
    ['changes', section(headings.changes, stops)],
    ['also', section(headings.also, [rows])],
    ['points', section(headings.points, [points(content, voice)])],
    ['summary', ['---', footer(content, voice)]],
  ];
  return parts.flatMap(([of, texts]) =>
    texts.filter((text) => text !== '').map((text) => ({ section: of, text })),
  );
}

/** What stands above all sections. */
function opening(source: MarkdownSource, voice: Voice): string[] {
  const { content, owner, repo, prNumber, hostPrUrl, authorLogin, state } = source;
  const { standfirst } = content;
  const name =
    [owner, repo].filter(Boolean).map(lineOfText).join('/') + (prNumber === null ? '' : `#${prNumber}`);
  return [
    `# ${lineOfText(content.aiGeneratedTitle)}`,
    [
      hostPrUrl ? linkTo(hostPrUrl, name) : name,
      lineOfText(authorLogin),
      state && voice.words.states[state],
      content.headSha && `\`${content.headSha.slice(0, 10)}\``,
    ]
      .filter(Boolean)
      .join(' · '),
    quote(source, voice),
    standfirst && !isToldAgain(content)
      ? tell([standfirst], voice, { print: paragraphsOfText, isShown: () => true })
      : '',
    countsLine(content, voice),
  ];
}

function footer({ coverage, verification, writer }: Content, { headings, words }: Voice): string {
  const said = [...writtenBy(words, writer), headings.footer(coverage), words.checked(verification)];
  return paragraphsOfText(
    said
      .map((sentence) => `${sentence}${afterSentence(sentence)}`)
      .join('')
      .trim(),
  );
}

/** A heading with what stands below it, unless that is nothing. */
const section = (heading: string, told: string[]): string[] =>
  told.some((part) => part !== '') ? [`## ${heading}`, ...told] : [];

function quote({ authorLogin, content }: MarkdownSource, { words }: Voice): string {
  if (!content.quote) return '';
  const { text, from } = content.quote;
  return `> ${lineOfText(text)}\n>\n> — ${lineOfText(authorLogin)}${words.quotedFrom[from]}`;
}

function countsLine({ counts }: Content, { words }: Voice): string {
  const { files, additions, deletions, commits, parts } = counts;
  const told = [words.files(files)];
  if (additions + deletions > 0) told.push(`+${additions} −${deletions}`);
  if (parts.length > 0) told.push(parts.map((part) => words.parts[part.kind](part.files)).join(', '));
  if (commits > 0) told.push(words.commits(commits));
  return told.join(' · ');
}

/** What has a name of its own stands above the changes, with where it was found. */
function callout(point: Content['notablePoints'][number], voice: Voice): string[] {
  if (point.label === null) return [];
  const label = `> **${voice.words.labels[point.label]}**`;
  return [`${label}\n>\n> ${tell(point.statements, voice, { print: lineOfText, between: '\n>\n> ' })}`];
}

/** One decision under its file, which is not named again where the one above has it too. */
function stop(
  { fileName, changeTypes, statements, excerpts }: Content['mainChanges'][number],
  voice: Voice,
  above: string | null,
): string[] {
  const types = changeTypes.length > 0 ? ` (${changeTypes.join(', ')})` : '';
  const known = fileName;
  const beats = beatsOf<Statement, Excerpt>(statements, excerpts).flatMap((beat) => {
    // A caption is about the excerpt below it and names what that lies in; a model's sentence may be about more.
    const isCaption = voice.writer.kind === 'offline';
    const said = isCaption ? beat.statements.map(({ text }) => text).join(' ') : '';
    const isShown = (lines: Lines): boolean =>
      beat.excerpts.some((excerpt) => isCaption || touches(excerpt, lines));
    return [
      tell(beat.statements, voice, { print: paragraphsOfText, known, isShown }),
      ...beat.excerpts.map((excerpt) => excerptMarkdown(excerpt, known, said)),
    ];
  });
  return fileName === above ? beats : [`### ${codeSpan(fileName)}${types}`, ...beats];
}

const mostNames = 8;

function rowOf(row: AlsoChanged, voice: Voice): string {
  const { kind, statement, times, files, filesTotal, additions, deletions } = row;
  const { words } = voice;
  const names = files.slice(0, mostNames).map(codeSpan).join(', ');
  const rest = filesTotal - Math.min(files.length, mostNames);
  const where = rest > 0 ? `${names} ${words.andMore(rest)}` : names;
  const said = tell([statement], voice, { print: lineOfText, isShown: () => true });
  if (kind === 'sameEdit')
    return `- **${words.sameEdit}** ${said}${times === null ? '' : ` · ${words.times(times)}`} · ${where}`;
  const named = kind === 'test' ? `**${words.tests}** (${where})` : where;
  return `- ${named}: ${said} · +${additions} −${deletions}`;
}

function points({ notablePoints }: Content, voice: Voice): string {
  return notablePoints
    .filter(({ label }) => label === null)
    .map(
      ({ categories, statements }) =>
        `- **${categories.join(', ')}** ${tell(statements, voice, { print: lineOfText })}`,
    )
    .join('\n\n');
}

type Lines = Statement['evidence'][number];

interface Manner {
  /** How a sentence becomes Markdown. */
  print: (text: string) => string;
  /** What stands between two sentences. */
  between?: string;
  /** The file that is named already. */
  known?: string;
  /** Whether an excerpt, or a row, shows where a sentence stands: then only what leads there is told. */
  isShown?: (lines: Lines) => boolean;
}

/** Sentences, and behind the last of them their lines: among the sentences, these would be in the way. */
function tell(
  statements: Statement[],
  { headings, words }: Voice,
  { print, between = ' ', known = '', isShown = () => false }: Manner,
): string {
  const isTold = (lines: Lines): boolean => lines.hostUrl !== null || !isShown(lines);
  const said = statements.map(({ text, basis, source, evidence }) => {
    const sentence = basis === 'judgement' ? `*${headings.judgement}:* ${print(text)}` : print(text);
    const isQuoted = source && !evidence.some(isTold);
    return isQuoted ? `${sentence} (${headings.author}${words.quotedFrom[source]})` : sentence;
  });
  const evidence = statements.flatMap((one) => one.evidence).filter(isTold);
  const places = evidenceMarkdown(evidence, known, words.andMore);
  return `${said.join(between)}${places === '' ? '' : ` (${headings.evidence}: ${places})`}`;
}
