import type { AttentionReason } from '../../domain/attention-reasons.ts';
import type { Category } from '../../domain/change-types.ts';
import { evidenceOf } from '../compare/compare-file.ts';
import type { AttentionPoint, Evidence, FileFacts, SymbolChange, Transition } from '../facts.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';

interface Found {
  subject: string;
  evidence: Evidence;
  /** What it was and is, for a reason that is about a value. */
  transition?: Transition;
}

interface FactRule {
  category: Category;
  reason: AttentionReason;
  select: (facts: FileFacts) => Found[];
}

const ofSource = ({ symbols }: FileFacts): SymbolChange[] => symbols.filter(({ isPublic }) => isPublic);

const factRules: FactRule[] = [
  {
    category: 'RISK',
    reason: 'publicApiRemoved',
    select: (file) =>
      ofSource(file)
        .filter(({ isPublic, change }) => isPublic && (change === 'removed' || change === 'renamed'))
        .map(({ name, previousName, evidence }) => ({ subject: previousName ?? name, evidence })),
  },
  {
    category: 'RISK',
    reason: 'publicApiChanged',
    select: (file) =>
      ofSource(file)
        .filter(
          ({ isPublic, signatureEdits }) => isPublic && signatureEdits.some(({ kind }) => kind !== 'default'),
        )
        .map(({ name, evidence }) => ({ subject: name, evidence })),
  },
  {
    category: 'RISK',
    reason: 'closedToAdditions',
    select: (file) => ofSource(file).flatMap((one) => modified(one, closing)),
  },
  {
    category: 'TECH',
    reason: 'openedToAdditions',
    select: (file) => ofSource(file).flatMap((one) => modified(one, opening)),
  },
  {
    category: 'RISK',
    reason: 'defaultChanged',
    select: (file) =>
      ofSource(file)
        .filter(({ isPublic }) => isPublic)
        .flatMap(defaultsOf),
  },
  {
    category: 'RISK',
    reason: 'settingRemoved',
    select: ({ surfaces }) =>
      surfaces
        .filter(({ change }) => change === 'removed')
        .map(({ name, evidence }) => ({ subject: name, evidence })),
  },
];

/** Words before a declaration that keep others from adding to it, and those that let them. */
const closing = /\b(?:sealed|final)\b/;
const opening = /\b(?:open|non-sealed)\b/;

/** A declaration that has such a word now and had none before, or the other way round. */
function modified(
  { name, previousName, kind, signature, previousSignature, evidence }: SymbolChange,
  word: RegExp,
): Found[] {
  if (signature === null || previousSignature === null || kind === 'constant') return [];
  const head = (text: string, own: string): string => text.slice(0, Math.max(0, text.indexOf(own)));
  const [was, is] = [head(previousSignature, previousName ?? name), head(signature, name)];
  const other = word === closing ? opening : closing;
  const hasCome = word.test(is) && !word.test(was);
  const hasGone = other.test(was) && !other.test(is) && !word.test(was);
  return hasCome || hasGone ? [{ subject: name, evidence }] : [];
}

/** Values that hold where nobody gives another: of parameters, and of constants that are called so. */
function defaultsOf({ name, value, signatureEdits, evidence }: SymbolChange): Found[] {
  const constant = value && /default/i.test(name) ? [{ subject: name, evidence, transition: value }] : [];
  const parameters = signatureEdits.flatMap((edit) =>
    edit.kind === 'default'
      ? [{ subject: edit.name, evidence, transition: { from: edit.from, to: edit.to } }]
      : [],
  );
  return [...constant, ...parameters];
}

/** What in the facts of all files deserves attention, one point for each reason. */
export function attentionInFacts(files: FileFacts[]): AttentionPoint[] {
  return factRules.flatMap(({ category, reason, select }) => {
    const found = files.flatMap(select);
    if (found.length === 0) return [];
    return [
      {
        category,
        reason,
        subjects: [...new Set(found.map(({ subject }) => subject))].slice(0, subjectsPerPoint),
        transitions: found
          .flatMap(({ subject, transition }) => (transition ? [{ subject, ...transition }] : []))
          .slice(0, subjectsPerPoint),
        evidence: found.slice(0, evidencePerPoint).map(({ evidence }) => evidence),
      },
    ];
  });
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

/** Lists of what a module of JavaScript has for others: `export { a, b as c }` and `module.exports = { a, c: b }`. */
const list = /(?:\bexport\s+(?:type\s+)?|\bmodule\.exports\s*=\s*)\{([^{}]*)\}/g;
const listed = /(?:^|,)\s*(?:type\s+)?(?:[\w$]+\s+as\s+)?([\w$]+)\s*(?=[,:]|$)/g;

const namesIn = (lines: HunkLine[]): string[] => {
  const code = lines.filter(({ isComment }) => !isComment).map(({ text }) => text);
  return Array.from(code.join('\n').matchAll(list), ([, names = '']) =>
    Array.from(names.matchAll(listed), ([, name = '']) => name),
  ).flat();
};

const everything = /\bexport\s*\*|\bmodule\.exports\s*=\s*[^{\s]|^\.\.\./;

/** Names that such a list had and that none of the file has now. Where all of another module goes along, none is known. */
export function exportsGone(path: string, hunks: HunkLines[]): AttentionPoint[] {
  const isOpen = hunks.some((hunk) => hunk.new.some(({ text }) => everything.test(text)));
  if (!/\.[cm]?[jt]sx?$/.test(path) || isOpen) return [];
  const now = new Set(hunks.flatMap((hunk) => namesIn(hunk.new)));
  return hunks.flatMap((hunk) =>
    namesIn(hunk.old)
      .filter((name) => name !== 'default' && !now.has(name))
      .flatMap((subject): AttentionPoint[] => {
        const line = hunk.old.find(
          ({ text, isChanged }) => isChanged && text.split(/[^\w$]+/).includes(subject),
        );
        if (!line) return [];
        const evidence = [evidenceOf(path, [line])];
        return [
          { category: 'RISK', reason: 'publicApiRemoved', subjects: [subject], transitions: [], evidence },
        ];
      }),
  );
}
