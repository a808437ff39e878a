import { type Finding, failure, ok, warning } from '../../domain/finding.ts';
import { reasonOf } from '../../domain/reason-of.ts';
import type { Connect, Examined } from '../host-definition.ts';
import { addressesOf } from './addresses.ts';
import type { GitLabSettings } from './open-gitlab-host.ts';

const limits = { patienceMs: 10_000, mostBytes: 256 * 1024, mostRedirects: 1 };

/** The oldest GitLab whose answers are known to be read. */
const oldestKnown = 16;

/** Whether GitLab is reached, takes the token of the service and is new enough, and by how much its clock is ahead. */
export async function examineGitLab(
  { gitlabUrl, gitlabToken }: Pick<GitLabSettings, 'gitlabUrl' | 'gitlabToken'>,
  connect: Connect,
): Promise<Examined> {
  const { web, api, isOwn } = addressesOf(gitlabUrl);
  const way = connect({ ...limits, origins: [gitlabUrl.origin], mayBePrivate: isOwn });
  const before = Date.now();
  try {
    const response = await way.fetch(`${api}/version`, {
      headers: {
        'user-agent': 'pullquote',
        ...(gitlabToken && { authorization: `Bearer ${gitlabToken}` }),
      },
      signal: AbortSignal.timeout(limits.patienceMs),
    });
    const ahead = Date.parse(response.headers.get('date') ?? '') - (before + Date.now()) / 2;
    const answer: unknown = await response.json().catch(() => null);
    const asked = { web, hasToken: gitlabToken !== undefined };
    const findings = [judgeGitLab(asked, { status: response.status, answer })];
    return { findings, aheadMs: Number.isNaN(ahead) ? null : ahead };
  } catch (error) {
    return { findings: [unreachable(web, reasonOf(error))], aheadMs: null };
  } finally {
    await way.close();
  }
}

function unreachable(web: string, reason: string): Finding {
  const isCertificate = /CERT|SIGNATURE|ISSUER|certificate/.test(reason);
  return failure(
    'gitlab',
    `${web} cannot be reached (${reason}).`,
    isCertificate
      ? 'Name the certificate of your proxy or server in NODE_EXTRA_CA_CERTS.'
      : 'Check the network, HTTPS_PROXY, NO_PROXY and GITLAB_URL.',
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
