import { detachText } from '../domain/text.ts';
import type { DependencyChange, FileFacts } from './facts.ts';
import type { FileDiff, WholeDiff } from './file-diff.ts';
import { isFixturePlace, isTestDirectory, isVendoredPlace, pathParts } from './file-places.ts';
import { sidesOf } from './hunk-lines.ts';
import { type Mention, readerFor } from './manifests.ts';

export interface FileDependencies {
  changes: DependencyChange[];
  doubtful: Set<DependencyChange>;
}

export function readDependencies(file: FileDiff, whole: WholeDiff): FileDependencies {
  const parts = pathParts(file.path);
  const reader = readerFor(parts);
  if (!reader || isFixturePlace(parts) || isVendoredPlace(parts)) return { changes: [], doubtful: new Set() };
  const old: Mention[] = [];
  const current: Mention[] = [];
  for (const hunk of file.hunks) {
    const sides = sidesOf(hunk);
    for (const mention of reader(sides.old)) old.push(mention);
    for (const mention of reader(sides.new)) current.push(mention);
  }
  const isWhole = file.status === 'added' || file.status === 'removed';
  const isHandedOver = namesAnotherManifest(file);
  const paired = pairMentions(file.path, old, current).filter(({ change: { change }, isUncertain }) =>
    change === 'removed' && isHandedOver ? false : change === 'changed' || isWhole || !isUncertain,
  );
  if (isTestDirectory(parts) || developmentFile.test(parts.path))
    for (const { change } of paired) change.isForDevelopment = true;
  return {
    changes: paired.map(({ change }) => change),
    doubtful: new Set(paired.filter(({ line }) => whole.isOnBothSides(line)).map(({ change }) => change)),
  };
}

const developmentFile = /(?:dev|test|doc|lint|typing|build|bench|style|format|check)[^/]*\.(?:txt|in)$/;

const otherManifest =
  /^\+(?:.*\bdynamic\s{0,9}=\s{0,9}\[[^\]]{0,500}dependencies|.*\bfile\s{0,9}=\s{0,9}\[?\s{0,9}["'][^"']{0,500}\.txt|[ \t]*-r[ \t]+\S)/m;

/** If a manifest now refers to another one, dependencies removed from it may be there. */
const namesAnotherManifest = ({ hunks }: FileDiff): boolean =>
  hunks.some(({ text }) => otherManifest.test(text()));

interface Entry {
  removed: Mention[];
  added: Mention[];
  stays: boolean;
  standing: Set<string | null>;
}

interface Found {
  change: DependencyChange;
  line: string;
  isIndirect: boolean;
  isUncertain: boolean;
}

function pairMentions(fileName: string, old: Mention[], current: Mention[]): Found[] {
  const entries = new Map<string, Entry>();
  for (const mention of old) {
    const entry = dependencyEntry(entries, mention);
    if (mention.line.isChanged) entry.removed.push(mention);
    else entry.stays = true;
  }
  for (const mention of current) {
    const entry = dependencyEntry(entries, mention);
    entry.standing.add(mention.version);
    if (mention.line.isChanged) entry.added.push(mention);
    else entry.stays = true;
  }
  const found = [...entries.values()].flatMap((entry) => dependencyChangesOf(fileName, entry));
  const direct = found.filter(({ isIndirect }) => !isIndirect);
  const chosen =
    direct.length > 0
      ? direct
      : found.filter(({ change }) => change.change !== 'added' && change.change !== 'removed');
  const changes = withoutRepetition(chosen);
  return changes.sort((one, other) => one.change.evidence.startLine - other.change.evidence.startLine);
}

// Go modules have their major version in the name.
const majorVersion = /^(\w[\w-]*\.[\w.-]+\/.+?)[/.]v\d{1,4}$/;

/** Python treats these spellings as the same name. */
const sameDependency = (name: string): string =>
  name.toLowerCase().replaceAll('_', '-').replace(majorVersion, '$1');

function dependencyEntry(entries: Map<string, Entry>, { name }: Mention): Entry {
  const key = sameDependency(name);
  const known = entries.get(key);
  if (known) return known;
  const entry: Entry = { removed: [], added: [], stays: false, standing: new Set() };
  entries.set(key, entry);
  return entry;
}

function dependencyChangesOf(fileName: string, { removed, added, stays, standing }: Entry): Found[] {
  const found: Found[] = [];
  const left = [...removed];
  const unpaired: Mention[] = [];
  let isPaired = stays;
  for (const mention of added) {
    const partner = takePartner(left, mention);
    if (!partner) {
      unpaired.push(mention);
      continue;
    }
    isPaired = true;
    if (partner.version !== mention.version && !standing.has(partner.version))
      found.push(describeDependency(fileName, partner, mention));
  }
  if (isPaired) return found;
  for (const mention of unpaired) found.push(describeDependency(fileName, null, mention));
  for (const mention of left) found.push(describeDependency(fileName, mention, null));
  return found;
}

/** Prefers the same version, so that a moved line is not reported as a change. */
function takePartner(candidates: Mention[], mention: Mention): Mention | undefined {
  const same = candidates.findIndex(({ version }) => version === mention.version);
  return candidates.splice(Math.max(0, same), 1)[0];
}

function describeDependency(fileName: string, old: Mention | null, current: Mention | null): Found {
  const mention = (current ?? old) as Mention;
  const { number } = mention.line;
  const versionOf = (one: Mention | null): string | null => (one?.version ? detachText(one.version) : null);
  return {
    isIndirect: mention.isIndirect ?? false,
    isUncertain: mention.isUncertain ?? false,
    line: mention.line.text,
    change: {
      name: detachText(mention.name),
      change: old === null ? 'added' : current === null ? 'removed' : 'changed',
      movedFrom: null,
      movedTo: null,
      from: versionOf(old),
      to: versionOf(current),
      isForDevelopment: mention.isForDevelopment ?? false,
      evidence: { fileName, startLine: number, endLine: number, side: current ? 'new' : 'old' },
    },
  };
}

function withoutRepetition(changes: Found[]): Found[] {
  const seen = new Set<string>();
  return changes.filter(({ change: { name, change, from, to } }) => {
    const key = JSON.stringify([name, change, from, to]);
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * A dependency removed from one manifest and added to another was moved. If several manifests lose or gain it, it moved
 * to the one in the same folder; otherwise it is left out.
 */
export function settleDependencies(
  read: { facts: Pick<FileFacts, 'dependencies'>; dependencies: FileDependencies }[],
): void {
  const all = read.flatMap(({ dependencies }) => dependencies.changes);
  const unsure = new Set<DependencyChange>();
  for (const same of Map.groupBy(all, ({ name }) => sameDependency(name)).values()) {
    const came = same.filter(({ change }) => change === 'added');
    const gone = same.filter(({ change }) => change === 'removed');
    const [old, current] = [gone[0], came[0]];
    if (!old || !current) continue;
    if (came.length === 1 && gone.length === 1) pair(old, current);
    else for (const one of [...came, ...gone]) unsure.add(one);
  }
  for (const { facts, dependencies } of read) {
    facts.dependencies = dependencies.changes.filter(
      (one) =>
        !unsure.has(one) &&
        ((one.change !== 'added' && one.change !== 'removed') || !dependencies.doubtful.has(one)),
    );
  }
}

function pair(old: DependencyChange, current: DependencyChange): void {
  const moved = { change: 'moved', movedFrom: old.evidence, movedTo: current.evidence } as const;
  const versions = { from: old.from, to: current.to };
  Object.assign(old, moved, versions);
  Object.assign(current, moved, versions);
}
