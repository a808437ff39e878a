import type { HunkLine } from '../hunk-lines.ts';
import { haveSameCode } from '../layout.ts';
import { likeness } from '../symbols/is-renamed.ts';
import { callsIn, difference, errorIn, quotable } from './code-words.ts';
import { isComment } from './comments.ts';
import { type Branch, branchesIn } from './conditions.ts';
import type { EditReader, FoundEdit } from './edit-reader.ts';

const longestQuote = 90;

const isCode = ({ text, hidden }: HunkLine): boolean => hidden === 'code' && !isComment(text);

/** Lines that were each replaced by one other, where the two belong together. */
export const replacedLines: EditReader = ({ gone, come }, { changed }) => {
  if (gone.length !== come.length || gone.length > 3 || haveSameCode(gone, come)) return [];
  return come.flatMap((line, index): FoundEdit[] => {
    const old = gone[index];
    if (!old || !isCode(old) || !isCode(line)) return [];
    const before = quotable(old.text);
    const text = quotable(line.text);
    if (!areAlike(before, text) || changed.has('new', before) || changed.has('old', text)) return [];
    const told =
      before.length <= longestQuote && text.length <= longestQuote
        ? { before, after: text }
        : difference(before, text, longestQuote);
    if (!told || told.before === told.after || /`/.test(told.before + told.after)) return [];
    return [{ kind: 'replaced', text: told.after, before: told.before, lines: [line] }];
  });
};

/** Whether one line was made out of the other: they share a word that is not just punctuation. */
export function areAlike(before: string, after: string): boolean {
  const words = new Set(before.match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? []);
  // Short names leave only signs to go by.
  if (words.size === 0) return likeness(before, after) >= 0.3;
  const shared = (after.match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? []).filter((word) => words.has(word)).length;
  return shared > 0 && shared >= Math.min(words.size, 6) / 3;
}

/** Lines that came or went, where the whole change is not more than these. */
export const fewerLines: EditReader = ({ gone, come }, { changed }) => {
  return [...come, ...gone].flatMap((line): FoundEdit[] => {
    const isNew = line.newLine !== null;
    const text = quotable(line.text);
    const isTold =
      isCode(line) && /[\p{L}\p{N}]/u.test(text) && text.length <= longestQuote && !text.includes('`');
    if (!isTold || /^(?:end|else|return|break)$/.test(text) || changed.has(isNew ? 'old' : 'new', text))
      return [];
    // Something like it stands in its place: it did not come or go, but cannot be shown.
    if ((isNew ? gone : come).some((other) => areAlike(other.text, line.text))) return [];
    return [{ kind: isNew ? 'lineAdded' : 'lineRemoved', text, lines: [line] }];
  });
};

/** Only those that came, where more went than anybody wants to read. */
export const newLines: EditReader = (run, edited) => fewerLines({ ...run, gone: [] }, edited);

/** How a branch on a condition may begin, free of white space. */
const heads = (condition: string): string[] => [`if(${condition})`, `if${condition}{`, `if${condition}:`];

/** Branches that came, went, or branch on something else. */
export const conditions: EditReader = (run, { changed, whole }) => {
  const [runNumber] = [...run.added, ...run.removed].map((line) => line.run);
  const stood = (line: HunkLine) => whole.standsOnBoth(line.text);
  const own = (lines: HunkLine[], other: 'old' | 'new'): Branch[] =>
    branchesIn(lines, stood).filter(
      (branch) =>
        branch.lines.find(({ isChanged }) => isChanged)?.run === runNumber &&
        !branch.condition.includes('`') &&
        !branch.lines.every((line) => !line.isChanged || stood(line)) &&
        !heads(branch.condition).some((head) => changed.has(other, head)),
    );
  const added = own(run.hunk.new, 'old');
  const removed = own(run.hunk.old, 'new');
  const [was] = removed;
  const [is] = added;
  if (was && is && added.length === 1 && removed.length === 1 && areAlike(was.condition, is.condition))
    return [
      {
        kind: 'conditionChanged',
        text: is.condition,
        before: was.condition,
        effect: is.effect,
        lines: is.lines.filter(({ isChanged }) => isChanged),
      },
    ];
  const tell = (branches: Branch[], kind: 'conditionAdded' | 'conditionRemoved'): FoundEdit[] =>
    branches.map(({ condition, lines, effect, isAroundOld }) => ({
      kind,
      text: condition,
      effect,
      isAroundOld: kind === 'conditionAdded' && isAroundOld,
      lines: lines.filter(({ isChanged }) => isChanged),
    }));
  return [...tell(added, 'conditionAdded'), ...tell(removed, 'conditionRemoved')];
};

export const errors: EditReader = ({ come }, { changed }) =>
  come.flatMap((line): FoundEdit[] => {
    const text = line.hidden === 'code' ? errorIn(line.text) : null;
    return text === null || /[`<]/.test(text) || changed.has('old', text)
      ? []
      : [{ kind: 'errorAdded', text, lines: [line] }];
  });

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
