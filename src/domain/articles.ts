import { createHash } from 'node:crypto';
import { authorTitle } from './titles.ts';

export const changeTypes = ['FEAT', 'FIX', 'REFACTOR', 'DOCS', 'TEST', 'PERF', 'BUILD', 'CHORE'] as const;

export type ChangeType = (typeof changeTypes)[number];

export const categories = ['TECH', 'RISK', 'UX', 'PERF', 'SECURITY'] as const;

export type Category = (typeof categories)[number];

export const fileKinds = [
  'source',
  'test',
  'documentation',
  'build',
  'configuration',
  'manifest',
  'lock',
  'generated',
  'vendored',
  'binary',
] as const;

export type FileKind = (typeof fileKinds)[number];

export const fileStatuses = ['added', 'removed', 'modified', 'renamed', 'copied', 'typeChanged'] as const;

export type FileStatus = (typeof fileStatuses)[number];

/** The basis of a sentence: what the lines do, what people wrote about it, or what it means. */
export const bases = ['diff', 'words', 'judgement'] as const;

export const quoteSources = ['title', 'description', 'commit', 'issue', 'code', 'changelog'] as const;

export type QuoteSource = (typeof quoteSources)[number];

export const reasonsForOffline = ['tooLarge', 'private', 'failed', 'budget', 'trivial'] as const;

export type ReasonForOffline = (typeof reasonsForOffline)[number];

export const pointLabels = [
  'breaking',
  'migration',
  'deprecated',
  'security',
  'default',
  'permission',
  'skippedTest',
  'measured',
  'limits',
] as const;

export type PointLabel = (typeof pointLabels)[number];

/** Labels of risks for which callers must change their code. */
export const turningLabels = ['breaking', 'migration', 'default'] as const;

export const hunkLineKinds = ['context', 'added', 'removed'] as const;

export const scopeKinds = [
  'tests',
  'documentation',
  'build',
  'dependencies',
  'formatting',
  'comments',
  'renames',
  'moves',
  'noPublicChange',
] as const;

export type ScopeKind = (typeof scopeKinds)[number];

export const authorWordsSources = ['description', 'commit', 'commits'] as const;

export type AuthorWordsSource = (typeof authorWordsSources)[number];

export const severities = ['high', 'medium', 'low'] as const;

type Severity = (typeof severities)[number];

export const articleSections = ['summary', 'background', 'points', 'changes', 'also'] as const;

export type ArticleSection = (typeof articleSections)[number];

// Decisions that are the same wherever an article is shown: page, Markdown, feed or terminal.

/** More boxes than these would clutter an article by a model. */
const mostModelRisks = 2;

interface Labelled {
  label: PointLabel | null;
  severity: Severity | null;
  /** The index of the main change whose sentence it is; without one, the risk has its own box. */
  section?: number | null;
}

const isBoxed = ({ section = null }: Pick<Labelled, 'section'>): boolean => section === null;

interface Pointed<Point> {
  notablePoints: Point[];
  writer: { kind: 'offline' | 'ai' };
}

interface Cited {
  statements: { evidence: CitedLines[] }[];
}

export interface StatedParts<Statement> {
  standfirst: Statement | null;
  scope: { statement: Statement } | null;
  background: Statement[];
  mainChanges: { statements: Statement[] }[];
  notablePoints: { statements: Statement[]; section?: number | null }[];
  tests: { statements: Statement[] } | null;
  also: { statement: Statement }[];
}

/** All sentences of an article by its parts, each once and in order. */
export const statementsOf = <Statement>(content: StatedParts<Statement>) => ({
  standfirst: content.standfirst ? [content.standfirst] : [],
  scope: content.scope ? [content.scope.statement] : [],
  background: content.background,
  changes: content.mainChanges.flatMap(({ statements }) => statements),
  points: content.notablePoints.filter(isBoxed).flatMap(({ statements }) => statements),
  tests: content.tests?.statements ?? [],
  also: content.also.map(({ statement }) => statement),
});

export const changeId = (index: number): string => `change-${index + 1}`;

/** Whether the author's words are printed in formats that cannot fold them: not if a model explains the reason. */
export const printsAuthorWords = (content: {
  writer: { kind: 'offline' | 'ai' };
  background: unknown[];
}): boolean => content.writer.kind === 'offline' || content.background.length === 0;

const severityOrder = ['high', 'medium', null, 'low'];

/** The risks that are shown, with their index among all: those with a label first, then by importance. */
export function risksOf<Point extends Labelled>({
  notablePoints,
  writer,
}: Pointed<Point>): { point: Point; index: number }[] {
  const ranked = notablePoints
    .map((point, index) => ({ point, index }))
    .sort(
      ({ point: one }, { point: other }) =>
        Number(one.label === null) - Number(other.label === null) ||
        severityOrder.indexOf(one.severity) - severityOrder.indexOf(other.severity) ||
        (isBoxed(one) ? 0 : Number(one.label !== 'breaking') - Number(other.label !== 'breaking')),
    );
  if (writer.kind === 'offline') return ranked;
  const boxed = ranked.filter(({ point }) => isBoxed(point)).slice(0, mostModelRisks);
  return ranked.filter((one) => !isBoxed(one.point) || boxed.includes(one));
}

/**
 * The risks shown after each section of an article by a model: after the first section that cites the same lines, else
 * after the first.
 */
export function risksAfterSections<Point extends Labelled & Cited>(
  content: Pointed<Point> & { mainChanges: Cited[] },
): { point: Point; index: number }[][] {
  const citedBy = ({ statements }: Cited) => statements.flatMap(({ evidence }) => evidence);
  const shareLines = (one: CitedLines, other: CitedLines): boolean =>
    one.fileName === other.fileName &&
    one.side === other.side &&
    one.startLine <= other.endLine &&
    one.endLine >= other.startLine;
  const sectionOf = (point: Point): number => {
    const cited = citedBy(point);
    const found = content.mainChanges.findIndex((change) =>
      citedBy(change).some((line) => cited.some((other) => shareLines(line, other))),
    );
    return Math.max(0, found);
  };
  const risks = risksOf({ ...content, notablePoints: content.notablePoints.filter(isBoxed) }).map((risk) => ({
    ...risk,
    section: sectionOf(risk.point),
  }));
  return content.mainChanges.map((_, at) => risks.filter(({ section }) => section === at));
}

export const pointId = (index: number): string => `point-${index + 1}`;

/** Each label once, with the id of its first risk. */
export function labelsOf<Point extends Labelled & { statements: { id: string }[] }>(
  content: Pointed<Point>,
): { label: PointLabel; id: string }[] {
  const all = risksOf(content).flatMap(({ point, index }) =>
    point.label && point.severity !== 'low'
      ? [{ label: point.label, id: (!isBoxed(point) && point.statements[0]?.id) || pointId(index) }]
      : [],
  );
  return [...new Map(all.reverse().map((one) => [one.label, one])).values()].reverse();
}

interface Paragraph<Statement> {
  /** The label of the risk at the beginning of the paragraph. */
  label: PointLabel | null;
  statements: Statement[];
}

/**
 * The sentences of a section as paragraphs. A risk begins a paragraph, which contains only sentences that follow from
 * it or have the same label.
 */
export function paragraphsOf<Statement extends { id: string; basis: string }>(
  { notablePoints }: { notablePoints: (Labelled & { statements: { id: string }[] })[] },
  statements: Statement[],
): Paragraph<Statement>[] {
  const labels = new Map(
    notablePoints.flatMap((point) =>
      isBoxed(point) ? [] : point.statements.map(({ id }) => [id, point.label] as const),
    ),
  );
  const paragraphs: Paragraph<Statement>[] = [];
  for (const statement of statements) {
    const label = labels.get(statement.id) ?? null;
    const last = paragraphs.at(-1);
    if (last && (label === last.label || (label === null && statement.basis === 'judgement')))
      last.statements.push(statement);
    else paragraphs.push({ label, statements: [statement] });
  }
  return paragraphs;
}

/** The block of what callers wrote and write now, if one of these sentences refers to it. */
export const blockBelow = <Block extends { statements: { id: string }[] }>(
  { beforeAfter = null }: { beforeAfter?: Block | null },
  statements: { id: string }[],
): Block | null => (statements.some(({ id }) => id === beforeAfter?.statements[0]?.id) ? beforeAfter : null);

/** Identifies a hunk across revisions by its changed lines, like `sentence_ids` in the database. */
export function hunkId({ lines }: { lines: { kind: string; text: string }[] }): string {
  const changed = lines.filter(({ kind }) => kind !== 'context').map(({ text }) => text);
  return createHash('md5').update(changed.join('\n')).digest('hex').slice(0, 12);
}

export const placeOfHunk = ({ fileName, heading }: { fileName: string; heading: string | null }): string =>
  heading ? `${fileName} › ${heading}` : fileName;

interface ShownLines {
  fileName: string;
  lines: { oldLine: number | null; newLine: number | null }[];
}

interface CitedLines {
  fileName: string;
  startLine: number;
  endLine: number;
  side: 'old' | 'new';
}

export function showsAll(hunk: ShownLines | null, cited: CitedLines): boolean {
  if (hunk?.fileName !== cited.fileName) return false;
  const numbers = hunk.lines.flatMap(
    ({ oldLine, newLine }) => (cited.side === 'old' ? oldLine : newLine) ?? [],
  );
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first !== undefined && last !== undefined && cited.startLine >= first && cited.endLine <= last;
}

const japanese = /[\u3040-\u30ff\u3400-\u9fff]/gu;
const latin = /[a-z]/gi;
/** Languages whose script alone distinguishes them from English. */
const otherScripts =
  /^(?:am|ar|be|bg|bn|el|fa|gu|he|hi|hy|ja|ka|km|kn|ko|ml|mr|my|ne|pa|ru|si|sr|ta|te|th|uk|ur|zh)\b/;

/** The language of a quoted text if it differs from that of the article; null if it is the same or unknown. */
export function otherLanguageOf(text: string, languageCode: string): 'en' | 'ja' | null {
  const prose = text.replace(/`[^`]*`/g, '');
  const [wide, narrow] = [prose.match(japanese)?.length ?? 0, prose.match(latin)?.length ?? 0];
  if (/[\u3040-\u30ff]/u.test(prose) && wide * 3 >= narrow) return languageCode === 'ja' ? null : 'ja';
  return narrow > wide * 3 && otherScripts.test(languageCode) ? 'en' : null;
}

/** The author's title if the headline differs because of its language; null otherwise. */
export function originalTitle(
  title: string,
  { aiGeneratedTitle, languageCode }: { aiGeneratedTitle: string; languageCode: string },
): string | null {
  const isOther = otherLanguageOf(title, languageCode) !== null;
  return isOther && otherLanguageOf(aiGeneratedTitle, languageCode) === null
    ? authorTitle(title, languageCode)
    : null;
}

const longestPullQuote = 300;

const onlyIssue = /^\S+ \S*#\d+\.?$/;

/** Whether the author's text is short enough for a pull quote: one paragraph of one or two sentences. */
export function isPullQuote(markdown: string): boolean {
  const text = markdown.trim();
  const isParagraph = !/\n\s*\n|^\s*(?:[-*+>|#]|\d+[.)]|```|~~~)/m.test(text);
  const sentences = text.split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？])/).filter((one) => one.trim() !== '');
  return isParagraph && text.length <= longestPullQuote && sentences.length <= 2 && !onlyIssue.test(text);
}

/** `changed`: the user has read an older revision, and the article says something new since then. */
export const readStates = ['no', 'yes', 'changed'] as const;

export type ReadState = (typeof readStates)[number];
