import type { FileDiff } from '../../../reading/file-diff.ts';
import type { StatedFact } from '../../draft.ts';
import { type Mark, type MarkedText, markAt, marksIn, matchAround, placeholder } from '../marked-text.ts';
import type { Scope } from '../scope.ts';

export type Said =
  /**
   * Something exists now and did not before; `removed` is the reverse. `doer` is what does it now, or no longer does.
   * `verb` is the stem of what is done to it, or empty.
   */
  | {
      kind: 'side';
      side: 'added' | 'removed';
      marks: Mark[];
      doer: 'function' | 'file' | null;
      verb: string;
    }
  /** Something is true now, or was before. */
  | { kind: 'time'; side: 'old' | 'new'; marks: Mark[] }
  /** One thing replaced another; with `isChoice` or `isRange`, both may be on the same side. */
  | { kind: 'turn'; from: Mark; to: Mark; isChoice: boolean; isRange: boolean }
  /** Something was moved from or to a file. */
  | { kind: 'move'; marks: Mark[]; from: Mark | null; to: Mark | null }
  /** A version, or another ordered value, rose or fell. */
  | { kind: 'order'; from: Mark; to: Mark; isRise: boolean }
  /** Something takes parameters, or no longer takes them. */
  | { kind: 'take'; by: Mark; marks: Mark[] }
  /** Something is called in some place. */
  | { kind: 'call'; marks: Mark[] }
  | { kind: 'count'; of: 'additions' | 'deletions' | 'files' | 'tests'; value: number }
  | { kind: 'file'; status: 'added' | 'removed' };

export function marksOf(said: Said): Mark[] {
  switch (said.kind) {
    case 'side':
    case 'time':
    case 'call':
      return said.marks;
    case 'turn':
    case 'order':
      return [said.from, said.to];
    case 'move':
      return [...said.marks, said.from, said.to].filter((mark) => mark !== null);
    case 'take':
      return [said.by, ...said.marks];
    case 'count':
    case 'file':
      return [];
  }
}

export interface Sentence {
  marked: MarkedText;
  facts: StatedFact[];
  scope: Scope;
  file: FileDiff | null;
  isSummary: boolean;
}

/**
 * A way to express a statement in some language, as a pattern around marks. Its groups are `what`, `from`, `to`, `by`
 * and `number`.
 */
export type Phrase = { pattern: string } & (
  | { kind: 'side'; side: 'added' | 'removed'; isDoing?: true }
  | { kind: 'time'; side: 'old' | 'new' }
  | { kind: 'turn' | 'move' | 'take' | 'call' }
  | { kind: 'order'; isRise: boolean }
  | { kind: 'count'; of: Extract<Said, { kind: 'count' }>['of'] }
  | { kind: 'file'; status: 'added' | 'removed' }
);

/** An arrow means the same in every language. */
export const arrow: Phrase = {
  kind: 'turn',
  pattern: `(?<from>${placeholder})\\s*→\\s*(?<to>${placeholder})`,
};

export const readPhrases = (phrases: Phrase[], marked: MarkedText): Said[] =>
  phrases.flatMap((phrase) =>
    matchAround(marked, phrase.pattern).flatMap((match) => saidBy(phrase, match, marked) ?? []),
  );

const choice = /instead of|in place of|rather than|に代えて|の代わりに|ではなく/iu;

type Groups = Partial<Record<'what' | 'from' | 'to' | 'by' | 'number', string>>;

function saidBy(phrase: Phrase, match: RegExpExecArray, marked: MarkedText): Said | null {
  const groups: Groups = match.groups ?? {};
  const one = (name: 'from' | 'to' | 'by') => markAt(marked, groups[name] ?? '') ?? null;
  const [from, to, by] = [one('from'), one('to'), one('by')];
  const marks = marksIn(marked, groups.what ?? '');
  switch (phrase.kind) {
    case 'side':
      return {
        kind: 'side',
        side: phrase.side,
        marks,
        verb: /\b(?:add|creat|insert|remov|drop|delet|strip)(?=\w)/i.exec(match[0])?.[0] ?? '',
        doer: phrase.isDoing ? (/\b(?:im|ex)ports?\b/i.test(match[0]) ? 'file' : 'function') : null,
      };
    case 'time':
      return { kind: 'time', side: phrase.side, marks };
    case 'turn':
      return (
        from &&
        to && { kind: 'turn', from, to, isChoice: choice.test(match[0]), isRange: /^from\b/i.test(match[0]) }
      );
    case 'order':
      return from && to && { kind: 'order', from, to, isRise: phrase.isRise };
    case 'move':
      return from || to ? { kind: 'move', marks, from, to } : null;
    case 'take':
      return by && { kind: 'take', by, marks };
    case 'call':
      return { kind: 'call', marks };
    case 'count':
      return { kind: 'count', of: phrase.of, value: Number(groups.number?.replaceAll(',', '')) };
    case 'file':
      return { kind: 'file', status: phrase.status };
  }
}
