import { type MarkedText, markAt, marksIn, matchAround, placeholder } from '../marked-text.ts';
import type { Said } from './said.ts';

/**
 * A way to say something in some language, as a pattern around marks. What it is said of are its groups: `what`, `from`,
 * `to`, `by` and `number`.
 */
export type Phrase = { pattern: string } & (
  | { kind: 'side'; side: 'added' | 'removed'; isDoing?: true }
  | { kind: 'turn' | 'move' | 'take' }
  | { kind: 'order'; isRise: boolean }
  | { kind: 'count'; of: Extract<Said, { kind: 'count' }>['of'] }
  | { kind: 'file'; status: 'added' | 'removed' }
);

/** An arrow says the same in every language. */
export const arrow: Phrase = {
  kind: 'turn',
  pattern: `(?<from>${placeholder})\\s*→\\s*(?<to>${placeholder})`,
};

/** All that some phrases find in a sentence. */
export const readPhrases = (phrases: Phrase[], marked: MarkedText): Said[] =>
  phrases.flatMap((phrase) =>
    matchAround(marked, phrase.pattern).flatMap(({ groups }) => saidBy(phrase, groups ?? {}, marked) ?? []),
  );

type Groups = Partial<Record<'what' | 'from' | 'to' | 'by' | 'number', string>>;

function saidBy(phrase: Phrase, groups: Groups, marked: MarkedText): Said | null {
  const one = (name: 'from' | 'to' | 'by') => markAt(marked, groups[name] ?? '') ?? null;
  const [from, to, by] = [one('from'), one('to'), one('by')];
  const marks = marksIn(marked, groups.what ?? '');
  switch (phrase.kind) {
    case 'side':
      return { kind: 'side', side: phrase.side, marks, isDoing: phrase.isDoing ?? false };
    case 'turn':
      return from && to && { kind: 'turn', from, to };
    case 'order':
      return from && to && { kind: 'order', from, to, isRise: phrase.isRise };
    case 'move':
      return from || to ? { kind: 'move', marks, from, to } : null;
    case 'take':
      return by && { kind: 'take', by, marks };
    case 'count':
      return { kind: 'count', of: phrase.of, value: Number(groups.number?.replaceAll(',', '')) };
    case 'file':
      return { kind: 'file', status: phrase.status };
  }
}
