import { detachText } from '../../domain/text.ts';
import type { FileOutline, SignatureEdit, SymbolChange, Transition } from '../facts.ts';
import type { FileDiff, WholeDiff } from '../file-diff.ts';
import type { HunkLines } from '../hunk-lines.ts';
import type { SymbolKind } from './language-rules.ts';
import { type Happening, matchSightings, tokenLikeness } from './match-sightings.ts';
import { rulesFor } from './rules-for.ts';
import type { Declaration } from './scan-declarations.ts';
import { isSameSignature, type Signature } from './scan-header.ts';
import { type HunkReading, readHunk, type Sighting } from './sightings.ts';
import { compareSignatures } from './signature.ts';

// A larger diff of one file is generated or bundled; reading half of it would report moved code as removed.
const mostBytes = 512 * 1024;
const longestSignature = 200;

const strength: Record<SymbolChange['change'], number> = {
  renamed: 5,
  moved: 5,
  removed: 4,
  added: 4,
  signatureChanged: 3,
  bodyChanged: 1,
};

interface LooseSymbol {
  change: SymbolChange;
  signature: Signature;
  body: string;
  line: string;
  run: number;
}

export interface FileSymbols {
  changes: SymbolChange[];
  loose: LooseSymbol[];
}

interface Source {
  hunks: HunkLines[];
  language: string | null;
  whole: WholeDiff;
  isReachable: boolean | null;
  names?: FileOutline['names'];
  /** The names that are new in the file; null if the whole file is new. */
  fresh: readonly string[] | null;
}

const noSymbols = (): FileSymbols => ({ changes: [], loose: [] });

export function readSymbols(file: FileDiff, source: Source): FileSymbols {
  const { hunks, language, whole } = source;
  const rules = rulesFor(language);
  if (!rules || file.isBinary || file.isSubmodule || file.bytes.length > mostBytes) return noSymbols();
  const readings: HunkReading[] = [];
  for (const [index, lines] of hunks.entries()) {
    const reading = readHunk(lines, index, rules);
    if (!reading) return noSymbols();
    readings.push(reading);
  }
  const all = strongest(matchSightings(readings))
    .map((happening) => ({ happening, change: describeSymbolChange(happening, file.path, source) }))
    // A constant or field that no other code can use is a detail of the code around it.
    .filter(({ change: { kind, mayBePublic } }) => (kind !== 'constant' && kind !== 'field') || mayBePublic);
  const isRenamed = file.status === 'renamed' ? ofRenamedFile(all.map(({ change }) => change)) : () => false;
  // A name declared on both sides was swapped with another one, not renamed.
  const isTraded = ({ change, before }: Happening): boolean =>
    change === 'renamed' && whole.isOnBothSides(before?.line?.text ?? '');
  const found = all.filter(({ change, happening }) => !isRenamed(change) && !isTraded(happening));
  found.sort((one, other) => one.change.evidence.startLine - other.change.evidence.startLine);
  const changes = withoutMembersOf(found.map(({ change }) => change));
  return {
    changes,
    loose: found
      .filter(({ change }) => changes.includes(change))
      .filter(({ change }) => change.change === 'added' || change.change === 'removed')
      .map(({ change, happening }) => looseOf(change, happening.at)),
  };
}

function withoutMembersOf(changes: SymbolChange[]): SymbolChange[] {
  const around = new Set(
    changes.filter(({ container }) => container === null).map(({ change, name }) => `${change} ${name}`),
  );
  return changes.filter(
    ({ kind, change, container }) => kind !== 'field' || !around.has(`${change} ${container}`),
  );
}

function ofRenamedFile(changes: SymbolChange[]): (change: SymbolChange) => boolean {
  const types = (wanted: SymbolChange['change']): SymbolChange[] =>
    changes.filter(
      ({ change, kind, container }) =>
        change === wanted && container === null && (kind === 'class' || kind === 'type' || kind === 'module'),
    );
  const [come, gone] = [types('added'), types('removed')];
  return (change) => come.length === 1 && gone.length === 1 && (come[0] === change || gone[0] === change);
}

function looseOf(change: SymbolChange, { signature, body, line }: Sighting): LooseSymbol {
  return { change, signature, body, line: detachText(line?.text ?? ''), run: line?.run ?? 0 };
}

function strongest(happenings: Happening[]): Happening[] {
  const gone = new Set<string>();
  const renamed = new Map<string, string>();
  for (const { change, before, after } of happenings) {
    if (!before || (change !== 'renamed' && change !== 'removed')) continue;
    gone.add(before.declaration.key);
    if (before.declaration.container === null) {
      renamed.set(before.declaration.found.name, after ? after.declaration.found.name : '');
    }
  }
  const best = new Map<string, Happening>();
  for (const happening of happenings) {
    const { declaration } = happening.at;
    if (happening.change === 'bodyChanged' && gone.has(declaration.key)) continue;
    if (happening.change !== 'removed' && declaration.container !== null) {
      const container = renamed.get(declaration.container);
      if (container === '') continue;
      if (container !== undefined) declaration.container = container;
    }
    const known = best.get(declaration.key);
    if (!known || strength[happening.change] > strength[known.change]) best.set(declaration.key, happening);
  }
  return [...best.values()];
}

function describeSymbolChange(happening: Happening, fileName: string, source: Source): SymbolChange {
  const { change, before, after, at, isEdited = false } = happening;
  const { language } = source;
  const { declaration, evidence } = at;
  const isBodyOnly = change === 'bodyChanged';
  const isPublic = visibilityOf(happening, source);
  return {
    kind: changeKind(at, language),
    name: detachText(declaration.found.name),
    container: declaration.container === null ? null : detachText(declaration.container),
    change,
    previousName: change === 'renamed' && before ? detachText(before.declaration.found.name) : null,
    movedFrom: change === 'moved' && before ? { fileName, ...before.evidence } : null,
    movedTo: change === 'moved' ? { fileName, ...evidence } : null,
    isEdited,
    signature: isBodyOnly || !after ? null : shorten(after.signature),
    previousSignature: isBodyOnly || !before ? null : shorten(before.signature),
    signatureEdits: signatureEditsOf(happening, language),
    value: valueIn(happening),
    isPublic: isPublic === true,
    mayBePublic: isPublic !== false,
    isNew: change === 'added' && (source.fresh?.includes(declaration.found.name) ?? true),
    evidence: { fileName, ...evidence },
  };
}

const shorten = ({ text }: Signature): string =>
  detachText(text.length > longestSignature ? `${text.slice(0, longestSignature - 2).trimEnd()} …` : text);

/** A renamed symbol, or one that became private, counts as public if callers could use it before. */
function visibilityOf({ before, after, at, change }: Happening, source: Source): boolean | null {
  const sides = change === 'renamed' || change === 'signatureChanged' ? [before, after] : [at];
  const known = sides.map((sighting) => {
    const { declaration, evidence } = sighting ?? at;
    return isKnownPublic(declaration, evidence.side, source);
  });
  return known.includes(true) ? true : known.includes(null) ? null : false;
}

function isKnownPublic(declaration: Declaration, side: 'old' | 'new', source: Source): boolean | null {
  if (source.isReachable === false) return false;
  const known = source.names?.find((names) => names.side === side);
  const name = qualifiedName(declaration);
  if (known?.public.includes(name)) return true;
  if (known?.hidden.includes(name)) return false;
  // If visibility is unclear in the whole file, a hunk of it cannot settle it.
  if (known && declaration.isPublic) return null;
  return declaration.isPublic === true ? source.isReachable : declaration.isPublic;
}

export const qualifiedName = ({ found, container }: Pick<Declaration, 'found' | 'container'>): string =>
  container === null ? found.name : `${container}.${found.name}`;

function changeKind(
  { signature, declaration: { found, container } }: Sighting,
  language: string | null,
): SymbolKind {
  const { kind, name } = found;
  if (kind === 'method' && (name === container || isTypeless(signature.text, name))) return 'constructor';
  const isModule = (language === 'Elixir' && kind === 'class') || (language === 'Ruby' && kind === 'type');
  return isModule ? 'module' : kind;
}

function signatureEditsOf({ change, before, after }: Happening, language: string | null): SignatureEdit[] {
  if (change !== 'signatureChanged' || !before || !after) return [];
  const partOf = ({ signature, declaration }: Sighting) => ({
    signature: signature.text,
    name: declaration.found.name,
  });
  return compareSignatures(partOf(before), partOf(after), language) ?? [];
}

const isTypeless = (signature: string, name: string): boolean =>
  /^[A-Z]/.test(name) &&
  /^(?:(?:public|private|protected|internal)\s+)?$/.test(signature.slice(0, signature.indexOf(`${name}(`)));

const longestValue = 80;

function valueIn({ change, before, after }: Happening): Transition | null {
  const kind = after?.declaration.found.kind;
  if (change !== 'bodyChanged' || !before || !after || (kind !== 'constant' && kind !== 'field')) return null;
  const [from, to] = [before, after].map(({ rest }) => rest.trim().replace(/[;,]$/, ''));
  if (!from || !to || from === to || !isWholeValue(from) || !isWholeValue(to)) return null;
  return { from: detachText(from), to: detachText(to) };
}

function isWholeValue(value: string): boolean {
  if (value.length > longestValue || /(?:[([{,=+|&?:]|=>|\/\*)$/.test(value)) return false;
  const count = (characters: string): number =>
    [...value].filter((character) => characters.includes(character)).length;
  return count('([{') === count(')]}') && count('"') % 2 === 0 && count('`') % 2 === 0;
}

const likeEnough = 0.6;

// A name shared by more files than this is a common one, such as "new" or "main".
const mostOfOneName = 40;

/**
 * A symbol removed from one file and added to another of the same pull request was moved; doubtful ones are dropped.
 */
export function settleSymbols(files: FileSymbols[], whole: WholeDiff): void {
  const removed = groupByName(files, 'removed');
  const dropped = new Set<SymbolChange>();
  for (const [name, added] of groupByName(files, 'added')) {
    const gone = removed.get(name);
    if (gone) settleName(gone, added, dropped);
  }
  for (const { change, line } of files.flatMap(({ loose }) => loose)) {
    if (change.change !== 'moved' && whole.isOnBothSides(line)) dropped.add(change);
  }
  for (const file of files) {
    if (file.loose.length > 0)
      file.changes = withoutMembersOfMoved(file.changes.filter((change) => !dropped.has(change)));
  }
}

const groupByName = (files: FileSymbols[], wanted: 'added' | 'removed'): Map<string, LooseSymbol[]> =>
  Map.groupBy(
    files.flatMap(({ loose }) => loose.filter(({ change }) => change.change === wanted)),
    ({ change: { kind, name, container } }) => (kind === 'field' ? `${container}.${name}` : name),
  );

function settleName(gone: LooseSymbol[], come: LooseSymbol[], dropped: Set<SymbolChange>): void {
  const left = come.slice(0, mostOfOneName);
  for (const old of gone.slice(0, mostOfOneName)) {
    const index = bestMatch(old, left);
    const [current] = index < 0 ? [] : left.splice(index, 1);
    if (!current) continue;
    // A symbol added to several files was copied, so it is unknown which of them it moved to.
    const isOpen = left.some(
      (other) => isSameKind(old, other) && other.body === current.body && !isInSameFile(other, current),
    );
    const isHere = isInSameFile(old, current) && old.run === current.run;
    if (isOpen || isHere) dropped.add(old.change).add(current.change);
    else relate(old, current, dropped);
  }
  // A symbol with the same name in the same container as one on the other side may be the same one.
  for (const old of gone) {
    const twin = left.find((current) => old.change.container === current.change.container);
    if (old.change.change === 'removed' && twin) dropped.add(old.change).add(twin.change);
  }
}

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

const haveSameHead = (one: LooseSymbol, other: LooseSymbol): boolean =>
  one.body !== '' || isSameSignature(headOf(one), headOf(other));

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

/** Methods of a moved class are not reported: they moved with it. */
function withoutMembersOfMoved(changes: SymbolChange[]): SymbolChange[] {
  const moved = new Map<string, SymbolChange>();
  for (const change of changes)
    if (change.change === 'moved' && change.container === null) moved.set(change.name, change);
  return changes.filter(({ change, container, movedTo }) => {
    const around = container === null ? undefined : moved.get(container);
    return change !== 'moved' || around?.movedTo?.fileName !== movedTo?.fileName;
  });
}
