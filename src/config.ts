import { existsSync, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { StartupProblem } from './domain/errors.ts';
import { isRepositoryName } from './domain/repository-name.ts';
import { parseSecretKeys, type SecretKeys, secretKeysFormat } from './domain/secret-keys.ts';

interface Setting<T> {
  name: string;
  /** What holds when the setting is not given: as text, the way a person would write it. */
  default?: string;
  sentence: string;
  parse: (text: string) => T;
}

/** Thrown by a parser; its message completes "NAME …". */
class Unusable extends Error {}

const setting = <T>(described: Setting<T>): Setting<T> => described;

const optional =
  <T>(parse: (text: string) => T) =>
  (text: string): T | undefined =>
    text === '' ? undefined : parse(text);

const listOf =
  <T>(parse: (text: string) => T) =>
  (text: string): T[] =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(parse);

function wholeNumber(smallest: number, largest: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < smallest || value > largest) {
      throw new Unusable(`must be a whole number from ${smallest} to ${largest}`);
    }
    return value;
  };
}

function oneOf<const T extends string>(...allowed: T[]) {
  return (text: string): T => {
    const found = allowed.find((value) => value === text);
    if (!found) throw new Unusable(`must be one of: ${allowed.join(', ')}`);
    return found;
  };
}

function listenAddress(text: string): string {
  if (isIP(text) === 0 && text !== 'localhost') {
    throw new Unusable('must be an IP address, such as 127.0.0.1, or 0.0.0.0 for all of IPv4');
  }
  return text;
}

function webUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new Unusable('must be an http or https address, such as https://pullquote.example.org');
  }
  return url;
}

function webOrigin(text: string): string {
  const url = webUrl(text);
  if (url.pathname !== '/') throw new Unusable('must not have a path: only scheme, name and port');
  return url.origin;
}

function proxyAddress(text: string): string {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  const named = ['loopback', 'linklocal', 'uniquelocal'].includes(text);
  const range =
    bits === undefined ||
    (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 6 ? 128 : 32));
  if (!named && (family === 0 || !range || more.length > 0)) {
    throw new Unusable('must list addresses, ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal');
  }
  return text;
}

function databaseUrl(text: string): string {
  if (
    !URL.canParse(text) ||
    !/^postgres(ql)?:$/.test(new URL(text).protocol) ||
    /%(?![0-9a-f]{2})/i.test(text)
  ) {
    throw new Unusable('must be an address such as postgres://user:password@localhost:5432/pullquote');
  }
  return text;
}

function existingFolder(text: string): string {
  const folder = resolve(text);
  if (!isFolder(folder)) {
    throw new Unusable(`must be a folder that exists; ${folder} is none`);
  }
  return folder;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function secretKeys(text: string): SecretKeys {
  const keys = parseSecretKeys(text);
  if (!keys) throw new Unusable(`must be ${secretKeysFormat}`);
  return keys;
}

export interface PrivateRepository {
  fullName: string;
  visibleTo: string[];
}

function privateRepository(text: string): PrivateRepository {
  const [fullName = '', names = '', ...more] = text.split('=');
  const parts = fullName.replace(/\.git$/, '').split('/');
  const visibleTo = names.split('+').filter((name) => name !== '');
  if (parts.length !== 2 || more.length > 0 || ![...parts, ...visibleTo].every(isRepositoryName)) {
    throw new Unusable('must list entries such as owner/repo=alice+bob');
  }
  return { fullName: parts.join('/'), visibleTo };
}

export const settings = {
  port: setting({
    name: 'PORT',
    default: '8080',
    sentence: 'Port to serve at; 0 takes any free one.',
    parse: wholeNumber(0, 65_535),
  }),
  listen: setting({
    name: 'LISTEN',
    default: '127.0.0.1',
    sentence: 'Address to listen on; 0.0.0.0 opens the service to the network.',
    parse: listenAddress,
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    sentence: 'Address under which people reach the service, when a proxy stands before it.',
    parse: optional(webOrigin),
  }),
  trustProxy: setting({
    name: 'TRUST_PROXY',
    sentence:
      'Proxies whose X-Forwarded headers are believed: addresses, ranges or loopback, separated by commas.',
    parse: listOf(proxyAddress),
  }),
  corsOrigins: setting({
    name: 'CORS_ORIGINS',
    sentence: 'Web origins whose pages may call the API from a browser, separated by commas.',
    parse: listOf(webOrigin),
  }),
  rateLimit: setting({
    name: 'RATE_LIMIT',
    default: '600',
    sentence:
      'Requests in a burst per credential or address; a thirtieth of it comes back each second. 0 turns it off.',
    parse: wholeNumber(0, 1_000_000),
  }),
  dataFolder: setting({
    name: 'PULLQUOTE_DATA',
    default: './data',
    sentence: 'Folder for the embedded database, generated keys and the sample repository.',
    parse: (text) => resolve(text),
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    sentence: 'PostgreSQL 15 or newer to use instead of the embedded database.',
    parse: optional(databaseUrl),
  }),
  maxDiffBytes: setting({
    name: 'MAX_DIFF_MIB',
    default: '128',
    sentence:
      'How much of the diff of one pull request is read and stored, in MiB; files beyond it are listed only.',
    parse: (text) => wholeNumber(1, 1024)(text) * 1024 * 1024,
  }),
  cacheBytes: setting({
    name: 'CACHE_MIB',
    default: '64',
    sentence: 'How much memory public pages may take that are kept ready to be sent, in MiB; 0 keeps none.',
    parse: (text) => wholeNumber(0, 65_536)(text) * 1024 * 1024,
  }),
  writers: setting({
    name: 'WRITERS',
    default: '2',
    sentence: 'How many articles this process writes at the same time; 0 leaves writing to other processes.',
    parse: wholeNumber(0, 64),
  }),
  codeHosts: setting({
    name: 'CODE_HOST',
    default: 'git',
    sentence: 'Code hosts to read from, separated by commas; the first is the default. Known: git.',
    parse: (text) => {
      const hosts = listOf(oneOf('git'))(text);
      if (hosts.length === 0) throw new Unusable('must name at least one code host: git');
      return [...new Set(hosts)];
    },
  }),
  gitRepos: setting({
    name: 'GIT_REPOS',
    sentence:
      'Folder of clones or mirrors laid out owner/repo or owner/repo.git. Unset, a sample repository is shown.',
    parse: optional(existingFolder),
  }),
  gitPrivate: setting({
    name: 'GIT_PRIVATE',
    sentence:
      'Private repositories and the local names that may see them: owner/repo=alice+bob, separated by commas.',
    parse: listOf(privateRepository),
  }),
  gitWebUrl: setting({
    name: 'GIT_WEB_URL',
    sentence: 'Web address of the host that the clones come from, for links to pull requests.',
    parse: optional(webUrl),
  }),
  secretKeys: setting({
    name: 'SECRET_KEYS',
    sentence: `Signing keys, newest first: ${secretKeysFormat}. Unset, one is kept in the data folder; set it when several processes share a database.`,
    parse: optional(secretKeys),
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    default: 'info',
    sentence: 'How much to log: fatal, error, warn, info, debug, trace or silent.',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
};

export type Config = { [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['parse']> };

type Environment = Record<string, string | undefined>;

function parseSetting<T>(described: Setting<T>, environment: Environment, problems: string[]): T | undefined {
  const given = environment[described.name]?.trim();
  try {
    return described.parse(given || (described.default ?? ''));
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    problems.push(`${described.name} ${error.message}.`);
    return undefined;
  }
}

/** Reads all settings from the given environment, or says everything that is wrong with them at once. */
export function parseConfig(environment: Environment): Config {
  const problems: string[] = [];
  const config = Object.fromEntries(
    Object.entries(settings).map(([key, described]) => [
      key,
      parseSetting<unknown>(described, environment, problems),
    ]),
  ) as Config;
  if (problems.length > 0) {
    throw new StartupProblem(
      ['These settings cannot be used:', ...problems.map((one) => `  ${one}`)].join('\n'),
    );
  }
  return config;
}

/** The settings of this process: its environment, and below it the file .env in the working folder. */
export function readConfig(): Config {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return parseConfig({ ...file, ...process.env });
}

/** Where this process looks for programs such as git. */
export function programSearchPath(): string {
  return process.env.PATH ?? '';
}
