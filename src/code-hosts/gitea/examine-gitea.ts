import { Check } from 'typebox/value';
import { type Finding, failure, ok, warning } from '../../domain/finding.ts';
import type { Connect, Examined } from '../host-definition.ts';
import { examineHost } from '../http/examine-host.ts';
import { addressesOf } from './addresses.ts';
import type { GiteaSettings } from './open-gitea-host.ts';
import { VersionPayload } from './payloads.ts';

const examined = { id: 'gitea', urlSetting: 'GITEA_URL' };

/** The oldest whose answers have all that is read of them. */
const oldest = { Gitea: [1, 21], Forgejo: [7, 0] } as const;

/** Whether Gitea is reached, is new enough and takes the token of the service, and by how much its clock is ahead. */
export async function examineGitea(
  { giteaUrl, giteaToken }: Pick<GiteaSettings, 'giteaUrl' | 'giteaToken'>,
  connect: Connect,
): Promise<Examined> {
  if (!giteaUrl) return { findings: [failure('gitea', 'GITEA_URL is not set.', 'Set it.')], aheadMs: null };
  const { web, api } = addressesOf(giteaUrl);
  const asked = { web, hasToken: giteaToken !== undefined };
  return examineHost(
    {
      ...examined,
      web,
      address: `${api}/version`,
      token: giteaToken,
      mayBePrivate: true,
      judge({ status, answer }) {
        const version = Check(VersionPayload, answer) ? answer.version : null;
        return [judgeGitea(asked, { status, version })];
      },
    },
    connect,
  );
}

export function judgeGitea(
  { web, hasToken }: { web: string; hasToken: boolean },
  { status, version }: { status: number; version: string | null },
): Finding {
  if (status === 401 && hasToken)
    return failure(
      'gitea',
      `${web} refuses GITEA_TOKEN.`,
      'Make another one, with the scopes read:repository and read:issue.',
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
  // Forgejo says beside its own version which Gitea it answers like.
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
