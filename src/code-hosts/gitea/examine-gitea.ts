import { Check } from 'typebox/value';
import { type Finding, failure, ok, warning } from '../../domain/finding.ts';
import { reasonOf } from '../../domain/reason-of.ts';
import type { Connect, Examined } from '../host-definition.ts';
import { addressesOf } from './addresses.ts';
import type { GiteaSettings } from './open-gitea-host.ts';
import { VersionPayload } from './payloads.ts';

const limits = { patienceMs: 10_000, mostBytes: 256 * 1024, mostRedirects: 1 };

/** The oldest whose answers have all that is read of them. */
const oldest = { Gitea: [1, 21], Forgejo: [7, 0] } as const;

/** Whether Gitea is reached, is new enough and takes the token of the service, and by how much its clock is ahead. */
export async function examineGitea(
  { giteaUrl, giteaToken }: Pick<GiteaSettings, 'giteaUrl' | 'giteaToken'>,
  connect: Connect,
): Promise<Examined> {
  if (!giteaUrl) return { findings: [failure('gitea', 'GITEA_URL is not set.', 'Set it.')], aheadMs: null };
  const { web, api, origin } = addressesOf(giteaUrl);
  const way = connect({ ...limits, origins: [origin], mayBePrivate: true });
  const before = Date.now();
  try {
    const response = await way.fetch(`${api}/version`, {
      headers: {
        accept: 'application/json',
        'user-agent': 'pullquote',
        ...(giteaToken && { authorization: `Bearer ${giteaToken}` }),
      },
      signal: AbortSignal.timeout(limits.patienceMs),
    });
    const ahead = Date.parse(response.headers.get('date') ?? '') - (before + Date.now()) / 2;
    const answer: unknown = await response.json().catch(() => null);
    const version = Check(VersionPayload, answer) ? answer.version : null;
    const asked = { web, hasToken: giteaToken !== undefined };
    return {
      findings: [judgeGitea(asked, { status: response.status, version })],
      aheadMs: Number.isNaN(ahead) ? null : ahead,
    };
  } catch (error) {
    return { findings: [unreachable(web, reasonOf(error))], aheadMs: null };
  } finally {
    await way.close();
  }
}

function unreachable(web: string, reason: string): Finding {
  const isCertificate = /CERT|SIGNATURE|ISSUER|certificate/.test(reason);
  return failure(
    'gitea',
    `${web} cannot be reached (${reason}).`,
    isCertificate
      ? 'Name the certificate of your server or proxy in NODE_EXTRA_CA_CERTS.'
      : 'Check the network, HTTPS_PROXY, NO_PROXY and GITEA_URL.',
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
