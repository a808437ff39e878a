import { type Finding, failure, ok, warning } from '../../domain/errors.ts';
import type { Connect, Examined } from '../host-definition.ts';
import { examineHost } from '../http/examine-host.ts';
import { addressesOf, type GitLabSettings } from './gitlab-settings.ts';

const examined = { id: 'gitlab', urlSetting: 'GITLAB_URL' };

const oldestKnown = 16;

export async function examineGitLab(
  { gitlabUrl, gitlabToken }: Pick<GitLabSettings, 'gitlabUrl' | 'gitlabToken'>,
  connect: Connect,
): Promise<Examined> {
  const { web, api, isOwn } = addressesOf(gitlabUrl);
  const context = { web, hasToken: gitlabToken !== undefined };
  return examineHost(
    {
      ...examined,
      web,
      address: `${api}/version`,
      token: gitlabToken,
      mayBePrivate: isOwn,
      async judge({ status, answer }, ask) {
        const finding = judgeGitLab(context, { status, answer });
        if (finding.state !== 'ok') return [finding];
        const lacking = lackingScopes((await ask(`${api}/personal_access_tokens/self`)).answer);
        return [lacking.length === 0 ? finding : scopesMissing(web, lacking)];
      },
    },
    connect,
  );
}

const withScopes = 'with the scopes read_api and read_repository';

/** Scopes that the token lacks; none if it is of a kind that does not list its own. */
function lackingScopes(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null || !('scopes' in answer)) return [];
  const scopes: unknown[] = Array.isArray(answer.scopes) ? answer.scopes : [];
  return scopes.includes('api') ? [] : ['read_api', 'read_repository'].filter((one) => !scopes.includes(one));
}

const scopesMissing = (web: string, lacking: string[]): Finding =>
  failure(
    'gitlab',
    `${web} takes GITLAB_TOKEN, which lacks ${lacking.join(' and ')}.`,
    `Make another one, ${withScopes}.`,
  );

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
  const message = isItsAnswer && 'message' in answer ? String(answer.message) : '';
  if (status === 403 && message.startsWith('403 Forbidden -'))
    return failure(
      'gitlab',
      `${web} turns away the account of GITLAB_TOKEN: ${message.slice('403 Forbidden -'.length, 200).trim()}`,
      'Sign in to GitLab as that account and do what it asks for, or set GITLAB_TOKEN to a token of another one.',
    );
  if (status === 401 || (status === 403 && isItsAnswer))
    return failure('gitlab', `${web} refuses GITLAB_TOKEN.`, `Make another one, ${withScopes}.`);
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
