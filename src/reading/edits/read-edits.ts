import { splitLine } from '../description/sentences.ts';
import { detachText } from '../detach-text.ts';
import type { Edit, Evidence, FileFacts, SymbolChange } from '../facts.ts';
import type { DiffLine, FileDiff } from '../file-diff.ts';
import { type ChangedRun, changedRuns, evidenceOf } from './changed-runs.ts';
import { callsIn, conditionIn, difference, errorIn, quotable } from './code-words.ts';
import { commentsIn, firstSentence, isComment } from './comments.ts';

// Nobody reads more of them, and a file with more was changed by a program.
const mostEdits = 60;
const longestQuote = 90;

/** A change this small is told best by showing it. */
const fewLines = 8;

type Reader = (run: ChangedRun) => { kind: Edit['kind']; text: string; before?: string; lines: DiffLine[] }[];

/** What was done inside a file, as far as single lines show it. */
export function readEdits(file: FileDiff, { kind, symbols }: Pick<FileFacts, 'kind' | 'symbols'>): Edit[] {
  const readers = readersFor(file, kind);
  const edits: Edit[] = [];
  for (const run of changedRuns(file)) {
    // A line that is shown as it was and as it is needs nothing more said about it.
    const shown = new Set<DiffLine>();
    for (const reader of readers) {
      for (const { kind: what, text, before, lines } of reader(run)) {
        if (edits.length === mostEdits) return edits;
        if (lines.every((line) => shown.has(line))) continue;
        if (what !== 'callAdded' && what !== 'callRemoved') for (const line of lines) shown.add(line);
        if (before !== undefined) for (const line of run.removed) shown.add(line);
        const evidence = evidenceOf(file.path, lines);
        edits.push({
          kind: what,
          text: detachText(text),
          before: before === undefined ? null : detachText(before),
          // A comment belongs to the line below it.
          symbol: symbolAround(
            evidence.side,
            what === 'comment' ? evidence.endLine + 1 : evidence.startLine,
            run,
            symbols,
          ),
          effect: [],
          count: 1,
          places: [],
          evidence,
        });
      }
    }
  }
  return edits;
}

function readersFor(file: FileDiff, kind: FileFacts['kind']): Reader[] {
  if (kind === 'documentation') return [headings, replacedText, addedText];
  if (kind === 'test') return file.additions + file.deletions <= fewLines ? [replacedLines, fewerLines] : [];
  if (file.status === 'added' || file.status === 'removed')
    return kind === 'source' ? [comments, errors] : [comments];
  const size = file.additions + file.deletions;
  if (kind !== 'source')
    return size <= fewLines ? [replacedLines, comments, fewerLines] : [replacedLines, comments];
  const common = [replacedLines, comments, conditions, errors];
  return [...common, size <= fewLines / 2 ? fewerLines : calls];
}

/** The innermost symbol in whose lines something stands. */
function symbolAround(
  side: Evidence['side'],
  at: number,
  run: ChangedRun,
  symbols: SymbolChange[],
): string | null {
  let best: SymbolChange | null = null;
  for (const symbol of symbols) {
    const { evidence } = symbol;
    // Lines of the other side stand where the run stands.
    const [from, to] = evidence.side === side ? [at, at] : [run.newStart, run.newStart + run.added.length];
    if (to < evidence.startLine || from > evidence.endLine + 1) continue;
    if (!best || linesIn(symbol) <= linesIn(best)) best = symbol;
  }
  return best?.name ?? null;
}

const linesIn = ({ evidence }: SymbolChange): number => evidence.endLine - evidence.startLine;

/** Lines that were each replaced by one other, where the two belong together. */
const replacedLines: Reader = ({ removed, added }) => {
  if (removed.length !== added.length || removed.length > 3) return [];
  return added.flatMap((line, index) => {
    const before = quotable(removed[index]?.text ?? '');
    const text = quotable(line.text);
    if (isComment(before) || isComment(text) || !areAlike(before, text)) return [];
    const told =
      before.length <= longestQuote && text.length <= longestQuote
        ? { before, after: text }
        : difference(before, text);
    if (!told || Math.max(told.before.length, told.after.length) > longestQuote || told.before === told.after)
      return [];
    if (/`/.test(told.before + told.after)) return [];
    return [{ kind: 'replaced', text: told.after, before: told.before, lines: [line] }];
  });
};

/** Whether one line was made out of the other: they share a word that is not just punctuation. */
function areAlike(before: string, after: string): boolean {
  const words = new Set(before.match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? []);
  const shared = (after.match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? []).filter((word) => words.has(word)).length;
  return shared > 0 && shared >= Math.min(words.size, 6) / 3;
}

/** Lines that came or went, where the whole change is not more than these. */
const fewerLines: Reader = ({ removed, added }) => {
  return [...added, ...removed].flatMap((line) => {
    const kind = line.side === 'added' ? 'lineAdded' : 'lineRemoved';
    const text = quotable(line.text);
    const isTold =
      /[\p{L}\p{N}]/u.test(text) && text.length <= longestQuote && !isComment(text) && !text.includes('`');
    return isTold && !/^(?:end|else|return|break)$/.test(text) ? [{ kind, text, lines: [line] }] : [];
  });
};

const replacedText: Reader = ({ removed, added }) => {
  if (removed.length !== added.length || removed.length > 2) return [];
  return added.flatMap((line, index) => {
    const told = difference(removed[index]?.text.trim() ?? '', line.text.trim());
    if (
      !told ||
      Math.max(told.before.length, told.after.length) > 90 ||
      told.before.includes('`') ||
      told.after.includes('`')
    )
      return [];
    return [{ kind: 'replaced', text: told.after, before: told.before, lines: [line] }];
  });
};

/** A paragraph that was added is told by how it begins. */
const addedText: Reader = ({ removed, added }) => {
  if (removed.length > 0) return [];
  const prose = added.find(
    ({ text }) =>
      /^\s*(?:[-*]\s+)?[\p{L}`"“(*_]/u.test(text) && (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= 5,
  );
  if (!prose || added.some(({ text }) => /^\s*(?:```|~~~)/.test(text) && text === added[0]?.text)) return [];
  const from = added.indexOf(prose);
  const end = added.findIndex(({ text }, index) => index > from && !/^\s*[\p{L}\p{N}`(*_"“]/u.test(text));
  const paragraph = added.slice(from, end < 0 ? undefined : end);
  const [sentence = ''] = splitLine(paragraph.map(({ text }) => text.trim()).join(' '));
  const plain = sentence.replace(/^[-*]\s+/, '');
  return plain.length <= 220 && plain.length >= 20
    ? [{ kind: 'textAdded', text: plain, lines: paragraph }]
    : [];
};

const headings: Reader = ({ removed, added }) => {
  const gone = new Set(removed.map(({ text }) => headingIn(text)));
  return added.flatMap((line) => {
    const text = headingIn(line.text);
    return text === null || gone.has(text) ? [] : [{ kind: 'heading', text, lines: [line] }];
  });
};

const headingIn = (line: string): string | null =>
  /^#{1,6}\s+(.{2,80}?)\s*(?:\{#.*\})?#*$/
    .exec(line)?.[1]
    ?.replace(/[*_]{2}|\[|\]\([^)]*\)|<[^>]*>/g, '')
    .trim() || null;

const comments: Reader = ({ removed, added }) => {
  const gone = new Set(commentsIn(removed).map(({ text }) => text));
  return commentsIn(added).flatMap(({ text, lines }) => {
    const sentence = gone.has(text) ? null : firstSentence(text);
    return sentence === null ? [] : [{ kind: 'comment', text: sentence, lines }];
  });
};

const conditions: Reader = ({ removed, added }) => {
  const gone = new Set(removed.map(({ text }) => conditionIn(text)));
  const now = new Set(added.map(({ text }) => conditionIn(text)));
  const tell = (lines: DiffLine[], other: Set<string | null>, kind: 'conditionAdded' | 'conditionRemoved') =>
    lines.flatMap((line) => {
      const text = conditionIn(line.text);
      return text === null || other.has(text) || text.includes('`') ? [] : [{ kind, text, lines: [line] }];
    });
  return [...tell(added, gone, 'conditionAdded'), ...tell(removed, now, 'conditionRemoved')];
};

const errors: Reader = ({ removed, added }) => {
  const gone = new Set(removed.map(({ text }) => errorIn(text)));
  return added.flatMap((line) => {
    const text = errorIn(line.text);
    return text === null || gone.has(text) || /[`<]/.test(text)
      ? []
      : [{ kind: 'errorAdded', text, lines: [line] }];
  });
};

const calls: Reader = ({ removed, added }) => {
  const called = (lines: DiffLine[]) =>
    new Set(lines.filter(({ text }) => !isComment(text)).flatMap(({ text }) => callsIn(text)));
  const gone = called(removed);
  const now = called(added);
  const tell = (lines: DiffLine[], names: Set<string>, kind: 'callAdded' | 'callRemoved') =>
    [...names].flatMap((text) => {
      const line = lines.find((candidate) => callsIn(candidate.text).includes(text));
      return line ? [{ kind, text, lines: [line] }] : [];
    });
  const without = (names: Set<string>, others: Set<string>) =>
    new Set([...names].filter((name) => !others.has(name)));
  return [
    ...tell(added, without(now, gone), 'callAdded'),
    ...tell(removed, without(gone, now), 'callRemoved'),
  ];
};
