import { type FileDiff, linesOf } from './file-diff.ts';

const mostNames = 200;

/** `noLessopen`, `no_lessopen` and `--no-lessopen` are spellings of one name, and so is the option without "no". */
const fold = (name: string): string => name.toLowerCase().replace(/[-_$.]/g, '');
const withoutNo = (folded: string): string => folded.replace(/^no/, '');

const word = /[\p{L}\p{N}_$][\p{L}\p{N}_$-]*/gu;
const identifiersIn = (text: string): string[] => text.match(word) ?? [];

const literal = /["'`]-{0,2}([A-Za-z][\w.-]{1,60})["'`]|^\s*(?:pub )?([a-z]\w{1,60}):\s/g;

/** Argument parsers provide these options without a declaration. */
const provided: ReadonlySet<string> = new Set(['help', 'version', 'completion', 'completions']);

const lastOf = (name: string): string => name.split(/\.|::/).at(-1) ?? name;

/**
 * Names on added lines that were nowhere in the old file, in any spelling. The old file is computed from the new text:
 * its unchanged lines and the removed ones.
 */
export function freshNames(file: FileDiff, text: string, declared: string[]): string[] {
  const lines = file.hunks.flatMap(linesOf);
  const added = new Set(lines.flatMap(({ side, newLine }) => (side === 'added' ? (newLine ?? []) : [])));
  const before = [
    ...text.split('\n').filter((_, index) => !added.has(index + 1)),
    ...lines.flatMap(({ side, text }) => (side === 'removed' ? text : [])),
  ];
  const known = new Set(before.flatMap(identifiersIn).flatMap((one) => [fold(one), withoutNo(fold(one))]));
  const literals = lines.flatMap(({ side, text }) =>
    side === 'added' ? Array.from(text.matchAll(literal), ([, quoted, field]) => quoted ?? field ?? '') : [],
  );
  const isFresh = (name: string): boolean => {
    const folded = fold(name);
    return folded !== '' && !known.has(folded) && !known.has(withoutNo(folded)) && !provided.has(folded);
  };
  return [...new Set([...declared.map(lastOf), ...literals])].filter(isFresh).slice(0, mostNames);
}

export const isFreshOption = (option: string, fresh: readonly string[]): boolean => {
  const folded = fold(option);
  return !provided.has(folded) && fresh.some((name) => fold(name) === folded);
};
