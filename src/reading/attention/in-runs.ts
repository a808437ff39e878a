import type { AttentionReason } from '../../domain/attention-reasons.ts';
import type { Category } from '../../domain/change-types.ts';
import { detachText } from '../detach-text.ts';
import { type ChangedRun, evidenceOf } from '../edits/changed-runs.ts';
import type { ChangedText } from '../edits/changed-text.ts';
import { isCommentLine } from '../edits/comments.ts';
import { tokenChange } from '../edits/token-change.ts';
import type { AttentionPoint, FileKind } from '../facts.ts';
import type { HunkLine } from '../hunk-lines.ts';
import { minimumVersions, raises } from './minimum-versions.ts';

/** What in a file deserves attention for what one line was and is. */
export function attentionInRuns(
  path: string,
  kind: FileKind,
  runs: ChangedRun[],
  changed: ChangedText,
): AttentionPoint[] {
  const points = runs.flatMap((run) => versionsIn(path, kind, run));
  if (kind !== 'source') return points;
  return [
    ...points,
    ...runs.flatMap((run) => [
      ...markedOpen(path, run),
      ...defaultsIn(path, run),
      ...fallbacksGone(path, run, changed),
    ]),
  ];
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

function versionsIn(path: string, kind: FileKind, { gone, come }: ChangedRun): AttentionPoint[] {
  const before = new Map(gone.flatMap(({ text }) => minimumVersions(text, path, kind)));
  return come.flatMap((line) =>
    minimumVersions(line.text, path, kind).flatMap(([platform, to]): AttentionPoint[] => {
      const from = before.get(platform);
      if (from === undefined || from === to) return [];
      const reason = raises(from, to) ? 'minimumVersionRaised' : 'minimumVersionLowered';
      return [pointOf(path, 'RISK', reason, [line], platform, { from, to })];
    }),
  );
}

const openMark = /^#\[non_exhaustive\]$/;
const declared = /\b(?:struct|enum|union)\s+(\w+)|^(\w+)\s*(?:[{(,]|$)/;

/** In Rust a mark above a type says that it may get more fields or cases, so that nobody else lists them all. */
function markedOpen(path: string, { come, gone, hunk }: ChangedRun): AttentionPoint[] {
  const tell = (lines: HunkLine[], side: HunkLine[], reason: AttentionReason): AttentionPoint[] =>
    lines
      .filter(({ text }) => openMark.test(text))
      .flatMap((line) => {
        const below = side.slice(side.indexOf(line) + 1).find((one) => !/^(?:#\[|\/\/|$)/.test(one.text));
        const [, type, variant] = declared.exec(below?.text ?? '') ?? [];
        const subject = type ?? variant;
        return subject === undefined ? [] : [pointOf(path, 'RISK', reason, [line], subject)];
      });
  return [...tell(come, hunk.new, 'openedToAdditions'), ...tell(gone, hunk.old, 'closedToAdditions')];
}

const literal = /^(?:-?\d[\w.]*|"[^"]*"|'[^']*'|true|false|True|False|None|null|nil)$/;
const given = /(?<![\w$])([\w$]+)["']?\)?\]?\s*(?:\?\?|\|\||\bor\b|,)\s*$/;

/** A value behind "or", "??" or in a look-up that says what holds where nothing is set. */
function defaultsIn(path: string, { gone, come }: ChangedRun): AttentionPoint[] {
  if (gone.length !== come.length) return [];
  return come.flatMap((line, index): AttentionPoint[] => {
    const old = gone[index];
    if (!old || isCommentLine(old) || isCommentLine(line)) return [];
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

/** Settings that could be left out and can no longer, or that were also looked for in the environment. */
function fallbacksGone(path: string, { gone }: ChangedRun, changed: ChangedText): AttentionPoint[] {
  return gone
    .filter((line) => /env/i.test(line.text) && !isCommentLine(line))
    .flatMap((line) =>
      fallbacks.flatMap((pattern) =>
        Array.from(line.text.matchAll(pattern)).flatMap(([call, name = '']) =>
          changed.has('new', call) ? [] : [pointOf(path, 'RISK', 'fallbackRemoved', [line], name)],
        ),
      ),
    );
}
