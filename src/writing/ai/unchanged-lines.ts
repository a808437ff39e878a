import { indentedLanguages } from '../../reading/compare/units.ts';
import type { Evidence, FileFacts, UnitChange } from '../../reading/facts.ts';
import { innermostRange } from '../../reading/name-ranges.ts';

export type Mark = 'moved' | 'white space';

type ComparedFile = Pick<FileFacts, 'path' | 'ranges' | 'language' | 'changes'>;

/** The changed lines of a file that only moved or were reformatted, by their numbers on each side. */
export function marksIn(file: ComparedFile): Record<Evidence['side'], Map<number, Mark>> {
  const marks = { old: new Map<number, Mark>(), new: new Map<number, Mark>() };
  for (const change of file.changes) {
    const mark = markOf(change, file);
    if (mark === null) continue;
    for (const span of [change.old, change.new])
      for (let line = span?.startLine ?? 1; line <= (span?.endLine ?? 0); line += 1)
        if (span) marks[span.side].set(line, mark);
  }
  return marks;
}

/** Lines that moved within a function may run in another order, so they are not marked. */
function markOf(
  { kind, of, old, new: now, counterpart }: UnitChange,
  { path, ranges, language }: ComparedFile,
): Mark | null {
  // In indented languages, white space can change the meaning.
  if (kind === 'rewrapped') return indentedLanguages.has(language ?? '') ? null : 'white space';
  const own = now ?? old;
  if (kind !== 'moved' || !own || !counterpart) return null;
  if (of !== 'code' || counterpart.fileName !== path) return 'moved';
  const [here, there] = [innermostRange(ranges, own), innermostRange(ranges, counterpart)];
  return here?.isFunction && here.name === there?.name ? null : 'moved';
}
