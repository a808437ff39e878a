import type { TokenKind } from '../contract/service.ts';
import { type Finding, failure, ok, reasonOf, warning } from '../domain/errors.ts';
import type { SecretKeys } from '../domain/secrets.ts';
import type { CodeHost } from './code-host.ts';
import type { TakeLock } from './fetched/fetch-by-git.ts';
import type { GitNetwork } from './fetched/run-network-git.ts';
import type { AddedClone } from './git/added-clones.ts';

interface EgressRules {
  origins: string[];
  folder: string;
  mayBePrivate: boolean;
  patienceMs: number;
  mostBytes: number;
  mostRedirects: number;
}

/** Opens connections to one folder of some origins and to nothing else. */
export type Connect = (rules: EgressRules) => { fetch: typeof globalThis.fetch; close: () => Promise<void> };

interface HostDeps {
  searchPath: string;
  secretKeys: SecretKeys;
  clock: () => Date;
  /** The time that the host has to respond to a read, if it differs from the default. */
  responseMs?: number | undefined;
  announce: (sentence: string) => void;
  connect: Connect;
  networkForGit: (rules: { origin: string; mayBePrivate: boolean }) => Promise<GitNetwork>;
  takeLock: TakeLock;
  listAddedClones: () => Promise<AddedClone[]>;
}

export type NetworkHostDeps = Omit<HostDeps, 'secretKeys' | 'announce' | 'listAddedClones'>;

interface HostTokens {
  kind: TokenKind;
  isOne: (token: string) => boolean;
  taken: string;
}

interface HostOnWeb<Settings> {
  urlOf: (settings: Settings) => URL | undefined;
  urlSetting: string;
  tokenOf: (settings: Settings) => string | undefined;
  tokenSetting: string;
  tokenCommand?: string;
  ownersNest: boolean;
  examplePath: string;
}

export interface Examined {
  findings: Finding[];
  aheadMs: number | null;
}

export interface HostDefinition<Settings> {
  id: string;
  name: string;
  tokens: HostTokens;
  publicUrl?: string;
  /** Paths of the device flow below the web address, and the setting of the app's id; absent without such a flow. */
  deviceFlow?: { codePath: string; tokenPath: string; clientIdSetting: string };
  gitUse: { description: string; isForAll: boolean; fetches: boolean };
  /** The setting with the secrets, and the headers of a delivery as Markdown; absent if the host sends no webhooks. */
  webhooks?: { setting: string; secretsOf: (settings: Settings) => string[]; headers: string };
  open: (settings: Settings, deps: HostDeps) => Promise<CodeHost>;
  examine: (
    settings: Settings,
    deps: { connect: Connect; listAddedClones: () => Promise<AddedClone[]> },
  ) => Promise<Examined>;
}

export interface NetworkHostDefinition<Settings> extends HostDefinition<Settings> {
  web: HostOnWeb<Settings>;
  open: (settings: Settings, deps: NetworkHostDeps) => Promise<CodeHost>;
}

const limits = { patienceMs: 10_000, mostBytes: 256 * 1024, mostRedirects: 1 };

interface HostCheck {
  id: string;
  web: string;
  address: string;
  token: string | undefined;
  mayBePrivate: boolean;
  urlSetting: string;
  judge: (
    answered: HostAnswered,
    ask: (address: string) => Promise<HostAnswered>,
  ) => Finding[] | Promise<Finding[]>;
}

interface HostAnswered {
  status: number;
  headers: Headers;
  response: unknown;
}

export async function examineHost(check: HostCheck, connect: Connect): Promise<Examined> {
  const { web, address, token, mayBePrivate, judge } = check;
  const { pathname: folder } = new URL(web);
  const way = connect({ ...limits, origins: [new URL(address).origin], folder, mayBePrivate });
  const ask = async (url: string): Promise<HostAnswered> => {
    const response = await way.fetch(url, {
      headers: {
        accept: 'application/json',
        'user-agent': 'pullquote',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.timeout(limits.patienceMs),
    });
    const { status, headers } = response;
    return { status, headers, response: await response.json().catch(() => null) };
  };
  const before = Date.now();
  try {
    const answered = await ask(address);
    const ahead = Date.parse(answered.headers.get('date') ?? '') - (before + Date.now()) / 2;
    return { findings: await judge(answered, ask), aheadMs: Number.isNaN(ahead) ? null : ahead };
  } catch (error) {
    return { findings: [unreachableHost(check, reasonOf(error))], aheadMs: null };
  } finally {
    await way.close();
  }
}

export const findingsAbout = (id: string) => ({
  ok: (what: string) => ok(id, what),
  warning: (what: string, remedy: string) => warning(id, what, remedy),
  failure: (what: string, remedy: string) => failure(id, what, remedy),
});

export function unreachableHost(
  { id, web, urlSetting }: Pick<HostCheck, 'id' | 'web' | 'urlSetting'>,
  reason: string,
): Finding {
  const isCertificate = /CERT|SIGNATURE|ISSUER|certificate/.test(reason);
  return failure(
    id,
    `Cannot reach ${web} (${reason}).`,
    isCertificate
      ? 'Set NODE_EXTRA_CA_CERTS to the certificate of your proxy or server.'
      : `Check the network, HTTPS_PROXY, NO_PROXY and ${urlSetting}.`,
  );
}
