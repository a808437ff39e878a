import { standsAs } from '../verify/facts/stands.ts';
import type { Caption } from './captions/caption.ts';
import type { Excerpt } from './excerpt/excerpt-form.ts';
import type { Piece } from './pieces.ts';
import type { Prove, Told } from './prove-captions.ts';
import type { Ranking } from './rank-pieces.ts';
import { spansOf } from './spans.ts';

/**
 * What is certain of a piece: one thing, or two where the second is no less; and where nothing is, the place. Behind it, where
 * else the same was done. Nothing where not even the place can be shown.
 */
export function toldOfPiece(
  piece: Piece,
  excerpt: Excerpt | null,
  same: Told | null,
  ranking: Ranking,
  prove: Prove,
): Told[] {
  const evidence = spansOf(piece);
  const seen = ranking
    .certain(piece)
    .flatMap((caption) => (excerpt ? (asSeen(caption, excerpt) ?? []) : caption))
    .map((caption) => ({ caption, evidence }));
  const [first, second] = seen.values().filter((one) => prove(one));
  const told =
    first ??
    placesOf(piece)
      .map((caption) => ({ caption, evidence }))
      .find((one) => prove(one));
  if (!told) return [];
  return [
    told,
    ...(second && isWorthSaying(told.caption, second.caption) ? [second] : []),
    ...(same && prove(same) ? [same] : []),
  ];
}

const placesOf = ({ name, file: { path } }: Piece): Caption[] => [
  ...(name === null ? [] : [{ kind: 'within' as const, name }]),
  { kind: 'inFile', path },
];

/** What a caption says of statements and names from outside, the excerpt below it shows; null where it shows nothing of it. */
function asSeen(caption: Caption, { fileName, lines }: Excerpt): Caption | null {
  const shown = lines.map(({ text }) => text).join('\n');
  if (caption.kind === 'surface') {
    const names = caption.names.filter((name) => standsAs('parts', shown, name, fileName));
    const hasMore = caption.hasMore || names.length < caption.names.length;
    return names.length === 0 ? null : { ...caption, names, hasMore };
  }
  const squeeze = (text: string): string => text.replace(/\s+/g, '');
  const wanted = [
    'condition' in caption ? caption.condition : '',
    'error' in caption ? caption.error : '',
    caption.kind === 'uses' ? caption.name : '',
    caption.kind === 'otherCondition' ? caption.to : '',
  ];
  return wanted.every((text) => squeeze(shown).includes(squeeze(text))) ? caption : null;
}

/** A second caption only for what a reader does not see from the first. */
const isWorthSaying = (first: Caption, second: Caption): boolean =>
  first.kind !== second.kind &&
  [
    'newParameter',
    'removedParameter',
    'defaultValue',
    'throwsWhen',
    'surface',
    'renamed',
    'returnType',
  ].includes(second.kind) &&
  !['newDeclaration', 'removedDeclaration'].includes(first.kind);
