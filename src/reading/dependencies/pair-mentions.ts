import { detachText } from '../detach-text.ts';
import type { DependencyChange, Evidence } from '../facts.ts';
import type { SideLine } from '../hunk-sides.ts';
import type { PathParts } from '../path-parts.ts';
import { compareVersions } from './compare-versions.ts';

export type Scope = DependencyChange['scope'];

/** A dependency as one line of a manifest names it. */
export interface Mention {
  name: string;
  version: string | null;
  /** Null where the diff does not show the section. */
  scope: Scope | null;
  line: SideLine;
  /** Whether it is there only because another dependency needs it. */
  isIndirect?: boolean;
}

/** Reads one side of one hunk, context included: whatever is visible says where the changed lines are. */
export type DependencyReader = (lines: SideLine[], parts: PathParts) => Mention[];

interface Entry {
  removed: Mention[];
  added: Mention[];
  /** Whether an unchanged line names it as well, so that it neither came nor went. */
  stays: boolean;
  /** The versions that the new side names: who still uses one of them has not left it. */
  standing: Set<string | null>;
}

/** A change, and the line that names the dependency. */
interface PairedMention {
  change: DependencyChange;
  line: string;
}

interface Found extends PairedMention {
  isIndirect: boolean;
}

/** Turns what the two sides of a manifest name into what happened to each dependency. */
export function pairMentions(fileName: string, old: Mention[], current: Mention[]): PairedMention[] {
  const entries = new Map<string, Entry>();
  for (const mention of old) {
    const entry = entryOf(entries, mention);
    if (mention.line.isChanged) entry.removed.push(mention);
    else entry.stays = true;
  }
  for (const mention of current) {
    const entry = entryOf(entries, mention);
    entry.standing.add(mention.version);
    if (mention.line.isChanged) entry.added.push(mention);
    else entry.stays = true;
  }
  const found = [...entries.values()].flatMap((entry) => changesOf(fileName, entry));
  const direct = found.filter(({ isIndirect }) => !isIndirect);
  // What others pull in is worth a word only when the change is about nothing else.
  const chosen =
    direct.length > 0
      ? direct
      : found.filter(({ change }) => change.change !== 'added' && change.change !== 'removed');
  const changes = withoutRepetition(chosen);
  return changes.sort((one, other) => one.change.evidence.startLine - other.change.evidence.startLine);
}

// Go modules carry their major version in the name.
const majorVersion = /^(\w[\w-]*\.[\w.-]+\/.+?)[/.]v\d{1,4}$/;

/** Python takes these spellings for the same name, and nobody tells two packages apart by them. */
export const sameDependency = (name: string): string =>
  name.toLowerCase().replaceAll('_', '-').replace(majorVersion, '$1');

function entryOf(entries: Map<string, Entry>, { name }: Mention): Entry {
  const key = sameDependency(name);
  const known = entries.get(key);
  if (known) return known;
  const entry: Entry = { removed: [], added: [], stays: false, standing: new Set() };
  entries.set(key, entry);
  return entry;
}

function changesOf(fileName: string, { removed, added, stays, standing }: Entry): Found[] {
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
    // Needed in another way than before, it is neither upgraded nor changed.
    const isRescoped = partner.scope !== null && mention.scope !== null && partner.scope !== mention.scope;
    const change =
      isRescoped && partner.version !== mention.version ? null : describePair(fileName, partner, mention);
    if (change && !(partner.version !== mention.version && standing.has(partner.version)))
      found.push({ change, line: mention.line.text, isIndirect: mention.isIndirect ?? false });
  }
  if (isPaired) return found;
  for (const mention of unpaired) found.push(describeOne(fileName, mention, 'added'));
  for (const mention of left) found.push(describeOne(fileName, mention, 'removed'));
  return found;
}

/** The same version first, so that a line that only moved is nothing; then the same section; then whichever is left. */
function takePartner(candidates: Mention[], mention: Mention): Mention | undefined {
  let index = candidates.findIndex(
    ({ version, scope }) => version === mention.version && scope === mention.scope,
  );
  if (index < 0) index = candidates.findIndex(({ version }) => version === mention.version);
  if (index < 0) index = candidates.findIndex(({ scope }) => scope === mention.scope);
  if (index < 0) index = 0;
  return candidates.splice(index, 1)[0];
}

function describePair(fileName: string, old: Mention, current: Mention): DependencyChange | null {
  const hasMoved = old.scope !== null && current.scope !== null && old.scope !== current.scope;
  if (old.version === current.version && !hasMoved) return null;
  return {
    name: detachText(current.name),
    change: old.version === current.version ? 'changed' : compareVersions(old.version, current.version),
    movedFrom: null,
    movedTo: null,
    from: old.version === null ? null : detachText(old.version),
    to: current.version === null ? null : detachText(current.version),
    scope: current.scope ?? old.scope ?? 'runtime',
    evidence: evidenceOf(fileName, current, 'new'),
  };
}

function describeOne(fileName: string, mention: Mention, change: 'added' | 'removed'): Found {
  const version = mention.version === null ? null : detachText(mention.version);
  return {
    isIndirect: mention.isIndirect ?? false,
    line: mention.line.text,
    change: {
      name: detachText(mention.name),
      change,
      movedFrom: null,
      movedTo: null,
      from: change === 'removed' ? version : null,
      to: change === 'added' ? version : null,
      scope: mention.scope ?? 'runtime',
      evidence: evidenceOf(fileName, mention, change === 'added' ? 'new' : 'old'),
    },
  };
}

function evidenceOf(fileName: string, { line }: Mention, side: 'old' | 'new'): Evidence {
  return { fileName, startLine: line.number, endLine: line.number, side };
}

function withoutRepetition(changes: PairedMention[]): PairedMention[] {
  const seen = new Set<string>();
  return changes.filter(({ change: { name, change, from, to } }) => {
    const key = JSON.stringify([name, change, from, to]);
    return !seen.has(key) && seen.add(key);
  });
}
