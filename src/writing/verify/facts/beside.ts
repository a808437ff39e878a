import type { PlacedLine } from '../diff-lines.ts';
import type { Scope } from '../scope.ts';
import { type ChangedSide, otherSide } from '../sightings.ts';
import { standsInText } from '../stands-in-text.ts';

/** A name stands on the line of its value, or a few lines above: heads run on, and some manifests part the two. */
const reaches = [0, 8];

/** A value that is laid out over several lines. */
const linesOfValue = 4;

/** Whether a value beside some names went, and another one came beside them, and not the reverse. */
export function becomesBeside(
  names: string[],
  { from, to }: { from: string; to: string },
  scope: Scope,
): boolean {
  return scope.files.some(({ path, lines: cited }) =>
    reaches.some((reach) => {
      const find = (value: string, side: ChangedSide) =>
        findBeside(names, value, { side, reach, path, scope });
      const [gone, came] = [find(from, 'removed'), find(to, 'added')];
      if (!gone || !came || (find(to, 'removed') && find(from, 'added'))) return false;
      return cited.includes(came) || scope.reach(path, came);
    }),
  );
}

interface Where {
  side: ChangedSide;
  reach: number;
  path: string;
  scope: Scope;
}

/** The line of one side on which a value begins that has all the names beside it. */
function findBeside(
  names: string[],
  value: string,
  { side, reach, path, scope: { ground } }: Where,
): PlacedLine | undefined {
  const lines = ground.lines.of(path).filter((line) => line.side !== otherSide(side));
  return lines.find((line, index) => {
    if (line.side !== side) return false;
    const rest = lines.slice(index, index + 1 + (reach > 0 ? linesOfValue : 0));
    const run = rest.filter(({ block }) => block === line.block).map(({ text }) => text);
    if (!statesValue(run.join('\n'), value)) return false;
    if (reach === 0) return names.every((name) => isNamed(name, [line.text]));
    const around = lines.slice(Math.max(0, index - reach), index + 2);
    const heading = ground.lines.file(path)?.hunks[line.hunk]?.heading ?? '';
    const shown = around.filter(({ hunk }) => hunk === line.hunk).map(({ text }) => text);
    return names.every((name) => isNamed(name, [...shown, heading]));
  });
}

const bound = /^[\^~<>=!]*\s*v?\d[\w.*+-]*$/;

/** Of several bounds of a version each may stand in quotation marks of its own. */
function statesValue(text: string, value: string): boolean {
  if (standsInText(value, text)) return true;
  const bounds = value.split(/,\s*/);
  return bounds.every((one) => bound.test(one) && standsInText(one, text));
}

/** A package may be named by its group and its own name, which stand apart. */
function isNamed(name: string, texts: string[]): boolean {
  const parts = name.split(':');
  return (
    texts.some((text) => isNamedIn(name, text)) ||
    (parts.length > 1 && parts.every((part) => texts.some((text) => standsInText(part, text))))
  );
}

/** Subjects such as Go or Python are spelt as people do, and a module may have its major version in its name. */
function isNamedIn(name: string, text: string): boolean {
  if (standsInText(name, text)) return true;
  const stem = name.replace(/[./]v\d+$/, '');
  if (stem !== name && text.includes(stem)) return true;
  return text.toLowerCase().includes(name.toLowerCase().replace(/[\s.]/g, ''));
}
