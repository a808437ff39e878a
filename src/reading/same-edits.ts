import type { Evidence, FileFacts } from './facts.ts';
import { type DiffLine, type FileDiff, linesOf } from './file-diff.ts';

export interface SameEdit {
  kind: 'rename' | 'replacement';
  from: string;
  to: string;
  files: string[];
  evidence: Evidence[];
  lines: ReadonlySet<string>;
}

export const lineKey = (fileName: string, side: Evidence['side'], line: number): string =>
  `${fileName}\0${side}\0${line}`;

const fewest = 4;
const mostEdits = 12;
const mostLines = 60_000;
const longestLine = 400;
const longestText = 90;
const mostEvidence = 20;

interface ChangedLine {
  fileName: string;
  side: Evidence['side'];
  number: number;
  text: string;
}

interface Place {
  lines: ChangedLine[];
  needs: string[];
}

interface Found {
  from: string;
  to: string;
  places: Place[];
}

export function sameEditsOf(files: FileFacts[], diff: FileDiff[]): SameEdit[] {
  const byPath = new Map(diff.map((file) => [file.path, file]));
  const read = files.filter(({ skipped, kind }) => skipped === null && kind !== 'manifest');
  if (read.reduce((sum, file) => sum + file.additions + file.deletions, 0) > mostLines) return [];
  const found = new Map<string, Found>();
  const changed: ChangedLine[] = [];
  for (const file of read) {
    const replaced = replacedLines(file);
    const isOfDependency = ({ text }: ChangedLine): boolean =>
      file.dependencies.some(({ name }) => text.includes(name));
    for (const hunk of byPath.get(file.path)?.hunks ?? []) {
      for (const run of changedRuns(file.path, linesOf(hunk))) {
        changed.push(...run.gone, ...run.come);
        for (const [old, current] of pairsIn(run, replaced))
          if (!isOfDependency(current))
            noteExchanges(found, exchangesIn(old.text, current.text), [old, current]);
      }
    }
  }
  const often = [...found.values()]
    .filter(({ places, from, to }) => places.length >= fewest && isLong(from, to))
    .sort((one, other) => other.places.length - one.places.length)
    .slice(0, mostEdits);
  const known = new Set(often.map(exchangeKey));
  const renamed = new Set(
    files.flatMap(({ symbols }) => symbols.map(({ previousName, name }) => `${previousName ?? ''}\0${name}`)),
  );
  return often
    .map((edit) => settle(edit, known, renamed, changed))
    .filter(({ lines }) => lines.size >= fewest)
    .sort((one, other) => other.lines.size - one.lines.size);
}

interface Run {
  gone: ChangedLine[];
  come: ChangedLine[];
}

function changedRuns(fileName: string, lines: readonly DiffLine[]): Run[] {
  const runs: Run[] = [];
  let open: Run | null = null;
  for (const { side, text, oldLine, newLine } of lines) {
    if (side === 'context') {
      open = null;
      continue;
    }
    if (!open || (side === 'removed' && open.come.length > 0)) {
      open = { gone: [], come: [] };
      runs.push(open);
    }
    if (side === 'removed')
      open.gone.push({ fileName, side: 'old', number: oldLine ?? 0, text: text.trim() });
    else open.come.push({ fileName, side: 'new', number: newLine ?? 0, text: text.trim() });
  }
  return runs;
}

type LinePair = [ChangedLine, ChangedLine];

const replacedLines = ({ changes }: FileFacts): Map<number, number> =>
  new Map(
    changes.flatMap(({ kind, old, new: current }): [number, number][] =>
      kind === 'replaced' &&
      old &&
      current &&
      old.startLine === old.endLine &&
      current.startLine === current.endLine
        ? [[old.startLine, current.startLine]]
        : [],
    ),
  );

/** Pairs removed with added lines: in order if there are as many of both, else as the comparison of statements says. */
function pairsIn({ gone, come }: Run, replaced: Map<number, number>): LinePair[] {
  if (gone.length === come.length) return gone.map((line, at): LinePair => [line, come[at] as ChangedLine]);
  const first = come[0]?.number ?? 0;
  return gone.flatMap((before): LinePair[] => {
    const after = come[(replaced.get(before.number) ?? -1) - first];
    return after ? [[before, after]] : [];
  });
}

type Exchange = Pick<Found, 'from' | 'to'>;

const exchangeKey = ({ from, to }: Exchange): string => `${from}\0${to}`;

function noteExchanges(found: Map<string, Found>, exchanges: Exchange[], lines: ChangedLine[]): void {
  const needs = exchanges.map(exchangeKey);
  for (const exchange of exchanges) {
    const known = found.get(exchangeKey(exchange));
    if (known) known.places.push({ lines, needs });
    else found.set(exchangeKey(exchange), { ...exchange, places: [{ lines, needs }] });
  }
}

const lineTokens = (text: string): string[] =>
  text.match(
    /[a-z]+:\/\/[^\s"'`<>()[\]{}|]+|[\w.@-]*[\w.]\/[\w./@#-]+|v?\d+(?:\.[\w-]+)+|[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu,
  ) ?? [];
/** Names of one or two letters occur everywhere. */
const isLong = (from: string, to: string): boolean => Math.max(from.length, to.length) >= 3;
const words = new Set(
  'None null nil undefined true false True False let const var bool boolean str string int number any void'.split(
    ' ',
  ),
);
const hash = /\b(?=\w*\d)[0-9a-f]{7,}\b/;
const isName = (token: string): boolean =>
  /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(token) && !words.has(token) && !hash.test(token);
const depthOf = (text: string): number =>
  (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
const isWholeText = (text: string): boolean =>
  text.length <= longestText &&
  depthOf(text) === 0 &&
  !text.includes('`') &&
  text.split(/["']/).length % 2 === 1;

function exchangesIn(before: string, after: string): Exchange[] {
  if (before.length > longestLine || after.length > longestLine) return [];
  const [old, current] = [lineTokens(before), lineTokens(after)];
  if (old.length === current.length) {
    const pairs = new Map<string, Exchange>();
    for (const [at, from] of old.entries()) {
      const to = current[at] ?? '';
      if (from !== to) pairs.set(`${from}\0${to}`, { from, to });
    }
    const all = [...pairs.values()];
    if (all.length <= 4 && all.every(({ from, to }) => isName(from) && isName(to))) return all;
  }
  let start = 0;
  while (start < old.length && start < current.length && old[start] === current[start]) start++;
  let end = 0;
  const least = Math.min(old.length, current.length) - start;
  while (end < least && old.at(-1 - end) === current.at(-1 - end)) end++;
  if (start + end < 2) return [];
  const cut = (tokens: string[]): string =>
    tokens
      .slice(start, tokens.length - end)
      .join('')
      .trim();
  const [from, to] = [cut(old), cut(current)];
  const isTorn = [old[start - 1], old.at(-end)].some(
    (beside) => end > 0 && /^[-/@#%\\~]$/.test(beside ?? ''),
  );
  if (isTorn || [from, to].some((text) => hash.test(text))) return [];
  const isSaid = from !== '' && to !== '' && /[\p{L}\p{N}]{2}/u.test(from + to);
  return isSaid && isWholeText(from) && isWholeText(to) && isLong(from, to) ? [{ from, to }] : [];
}

function settle(
  { from, to, places }: Found,
  known: ReadonlySet<string>,
  renamed: ReadonlySet<string>,
  changed: ChangedLine[],
): SameEdit {
  const whole = places.filter(({ needs }) => needs.every((need) => known.has(need)));
  const own = whole.flatMap(({ lines }) => lines);
  const isRename =
    isName(from) && isName(to) && (renamed.has(exchangeKey({ from, to })) || declares(places, from, to));
  return {
    kind: isRename ? 'rename' : 'replacement',
    from,
    to,
    files: isRename ? filesWith(from, to, changed) : [...new Set(own.map(({ fileName }) => fileName))],
    evidence: exchangeEvidence(own),
    lines: new Set(own.map(({ fileName, side, number }) => lineKey(fileName, side, number))),
  };
}

const declaring =
  '(?:const|let|let mut|var|def|fn|func|function|class|struct|enum|interface|trait|type|module|mod|package)';

const declares = (places: Place[], from: string, to: string): boolean => {
  const names = (text: string, name: string): boolean =>
    text.includes(name) && new RegExp(`\\b${declaring} ${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
  return places.some(
    ({ lines: [old, current] }) => old && current && names(old.text, from) && names(current.text, to),
  );
};

const countOf = (text: string, name: string): number => {
  let count = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole = !/[\p{L}\p{N}_$]/u.test(`${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`);
    if (isWhole) count++;
  }
  return count;
};

/** Files in which the old name became rarer and the new one more frequent, even if the lines also changed otherwise. */
function filesWith(from: string, to: string, changed: ChangedLine[]): string[] {
  const files = new Map<string, { lost: number; gained: number }>();
  for (const { fileName, side, text } of changed) {
    const sign = side === 'new' ? 1 : -1;
    const sum = files.get(fileName) ?? { lost: 0, gained: 0 };
    sum.lost -= sign * countOf(text, from);
    sum.gained += sign * countOf(text, to);
    files.set(fileName, sum);
  }
  return [...files].flatMap(([path, { lost, gained }]) => (lost > 0 && gained > 0 ? path : []));
}

function exchangeEvidence(lines: ChangedLine[]): Evidence[] {
  const spans: Evidence[] = [];
  const last = new Map<Evidence['side'], Evidence>();
  for (const { fileName, side, number } of lines) {
    const open = last.get(side);
    if (open?.fileName === fileName && open.endLine === number - 1) open.endLine = number;
    else {
      const span = { fileName, side, startLine: number, endLine: number };
      last.set(side, span);
      spans.push(span);
    }
  }
  const seen = new Set<string>();
  const isFirst = ({ fileName }: Evidence): boolean => !seen.has(fileName) && seen.add(fileName) !== null;
  const first = new Set(spans.filter(isFirst));
  return [...first, ...spans.filter((span) => !first.has(span))].slice(
    0,
    Math.max(mostEvidence, Math.min(first.size, 3 * mostEvidence)),
  );
}
