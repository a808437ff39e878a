import type { Groups, Happening } from './happening.ts';
import { isRenamed, isRenamedInPlace } from './is-renamed.ts';
import type { Sighting } from './read-hunk.ts';

// Every one is compared with every other: with this many, the file was written anew.
const mostPairs = 2500;

/** Finds types, or everything else, that go on under another name, and takes them out of both groups. */
export function matchRenamed(
  removed: Groups,
  added: Groups,
  isType: boolean,
  happenings: Happening[],
): Map<string, string> {
  const names = new Map<string, string>();
  if (removed.size === 0 || added.size === 0 || removed.size * added.size > mostPairs) return names;
  const settle = (before: Sighting, after: Sighting): void => {
    removed.delete(before.declaration.key);
    added.delete(after.declaration.key);
    const isEdited = before.body.split(nameOf(before)).join(nameOf(after)) !== after.body;
    happenings.push({ change: 'renamed', before, after, at: after, isEdited });
    names.set(nameOf(before), nameOf(after));
  };
  matchInPlace(removed, added, isType, settle);
  matchAnywhere(removed, added, isType, settle);
  return names;
}

const nameOf = ({ declaration }: Sighting): string => declaration.found.name;

const isOfType = ({ confirmed: { kind } }: Sighting): boolean => kind === 'type' || kind === 'class';

/** Those that were replaced where they stood, the first by the first. */
function matchInPlace(
  removed: Groups,
  added: Groups,
  isType: boolean,
  settle: (before: Sighting, after: Sighting) => void,
): void {
  for (const [before] of [...removed.values()]) {
    if (isOfType(before) !== isType) continue;
    const found = [...added.values()].find(([after]) => isRenamedInPlace(before, after));
    if (found) settle(before, found[0]);
  }
}

function matchAnywhere(
  removed: Groups,
  added: Groups,
  isType: boolean,
  settle: (before: Sighting, after: Sighting) => void,
): void {
  for (const [before] of [...removed.values()]) {
    if (isOfType(before) !== isType) continue;
    const matches = [...added.values()].filter(([after]) => isRenamed(before, after));
    const [match] = matches;
    // Two that fit leave open which one it became.
    if (!match || matches.length > 1) continue;
    const rivals = [...removed.values()].filter(([other]) => isRenamed(other, match[0]));
    if (rivals.length === 1) settle(before, match[0]);
  }
}

/** What belonged to a type under its old name belongs to it under the new one. */
export function moveMembers(removed: Groups, types: Map<string, string>): void {
  for (const [key, group] of [...removed]) {
    const { declaration } = group[0];
    const container = declaration.container === null ? undefined : types.get(declaration.container);
    if (container === undefined) continue;
    removed.delete(key);
    const renamed = key.split('\0').with(1, container).join('\0');
    const was = declaration.container ?? '';
    for (const sighting of group) {
      sighting.declaration.key = renamed;
      sighting.declaration.container = container;
      // A signature may repeat whom it belongs to.
      const signature = sighting.confirmed.signature.split(was).join(container);
      sighting.confirmed = { ...sighting.confirmed, signature };
      sighting.body = sighting.body.split(was).join(container);
    }
    removed.set(renamed, group);
  }
}
