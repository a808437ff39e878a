import { evidenceOf, type News } from './compare/compare-file.ts';
import { isCommentLine } from './compare/units.ts';
import { detachText } from './detach-text.ts';
import type { AttentionPoint, FileKind } from './facts.ts';
import type { HunkLine } from './hunk-lines.ts';

/** What single statements of a file prove that readers should know: skipped tests, permissions, other defaults. */
export function attentionIn(path: string, kind: FileKind, news: News[]): AttentionPoint[] {
  return news.flatMap((unit) => [
    ...marks.filter(({ kinds }) => kinds.includes(kind)).flatMap((mark) => markedLine(path, mark, unit)),
    ...(kind === 'source' ? defaultsIn(path, unit) : []),
  ]);
}

interface LineMark {
  reason: AttentionPoint['reason'];
  kinds: FileKind[];
  pattern: RegExp;
}

const marks: LineMark[] = [
  {
    reason: 'testSkipped',
    kinds: ['test'],
    pattern:
      /^(?:x(?:it|describe|test)|(?:it|test|describe)\.(?:skip|todo))\(|^@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|^#\[ignore|\bt\.Skip(?:f|Now)?\(/,
  },
  {
    reason: 'permissionChanged',
    kinds: ['build', 'configuration'],
    pattern:
      /^((?:contents|packages|id-token|pull-requests|issues|actions|deployments|checks): *write)\b|^permissions: *(write-all)/,
  },
];

function markedLine(path: string, { reason, pattern }: LineMark, { come, gone }: News): AttentionPoint[] {
  const line = come.find(({ text }) => pattern.test(text));
  if (!line || gone.some(({ text }) => pattern.test(text))) return [];
  const found = pattern.exec(line.text);
  const subject = found?.slice(1).find((group) => group !== undefined) ?? found?.[0] ?? line.text;
  return [pointOf(path, reason, line, subject.replace(/[(\s]+$/, ''))];
}

function pointOf(
  path: string,
  reason: AttentionPoint['reason'],
  line: HunkLine,
  subject: string,
  transition?: { from: string; to: string },
): AttentionPoint {
  const name = detachText(subject);
  const transitions = transition
    ? [{ subject: name, from: detachText(transition.from), to: detachText(transition.to) }]
    : [];
  return { reason, subjects: [name], transitions, evidence: [evidenceOf(path, [line])] };
}

const literal = /^(?:-?\d[\w.]*|"[^"]*"|'[^']*'|true|false|True|False|None|null|nil)$/;
/** Where a default may stand. Most lines have none of these, and need not be compared by their tokens. */
const mayGive = /\?\?|\|\||env|fetch/;
const given = /(?<![\w$])([\w$]+)["']?\)?\]?\s*(?:\?\?|\|\||\bor\b|,)\s*$/;

/** A value behind "or", "??" or in a look-up that says what holds where nothing is set. */
function defaultsIn(path: string, { gone, come }: News): AttentionPoint[] {
  if (gone.length !== come.length) return [];
  return come.flatMap((line, index): AttentionPoint[] => {
    const old = gone[index];
    if (!old || !mayGive.test(line.text) || isCommentLine(old) || isCommentLine(line)) return [];
    const { from, to } = tokenChange(old.text, line.text);
    const [was, is] = [literalAt(old.text, from), literalAt(line.text, to)];
    if (was === null || is === null || was.value === is.value) return [];
    const before = line.text.slice(0, is.at);
    const isLookUp = /(?:environ\.get|getenv|\benv\.get|\.fetch|\benv)\(\s*["'][\w.-]+["']\s*,\s*$/.test(
      before,
    );
    const isChoice = /[\w$)\]"']\s*(?:\?\?|\|\|)\s*$/.test(before);
    const subject = isLookUp || isChoice ? given.exec(before)?.[1] : undefined;
    if (subject === undefined) return [];
    return [pointOf(path, 'defaultChanged', line, subject, { from: was.value, to: is.value })];
  });
}

/** The literal in which a changed piece of a line stands. */
function literalAt(line: string, piece: string): { value: string; at: number } | null {
  const at = piece === '' ? -1 : line.lastIndexOf(piece);
  if (at < 0) return null;
  if (literal.test(piece)) return { value: piece, at };
  const start = Math.max(line.lastIndexOf('"', at), line.lastIndexOf("'", at));
  const quote = line.charAt(start);
  const end = start < 0 ? -1 : line.indexOf(quote, at + piece.length);
  return end < 0 ? null : { value: line.slice(start, end + 1), at: start };
}

/** Enough to show where; more would not say more. */
const evidencePerPoint = 5;
const subjectsPerPoint = 8;

/** Points of the same reason from several files become one, so that each reason is told once. */
export function mergeAttention(points: AttentionPoint[]): AttentionPoint[] {
  const byReason = Map.groupBy(points, ({ reason }) => reason);
  return [...byReason.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const transitions = new Map(
      same.flatMap((point) => point.transitions).map((one) => [`${one.subject} ${one.from} ${one.to}`, one]),
    );
    return {
      ...first,
      subjects: [...new Set(same.flatMap(({ subjects }) => subjects))].slice(0, subjectsPerPoint),
      transitions: [...transitions.values()].slice(0, subjectsPerPoint),
      evidence: same.flatMap(({ evidence }) => evidence).slice(0, evidencePerPoint),
    };
  });
}

interface Token {
  text: string;
  start: number;
  end: number;
}

function tokensOf(line: string): Token[] {
  return Array.from(line.matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
}

/** What is left of two lines without the tokens that they begin and end with alike. */
function tokenChange(before: string, after: string): { from: string; to: string } {
  const old = tokensOf(before);
  const now = tokensOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start]?.text === now[start]?.text) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old.at(-1 - end)?.text === now.at(-1 - end)?.text
  )
    end++;
  return { from: cut(before, old, start, end), to: cut(after, now, start, end) };
}

function cut(line: string, tokens: Token[], start: number, end: number): string {
  const first = tokens[start];
  const last = tokens[tokens.length - end - 1];
  return first && last && start < tokens.length - end ? line.slice(first.start, last.end) : '';
}
