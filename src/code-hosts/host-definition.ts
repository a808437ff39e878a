import type { TokenKind } from '../contract/service.ts';
import type { Finding } from '../domain/finding.ts';
import type { SecretKeys } from '../domain/secret-keys.ts';
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

/** Opens a way to a folder of some origins and nowhere else. */
export type Connect = (rules: EgressRules) => { fetch: typeof globalThis.fetch; close: () => Promise<void> };

/** What a host is opened with, beside its settings. */
interface HostDeps {
  /** Where to look for git. */
  searchPath: string;
  secretKeys: SecretKeys;
  clock: () => Date;
  /** Tells the person who started the service what is going on. */
  announce: (sentence: string) => void;
  connect: Connect;
  /** The same way, for git. */
  networkForGit: (rules: { origin: string; mayBePrivate: boolean }) => Promise<GitNetwork>;
  takeLock: TakeLock;
}

/** What a host on the network needs of that. */
export type NetworkHostDeps = Omit<HostDeps, 'secretKeys' | 'announce'>;

/** The tokens that people sign in with on a host. */
interface HostTokens {
  /** How /meta names this way to sign in. */
  kind: TokenKind;
  /** By its shape alone whether one is of this host. */
  isOne: (token: string) => boolean;
  /** Where such tokens come from. */
  origin: string;
  /** One that may be sent. */
  taken: string;
}

/** Where a host is on the web and how it is asked there, as far as its settings tell before it is opened. */
interface HostOnWeb<Settings> {
  /** Undefined where the settings do not say. */
  urlOf: (settings: Settings) => URL | undefined;
  urlSetting: string;
  tokenOf: (settings: Settings) => string | undefined;
  tokenSetting: string;
  /** A command that prints such a token; absent where there is none that everybody has. */
  tokenCommand?: string;
  /** Whether its owners are groups that may lie within others. */
  ownersNest: boolean;
  /** The path of a pull request there. */
  examplePath: string;
}

/** What was found of a host, and by how much its clock is ahead; null where that is not known. */
export interface Examined {
  findings: Finding[];
  aheadMs: number | null;
}

/** What the service knows of a code host before it is opened, and whether it is read from or not. */
export interface HostDefinition<Settings> {
  id: string;
  /** What people call it. */
  name: string;
  tokens: HostTokens;
  /** Where everybody finds it; absent where each team has its own. */
  publicUrl?: string;
  /** What sign-in by a device asks, below its web address, and the setting of the app's id; absent where it has none. */
  deviceFlow?: { codePath: string; tokenPath: string; clientIdSetting: string };
  /** What is read with git, whether that is all that it has, and whether it is fetched, which takes a newer git. */
  byGit: { what: string; isAll: boolean; isFetched: boolean };
  /** Webhooks that the settings have taken, and the headers that say what one is, as Markdown; absent where it sends none. */
  webhooks?: { setting: string; secretsOf: (settings: Settings) => string[]; headers: string };
  open: (settings: Settings, deps: HostDeps) => Promise<CodeHost>;
  /** Looks at what it stands on, for the doctor. */
  examine: (settings: Settings, deps: { connect: Connect }) => Promise<Examined>;
}

/** One that is asked over the network. */
export interface NetworkHostDefinition<Settings> extends HostDefinition<Settings> {
  web: HostOnWeb<Settings>;
  open: (settings: Settings, deps: NetworkHostDeps) => Promise<CodeHost>;
}
