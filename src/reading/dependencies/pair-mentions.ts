import { detachText } from '../detach-text.ts';
import type { DependencyChange } from '../facts.ts';
import type { SideLine } from '../hunk-sides.ts';

/** A dependency as one line of a manifest names it. */
export interface Mention {
  name: string;
  version: string | null;
  line: SideLine;
  isForDevelopment?: boolean;
  /** Whether it is there only because another dependency needs it. */
  isIndirect?: boolean;
}

/** Reads one side of one hunk, context included: whatever is visible says where the changed lines are. */
export type DependencyReader = (lines: SideLine[]) => Mention[];

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
    if (partner.version !== mention.version && !standing.has(partner.version))
      found.push(describe(fileName, partner, mention));
  }
  if (isPaired) return found;
  for (const mention of unpaired) found.push(describe(fileName, null, mention));
  for (const mention of left) found.push(describe(fileName, mention, null));
  return found;
}

/** The same version first, so that a line that only moved is nothing; then whichever is left. */
function takePartner(candidates: Mention[], mention: Mention): Mention | undefined {
  const same = candidates.findIndex(({ version }) => version === mention.version);
  return candidates.splice(Math.max(0, same), 1)[0];
}

function describe(fileName: string, old: Mention | null, current: Mention | null): Found {
  const mention = (current ?? old) as Mention;
  const { number } = mention.line;
  const versionOf = (one: Mention | null): string | null => (one?.version ? detachText(one.version) : null);
  return {
    isIndirect: mention.isIndirect ?? false,
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

function withoutRepetition(changes: PairedMention[]): PairedMention[] {
  const seen = new Set<string>();
  return changes.filter(({ change: { name, change, from, to } }) => {
    const key = JSON.stringify([name, change, from, to]);
    return !seen.has(key) && seen.add(key);
  });
}
