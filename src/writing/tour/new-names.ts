import type { FileFacts } from '../../reading/facts.ts';
import type { Piece } from './pieces.ts';

/** What a change declares, and where. */
export class NewNames {
  readonly #owners = new Map<string, Piece[]>();

  constructor(pieces: Piece[]) {
    for (const piece of pieces) {
      if (piece.isTest) continue;
      for (const symbol of [piece.symbol, ...piece.members]) {
        if (symbol?.change !== 'added' || symbol.name.length < 3) continue;
        const known = this.#owners.get(symbol.name);
        if (known) known.push(piece);
        else this.#owners.set(symbol.name, [piece]);
      }
    }
  }

  /** Who brings a name that a file uses: the file itself, or the only one that does. */
  ownerOf(name: string, file: FileFacts): Piece | null {
    const owners = this.#owners.get(name) ?? [];
    return owners.find((owner) => owner.file === file) ?? (owners.length === 1 ? (owners[0] ?? null) : null);
  }
}
