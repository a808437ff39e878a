import type { Piece } from './pieces.ts';
import type { Told } from './prove-captions.ts';
import { spansOf } from './spans.ts';

/** In which functions or sections a file changed, where these have names. */
export function toldOfPlaces(pieces: Piece[], most: number): Told[] {
  const byName = new Map(pieces.flatMap((piece) => (piece.name === null ? [] : [[piece.name, piece]])));
  const shown = [...byName].slice(0, most);
  const evidence = shown.flatMap(([, piece]) => spansOf(piece).slice(0, 1));
  return shown.length === 0
    ? []
    : [{ caption: { kind: 'places', names: shown.map(([name]) => name) }, evidence }];
}
