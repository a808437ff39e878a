import { Failure } from '../../domain/errors.ts';
import { type HostPullRequest, type HostRepository, MovedMeanwhile } from '../code-host.ts';
import { asNobody } from '../http/call-as.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { inTurns } from '../http/in-turns.ts';
import { cutText } from '../texts.ts';
import { IssuePayload } from './payloads.ts';
import { projectPathById } from './read-project.ts';

/** Far more than one merge request closes. */
const mostIssues = 200;

/**
 * What everybody is shown of the issues that a merge request closes. By their numbers alone where not everybody who sees it is known to be
 * shown them; `untold` where GitLab cannot be asked just now.
 */
export type ShownIssues = HostPullRequest['linkedIssues'] | 'numbersOnly' | 'untold';

/**
 * Issues of the same project, as those without an account see them: they may be for members alone where merge requests are for
 * everybody, and so may those of what is private now be when it is public one day.
 */
export async function readIssues(
  client: HostClient,
  { hostRepoId, isPrivate }: HostRepository,
  number: number,
  caller: HostCaller,
): Promise<ShownIssues> {
  if (isPrivate) return 'numbersOnly';
  const keep = (issue: IssuePayload): HostPullRequest['linkedIssues'] => {
    const { iid, project_id: projectId, title, description, confidential } = issue;
    if (!iid || projectId !== hostRepoId || confidential !== false) return [];
    return [{ number: iid, title: cutText(title ?? ''), body: cutText(description ?? '') || null }];
  };
  const path = `/projects/${hostRepoId}/merge_requests/${number}/closes_issues`;
  try {
    const kept = { atMost: mostIssues, keep };
    return (await client.list(path, IssuePayload, asNobody(caller), kept)).flat();
  } catch (error) {
    if (error instanceof MovedMeanwhile) return 'numbersOnly';
    if (error instanceof Failure && error.code === 'HOST_RATE_LIMITED' && caller.token !== null)
      return 'untold';
    throw error;
  }
}

/** Whether everybody was shown issues of a project that are hidden now, or gone. */
export async function anyHidden(
  client: HostClient,
  repository: Pick<HostRepository, 'hostRepoId'>,
  numbers: number[],
  caller: Pick<HostCaller, 'signal'>,
): Promise<boolean> {
  const shown = await inTurns(numbers, (number) =>
    client.get(`${projectPathById(repository)}/issues/${number}`, IssuePayload, asNobody(caller)),
  );
  return shown.some((issue) => issue?.confidential !== false);
}

/** How long whoever delivers news waits for it to be looked into. */
const patienceMs = 3_000;

/** Whether an issue is hidden of which GitLab says so. It is where GitLab does not answer: what is hidden must not show. */
export async function isIssueHidden(
  client: HostClient,
  { hostRepoId, number }: { hostRepoId: number; number: number },
): Promise<boolean> {
  const signal = AbortSignal.timeout(patienceMs);
  return anyHidden(client, { hostRepoId }, [number], { signal }).catch(() => true);
}
