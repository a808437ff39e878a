import type { TokenKind } from '../contract/service.ts';
import type { Finding } from '../domain/errors.ts';
import type { SecretKeys } from '../domain/secrets.ts';
import type { CodeHost } from './code-host.ts';
import type { TakeLock } from './fetched/fetch-by-git.ts';
import type { GitNetwork } from './fetched/run-network-git.ts';

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
  announce: (sentence: string) => void;
  connect: Connect;
  networkForGit: (rules: { origin: string; mayBePrivate: boolean }) => Promise<GitNetwork>;
  takeLock: TakeLock;
}

export type NetworkHostDeps = Omit<HostDeps, 'secretKeys' | 'announce'>;

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
  /** Paths of the device flow below the web address, and the setting of the app's id; absent if there is no such flow. */
  deviceFlow?: { codePath: string; tokenPath: string; clientIdSetting: string };
  byGit: { what: string; isAll: boolean; isFetched: boolean };
  /** The setting with the secrets, and the headers of a delivery as Markdown; absent if it sends no webhooks. */
  webhooks?: { setting: string; secretsOf: (settings: Settings) => string[]; headers: string };
  open: (settings: Settings, deps: HostDeps) => Promise<CodeHost>;
  examine: (settings: Settings, deps: { connect: Connect }) => Promise<Examined>;
}

export interface NetworkHostDefinition<Settings> extends HostDefinition<Settings> {
  web: HostOnWeb<Settings>;
  open: (settings: Settings, deps: NetworkHostDeps) => Promise<CodeHost>;
}
