import type { FileKind } from '../../domain/file-kinds.ts';
import type { FileFacts, SymbolChange } from '../../reading/facts.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import { cutExcerpt } from './excerpt/cut-excerpt.ts';
import type { Excerpt } from './excerpt/excerpt-form.ts';
import { mostChanged, mostExcerpts } from './excerpt/excerpt-form.ts';
import { literally } from './name-parts.ts';
import { changedLinesOf, type Piece } from './pieces.ts';
import type { Prove, Told } from './prove-captions.ts';
import { type Ranking, scorePiece, weighUnit } from './rank-pieces.ts';
import { toldOfPiece } from './told-of-piece.ts';
import { Twins } from './twins.ts';
import { isNews } from './what-lines-do.ts';

/** One piece as it is told: what is certain of it, and its lines. */
export interface Beat {
  file: FileFacts;
  told: Told[];
  excerpt: Excerpt | null;
}

/** One decision: a piece with its twins, and with what uses a name that it brings. */
export interface Stop {
  beats: Beat[];
}

const mostStops = 6;
const mostBeats = 3;
const leastShare = 0.3;
/** What comes later is shown in less room. */
const changedLater = 8;

interface Scored {
  piece: Piece;
  score: number;
}

/** What is shown of a change, what matters most first. */
export function planStops(pieces: Piece[], ranking: Ranking, lines: DiffLines, prove: Prove): Stop[] {
  const worthy = worthShowing(pieces, ranking);
  const twins = new Twins(worthy, ranking);
  const changed = pieces.reduce((sum, piece) => sum + changedLinesOf(piece, lines), 0);
  let room = mostExcerpts(changed);
  const taken = new Set<Piece>();
  const stops: Stop[] = [];
  for (const piece of worthy) {
    if (stops.length >= mostStops || room <= 0) break;
    if (taken.has(piece)) continue;
    const free = worthy.filter((other) => other !== piece && !taken.has(other));
    const together = decisionOf(piece, free, ranking);
    const alike = twins.of(
      piece,
      free.filter((other) => !together.includes(other)),
    );
    const beats = together.map((one, index): Beat => {
      const isFirst = stops.length === 0 && index === 0;
      const excerpt = isReadInRows(one, isFirst)
        ? null
        : cutExcerpt(one, lines, weighUnit(ranking, one), isFirst ? mostChanged : changedLater);
      const same = index === 0 ? twins.sameIn(one, alike) : null;
      return { file: one.file, told: toldOfPiece(one, excerpt, same, ranking, prove), excerpt };
    });
    if (!beats.every(({ told }) => told.length > 0)) continue;
    for (const one of [...together, ...alike]) taken.add(one);
    room -= beats.filter(({ excerpt }) => excerpt !== null).length;
    stops.push({ beats });
  }
  return stops;
}

/** Of several new documents, only the first is shown; of a file that is gone, nothing is. */
const isReadInRows = ({ file }: Piece, isFirst: boolean): boolean =>
  file.status === 'removed' || (file.kind === 'documentation' && file.status === 'added' && !isFirst);

/** The pieces that weigh most, and those that weigh not much less. */
function worthShowing(pieces: Piece[], ranking: Ranking): Piece[] {
  const ranked = pieces
    .map((piece) => ({ piece, score: scorePiece(piece, ranking) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const shown = oncePerNewFile(withoutCompany(ranked, ranking.isAboutDocuments));
  const best = shown[0]?.score ?? 0;
  return shown.filter(({ score }) => score >= best * leastShare).map(({ piece }) => piece);
}

/** Tests and documents go with the code; they are the story only where nothing else changed. */
function withoutCompany(ranked: Scored[], isAboutDocuments: boolean): Scored[] {
  const documents = ranked.filter(({ piece }) => piece.file.kind === 'documentation');
  if (isAboutDocuments && documents.length > 0) return documents;
  const heart = ranked.filter(
    ({ piece: { file, isTest, units } }) => !isTest && file.kind !== 'documentation' && units.some(isNews),
  );
  if (heart.some(({ piece }) => piece.file.kind === 'source')) return heart;
  // Without code, what most of the change is about leads.
  const sums = new Map<FileKind, number>();
  for (const { piece, score } of ranked) sums.set(piece.file.kind, (sums.get(piece.file.kind) ?? 0) + score);
  const [kind] = [...sums].sort(([, one], [, other]) => other - one)[0] ?? [];
  const leading = ranked.filter(({ piece }) => piece.file.kind === kind);
  return kind === 'test' || kind === 'documentation' || heart.length === 0 ? leading : heart;
}

/** Of a new file one piece is shown: what others can use, else what weighs most. */
function oncePerNewFile(ranked: Scored[]): Scored[] {
  const leading = new Map<FileFacts, Scored>();
  for (const one of ranked) {
    const known = leading.get(one.piece.file);
    if (!known || (isOpen(one.piece.symbol) && !isOpen(known.piece.symbol))) leading.set(one.piece.file, one);
  }
  return ranked.filter(
    (one) =>
      (one.piece.file.status !== 'added' && one.piece.file.status !== 'removed') ||
      leading.get(one.piece.file) === one,
  );
}

const isOpen = (symbol: SymbolChange | null): boolean => symbol?.isPublic ?? false;

/** A piece with what uses the name that it brings: a use before a helper, and what others can use before its uses. */
function decisionOf(piece: Piece, free: Piece[], { newNames }: Ranking): Piece[] {
  const { symbol } = piece;
  const owners = new Set(
    piece.units.flatMap((unit) => newNames.namesIn(unit, piece.file).map(({ owner }) => owner)),
  );
  const helpers = free.filter((other) => owners.has(other) && !isOpen(other.symbol));
  const user = symbol?.change === 'added' ? free.find(usesOf(symbol.name)) : undefined;
  if (!user) return [piece, ...helpers].slice(0, mostBeats);
  return (isOpen(symbol) ? [piece, user, ...helpers] : [user, piece, ...helpers]).slice(0, mostBeats);
}

/** Whether something that is not new itself uses a name now, and did not before. */
function usesOf(name: string): (piece: Piece) => boolean {
  const pattern = new RegExp(`(?<![\\w$])${literally(name)}(?![\\w$])`);
  return ({ symbol, units }) =>
    symbol?.change !== 'added' &&
    units.some(
      ({ change, before, after }) =>
        change.of === 'code' && pattern.test(after ?? '') && !pattern.test(before ?? ''),
    );
}
