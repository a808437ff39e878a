import type { NamedRange } from '../reading/facts.ts';
import { innermostRange } from '../reading/name-ranges.ts';
import { headingAbove, isDeclaration } from './heading-above.ts';
import type { DiffLines, PlacedLine } from './verify/diff-lines.ts';

/** What lines lie in: as the ranges say that are known of their file, or as git prints it above their hunk. */
export class Enclosing {
  readonly #path: string;
  readonly #lines: DiffLines;
  readonly #ranges: NamedRange[];

  constructor(path: string, lines: DiffLines, ranges: NamedRange[]) {
    this.#path = path;
    this.#lines = lines;
    this.#ranges = ranges.filter(({ side }) => side === 'new');
  }

  /** The function, class or section that holds all of some lines, by its name. */
  heading(some: PlacedLine[]): string | null {
    return this.#around(some)?.name ?? this.#printed(some);
  }

  /**
   * Whether lines are read as one where they stand below each other: they lie in one declaration, those of different hunks in
   * one function.
   */
  areTogether(some: PlacedLine[], more: PlacedLine[]): boolean {
    const [one, other] = [this.#around(some), this.#around(more)];
    if (some[0]?.hunk !== more[0]?.hunk) return one !== null && one === other && one.isFunction;
    if (one !== null && one === other) return true;
    const owner = this.#owner(some);
    return owner === this.#owner(more) && (owner !== null || !this.#hasDeclaration(some, more));
  }

  #around(some: PlacedLine[]): NamedRange | null {
    const numbers = this.#numbers(some);
    const [first, last] = [numbers[0], numbers.at(-1)];
    if (first === undefined || last === undefined) return null;
    return innermostRange(this.#ranges, { side: 'new', startLine: first, endLine: last });
  }

  /** What lines lie in and do not begin: the class of a method of which they are the head. */
  #owner(some: PlacedLine[]): NamedRange | null {
    const numbers = this.#numbers(some);
    const [first, last] = [numbers[0], numbers.at(-1)];
    if (first === undefined || last === undefined) return null;
    const above = this.#ranges.filter(({ startLine }) => startLine < first);
    return innermostRange(above, { side: 'new', startLine: first, endLine: last });
  }

  /** Their numbers as they are now; what went has that of the line above it. */
  #numbers(some: PlacedLine[]): number[] {
    const own = some.flatMap(({ newLine }) => newLine ?? []);
    const [first] = some;
    if (own.length > 0 || !first) return own;
    const hunk = this.#lines.ofHunk(this.#path, first.hunk).filter(({ newLine }) => newLine !== null);
    const beside = hunk.findLast(({ at }) => at < first.at) ?? hunk[0];
    return beside?.newLine ? [beside.newLine] : [];
  }

  /** Whether something begins between lines, or with the lower ones, as far as the lines themselves show it. */
  #hasDeclaration(some: PlacedLine[], more: PlacedLine[]): boolean {
    const [above, below] = (some[0]?.at ?? 0) < (more[0]?.at ?? 0) ? [some, more] : [more, some];
    const [from, to] = [above.at(-1)?.at ?? 0, below[0]?.at ?? 0];
    const between = this.#lines.of(this.#path).slice(from + 1, to + 1);
    return between.some(({ text }) => isDeclaration(text));
  }

  #printed(some: PlacedLine[]): string | null {
    const [first, last] = [some[0], some.at(-1)];
    if (!first || !last || first.hunk !== last.hunk) return null;
    const above = this.#lines.ofHunk(this.#path, first.hunk).filter(({ at }) => at <= last.at);
    const heading = this.#lines.file(this.#path)?.hunks[first.hunk]?.heading ?? '';
    return headingAbove(heading, above, this.#lines.of(this.#path));
  }
}
