import type { SymbolChange } from '../facts.ts';
import type { WholeDiff } from '../whole-diff.ts';
import { tokenLikeness } from './match-sightings.ts';
import type { FileSymbols, LooseSymbol } from './read-symbols.ts';
import { isSameSignature, type Signature } from './scan-header.ts';

/** More alike than this, it is the same one, with changes. */
const likeEnough = 0.6;

// A name that more files share than this is one that everybody uses, such as "new" or "main".
const mostOfOneName = 40;

/**
 * Compares what left a file with what came to another, over the whole pull request. What is found again has moved; of
 * what only might be the same, nothing is said.
 */
export function settleSymbols(files: FileSymbols[], whole: WholeDiff): void {
  const removed = groupByName(files, 'removed');
  const dropped = new Set<SymbolChange>();
  for (const [name, added] of groupByName(files, 'added')) {
    const gone = removed.get(name);
    if (gone) settleName(gone, added, dropped);
  }
  for (const { change, line } of files.flatMap(({ loose }) => loose)) {
    // It is declared on the other side too, where nobody looked for declarations.
    if (change.change !== 'moved' && whole.standsOnBoth(line)) dropped.add(change);
  }
  for (const file of files) {
    if (file.loose.length > 0)
      file.changes = withoutMembersOfMoved(file.changes.filter((change) => !dropped.has(change)));
  }
}

const groupByName = (files: FileSymbols[], wanted: 'added' | 'removed'): Map<string, LooseSymbol[]> =>
  Map.groupBy(
    files.flatMap(({ loose }) => loose.filter(({ change }) => change.change === wanted)),
    // A field of the same name in another type is another one.
    ({ change: { kind, name, container } }) => (kind === 'field' ? `${container}.${name}` : name),
  );

function settleName(gone: LooseSymbol[], come: LooseSymbol[], dropped: Set<SymbolChange>): void {
  const left = come.slice(0, mostOfOneName);
  for (const old of gone.slice(0, mostOfOneName)) {
    const index = bestMatch(old, left);
    const [current] = index < 0 ? [] : left.splice(index, 1);
    if (!current) continue;
    // What came to several files alike was copied, and which of them it moved to cannot be told.
    const isOpen = left.some(
      (other) => isSameKind(old, other) && other.body === current.body && !isInSameFile(other, current),
    );
    // In the lines where it stood, it was put into something or written anew.
    const isHere = isInSameFile(old, current) && old.run === current.run;
    if (isOpen || isHere) dropped.add(old.change).add(current.change);
    else relate(old, current, dropped);
  }
  // What has the same name in the same class or file as something on the other side may be the same after all.
  for (const old of gone) {
    const twin = left.find((current) => old.change.container === current.change.container);
    if (old.change.change === 'removed' && twin) dropped.add(old.change).add(twin.change);
  }
}

/** The same body first, then one that is like it. */
function bestMatch(old: LooseSymbol, candidates: LooseSymbol[]): number {
  const same = candidates.findIndex(
    (current) => isSameKind(old, current) && old.body === current.body && haveSameHead(old, current),
  );
  if (same >= 0) return same;
  return candidates.findIndex(
    (current) => isSameKind(old, current) && tokenLikeness(old.body, current.body) >= likeEnough,
  );
}

const isInSameFile = (one: LooseSymbol, other: LooseSymbol): boolean =>
  one.change.evidence.fileName === other.change.evidence.fileName;

const isSameKind = ({ change: one }: LooseSymbol, { change: other }: LooseSymbol): boolean =>
  one.kind === other.kind || (isCallable(one) && isCallable(other));

const isCallable = ({ kind }: SymbolChange): boolean => kind === 'function' || kind === 'method';

/** What has no body is known by its head; and a method gets or loses a word when it becomes a function. */
const haveSameHead = (one: LooseSymbol, other: LooseSymbol): boolean =>
  one.body !== '' || isSameSignature(headOf(one), headOf(other));

/** A signature without the name of the class that it may repeat. */
function headOf({ signature, change: { container } }: LooseSymbol): Signature {
  return container === null ? signature : { ...signature, text: signature.text.split(container).join('_') };
}

function relate(old: LooseSymbol, current: LooseSymbol, dropped: Set<SymbolChange>): void {
  const { change: was } = old;
  const { change: is } = current;
  const places = { movedFrom: was.evidence, movedTo: is.evidence };
  const isEdited = old.body !== current.body || !isSameSignature(old.signature, current.signature);
  Object.assign(is, { change: 'moved', isEdited, previousSignature: was.previousSignature, ...places });
  if (isInSameFile(old, current)) dropped.add(was);
  else Object.assign(was, { change: 'moved', isEdited, signature: is.signature, ...places });
}

/** Where a class goes, its methods go along. */
function withoutMembersOfMoved(changes: SymbolChange[]): SymbolChange[] {
  const moved = new Map<string, SymbolChange>();
  for (const change of changes)
    if (change.change === 'moved' && change.container === null) moved.set(change.name, change);
  return changes.filter(({ change, container, movedTo }) => {
    const around = container === null ? undefined : moved.get(container);
    return change !== 'moved' || around?.movedTo?.fileName !== movedTo?.fileName;
  });
}
