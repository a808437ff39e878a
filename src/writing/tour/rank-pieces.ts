import type { Caption } from './captions/caption.ts';
import type { NewNames } from './new-names.ts';
import type { Piece, PieceUnit } from './pieces.ts';
import { isNews, weightOfDeed } from './what-lines-do.ts';

/** What the order of pieces depends on beside themselves. */
export interface Ranking {
  title: string;
  /** The words of the title that tell what it is about. */
  titleWords: string[];
  /** Whether documents are what the change is made for. */
  isAboutDocuments: boolean;
  /** What the change declares, by its name. */
  newNames: NewNames;
  /** Statements that are told once for all, because the same was done in many places. */
  isRepeated: (unit: PieceUnit) => boolean;
  /** Everything certain that a caption can say of a piece, what says most first. */
  certain: (piece: Piece) => Caption[];
}

/** What a statement weighs: by what it does, and by whether the title or the new names speak of it. */
export function weighUnit(
  { newNames, isRepeated, titleWords }: Ranking,
  { file }: Piece,
): (unit: PieceUnit) => number {
  return (unit) => {
    const { change, before, after, deed } = unit;
    let weight = weightOfDeed[deed];
    if (change.kind === 'moved') weight = Math.min(weight, 0.5);
    if (!isNews(unit)) return weight;
    const low = (after ?? before ?? '').toLowerCase();
    if (titleWords.some((word) => low.includes(word))) weight += 3;
    if (change.kind !== 'removed' && newNames.namesIn(unit, file).length > 0)
      weight += change.kind === 'replaced' ? 4 : 1.5;
    if (change.kind === 'removed') weight *= 0.6;
    return isRepeated(unit) ? weight * 0.3 : weight;
  };
}

/** A package that the title names comes before all that follows from it. */
const titledDependency = 60;

const asides = /(?:^|\/)(?:examples?|samples?|demos?|scripts?|benchmarks?|bench|playground|tools?)\//i;
const kindFactors: Partial<Record<Piece['file']['kind'], number>> = {
  configuration: 0.5,
  build: 0.4,
  manifest: 0.5,
  documentation: 0.25,
  test: 0.2,
};

/** How much a piece is worth showing beside others. */
export function scorePiece(piece: Piece, ranking: Ranking): number {
  const { file, units, symbol, name } = piece;
  const weigh = weighUnit(ranking, piece);
  const weights = units.map(weigh).sort((one, other) => other - one);
  const [heaviest = 0, ...rest] = weights;
  let score =
    heaviest +
    Math.sqrt(
      Math.min(
        144,
        rest.reduce((sum, weight) => sum + weight, 0),
      ),
    );
  const own = (name ?? '').toLowerCase();
  score += 2 * ranking.titleWords.filter((word) => own.includes(word)).length;
  if (symbol?.isPublic) score += 1.5;
  if (hasOption(piece)) score += 4;
  const isUpgrade = /\b(?:upgrad|updat|bump|migrat)/i.test(ranking.title);
  if (
    isUpgrade &&
    file.dependencies.some(({ name }) => ranking.title.toLowerCase().includes(name.toLowerCase()))
  )
    score += titledDependency;
  if (symbol?.change === 'added' && !symbol.isPublic) score *= 0.75;
  if (symbol?.change === 'removed' || units.every(({ change }) => change.kind === 'removed')) score *= 0.35;
  if (units.length > 6 && units.every(({ deed }) => deed === 'value' || deed === 'comment')) score *= 0.6;
  if (asides.test(file.path)) score *= 0.5;
  if (!units.some(isNews)) score *= 0.3;
  return score * (kindFactors[file.kind] ?? 1) * Math.log2(2 + file.importance);
}

function hasOption({ file, units }: Piece): boolean {
  return file.surfaces.some(
    ({ change, evidence }) =>
      change === 'added' &&
      units.some(
        ({ change: { new: span } }) =>
          span !== null && span.startLine <= evidence.startLine && span.endLine >= evidence.startLine,
      ),
  );
}
