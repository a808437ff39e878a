import type { HunkLines } from '../hunk-lines.ts';

// A file in which more is looked up than this was changed by a program; what is not looked up is not told.
const mostLookups = 300;

/** The changed lines of each side of a file in one piece, so that what stands there is found whatever the line breaks. */
export class ChangedText {
  readonly #hunks: HunkLines[];
  readonly #sides: { old: string | null; new: string | null } = { old: null, new: null };
  #lookups = 0;

  constructor(hunks: HunkLines[]) {
    this.#hunks = hunks;
  }

  /** Whether a text stands among the changed lines of a side, free of white space. */
  has(side: 'old' | 'new', text: string): boolean {
    if (this.#lookups++ > mostLookups) return true;
    this.#sides[side] ??= this.#join(side);
    return this.#sides[side].includes(withoutBlanks(text));
  }

  #join(side: 'old' | 'new'): string {
    const lines = this.#hunks.flatMap((hunk) => hunk[side]);
    return lines.map(({ isChanged, text }) => (isChanged ? withoutBlanks(text) : '\0')).join('');
  }
}

const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');
