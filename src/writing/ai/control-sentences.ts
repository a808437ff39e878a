import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { foldSpace } from '../../reading/fold-space.ts';
import type { Sentence } from '../draft.ts';
import type { Material } from './material.ts';
import { overlaps } from './print-cited.ts';

/** A line that is short enough to be quoted, and long enough to stand in one place only. */
const quotable = /^[^`]{4,80}$/u;
const saysSomething = /(?:[\p{L}\p{N}].*){3}/u;

const wordings = {
  en: {
    gone: (line: string, path: string) => `\`${line}\` no longer stands in \`${path}\`.`,
    new: (line: string, path: string) => `\`${line}\` is new in \`${path}\`.`,
    empty: (path: string) => `Nothing at all changes in \`${path}\`.`,
  },
  ja: {
    gone: (line: string, path: string) => `\`${path}\` から \`${line}\` がなくなります。`,
    new: (line: string, path: string) => `\`${path}\` に \`${line}\` が新しく加わります。`,
    empty: (path: string) => `\`${path}\` では何も変わりません。`,
  },
};

/** Lines that differ in signs alone say the same to most who read them. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

interface Wanted {
  /** What the sentences rest on among which it will stand: their hunks are shown anyway. */
  evidence: Evidence[];
  language: string;
  shuffle: <Item>(items: Item[]) => Item[];
  /** How many of them were used before. */
  used: number;
}

/** Whether one of them is fit is seen soon, or not at all. */
const mostTried = 50;

/**
 * A sentence that is false beyond doubt: a line that came is said to have gone, or the reverse; where no line is fit for that,
 * that nothing changes at all. A reader that lets it pass among others has not read those either. Null where only white
 * space changed, which some would call nothing.
 */
export function controlSentence(
  material: Material,
  { evidence, language, shuffle, used }: Wanted,
): Sentence | null {
  const { gone, new: arrived, empty } = language === 'ja' ? wordings.ja : wordings.en;
  const lines = citedLines(material, evidence);
  const changed = shuffle(lines.filter(({ side }) => side !== 'context')).slice(0, mostTried);
  const lettersOn = (side: DiffLine['side']) =>
    lines.flatMap((line) => (line.side === side ? [lettersOf(line.text)] : [])).join('\n');
  const letters = { added: lettersOn('added'), removed: lettersOn('removed'), context: lettersOn('context') };
  const isFit = ({ text, side, path }: PlacedText) =>
    quotable.test(text) &&
    saysSomething.test(text) &&
    !path.includes('`') &&
    (['added', 'removed', 'context'] as const).every(
      (other) => other === side || !letters[other].includes(lettersOf(text)),
    );
  const fit = firstOf(changed, isFit, used + 1).at(-1);
  const { path, side, text, oldLine, newLine } = fit ?? changed[0] ?? {};
  const line = side === 'added' ? newLine : oldLine;
  if (path === undefined || text === undefined || typeof line !== 'number') return null;
  if (!fit && letters.added === letters.removed) return null;
  const claim = !fit ? empty(path) : side === 'added' ? gone(text, path) : arrived(text, path);
  return {
    text: claim,
    basis: 'diff',
    quote: null,
    evidence: [{ fileName: path, side: side === 'added' ? 'new' : 'old', startLine: line, endLine: line }],
    words: [],
    facts: [],
  };
}

type PlacedText = DiffLine & { path: string };

/** The lines of the hunks that are cited, or of the first one where none is. */
function citedLines({ files }: Material, evidence: Evidence[]): PlacedText[] {
  const hunksOf = ({ path, hunks }: FileDiff) => {
    const own = evidence.filter(({ fileName }) => fileName === path);
    return hunks.filter((hunk) => own.some((one) => overlaps(one, hunk)));
  };
  const all = [...files.values()];
  const cited = all.flatMap((file) => hunksOf(file).map((hunk) => ({ path: file.path, hunk })));
  const [first] = all.flatMap(({ path, hunks }) => hunks.slice(0, 1).map((hunk) => ({ path, hunk })));
  return (cited.length > 0 || !first ? cited : [first]).flatMap(({ path, hunk }) =>
    linesOf(hunk).map((line) => ({ ...line, path, text: foldSpace(line.text) })),
  );
}

/** As many as are wanted, if there are as many; the rest is not looked at. */
function firstOf<One>(items: One[], isWanted: (item: One) => boolean, most: number): One[] {
  const found: One[] = [];
  for (const item of items) {
    if (found.length === most) break;
    if (isWanted(item)) found.push(item);
  }
  return found;
}
