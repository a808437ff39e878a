import type { DiffLine, FileDiff } from '../../reading/file-diff.ts';
import { blocksOf, isWorthMention } from './compare-lines.ts';
import { importsIn } from './import-lines.ts';
import type { Told } from './outline.ts';
import { keyOfLine, markedIn } from './prose-lines.ts';
import type { Statement } from './statements.ts';

/** Statements about single lines, which say whether they are all that is done in a file. */
const ofLines = new Set<Statement['say']>([
  'replaced',
  'replacedOften',
  'checksDifferently',
  'lines',
  'remarks',
  'rewords',
  'rewordsText',
]);

/** Whether a file is told by single lines alone, and others of it change. */
export const isPartial = (diff: FileDiff | undefined, told: Told[]): boolean =>
  diff !== undefined &&
  diff.status !== 'added' &&
  told.length > 0 &&
  told.every(({ statement: { say } }) => ofLines.has(say) || say === 'alsoIn') &&
  leavesOut(diff, told);

/** The same, with its last sentence saying so. */
export function asPart(diff: FileDiff | undefined, told: Told[]): Told[] {
  const last = told.findLast(({ statement }) => ofLines.has(statement.say));
  if (!last || !isPartial(diff, told)) return told;
  const part = { ...last, statement: partOf(last.statement) };
  return told.map((one) => (one === last ? part : one));
}

function partOf(statement: Statement): Statement {
  if (statement.say !== 'lines') return { ...statement, isPart: true } as Statement;
  const { added, removed, hasMore, isInPlace } = statement;
  if (isInPlace || hasMore.added || hasMore.removed) return statement;
  // Of those that are shown on one side only, the others are told as other edits.
  const isOneSided = added.length === 0 || removed.length === 0;
  return {
    ...statement,
    hasMore: { added: !isOneSided || added.length === 0, removed: !isOneSided || removed.length === 0 },
  };
}

/** Whether lines come to a file or leave it that none of these shows, and that say something. */
function leavesOut(diff: FileDiff, told: Told[]): boolean {
  const shown = told.flatMap(({ evidence }) => evidence).filter(({ fileName }) => fileName === diff.path);
  const [marked, imports] = [markedIn(diff), importsIn(diff)];
  // Of what is done in many places, some are cited.
  const swaps = told.flatMap(({ statement }) => (statement.say === 'replacedOften' ? [statement] : []));
  const isCited = ({ oldLine, newLine }: DiffLine): boolean =>
    shown.some(({ side, startLine, endLine }) => {
      const at = (side === 'new' ? newLine : oldLine) ?? 0;
      return at >= startLine && at <= endLine;
    });
  const blocks = blocksOf(diff);
  // The same line is the same wherever it stands.
  const keyOf = ({ side, text }: DiffLine): string => `${side} ${text.trim()}`;
  const known = new Set(
    blocks.flatMap(({ removed, added }) => [...removed, ...added].filter(isCited).map(keyOf)),
  );
  const isShown = (line: DiffLine): boolean =>
    known.has(keyOf(line)) ||
    swaps.some(({ from, to }) => line.text.includes(line.newLine === null ? from : to));
  const tells = (line: DiffLine): boolean =>
    isWorthMention(line.text) && !imports.has(keyOfLine(line)) && !marked.has(keyOfLine(line));
  return blocks.some(
    ({ removed, added }) =>
      added.some((line) => tells(line) && !isShown(line)) ||
      // What stands in the place of others is cited without them.
      (removed.some(tells) && ![...removed, ...added].some(isShown)),
  );
}
