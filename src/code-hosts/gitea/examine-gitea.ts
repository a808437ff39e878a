import { Check } from 'typebox/value';
import { type Finding, failure, ok, warning } from '../../domain/errors.ts';
import type { Connect, Examined } from '../host-definition.ts';
import { examineHost } from '../http/examine-host.ts';
import { lacksScope, mustChangePassword, VersionPayload } from './gitea-api.ts';
import { addressesOf, type GiteaSettings } from './gitea-settings.ts';

const examined = { id: 'gitea', urlSetting: 'GITEA_URL' };

/** The oldest versions whose answers have all fields that are read. */
const oldest = { Gitea: [1, 21], Forgejo: [7, 0] } as const;

/** Calls that need a scope; Gitea does not list the scopes of a token. */
const shownBy = { 'read:repository': '/repos/search?limit=1', 'read:issue': '/repos/issues/search?limit=1' };

const withScopes = 'with the scopes read:repository and read:issue';

const messageOf = (answer: unknown): string =>
  typeof answer === 'object' && answer !== null && 'message' in answer ? String(answer.message) : '';

const scopesMissing = (web: string, lacking: string[]): Finding =>
  failure(
    'gitea',
    `${web} takes GITEA_TOKEN, which lacks ${lacking.join(' and ')}.`,
    `Make another one, ${withScopes}.`,
  );

export async function examineGitea(
  { giteaUrl, giteaToken }: Pick<GiteaSettings, 'giteaUrl' | 'giteaToken'>,
  connect: Connect,
): Promise<Examined> {
  if (!giteaUrl) return { findings: [failure('gitea', 'GITEA_URL is not set.', 'Set it.')], aheadMs: null };
  const { web, api } = addressesOf(giteaUrl);
  const context = { web, hasToken: giteaToken !== undefined };
  return examineHost(
    {
      ...examined,
      web,
      address: `${api}/version`,
      token: giteaToken,
      mayBePrivate: true,
      async judge({ status, answer }, ask) {
        const version = Check(VersionPayload, answer) ? answer.version : null;
        const finding = judgeGitea(context, { status, version, message: messageOf(answer) });
        if (finding.state !== 'ok' || !context.hasToken) return [finding];
        const lacking: string[] = [];
        for (const [scope, path] of Object.entries(shownBy))
          if (lacksScope.test(messageOf((await ask(`${api}${path}`)).answer))) lacking.push(scope);
        return [lacking.length === 0 ? finding : scopesMissing(web, lacking)];
      },
    },
    connect,
  );
}

export function judgeGitea(
  { web, hasToken }: { web: string; hasToken: boolean },
  { status, version, message = '' }: { status: number; version: string | null; message?: string },
): Finding {
  if (status === 401 && hasToken)
    return failure('gitea', `${web} refuses GITEA_TOKEN.`, `Make another one, ${withScopes}.`);
  if (status === 403 && hasToken && mustChangePassword.test(message))
    return failure(
      'gitea',
      `${web} answers the account of GITEA_TOKEN only once it has changed its password.`,
      'Sign in there once as that account and change it. For the next account: gitea admin user create --must-change-password=false.',
    );
  if (status === 403 && hasToken && message !== '')
    return failure(
      'gitea',
      `${web} turns away the account of GITEA_TOKEN: ${message.slice(0, 200)}`,
      'Have an administrator of Gitea let that account sign in, or set GITEA_TOKEN to a token of another one.',
    );
  if ((status === 401 || status === 403) && !hasToken)
    return warning(
      'gitea',
      `${web} shows nothing without signing in, so that nothing there is public.`,
      'Set GITEA_TOKEN if what every account there sees is to be public here.',
    );
  if (version === null)
    return failure(
      'gitea',
      `${web} answers with HTTP ${status}, and not as Gitea does.`,
      'Check GITEA_URL, with the folder that Gitea is in, and what a proxy on the way does.',
    );
  // Forgejo names the compatible Gitea version after its own.
  const name = version.includes('+gitea-') ? 'Forgejo' : 'Gitea';
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(version)?.map(Number) ?? [];
  const [oldestMajor, oldestMinor] = oldest[name];
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    return failure(
      'gitea',
      `${web} is ${name} ${version.split('+')[0]}, which is too old.`,
      `Bring it up to ${oldestMajor}.${oldestMinor} or newer.`,
    );
  const answers = `${web} is ${name} ${version.split('+')[0]}`;
  return ok(
    'gitea',
    hasToken ? `${answers}, and takes GITEA_TOKEN.` : `${answers}, and answers without GITEA_TOKEN.`,
  );
}
