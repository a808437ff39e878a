import type { HostRange, HostRepository } from '../code-host.ts';
import { UnrelatedRefs } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import type { FoundRange } from '../http/ranges.ts';
import {
  askForPulls,
  changesOfRange,
  type RangePull,
  type RangeQuestions,
  rangeOf,
  unknownEnd,
} from '../http/ranges.ts';
import { numberNamedBy } from '../sort-range.ts';
import { RangeCommitPayload, RangePullRequestPayload, TagPayload } from './payloads.ts';
import { summaryOf } from './read-gitea-pull-request.ts';
import { ifVisibleTo, pathOf, repositoryOf } from './read-repository.ts';

interface Parts {
  client: HostClient;
  web: string;
}

/** As many as Gitea lists at once, and how many pages of commits are read: those with the newest. */
const pageSize = 50;
const mostPages = 20;

/** What takes Gitea time and is not read. */
const bare = 'stat=false&verification=false&files=false';

const between = (repository: HostRepository, to: string, from: string | null): string =>
  `${pathOf(repository)}/commits?${bare}&sha=${to}${from === null ? '' : `&not=${from}`}`;

export async function findRange(
  client: HostClient,
  repository: HostRepository,
  { from, to }: { from: string; to: string },
  caller: HostCaller,
): Promise<FoundRange> {
  const commitAt = (ref: string) =>
    client.get(
      `${pathOf(repository)}/git/commits/${encodeURIComponent(ref)}?${bare}`,
      RangeCommitPayload,
      caller,
    );
  const [start, end] = await Promise.all([commitAt(from), commitAt(to)]);
  if (!start || !end) {
    const tags = await listGiteaTags(client, repository, pageSize, caller);
    throw unknownEnd({ from, to }, start !== null, tags);
  }
  const count = (one: string, other: string | null) =>
    client.count(`${between(repository, one, other)}&limit=1`, caller);
  const [total, behind] = await Promise.all([count(end.sha, start.sha), count(start.sha, end.sha)]);
  // What shares nothing with the end is behind it as a whole.
  if (behind > 0 && behind === (await count(start.sha, null))) throw new UnrelatedRefs(from, to);
  return { fromSha: start.sha, toSha: end.sha, total, behind };
}

export async function listGiteaTags(
  client: HostClient,
  repository: HostRepository,
  atMost: number,
  caller: HostCaller,
): Promise<string[]> {
  const path = `${pathOf(repository)}/tags?limit=${Math.min(atMost, pageSize)}`;
  const { items } = await client.page(path, TagPayload, caller);
  return items.map(({ name }) => name).slice(0, atMost);
}

export async function readFoundRange(
  parts: Parts,
  repository: HostRepository,
  found: FoundRange,
  caller: HostCaller,
): Promise<HostRange> {
  const listed: RangeCommitPayload[] = [];
  for (let page = 1; page <= mostPages && listed.length < found.total; page += 1) {
    const path = `${between(repository, found.toSha, found.fromSha)}&limit=${pageSize}&page=${page}`;
    const { items } = await parts.client.page(path, RangeCommitPayload, caller);
    if (items.length === 0) break;
    listed.push(...items);
  }
  const told = listed.map(({ sha, parents, commit }) => ({
    sha,
    parents: (parents ?? []).map((parent) => parent.sha),
    message: commit.message,
    committedAt: commit.committer?.date,
  }));
  const questions = questionsFor(parts, repository, caller);
  return rangeOf(found, told, (commits) => changesOfRange(commits, questions));
}

/** As Gitea words it when it merges: the number stands behind the title. */
const merging = /^Merge pull request '.*' \(#([1-9]\d{0,14})\) from /;

const numberIn = (subject: string): number | null =>
  Number(merging.exec(subject)?.[1] ?? 0) || numberNamedBy(subject);

function questionsFor(
  { client, web }: Parts,
  repository: HostRepository,
  caller: HostCaller,
): RangeQuestions {
  const path = pathOf(repository);
  const pullOf = (pull: RangePullRequestPayload): RangePull => {
    const shown = ifVisibleTo(caller, repositoryOf(pull.base.repo));
    return {
      number: pull.number,
      title: pull.title,
      isMerged: pull.merged_at !== null && shown?.hostRepoId === repository.hostRepoId,
      mergeCommitSha: pull.merge_commit_sha || null,
      told: { ...summaryOf(pull, web), body: pull.body || null },
    };
  };
  return {
    ...askForPulls({
      client,
      caller,
      schema: RangePullRequestPayload,
      path: `${path}/pulls`,
      closedPage: (page) => `state=closed&sort=recentupdate&limit=${pageSize}&page=${page}`,
      pullOf,
    }),
    // Before 1.22 Gitea says of none.
    async ofCommit(sha) {
      const pull = await client.get(`${path}/commits/${sha}/pull`, RangePullRequestPayload, caller);
      return pull ? [pullOf(pull)] : [];
    },
    numberNamedBy: numberIn,
  };
}
