import type { AttentionReason } from '../../domain/attention-reasons.ts';
import type { Category } from '../../domain/change-types.ts';
import { evidenceOf, type News } from '../compare/compare-file.ts';
import { isCommentLine } from '../compare/units.ts';
import { detachText } from '../detach-text.ts';
import type { AttentionPoint, FileKind } from '../facts.ts';
import type { HunkLine } from '../hunk-lines.ts';
import { minimumVersions, raises } from './minimum-versions.ts';

/** What in a file deserves attention for what single statements were and are. */
export function attentionInUnits(path: string, kind: FileKind, told: News[]): AttentionPoint[] {
  const looked = marks.filter(({ kinds }) => kinds.includes(kind));
  const points: AttentionPoint[] = [];
  for (const unit of told) {
    if (unit.gone.length > 0) points.push(...versionsIn(path, kind, unit));
    for (const mark of looked) points.push(...markedLine(path, mark, unit));
  }
  if (kind !== 'source') return points;
  const hasFallbacks = told.some(({ gone }) => gone.some(({ text }) => isOfEnvironment.test(text)));
  const nowSet = new Set(
    hasFallbacks ? told.flatMap(({ come }) => come.flatMap(({ text }) => fallbacksIn(text))) : [],
  );
  for (const unit of told) {
    points.push(...markedOpen(path, unit));
    if (unit.gone.length > 0) points.push(...defaultsIn(path, unit), ...fallbacksGone(path, unit, nowSet));
  }
  return points;
}

interface LineMark {
  reason: AttentionReason;
  category: Category;
  kinds: FileKind[];
  pattern: RegExp;
}

const marks: LineMark[] = [
  {
    reason: 'testSkipped',
    category: 'RISK',
    kinds: ['test'],
    pattern:
      /^(?:x(?:it|describe|test)|(?:it|test|describe)\.(?:skip|todo))\(|^@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|^#\[ignore|\bt\.Skip(?:f|Now)?\(/,
  },
  {
    reason: 'permissionChanged',
    category: 'SECURITY',
    kinds: ['build', 'configuration'],
    pattern:
      /^((?:contents|packages|id-token|pull-requests|issues|actions|deployments|checks): *write)\b|^permissions: *(write-all)/,
  },
];

function markedLine(
  path: string,
  { reason, category, pattern }: LineMark,
  { come, gone }: News,
): AttentionPoint[] {
  const line = come.find(({ text }) => pattern.test(text));
  if (!line || gone.some(({ text }) => pattern.test(text))) return [];
  const found = pattern.exec(line.text);
  const subject = found?.slice(1).find((group) => group !== undefined) ?? found?.[0] ?? line.text;
  return [pointOf(path, category, reason, [line], subject.replace(/[(\s]+$/, ''))];
}

function pointOf(
  path: string,
  category: Category,
  reason: AttentionReason,
  lines: HunkLine[],
  subject: string,
  transition?: { from: string; to: string },
): AttentionPoint {
  const name = detachText(subject);
  const transitions = transition
    ? [{ subject: name, from: detachText(transition.from), to: detachText(transition.to) }]
    : [];
  return { category, reason, subjects: [name], transitions, evidence: [evidenceOf(path, lines)] };
}

function versionsIn(path: string, kind: FileKind, { gone, come }: News): AttentionPoint[] {
  const before = new Map(gone.flatMap(({ text }) => minimumVersions(text, path, kind)));
  if (before.size === 0) return [];
  return come.flatMap((line) =>
    minimumVersions(line.text, path, kind).flatMap(([platform, to]): AttentionPoint[] => {
      const from = before.get(platform);
      if (from === undefined || from === to) return [];
      const reason = raises(from, to) ? 'minimumVersionRaised' : 'minimumVersionLowered';
      return [pointOf(path, 'RISK', reason, [line], platform, { from, to })];
    }),
  );
}

const openMark = '#[non_exhaustive]';
const declared = /\b(?:struct|enum|union)\s+(\w+)|^(\w+)\s*(?:[{(,]|$)/;

/** In Rust a mark above a type says that it may get more fields or cases, so that nobody else lists them all. */
function markedOpen(path: string, { come, gone, hunk }: News): AttentionPoint[] {
  const tell = (lines: HunkLine[], side: HunkLine[], reason: AttentionReason): AttentionPoint[] =>
    lines
      .filter(({ text }) => text === openMark)
      .flatMap((line) => {
        const below = side.slice(side.indexOf(line) + 1).find((one) => !/^(?:#\[|\/\/|$)/.test(one.text));
        const [, type, variant] = declared.exec(below?.text ?? '') ?? [];
        const subject = type ?? variant;
        return subject === undefined ? [] : [pointOf(path, 'RISK', reason, [line], subject)];
      });
  return [...tell(come, hunk.new, 'openedToAdditions'), ...tell(gone, hunk.old, 'closedToAdditions')];
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
    return [pointOf(path, 'RISK', 'defaultChanged', [line], subject, { from: was.value, to: is.value })];
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

const fallbacks: readonly RegExp[] = [
  /\b\w*(?:_or_env|OrEnv|env_or|envOr)\w*\(\s*["']([\w.-]+)["']/g,
  /(?:\benviron\.get|\bgetenv|\benv\.get|\bENV\.fetch)\(\s*["']([\w.-]+)["']\s*,\s*[^)\s]/g,
];

/** Most lines name no environment, and need not be searched. */
const isOfEnvironment = /env/i;

const fallbacksIn = (text: string): string[] =>
  fallbacks.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = '']) => name));

/** Settings that could be left out and can no longer, or that were also looked for in the environment. */
const fallbacksGone = (path: string, { gone }: News, nowSet: Set<string>): AttentionPoint[] =>
  gone
    .filter((line) => isOfEnvironment.test(line.text) && !isCommentLine(line))
    .flatMap((line) =>
      fallbacksIn(line.text)
        .filter((name) => !nowSet.has(name))
        .map((name) => pointOf(path, 'RISK', 'fallbackRemoved', [line], name)),
    );

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
