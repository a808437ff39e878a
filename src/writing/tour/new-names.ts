import type { FileFacts } from '../../reading/facts.ts';
import type { Piece, PieceUnit } from './pieces.ts';

/** A shorter name is not looked for. */
const shortestName = 3;
const word = /[A-Za-z_$][\w$]{2,}/g;

/** What a change declares, and where. */
export class NewNames {
  readonly #owners = new Map<string, Piece[]>();

  constructor(pieces: Piece[]) {
    for (const piece of pieces) {
      if (piece.isTest) continue;
      for (const symbol of [piece.symbol, ...piece.members]) {
        if (symbol?.change !== 'added' || symbol.name.length < shortestName) continue;
        const known = this.#owners.get(symbol.name);
        if (known) known.push(piece);
        else this.#owners.set(symbol.name, [piece]);
      }
    }
  }

  /** New names that a statement has now and had not before. */
  namesIn(
    { before, after }: Pick<PieceUnit, 'before' | 'after'>,
    file: FileFacts,
  ): { name: string; owner: Piece }[] {
    if (this.#owners.size === 0) return [];
    return (after?.match(word) ?? []).flatMap((name) => {
      const owner = this.#ownerOf(name, file);
      return owner && !before?.includes(name) ? [{ name, owner }] : [];
    });
  }

  /** Who brings a name that a file uses: the file itself, or the only one that does. */
  #ownerOf(name: string, file: FileFacts): Piece | null {
    const owners = this.#owners.get(name) ?? [];
    return owners.find((owner) => owner.file === file) ?? (owners.length === 1 ? (owners[0] ?? null) : null);
  }
}
