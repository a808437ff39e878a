import { type Finding, failure, ok, warning } from '../../domain/finding.ts';
import type { Connect, Examined } from '../host-definition.ts';
import { examineHost } from '../http/examine-host.ts';
import { addressesOf } from './addresses.ts';
import type { GitLabSettings } from './open-gitlab-host.ts';

const examined = { id: 'gitlab', urlSetting: 'GITLAB_URL' };

/** The oldest GitLab whose answers are known to be read. */
const oldestKnown = 16;

/** Whether GitLab is reached, takes the token of the service and is new enough, and by how much its clock is ahead. */
export async function examineGitLab(
  { gitlabUrl, gitlabToken }: Pick<GitLabSettings, 'gitlabUrl' | 'gitlabToken'>,
  connect: Connect,
): Promise<Examined> {
  const { web, api, isOwn } = addressesOf(gitlabUrl);
  const asked = { web, hasToken: gitlabToken !== undefined };
  return examineHost(
    {
      ...examined,
      web,
      address: `${api}/version`,
      token: gitlabToken,
      mayBePrivate: isOwn,
      judge: ({ status, answer }) => [judgeGitLab(asked, { status, answer })],
    },
    connect,
  );
}

/** What GitLab answered to the question which version it is, which it tells to those with a token alone. */
export function judgeGitLab(
  { web, hasToken }: { web: string; hasToken: boolean },
  { status, answer }: { status: number; answer: unknown },
): Finding {
  const isItsAnswer = typeof answer === 'object' && answer !== null;
  if (status === 401 && !hasToken && isItsAnswer)
    return warning(
      'gitlab',
      `${web} answers without GITLAB_TOKEN, and then tells of no discussions.`,
      'Set GITLAB_TOKEN to one with the scope read_api.',
    );
  if (status === 401 || (status === 403 && isItsAnswer))
    return failure(
      'gitlab',
      `${web} refuses GITLAB_TOKEN.`,
      'Make another one, with the scopes read_api and read_repository.',
    );
  const version = isItsAnswer && 'version' in answer ? String(answer.version) : null;
  if (status !== 200 || version === null)
    return failure(
      'gitlab',
      `${web} answers with HTTP ${status}, and not as GitLab does.`,
      'Check GITLAB_URL, its folder included, and what a proxy on the way does.',
    );
  if (Number.parseInt(version, 10) < oldestKnown)
    return warning(
      'gitlab',
      `${web} is GitLab ${version.slice(0, 40)}, which is older than ${oldestKnown}.`,
      'Update it, if something cannot be read.',
    );
  return ok('gitlab', `${web} answers and takes GITLAB_TOKEN: GitLab ${version.slice(0, 40)}.`);
}
