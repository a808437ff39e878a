import type { RangeChange } from '../../code-hosts/code-host.ts';
import type { ArticleOfRelease } from '../../db/article-lists.ts';
import { type ChangeType, changeTypes } from '../../domain/articles.ts';
import { isKnownBot } from '../../domain/pull-requests.ts';
import { type Change, saysBreaking } from '../../domain/releases.ts';
import {
  headingChangeType,
  isBreakingHeading,
  isDependencyUpdate,
  isVagueHeading,
  namedChangeType,
  typeOfKinds,
} from '../../reading/change-type.ts';

export type ReleaseChange = Change & Pick<RangeChange, 'pullRequest'> & { authorLogin: string | null };

export interface ReleaseItem {
  pullRequest: NonNullable<RangeChange['pullRequest']>;
  article: ArticleOfRelease | null;
}

export interface GroupKey {
  breaking: boolean;
  changeType: ChangeType | null;
  /** A heading of the changelog, or what several titles begin with. */
  heading: string | null;
  automatic: boolean;
}

export interface ReleaseGroup extends GroupKey {
  items: ReleaseItem[];
}

interface Placed {
  item: ReleaseItem;
  key: GroupKey;
  area: string | null;
}

const other: GroupKey = { breaking: false, changeType: null, heading: null, automatic: false };

const leadingTypes: readonly ChangeType[] = ['FEAT', 'FIX', 'PERF'];

/** The order of release notes: what breaks, what users notice, groups of the project, the other types, bots. */
export function groupChanges(
  changes: ReleaseChange[],
  written: ReadonlyMap<number, ArticleOfRelease>,
  headings: ReadonlyMap<number, string>,
): ReleaseGroup[] {
  const placed = changes.flatMap((change): Placed[] => {
    const { pullRequest } = change;
    if (!pullRequest) return [];
    const article = written.get(pullRequest.number) ?? null;
    const key = keyOf(change, article, headings.get(pullRequest.number) ?? null);
    return [{ item: { pullRequest, article }, key, area: key === other ? areaOf(change.title) : null }];
  });
  const areas = Map.groupBy(placed, ({ area }) => area?.toLowerCase() ?? null);
  const groups = new Map<string, ReleaseGroup>();
  for (const { item, key, area } of placed) {
    const [first, second] = (area !== null && areas.get(area.toLowerCase())) || [];
    const own = second ? { ...other, heading: first?.area ?? area } : key;
    const name = JSON.stringify(own).toLowerCase();
    const group = groups.get(name) ?? { ...own, items: [] };
    group.items.push(item);
    groups.set(name, group);
  }
  return [...groups.values()].sort(
    (one, another) => rankOf(one) - rankOf(another) || another.items.length - one.items.length,
  );
}

function rankOf({ breaking, changeType, heading, automatic }: GroupKey): number {
  if (breaking) return 0;
  if (automatic) return changeTypes.length + 4;
  if (heading !== null) return leadingTypes.length + 1;
  if (changeType === null) return changeTypes.length + 3;
  const place = leadingTypes.indexOf(changeType);
  return place >= 0 ? place + 1 : leadingTypes.length + 2 + changeTypes.indexOf(changeType);
}

/** Whether a bot made a change, or its author says that it only updates dependencies. */
export const isAutomatic = ({ title, authorLogin }: Pick<ReleaseChange, 'title' | 'authorLogin'>): boolean =>
  isKnownBot(authorLogin ?? '') || isDependencyUpdate(title);

function keyOf(change: ReleaseChange, article: ArticleOfRelease | null, heading: string | null): GroupKey {
  const { title, commits, pullRequest } = change;
  const isByBot = isKnownBot(change.authorLogin ?? '');
  // The descriptions of bots quote the notes of other projects.
  const said = isByBot ? { ...change, body: '', commits: [] } : change;
  if (article?.isBreaking || saysBreaking(said) || (heading && isBreakingHeading(heading)))
    return { ...other, breaking: true };
  if (isAutomatic(change)) return { ...other, automatic: true };
  const labels = pullRequest?.labels ?? [];
  const commitMessages = commits.map(({ subject }) => subject);
  const type = namedChangeType({ title, commitMessages, labels });
  const ofHeading = heading === null ? null : headingChangeType(heading);
  // The project's own heading says more than a type, and a type more than "Enhancements".
  if (heading !== null && ofHeading === undefined && !(type && isVagueHeading(heading)))
    return { ...other, heading };
  const ofFiles = () => typeOfKinds(title, pullRequest?.fileKinds ?? []);
  const changeType = type ?? ofHeading ?? article?.changeTypes[0] ?? ofFiles();
  return changeType ? { ...other, changeType } : other;
}

const notAreas = /^(?:wip|draft|rfc|note|revert|proposal|update|add|remove|breaking)$/i;

/** The part of the project that a title names first, as in "router: keep the query". */
function areaOf(title: string): string | null {
  const area = /^([A-Za-z][\w./-]{1,29}(?: [\w./-]{1,20})?)(?:\([^()]{1,40}\))?: \S/.exec(title)?.[1] ?? null;
  return area === null || notAreas.test(area) ? null : area;
}
