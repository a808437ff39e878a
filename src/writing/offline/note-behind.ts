import { longestTitle } from '../draft.ts';

/** What is noted behind a title, in brackets; the last of it only where that leaves the title whole. */
export function noteBehind(
  title: string,
  notes: (string | false | null)[],
  last: string | null,
  comma: string,
): string {
  const said = notes.filter((note) => typeof note === 'string');
  const bracket = (all: string[]): string => (all.length > 0 ? ` (${all.join(comma)})` : '');
  const longer = last === null ? '' : bracket([...said, last]);
  return longer !== '' && [...title].length + longer.length <= longestTitle ? longer : bracket(said);
}
