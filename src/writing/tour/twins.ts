import { lastPart } from './name-parts.ts';
import type { Piece } from './pieces.ts';
import type { Told } from './prove-captions.ts';
import type { Ranking } from './rank-pieces.ts';
import { spansOf } from './spans.ts';

/** Less than this two pieces have in common by chance. */
const shortestSkeleton = 24;
const mostNamed = 5;

/** Pieces in which the same was done. */
export class Twins {
  readonly #ranking: Ranking;
  readonly #skeletons = new Map<Piece, string>();
  readonly #captions = new Map<Piece, string | null>();

  constructor(pieces: Piece[], ranking: Ranking) {
    this.#ranking = ranking;
    for (const piece of pieces) {
      this.#skeletons.set(piece, skeletonOf(piece));
      this.#captions.set(piece, this.#firstCaption(piece));
    }
  }

  /** Those of some pieces in which the same was done, or of which the same is said. */
  of(piece: Piece, others: Piece[]): Piece[] {
    const caption = this.#captions.get(piece) ?? null;
    return others.filter(
      (other) => this.#isTwin(piece, other) || (caption !== null && caption === this.#captions.get(other)),
    );
  }

  /** Whether the same was done in both, but for their names, numbers and texts. */
  #isTwin(one: Piece, other: Piece): boolean {
    const skeleton = this.#skeletons.get(one) ?? '';
    return (
      skeleton.length >= shortestSkeleton &&
      skeleton === this.#skeletons.get(other) &&
      !(one.name === other.name && one.file === other.file)
    );
  }

  /** What is said first of a piece, where that is more than its place. */
  #firstCaption(piece: Piece): string | null {
    const [first] = this.#ranking.certain(piece);
    return first && first.kind !== 'newFile' && first.kind !== 'dependencies' ? JSON.stringify(first) : null;
  }

  /** That the same was done elsewhere; null where there is no such place. */
  sameIn(own: Piece, twins: Piece[]): Told | null {
    const shown = twins.slice(0, mostNamed);
    if (shown.length === 0) return null;
    const isElsewhere = ({ name }: Piece): boolean => name === null || name === own.name;
    const names = shown.flatMap((twin) => (isElsewhere(twin) ? [] : (twin.name ?? [])));
    const paths = shown.flatMap((twin) => (isElsewhere(twin) ? [twin.file.path] : []));
    return {
      caption: {
        ...{ kind: 'same', names, paths, hasMore: twins.length > mostNamed },
        isExact: shown.every((twin) => this.#isTwin(own, twin)),
      },
      evidence: shown.flatMap((twin) => spansOf(twin).slice(0, 2)),
    };
  }
}

function skeletonOf({ units, name }: Piece): string {
  const own = name === null ? '' : lastPart(name);
  const plain = (text: string | null): string =>
    (text ?? '')
      .replaceAll(own, '')
      .replace(/"[^"]*"|'[^']*'|\d+/g, '')
      .replace(/\s+/g, '');
  return units
    .filter(({ deed }) => deed !== 'comment' && deed !== 'import' && deed !== 'layout')
    .map(({ before, after }) => `${plain(before)}>${plain(after)}`)
    .join('|');
}
