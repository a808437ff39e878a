import { indentedLanguages } from '../../reading/compare/units.ts';
import type { Evidence, FileFacts, UnitChange } from '../../reading/facts.ts';
import { innermostRange } from '../../reading/name-ranges.ts';

export type Mark = 'moved' | 'white space';

type ComparedFile = Pick<FileFacts, 'path' | 'ranges' | 'language' | 'changes'>;

/** The changed lines of a file that are no news, by their numbers on each side: they stood elsewhere, or have another layout. */
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

/** What moved inside of one function may run in another order now. */
function markOf(
  { kind, of, old, new: now, counterpart }: UnitChange,
  { path, ranges, language }: ComparedFile,
): Mark | null {
  // Where depth decides what a line belongs to, white space may be news.
  if (kind === 'rewrapped') return indentedLanguages.has(language ?? '') ? null : 'white space';
  const own = now ?? old;
  if (kind !== 'moved' || !own || !counterpart) return null;
  if (of !== 'code' || counterpart.fileName !== path) return 'moved';
  const [here, there] = [innermostRange(ranges, own), innermostRange(ranges, counterpart)];
  return here?.isFunction && here.name === there?.name ? null : 'moved';
}
