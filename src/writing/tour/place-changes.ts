import type { FileFacts, NamedRange, SymbolChange, UnitChange } from '../../reading/facts.ts';
import type { DiffLines, PlacedLine } from '../verify/diff-lines.ts';

type Span = NonNullable<UnitChange['new']>;

const linesIn = ({ startLine, endLine }: NamedRange): number => endLine - startLine;

const holds = (range: NamedRange, { side, startLine, endLine }: Span): boolean =>
  range.side === side && range.startLine <= startLine && range.endLine >= endLine;

/** Which function, class or section of a file each of its changes belongs to. */
export class ChangePlaces {
  readonly #file: FileFacts;
  readonly #lines: DiffLines;
  /** Where declarations stood, and stand now, that moved as they were. */
  readonly #moved: Span[];
  readonly #symbols = new Map<NamedRange, SymbolChange | null>();

  constructor(file: FileFacts, lines: DiffLines) {
    this.#file = file;
    this.#lines = lines;
    this.#moved = file.symbols
      .filter(({ change, isEdited }) => change === 'moved' && !isEdited)
      .flatMap(({ movedFrom, movedTo }) => [movedFrom ?? [], movedTo ?? []].flat());
  }

  /** What moved to another place is no change there; what moved inside of one function is. */
  isTold(change: UnitChange): boolean {
    // Of two declarations that changed places, each line looks as if it were another one's.
    if (this.#isOfMoved(change.new) || this.#isOfMoved(change.old)) return false;
    if (change.kind !== 'moved') return true;
    const { counterpart } = change;
    const own = change.new ?? change.old;
    if (!own || counterpart?.fileName !== this.#file.path || change.of !== 'code') return false;
    const here = this.#around(own);
    return here !== null && here.name === this.#around(counterpart)?.name;
  }

  #isOfMoved(span: Span | null): boolean {
    return (
      span !== null &&
      this.#moved.some(
        ({ fileName, side, startLine, endLine }) =>
          fileName === span.fileName &&
          side === span.side &&
          startLine <= span.startLine &&
          endLine >= span.endLine,
      )
    );
  }

  /** What a change lies in; null where that has no name. */
  rangeOf(change: UnitChange, next: UnitChange[]): NamedRange | null {
    const at = change.new ?? change.old;
    if (!at) return null;
    const found =
      this.#outermostNew(change) ?? this.#around(at) ?? this.#left(change) ?? this.#below(change, next);
    return found && this.#asItIsNow(found);
  }

  /** What became of the declaration of a range itself; null where only what is in it changed. */
  symbolOf(range: NamedRange): SymbolChange | null {
    const known = this.#symbols.get(range);
    if (known !== undefined) return known;
    const own = this.#file.symbols.find(
      ({ name, container, evidence }) =>
        (container === null ? name : `${container}.${name}`) === range.name &&
        evidence.side === range.side &&
        evidence.startLine <= range.endLine &&
        evidence.endLine >= range.startLine,
    );
    const symbol = own && own.change !== 'bodyChanged' ? own : null;
    this.#symbols.set(range, symbol);
    return symbol;
  }

  #around(at: Span): NamedRange | null {
    const around = this.#file.ranges.filter((range) => holds(range, at));
    return around.sort((one, other) => linesIn(one) - linesIn(other))[0] ?? null;
  }

  /** A new class is one piece, with all that is in it. */
  #outermostNew({ kind, new: at }: UnitChange): NamedRange | null {
    if (kind !== 'added' || !at) return null;
    const fresh = this.#file.ranges.filter(
      (range) => holds(range, at) && this.symbolOf(range)?.change === 'added',
    );
    return fresh.sort((one, other) => linesIn(other) - linesIn(one))[0] ?? null;
  }

  /** What was removed was in what stands there instead, or the line above it, or the one below. */
  #left({ old, new: current }: UnitChange): NamedRange | null {
    const fileName = this.#file.path;
    const [first] = current || !old ? [] : this.#lines.between(fileName, 'old', old.startLine, old.startLine);
    if (!first) return null;
    const all = this.#lines.of(fileName);
    const standing = (step: 1 | -1): PlacedLine | undefined => {
      let at = step === 1 ? first.at : first.at - 1;
      while (all[at]?.hunk === first.hunk && all[at]?.newLine === null) at += step;
      return all[at]?.hunk === first.hunk ? all[at] : undefined;
    };
    const [above, below] = [standing(-1), standing(1)];
    // What stands there instead has its place.
    for (const line of below?.side === 'added' ? [below, above] : [above, below]) {
      if (line?.newLine == null) continue;
      const range = this.#around({ fileName, side: 'new', startLine: line.newLine, endLine: line.newLine });
      if (range) return range;
    }
    return null;
  }

  /** A comment, or a mark, belongs to what begins below it. */
  #below(change: UnitChange, next: UnitChange[]): NamedRange | null {
    let end = change.new?.endLine ?? 0;
    for (const below of next) {
      if (end === 0 || !below.new || below.new.startLine > end + 2) return null;
      const range = this.#outermostNew(below) ?? this.#around(below.new);
      if (range) return range.startLine > end && range.startLine <= below.new.startLine ? range : null;
      end = below.new.endLine;
    }
    return null;
  }

  /** What went from a function belongs to what else changed in it. */
  #asItIsNow(range: NamedRange): NamedRange {
    if (range.side === 'new' || this.symbolOf(range)) return range;
    const [now, ...others] = this.#file.ranges.filter(
      ({ side, name }) => side === 'new' && name === range.name,
    );
    return now && others.length === 0 ? now : range;
  }
}
