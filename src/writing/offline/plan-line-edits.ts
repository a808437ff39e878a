import type { Edit } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { isStatement } from './code-statement.ts';
import { blocksOf, isWorthMention, linesThatStay, type Sides, squeeze } from './compare-lines.ts';
import { importsIn } from './import-lines.ts';
import { leastAlike, likeness } from './likeness.ts';
import { tell, type Unit } from './outline.ts';
import { keyOfFirst, keyOfLine, markedIn } from './prose-lines.ts';
import { callsWhatIsGone } from './removed-declarations.ts';

/** Lines that came and went, where there are so few of them that showing them tells all. */
export function lineUnits(
  symbol: string | null,
  edits: Edit[],
  diff: FileDiff | undefined,
  sides: () => Sides,
): Unit[] {
  const imports = diff ? importsIn(diff) : new Set<number>();
  const telling = edits.filter((edit) => !imports.has(keyOfFirst(edit.evidence)) && isStatement(edit.text));
  const of = (kind: Edit['kind']): Edit[] => telling.filter((edit) => edit.kind === kind);
  // What reads almost the same in another file came from there, or went there.
  const [added, removed] = [
    of('lineAdded').filter(({ text }) => !sides().isLike.before(text)),
    of('lineRemoved').filter(({ text }) => !sides().isLike.after(text)),
  ];
  if (added.length + removed.length === 0) return [];
  const isInlined = callsWhatIsGone(diff);
  if (removed.some(({ text }) => isInlined(text))) return [];
  const stays = linesThatStay(diff);
  if ([...added, ...removed].some((edit) => isAltered(edit, diff) || stays.has(squeeze(edit.text))))
    return [];
  const textOf = ({ text }: Edit): string => text;
  const shown = { added: added.slice(0, 3), removed: removed.slice(0, 3) };
  const all = edits.filter(({ kind }) => kind === 'lineAdded' || kind === 'lineRemoved').length;
  // Where that is not all, the lines of the whole file say more.
  if (all > shown.added.length + shown.removed.length) return [];
  const hasMore = { added: leavesOut(diff, 'added', shown), removed: leavesOut(diff, 'removed', shown) };
  const told = tell(
    {
      say: 'lines',
      symbol,
      added: shown.added.map(textOf),
      removed: shown.removed.map(textOf),
      hasMore,
      isInPlace: shown.added.length === 0 ? hasMore.added : shown.removed.length === 0 && hasMore.removed,
    },
    [...shown.removed, ...shown.added].map(({ evidence }) => evidence),
  );
  return [{ told: [told], weight: 16, about: symbol }];
}

/** Whether other lines come, or go, in the places of those that are shown. */
function leavesOut(
  diff: FileDiff | undefined,
  side: 'added' | 'removed',
  shown: Record<'added' | 'removed', Edit[]>,
): boolean {
  if (!diff) return false;
  const [marked, imports] = [markedIn(diff), importsIn(diff)];
  const own = new Set([...shown.added, ...shown.removed].map(({ evidence }) => keyOfFirst(evidence)));
  return blocksOf(diff)
    .filter(({ removed, added }) => [...removed, ...added].some((line) => own.has(keyOfLine(line))))
    .flatMap((block) => block[side])
    .some(
      (line) =>
        isWorthMention(line.text) &&
        !own.has(keyOfLine(line)) &&
        !marked.has(keyOfLine(line)) &&
        !imports.has(keyOfLine(line)),
    );
}

/** Whether a line that comes or goes is one that reads differently on the other side. */
function isAltered({ kind, text }: Edit, diff: FileDiff | undefined): boolean {
  const other = kind === 'lineAdded' ? 'removed' : 'added';
  return (diff?.hunks ?? [])
    .flatMap(linesOf)
    .some((line) => line.side === other && likeness(line.text, text) >= leastAlike);
}
