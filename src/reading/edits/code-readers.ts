import { type HunkLine, placeIn } from '../hunk-lines.ts';
import { haveSameCode } from '../layout.ts';
import { likeness } from '../symbols/is-renamed.ts';
import {
  areAlike,
  leastShared,
  shareOfWorded,
  shareOfWords,
  type Worded,
  worded,
  wordsIn,
} from './alike-lines.ts';
import type { ChangedRun } from './changed-runs.ts';
import type { ChangedText } from './changed-text.ts';
import { callsIn, difference, errorIn, quotable, shownLine } from './code-words.ts';
import { isComment } from './comments.ts';
import { type Branch, branchesIn } from './conditions.ts';
import type { EditReader, FoundEdit } from './edit-reader.ts';
import { isReflowed } from './is-reflowed.ts';
import { endAlike, isEndOfOther, isOpen } from './open-ends.ts';

const longestQuote = 90;

const isCode = (line: HunkLine): boolean => line.hidden === 'code' && !isComment(line);

/** Lines that were each replaced by one other, where the two belong together. */
export const replacedLines: EditReader = ({ gone, come, removed, added, hunk }, { changed, runs }) => {
  if (gone.length !== come.length || gone.length > 3 || haveSameCode(gone, come)) return [];
  return come.flatMap((line, index): FoundEdit[] => {
    const old = gone[index];
    if (!old || !isCode(old) || !isCode(line) || !endAlike(old.text, line.text)) return [];
    if (isReflowed(old.text, line.text, removed.map(textOf), added.map(textOf))) return [];
    if (holdsMore(old, hunk.old) !== holdsMore(line, hunk.new)) return [];
    if (isCutOff(old, hunk.old) || isCutOff(line, hunk.new)) return [];
    if (gone.length > 1 && (isEndOfOther(old.text) || isEndOfOther(line.text))) return [];
    const before = quotable(old.text);
    const text = quotable(line.text);
    const shared = shareOfWords(before, text);
    if (shared < leastShared || changed.has('new', before) || changed.has('old', text)) return [];
    // What another line beside it is more like became of that one.
    const isOther = (lines: HunkLine[], one: string): boolean =>
      lines.some((other, at) => at !== index && shareOfWords(quotable(other.text), one) > shared);
    if (isOther(gone, text) || isOther(come, before)) return [];
    // What is put in further up or down, and is as like it, may be what became of it.
    const own = worded(before);
    if (insertedIn(runs).some((other) => shareOfWorded(other, own) >= shared)) return [];
    const shown = { before: shownLine(old.text), after: shownLine(line.text) };
    const told =
      shown.before.length <= longestQuote && shown.after.length <= longestQuote
        ? shown
        : difference(before, text, longestQuote);
    if (!told || told.before === told.after || /`/.test(told.before + told.after)) return [];
    return [{ kind: 'replaced', text: told.after, before: told.before, lines: [line] }];
  });
};

/** Where more lines are put in, none of them is looked at: a program wrote the most. */
const mostInserted = 60;
const inserted = new WeakMap<ChangedRun[], Worded[]>();

/** Lines of code that come where none goes. */
function insertedIn(runs: ChangedRun[]): Worded[] {
  const known = inserted.get(runs);
  if (known) return known;
  const lines = runs.flatMap(({ gone, come }) => (gone.length > 0 ? [] : come.filter(isCode)));
  const all = lines.length > mostInserted ? [] : lines.map(({ text }) => worded(quotable(text)));
  const found = all.filter(({ words }) => words.length > 0);
  inserted.set(runs, found);
  return found;
}

const textOf = ({ text }: HunkLine): string => text;

/** Whether a line has a block below it, or goes on there: half of something is not what became of the whole. */
function holdsMore(line: HunkLine, side: HunkLine[]): boolean {
  let below = placeIn(side, line) + 1;
  while (side[below]?.text === '') below += 1;
  const next = side[below];
  return next !== undefined && (next.indent > line.indent || next.text.startsWith('{'));
}

/** Whether a line leaves a bracket open, and what goes on below it changes as well. */
const isCutOff = (line: HunkLine, side: HunkLine[]): boolean =>
  isOpen(line.text) && side[placeIn(side, line) + 1]?.isChanged === true;

/** Lines that came or went, where the whole change is not more than these. */
export const fewerLines: EditReader = ({ gone, come, removed, added }, { changed }) => {
  const speaks = ({ text }: HunkLine): boolean => /\p{L}{2,}/u.test(text);
  // What gives way to a line that stands elsewhere, too, or comes in the place of one, is not all that happens.
  const isGivenWay = (lines: HunkLine[], others: HunkLine[]): boolean =>
    lines.some((line) => speaks(line) && !others.some(({ text }) => text === line.text));
  const isOpposed = {
    new: gone.length === 0 && isGivenWay(removed, added),
    old: come.length === 0 && isGivenWay(added, removed),
  };
  return [...come, ...gone].flatMap((line): FoundEdit[] => {
    const isNew = line.newLine !== null;
    if (isOpposed[isNew ? 'new' : 'old'] || (isElse(line) && (isNew ? gone : come).some(isElse))) return [];
    const text = quotable(line.text);
    const isTold =
      isCode(line) && /[\p{L}\p{N}]/u.test(text) && text.length <= longestQuote && !text.includes('`');
    if (!isTold || /^(?:end|else|return|break)$/.test(text) || changed.has(isNew ? 'old' : 'new', text))
      return [];
    // Something like it stands in its place: it did not come or go, but cannot be shown.
    if ((isNew ? gone : come).some((other) => areAlike(other.text, line.text))) return [];
    return [{ kind: isNew ? 'lineAdded' : 'lineRemoved', text: shownLine(line.text), lines: [line] }];
  });
};

const isElse = ({ text }: HunkLine): boolean => /^\W*(?:else|elif|elsif|elseif)\b/i.test(text);

/** Only those that came, where more went than anybody wants to read. */
export const newLines: EditReader = (run, edited) =>
  fewerLines(run, edited).filter(({ kind }) => kind === 'lineAdded');

/** Whether a condition is asked on a side of the changed lines, in whatever form: by a branch, behind a statement, by ? and :. */
function isAskedOn(
  side: 'old' | 'new',
  condition: string,
  { removed, added }: ChangedRun,
  changed: ChangedText,
): boolean {
  const tight = condition.replace(/\s+/g, '');
  const heads = [
    `if(${tight})`,
    `if${tight}{`,
    `if${tight}:`,
    `if${tight}else`,
    `if${tight},do:`,
    `if${tight}do`,
  ];
  const isChosen = changed.has(side, `${tight}?`) && !changed.has(side, `${tight}?.`);
  return (
    isChosen ||
    heads.some((head) => changed.has(side, head)) ||
    (side === 'old' ? removed : added).some(
      ({ text }) => /\b(?:if|unless)\s+(.+)$/.exec(text)?.[1]?.replace(/[\s;]+/g, '') === tight,
    )
  );
}

/** More pairs of old and new branches in one place than these were made by a program, and are not held against each other. */
const mostPairs = 10_000;

/** The branches of one side of a hunk, which each of its runs asks for. */
const branchesOf = new WeakMap<HunkLine[], Branch[]>();

function branchesOnce(lines: HunkLine[], stood: (line: HunkLine) => boolean): Branch[] {
  const known = branchesOf.get(lines) ?? branchesIn(lines, stood);
  branchesOf.set(lines, known);
  return known;
}

/** Branches that came, went, or branch on something else. */
export const conditions: EditReader = (run, { changed, whole }) => {
  const [runNumber] = [...run.added, ...run.removed].map((line) => line.run);
  const stood = (line: HunkLine) => whole.standsOnBoth(line.text);
  const all = { old: branchesOnce(run.hunk.old, stood), new: branchesOnce(run.hunk.new, stood) };
  if (all.old.length * all.new.length > mostPairs) return [];
  const isHere = ({ lines }: Branch): boolean => lines.find(({ isChanged }) => isChanged)?.run === runNumber;
  const own = (branches: Branch[], other: 'old' | 'new'): Branch[] =>
    branches.filter(
      (branch) =>
        isHere(branch) &&
        !branch.condition.includes('`') &&
        !branch.lines.every((line) => !line.isChanged || stood(line)) &&
        !isAskedOn(other, branch.condition, run, changed),
    );
  const added = own(all.new, 'old');
  const removed = own(all.old, 'new');
  // Where a condition left for another place, or came from one, the branch that stood on it stays, on another.
  const conditionsOf = (branches: Branch[]) => branches.map(({ condition }) => condition.replace(/\s+/g, ''));
  const [before, after] = [conditionsOf(all.old.filter(isHere)), conditionsOf(all.new.filter(isHere))];
  const left = before.filter((condition) => !after.includes(condition)).length - removed.length;
  const came = after.filter((condition) => !before.includes(condition)).length - added.length;
  const [was] = removed;
  const [is] = added;
  // Where only what is done changes, the same is asked.
  const isOneForOne = added.length === 1 && removed.length === 1 && was?.condition !== is?.condition;
  if (was && is && isOneForOne && shareOfWords(was.condition, is.condition) >= leastShared)
    return [
      {
        kind: 'conditionChanged',
        text: is.condition,
        before: was.condition,
        effect: is.effect,
        lines: is.lines.filter(({ isChanged }) => isChanged),
      },
    ];
  // Of several, which came out of which cannot be told: those that have one like them neither come nor go.
  const without = (branches: Branch[], others: Branch[]): Branch[] =>
    branches.filter(
      ({ condition }) =>
        !others.some(
          (other) =>
            areAlike(other.condition, condition) ||
            likeness(other.condition, condition) >= sameCondition ||
            (wordsIn(condition).length === 0 && isPartOf(condition, other.condition)),
        ),
    );
  const tell = (branches: Branch[], kind: 'conditionAdded' | 'conditionRemoved'): FoundEdit[] =>
    branches.map(({ condition, lines, effect, isAroundOld }) => ({
      kind,
      text: condition,
      effect,
      isAroundOld: kind === 'conditionAdded' && isAroundOld,
      lines: lines.filter(({ isChanged }) => isChanged),
    }));
  // What is asked in another way is asked still.
  const unsaid = (branches: Branch[], others: HunkLine[], most: number): Branch[] => {
    if (branches.length === 0) return [];
    const said = new Set(others.filter(({ isChanged }) => isChanged).flatMap(({ text }) => wordsIn(text)));
    return branches.filter(({ condition }) => {
      const words = wordsIn(condition);
      return words.length === 0 || words.filter((word) => said.has(word)).length <= words.length * most;
    });
  };
  return [
    ...(left > 0 ? [] : tell(unsaid(without(added, all.old), run.hunk.old, 0.8), 'conditionAdded')),
    ...(came > 0 ? [] : tell(unsaid(without(removed, all.new), run.hunk.new, 0.5), 'conditionRemoved')),
  ];
};

const sameCondition = 0.6;

/** Whether a short name is asked about in a longer condition. */
const isPartOf = (name: string, condition: string): boolean =>
  condition.split(/[^\w$]+/).some((word) => word === name);

/** More alike than this, a message was only worded anew. */
const sameMessage = 0.5;

export const errors: EditReader = ({ come, hunk }, { changed, runs }) => {
  const stays = (message: string): boolean =>
    hunk.old.some(({ text, isChanged }) => !isChanged && text.replace(/\s+/g, ' ').includes(message));
  const found = come.flatMap((line, index) => {
    const lines = line.hidden === 'code' ? statementFrom(come, index) : [];
    const text = errorIn(lines.map((one) => one.text).join(' '));
    if (text === null || /[`<]/.test(text)) return [];
    const message = text.replace(/^… | …$/g, '');
    return changed.has('old', message) || stays(message) ? [] : [{ text, lines }];
  });
  if (found.length === 0) return [];
  const before = runs.flatMap(({ removed }) =>
    removed.flatMap(
      (_, index) =>
        errorIn(
          removed
            .slice(index, index + mostLinesOfMessage)
            .map(({ text }) => text)
            .join(' '),
        ) ?? [],
    ),
  );
  return found
    .filter(({ text }) => !before.some((old) => likeness(old, text) >= sameMessage))
    .map(({ text, lines }) => ({ kind: 'errorAdded', text, lines }));
};

const goesOn = /(?:[+.&(,]|<>|\\)$/;
const isGoingOn = /^(?:[+.&"']|<>)/;
const mostLinesOfMessage = 5;

/** A line with those in which its statement goes on, as far as they are new. */
function statementFrom(lines: HunkLine[], start: number): HunkLine[] {
  const statement: HunkLine[] = [];
  for (const line of lines.slice(start, start + mostLinesOfMessage)) {
    const above = statement.at(-1);
    const isNext = above && line.newLine === (above.newLine ?? 0) + 1;
    if (above && !(isNext && (goesOn.test(above.text) || isGoingOn.test(line.text)))) break;
    statement.push(line);
  }
  return statement;
}

/** Names that are called on one side and nowhere in the changed lines of the other. */
export const calls: EditReader = ({ gone, come }, { changed, language }) => {
  const tell = (
    lines: HunkLine[],
    others: HunkLine[],
    other: 'old' | 'new',
    kind: 'callAdded' | 'callRemoved',
  ): FoundEdit[] => {
    const elsewhere = new Set(others.filter(isCode).flatMap(({ text }) => callsIn(text, language)));
    const found = new Map<string, HunkLine>();
    for (const line of lines.filter(isCode)) {
      for (const name of callsIn(line.text, language))
        if (!elsewhere.has(name) && !found.has(name)) found.set(name, line);
    }
    return [...found].flatMap(([text, line]) =>
      changed.has(other, `${text}(`) ? [] : [{ kind, text, lines: [line] }],
    );
  };
  return [...tell(come, gone, 'old', 'callAdded'), ...tell(gone, come, 'new', 'callRemoved')];
};
