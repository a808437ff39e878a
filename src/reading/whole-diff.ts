import { type FileDiff, linesOf } from './file-diff.ts';

/**
 * Every changed line of a whole pull request, free of white space, with the sides on which it stands. A line that stands
 * on both was moved, indented or put inside of something: it neither came nor went. Lines are known by a hash; that two
 * should share one by chance costs a fact, and never makes one up.
 */
export class WholeDiff {
  readonly #removed = new Set<number>();
  readonly #added = new Set<number>();

  note({ hunks }: FileDiff): void {
    for (const hunk of hunks)
      for (const { side, text } of linesOf(hunk)) {
        if (side === 'context') continue;
        const hash = hashOf(text);
        if (hash !== nothing) (side === 'added' ? this.#added : this.#removed).add(hash);
      }
  }

  /** Where nothing went, or nothing came, nothing can have moved, and no line needs to be looked for. */
  get mayHaveMoved(): boolean {
    return this.#removed.size > 0 && this.#added.size > 0;
  }

  /** Whether a changed line stands among the removed lines and among the added ones, somewhere in the pull request. */
  standsOnBoth(text: string): boolean {
    if (!this.mayHaveMoved) return false;
    const hash = hashOf(text);
    return this.#removed.has(hash) && this.#added.has(hash);
  }
}

const nothing = 0x811c9dc5;
const space = 32;

/** Without what ends a line and says nothing: which of several lines is the last one decides whether it is there. */
function hashOf(text: string): number {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) <= space || ',;'.includes(text.charAt(end - 1)))) end--;
  let hash = nothing;
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code > space) hash = Math.imul(hash ^ code, 0x01000193);
  }
  return hash;
}
