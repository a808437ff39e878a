import type { Groups, Happening } from './happening.ts';
import { isRenamed, isRenamedInPlace, mayBeRenamedInPlace } from './is-renamed.ts';
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
    const isEdited = replaceName(before.body, nameOf(before), nameOf(after)) !== after.body;
    happenings.push({ change: 'renamed', before, after, at: after, isEdited });
    names.set(nameOf(before), nameOf(after));
  };
  for (const findAfter of [findInPlace, findAnywhere]) {
    for (const [before] of [...removed.values()]) {
      const after = isOfType(before) === isType ? findAfter(before, removed, added) : null;
      if (after) settle(before, after);
    }
  }
  for (const [before] of [...removed.values()]) {
    const after = isOfType(before) === isType ? findTwin(before, added) : null;
    if (!after) continue;
    removed.delete(before.declaration.key);
    added.delete(after.declaration.key);
  }
  return names;
}

/** One name for another, and not inside of longer ones. */
function replaceName(text: string, from: string, to: string): string {
  const name = from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'), () => to);
}

const nameOf = ({ declaration }: Sighting): string => declaration.found.name;

const isOfType = ({ confirmed: { kind } }: Sighting): boolean => kind === 'type' || kind === 'class';

/** What took its place where it stood. */
function findInPlace(before: Sighting, _removed: Groups, added: Groups): Sighting | null {
  return [...added.values()].find(([after]) => isRenamedInPlace(before, after))?.[0] ?? null;
}

/** What stands where it stood and may be the same after all: then neither is said to come or go. */
function findTwin(before: Sighting, added: Groups): Sighting | null {
  return [...added.values()].find(([after]) => mayBeRenamedInPlace(before, after))?.[0] ?? null;
}

/** What it became elsewhere; two that fit, on either side, leave open which one it was. */
function findAnywhere(before: Sighting, removed: Groups, added: Groups): Sighting | null {
  const [match, ...others] = [...added.values()].filter(([after]) => isRenamed(before, after));
  if (!match || others.length > 0) return null;
  const rivals = [...removed.values()].filter(([other]) => isRenamed(other, match[0]));
  return rivals.length === 1 ? match[0] : null;
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
      const signature = replaceName(sighting.confirmed.signature, was, container);
      sighting.confirmed = { ...sighting.confirmed, signature };
      sighting.body = replaceName(sighting.body, was, container);
    }
    removed.set(renamed, group);
  }
}
