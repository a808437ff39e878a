import type { FileKind } from '../../domain/file-kinds.ts';
import type { Evidence, FileFacts, SymbolChange } from '../../reading/facts.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import type { Excerpt } from '../written-article.ts';
import type { Caption } from './captions.ts';
import { cutExcerpt, mostChanged } from './cut-excerpt.ts';
import { captionsOf, placeOf } from './find-captions.ts';
import { changedLinesOf, type Piece } from './pieces.ts';
import type { Prove, Told } from './prove-captions.ts';
import { type Ranking, scorePiece, weighUnit } from './rank-pieces.ts';

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
/** Of a change up to so many lines, four excerpts show what matters. */
const smallChange = 300;
const leastShare = 0.3;
/** What comes later is shown in less room. */
const changedLater = 8;

interface Scored {
  piece: Piece;
  score: number;
}

/** What is shown of a change, what matters most first. */
export function planStops(pieces: Piece[], ranking: Ranking, lines: DiffLines, prove: Prove): Stop[] {
  const ranked = pieces
    .map((piece) => ({ piece, score: scorePiece(piece, ranking) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const shown = oncePerNewFile(withoutCompany(ranked, ranking.isAboutDocuments));
  const best = shown[0]?.score ?? 0;
  const worthy = shown.filter(({ score }) => score >= best * leastShare).map(({ piece }) => piece);
  const room = { excerpts: sizeOf(pieces, lines) <= smallChange ? 4 : 6 };
  const taken = new Set<Piece>();
  const stops: Stop[] = [];
  for (const piece of worthy) {
    if (stops.length >= mostStops || room.excerpts <= 0) break;
    if (taken.has(piece)) continue;
    const together = decisionOf(piece, worthy, taken, ranking);
    const caption = firstCaption(piece, ranking);
    const twins = worthy.filter(
      (other) =>
        !together.includes(other) &&
        !taken.has(other) &&
        (isTwin(piece, other) || (caption !== null && caption === firstCaption(other, ranking))),
    );
    const beats = together.map((one, index) => {
      const isFirst = stops.length === 0 && index === 0;
      const excerpt = isReadInRows(one, isFirst)
        ? null
        : cutExcerpt(one, lines, weighUnit(ranking, one), isFirst ? mostChanged : changedLater);
      const told = toldOf(one, { twins: index === 0 ? twins : [], excerpt }, ranking, prove);
      return { file: one.file, told, excerpt };
    });
    if (!beats.every(({ told }) => told.every((one) => prove(one)))) continue;
    for (const one of [...together, ...twins]) taken.add(one);
    room.excerpts -= beats.filter(({ excerpt }) => excerpt !== null).length;
    stops.push({ beats });
  }
  return stops;
}

/** Of several new documents, only the first is shown; of a file that is gone, nothing is. */
const isReadInRows = ({ file }: Piece, isFirst: boolean): boolean =>
  file.status === 'removed' || (file.kind === 'documentation' && file.status === 'added' && !isFirst);

const sizeOf = (pieces: Piece[], lines: DiffLines): number =>
  pieces.reduce((sum, piece) => sum + changedLinesOf(piece, lines), 0);

/** Tests and documents go with the code; they are the story only where nothing else changed. */
function withoutCompany(ranked: Scored[], isAboutDocuments: boolean): Scored[] {
  const isCompany = ({ piece: { file, isTest, units } }: Scored): boolean =>
    isTest ||
    file.kind === 'documentation' ||
    units.every(
      ({ deed }) => deed === 'import' || deed === 'comment' || deed === 'closing' || deed === 'layout',
    );
  const heart = ranked.filter((one) => !isCompany(one));
  const documents = ranked.filter(({ piece }) => piece.file.kind === 'documentation');
  if (isAboutDocuments && documents.length > 0) return documents;
  if (heart.some(({ piece }) => piece.file.kind === 'source')) return heart;
  // Without code, what most of the change is about leads.
  const sums = new Map<FileKind, number>();
  for (const { piece, score } of ranked) sums.set(piece.file.kind, (sums.get(piece.file.kind) ?? 0) + score);
  const [kind] = [...sums].sort(([, one], [, other]) => other - one)[0] ?? [];
  const leading = ranked.filter(({ piece }) => piece.file.kind === kind);
  return kind === 'test' || kind === 'documentation' ? leading : heart.length > 0 ? heart : leading;
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

/** A piece with what uses the name that it brings: a use before a helper, and what others can use before its uses. */
function decisionOf(piece: Piece, all: Piece[], taken: ReadonlySet<Piece>, { newNames }: Ranking): Piece[] {
  const isFree = (other: Piece): boolean => other !== piece && !taken.has(other);
  const owners = new Set(
    piece.units.flatMap(({ after, before }) =>
      (after?.match(/[A-Za-z_$][\w$]{2,}/g) ?? []).flatMap((word) => {
        const owner = newNames.ownerOf(word, piece.file);
        return owner && !before?.includes(word) ? [owner] : [];
      }),
    ),
  );
  const helpers = all.filter((other) => isFree(other) && owners.has(other) && !isOpen(other.symbol));
  if (piece.symbol?.change !== 'added') return [piece, ...helpers].slice(0, mostBeats);
  const { name } = piece.symbol;
  const users = all.filter((other) => isFree(other) && other.symbol?.change !== 'added' && uses(other, name));
  const [user] = users;
  if (!user) return [piece, ...helpers].slice(0, mostBeats);
  return (isOpen(piece.symbol) ? [piece, user, ...helpers] : [user, piece, ...helpers]).slice(0, mostBeats);
}

const isOpen = (symbol: SymbolChange | null): boolean => symbol?.isPublic ?? false;

const uses = ({ units }: Piece, name: string): boolean =>
  units.some(
    ({ change, before, after }) => change.of === 'code' && mentions(after, name) && !mentions(before, name),
  );

const mentions = (text: string | null, name: string): boolean =>
  text !== null && new RegExp(`(?<![\\w$])${name.replace(/\W/g, '\\$&')}(?![\\w$])`).test(text);

/** Whether the same was done in both, but for their names, numbers and texts. */
function isTwin(one: Piece, other: Piece): boolean {
  if (one.name === other.name && one.file === other.file) return false;
  const skeleton = skeletonOf(one);
  return skeleton.length >= shortestSkeleton && skeleton === skeletonOf(other);
}

/** Less than this two pieces have in common by chance. */
const shortestSkeleton = 24;

const skeletonOf = ({ units, name }: Piece): string => {
  const own = name?.split('.').at(-1) ?? '';
  const plain = (text: string | null): string =>
    (text ?? '')
      .replaceAll(own, '')
      .replace(/"[^"]*"|'[^']*'|\d+/g, '')
      .replace(/\s+/g, '');
  return units
    .filter(({ deed }) => deed !== 'comment' && deed !== 'import' && deed !== 'layout')
    .map(({ before, after }) => `${plain(before)}>${plain(after)}`)
    .join('|');
};

/** What is certain of a piece: one thing, or two where the second is no less; and where nothing is, the place. */
function toldOf(
  piece: Piece,
  { twins, excerpt }: { twins: Piece[]; excerpt: Excerpt | null },
  ranking: Ranking,
  prove: Prove,
): Told[] {
  const evidence = spansOf(piece);
  const certain = captionsOf(piece, ranking.newNames)
    .filter((caption) => excerpt === null || isSeen(caption, excerpt))
    .map((caption) => ({ caption, evidence }))
    .filter((one) => prove(one));
  const [first, second] = certain;
  const place = { caption: placeOf(piece), evidence };
  const told = first
    ? [first, ...(second && isWorthSaying(first.caption, second.caption) ? [second] : [])]
    : [prove(place) ? place : { caption: { kind: 'inFile' as const, path: piece.file.path }, evidence }];
  const same = sameIn(piece, twins);
  return same && prove(same) ? [...told, same] : told;
}

/** What a caption says of statements, the excerpt below it shows. */
function isSeen(caption: Caption, { lines }: Excerpt): boolean {
  const squeeze = (text: string): string => text.replace(/\s+/g, '');
  const shown = squeeze(lines.map(({ text }) => text).join(''));
  const wanted = [
    'condition' in caption ? caption.condition : '',
    'error' in caption ? caption.error : '',
    caption.kind === 'uses' ? caption.name : '',
    caption.kind === 'otherCondition' ? caption.to : '',
  ];
  return wanted.every((text) => shown.includes(squeeze(text)));
}

/** What is said first of a piece, where that is more than its place. */
function firstCaption(piece: Piece, { newNames }: Ranking): string | null {
  const [first] = captionsOf(piece, newNames);
  return first && first.kind !== 'newFile' && first.kind !== 'dependencies' ? JSON.stringify(first) : null;
}

const mostTwins = 5;

function sameIn(own: Piece, twins: Piece[]): Told | null {
  const shown = twins.slice(0, mostTwins);
  if (shown.length === 0) return null;
  const isElsewhere = ({ name }: Piece): boolean => name === null || name === own.name;
  const names = shown.flatMap((twin) => (isElsewhere(twin) ? [] : (twin.name ?? [])));
  const paths = shown.flatMap((twin) => (isElsewhere(twin) ? [twin.file.path] : []));
  return {
    caption: { kind: 'same', names, paths, isExact: shown.every((twin) => isTwin(own, twin)) },
    evidence: shown.flatMap((twin) => spansOf(twin).slice(0, 2)),
  };
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
  !['newDeclaration', 'removedDeclarations'].includes(first.kind);

/** More places than these say no more. */
const mostSpans = 8;

/** Where a piece shows, on the side that it changed to. */
export function spansOf({ units }: Piece): Evidence[] {
  const spans: Evidence[] = [];
  for (const { change } of units.filter(({ deed }) => deed !== 'layout')) {
    for (const span of change.kind === 'replaced' ? [change.old, change.new] : [change.new ?? change.old]) {
      if (!span) continue;
      const last = spans.findLast(({ side }) => side === span.side);
      if (last && span.startLine <= last.endLine + 1 && span.startLine >= last.startLine)
        last.endLine = Math.max(last.endLine, span.endLine);
      else spans.push({ ...span });
    }
  }
  return spans
    .sort((one, other) => (one.side === other.side ? 0 : one.side === 'new' ? -1 : 1))
    .slice(0, mostSpans);
}
