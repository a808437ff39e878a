import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { PullRequestPayload, ReferencesPayload } from './payloads.ts';
import { pathOf, repositoryOf } from './read-repository.ts';

/** A pull request, and the commit that it is about. */
export interface FoundPull {
  pull: PullRequestPayload;
  head: string;
}

export type FindPull = (
  named: Pick<HostRepository, 'owner' | 'name'>,
  number: number,
  caller: HostCaller,
) => Promise<FoundPull | null>;

export const headRef = (number: number): string => `refs/pull/${number}/head`;

/** The oldest are forgotten first. */
const mostRemembered = 10_000;

/**
 * Finds pull requests and their heads. What Gitea itself calls the head is where the branch is now, which may have moved on since the
 * pull request was merged or closed; the ref that Gitea keeps for it has not. Gitea moves that ref only to where the branch is: where
 * both were the same, they are until the pull request says something else, and the ref is not asked for again.
 */
export function createFindPull(client: HostClient): FindPull {
  const withHeadAtRef = new Set<string>();
  return async (named, number, caller) => {
    const pull = await client.get(`${pathOf(named)}/pulls/${number}`, PullRequestPayload, caller);
    if (!pull) return null;
    const state = stateOf(pull);
    if (withHeadAtRef.has(state)) return { pull, head: pull.head.sha };
    const path = `${pathOf(repositoryOf(pull.base.repo))}/git/${headRef(number)}`;
    const found = await client.get(path, ReferencesPayload, caller);
    const ref = [found ?? []].flat().find((one) => one.ref === headRef(number));
    if (ref?.object.sha === pull.head.sha) {
      withHeadAtRef.add(state);
      const [oldest = ''] = withHeadAtRef;
      if (withHeadAtRef.size > mostRemembered) withHeadAtRef.delete(oldest);
    }
    return { pull, head: ref?.object.sha ?? pull.head.sha };
  };
}

const stateOf = ({ number, state, merged_at, updated_at, base, head }: PullRequestPayload): string =>
  [base.repo.id, number, state, merged_at, updated_at, head.sha].join(' ');
