import type { StatedFact } from '../../draft.ts';
import { lastPart } from '../name-parts.ts';
import type { OfDeclarations, Row, Rows } from './caption.ts';
import { codeSpan as code } from './code-span.ts';
import { turn } from './phrases.ts';
import { becomes, comes, goes, within } from './proofs.ts';
import { things } from './things.ts';

const moved: Pick<Row<OfDeclarations['movedHere']>, 'weight' | 'proof'> = {
  weight: 4,
  proof: ({ thing, name, from, to }) => [
    { relation: 'moved', thing, name: lastPart(name), fromFile: from, toFile: to },
  ],
};

const parameter = (of: string, name: string, change: 'added' | 'removed'): StatedFact[] => [
  { relation: 'parameter', of: lastPart(of), name, change },
];

/** What became of something that code declares, and of what it takes and gives. */
export const declarationCaptions: Rows<OfDeclarations> = {
  newDeclaration: {
    weight: 9,
    proof: ({ thing, name }) => [comes(thing, lastPart(name)), ...within(name)],
    en: ({ thing, name, isPublic, doc }) =>
      `New ${isPublic ? 'public ' : ''}${things[thing].en} ${code(name)}${doc === null ? '.' : `: ${doc}`}`,
    ja: ({ thing, name, isPublic, doc }) =>
      `新しい${isPublic ? '公開' : ''}${things[thing].ja} ${code(name)}${doc === null ? '。' : `：${doc}`}`,
  },
  removedDeclaration: {
    weight: 5,
    proof: ({ thing, name }) => [goes(thing, lastPart(name)), ...within(name)],
    en: ({ name }) => `Removed: ${code(name)}.`,
    ja: ({ name }) => `削除：${code(name)}。`,
  },
  renamed: {
    weight: 8,
    // Of two names that hold one another, neither comes or goes as a whole.
    proof: ({ thing, from, to }) =>
      from.includes(to) || to.includes(from)
        ? [becomes(from, to)]
        : [becomes(from, to), goes(thing, from), comes(thing, to)],
    en: ({ from, to }) => `${code(from)} is now called ${code(to)}.`,
    ja: (values) => `改名：${turn(values)}。`,
  },
  movedHere: {
    ...moved,
    en: ({ name, from }) => `${code(name)}, moved from ${code(from)}.`,
    ja: ({ name, from }) => `${code(name)}。${code(from)} から移動。`,
  },
  movedAway: {
    ...moved,
    en: ({ name, to }) => `${code(name)} moved to ${code(to)}.`,
    ja: ({ name, to }) => `${code(name)} は ${code(to)} へ移動。`,
  },
  newParameter: {
    weight: 9,
    proof: ({ of, name }) => parameter(of, name, 'added'),
    en: ({ of, name, value }) =>
      `${code(of)} takes a new parameter ${code(name)}${value === null ? '' : ` (default ${code(value)})`}.`,
    ja: ({ of, name, value }) =>
      `${code(of)} に新しい引数 ${code(name)}${value === null ? '' : `（既定値 ${code(value)}）`}。`,
  },
  removedParameter: {
    weight: 8,
    proof: ({ of, name }) => parameter(of, name, 'removed'),
    en: ({ of, name }) => `${code(of)} no longer takes ${code(name)}.`,
    ja: ({ of, name }) => `${code(of)} は ${code(name)} を取らなくなった。`,
  },
  parameterType: {
    weight: 7,
    proof: ({ of, name, from, to }) => [becomes(from, to, lastPart(of), name)],
    en: ({ of, name, ...types }) => `${code(name)} of ${code(of)}: ${turn(types)}.`,
    ja: ({ of, name, ...types }) => `${code(of)} の ${code(name)}：${turn(types)}。`,
  },
  returnType: {
    weight: 7,
    proof: ({ of, from, to }) => [becomes(from, to, lastPart(of))],
    en: ({ of, ...types }) => `Return type of ${code(of)}: ${turn(types)}.`,
    ja: ({ of, ...types }) => `${code(of)} の戻り値の型：${turn(types)}。`,
  },
  defaultValue: {
    weight: 9,
    proof: ({ of, from, to }) => [becomes(from, to, of)],
    en: ({ of, ...values }) => `Default of ${code(of)}: ${turn(values)}.`,
    ja: ({ of, ...values }) => `${code(of)} の既定値：${turn(values)}。`,
  },
};
