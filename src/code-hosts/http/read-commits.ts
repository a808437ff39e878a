import type { Static, TSchema } from 'typebox';
import { suggestRefs } from '../../domain/release/ref-name.ts';
import { type HostRange, MovedMeanwhile, type RangeChange } from '../code-host.ts';
import { timeOf } from '../host-times.ts';
import { childrenFirst } from '../sort-range.ts';
import { cutText } from '../texts.ts';
import { UnknownRef } from '../unknown-ref.ts';
import {
  type LinkedRangeCommit,
  mostAskedAbout,
  type RangePull,
  type RangeQuestions,
} from './changes-of-range.ts';
import type { HostCaller } from './host-api.ts';
import type { HostClient } from './host-client.ts';
import type { FoundRange } from './kept-ranges.ts';

/** A commit of a range as a host tells it. */
interface ToldCommit {
  sha: string;
  parents: string[];
  message: string;
  committedAt: string | null | undefined;
}

export type DatedCommit = LinkedRangeCommit & { committedAt: Date | null };

function commitOf({ sha, parents, message, committedAt }: ToldCommit): DatedCommit {
  const [subject = '', ...body] = cutText(message).split('\n');
  const at = Number.isNaN(Date.parse(committedAt ?? '')) ? null : timeOf(committedAt ?? '');
  return { sha, parents, subject, body: body.join('\n').trim(), committedAt: at };
}

/** A range of those commits of it that were listed, with what they brought. */
export async function rangeOf(
  found: FoundRange,
  listed: ToldCommit[],
  changesOf: (commits: DatedCommit[]) => Promise<{ changes: RangeChange[]; unasked: number }>,
): Promise<HostRange> {
  const commits = childrenFirst(listed.map(commitOf));
  const { changes, unasked } = await changesOf(commits);
  const committedAt = commits.find(({ sha }) => sha === found.toSha)?.committedAt ?? null;
  return { ...found, committedAt, read: commits.length - unasked, isShallow: false, changes };
}

/** Says which end of a range is not there, and what might have been meant. */
export function unknownEnd(
  { from, to }: { from: string; to: string },
  isFromThere: boolean,
  tags: string[],
): UnknownRef {
  const [field, ref] = isFromThere ? (['to', to] as const) : (['from', from] as const);
  return new UnknownRef(field, ref, suggestRefs(ref, tags));
}

interface PullsOf<Schema extends TSchema> {
  client: HostClient;
  caller: HostCaller;
  schema: Schema;
  /** Where the pull requests of the repository are. */
  path: string;
  /** Which page of those that are closed is asked for, what has changed last first. */
  closedPage: (page: number) => string;
  pullOf: (payload: Static<Schema>) => RangePull;
}

/** How pull requests of a range are asked for by list and by number. */
export const askForPulls = <Schema extends TSchema>({
  client,
  caller,
  schema,
  path,
  closedPage,
  pullOf,
}: PullsOf<Schema>): Pick<RangeQuestions, 'closed' | 'byNumber' | 'most'> => ({
  async closed(page) {
    const read = await client.pageUnlessUnchanged(`${path}?${closedPage(page)}`, schema, caller, null);
    if (!read || read === 'unchanged') throw new MovedMeanwhile();
    return { items: read.items.map(pullOf), isLast: read.isLast };
  },
  async byNumber(number) {
    const pull = await client.get(`${path}/${number}`, schema, caller);
    return pull && pullOf(pull);
  },
  most: mostAskedAbout(caller),
});
