import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Operator } from '../domain/accounts.ts';
import { parseDatabaseUrl } from '../domain/database-address.ts';
import { type ModelName, providers } from '../domain/model-providers.ts';
import { clonesHost, isRepositoryName } from '../domain/repositories.ts';
import { parseSecretKeys, type SecretKeys, secretKeysFormat } from '../domain/secrets.ts';
import { anyOf, mistakesBetween } from '../domain/text.ts';

export interface Setting<T> {
  name: string;
  /** Another common spelling, which takes precedence. */
  alias?: string;
  default?: string;
  sentence: string;
  parse: (text: string) => T;
}

export const setting = <T>(described: Setting<T>): Setting<T> => described;

export type Parsed<Settings> = {
  [Key in keyof Settings]: Settings[Key] extends Setting<infer Value> ? Value : never;
};

export const keySetting = (name: string, sentence: string) =>
  setting({ name, sentence, parse: optional(apiKey) });

/** Thrown by a parser; its message completes "NAME …". */
export class Unusable extends Error {}

export const optional =
  <T>(parse: (text: string) => T) =>
  (text: string): T | undefined =>
    text === '' ? undefined : parse(text);

export const commaSeparated =
  <T>(parse: (text: string) => T) =>
  (text: string): T[] =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(parse);

export function wholeNumber(smallest: number, largest: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < smallest || value > largest) {
      throw new Unusable(`must be a whole number from ${smallest} to ${largest}`);
    }
    return value;
  };
}

export function oneOfValues<const T extends string>(...allowed: T[]) {
  return (text: string): T => {
    const found = allowed.find((value) => value === text);
    if (!found) throw new Unusable(`must be ${anyOf(allowed)}`);
    return found;
  };
}

export const textThat =
  (fits: (text: string) => boolean, problem: string) =>
  (text: string): string => {
    if (!fits(text)) throw new Unusable(problem);
    return text;
  };

export const yesOrNo = (text: string): boolean => oneOfValues('true', 'false')(text) === 'true';

export const listenAddress = textThat(
  (text) => isIP(text) !== 0 || text === 'localhost',
  'must be an IP address, such as 127.0.0.1, or 0.0.0.0 for all of IPv4',
);

export function webUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new Unusable('must be an http or https URL, such as https://pullquote.example.org');
  }
  return url;
}

export function webOrigin(text: string): string {
  const url = webUrl(text);
  if (url.pathname !== '/')
    throw new Unusable(
      'must not have a path: only scheme, host name and port, such as https://pullquote.example.org',
    );
  return url.origin;
}

export function contactUrl(text: string): string {
  const url = URL.parse(text);
  const isAddress = url?.protocol === 'mailto:' && /^[^\s@]+@[^\s@]+$/.test(url.pathname);
  if (!url || !(isAddress || (url.protocol === 'https:' && url.username === '')))
    throw new Unusable('must be an https or mailto URL, such as mailto:pullquote@example.org');
  return url.href;
}

export const isThisMachine = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** Only this machine may be called without TLS. */
function requireHttps({ protocol, hostname }: URL, example: string): void {
  if (protocol !== 'https:' && !isThisMachine(hostname))
    throw new Unusable(`must be an https URL, such as ${example}`);
}

export function githubUrl(text: string): URL {
  const url = new URL(webOrigin(text));
  requireHttps(url, 'https://github.com');
  if (/^(?:www|api)\./.test(url.hostname) && /github\.com$|\.ghe\.com$/.test(url.hostname))
    throw new Unusable('must be the URL of the web pages, such as https://github.com, not of the API');
  return url;
}

export function ownHostUrl(text: string): URL {
  const url = webUrl(text);
  requireHttps(url, 'https://git.example.org');
  if (/\/api(?:\/|$)/.test(url.pathname))
    throw new Unusable('must be the URL of the web pages, such as https://example.org/gitea, not of the API');
  return url;
}

export function proxyAddress(text: string): string {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  const named = ['loopback', 'linklocal', 'uniquelocal'].includes(text);
  const range =
    bits === undefined ||
    (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 6 ? 128 : 32));
  if (!named && (family === 0 || !range || more.length > 0)) {
    throw new Unusable(
      'must list IP addresses, ranges such as 10.0.0.0/8, or loopback, linklocal or uniquelocal',
    );
  }
  return text;
}

export const databaseUrl = textThat(
  (text) => parseDatabaseUrl(text) !== null,
  'must be a URL such as postgres://user:password@localhost:5432/pullquote, with one host or several, of which one takes writes',
);

export function existingFolder(text: string): string {
  const folder = resolve(text.replace(/^~(?=\/|$)/, homedir()));
  if (!isReadableFolder(folder)) throw new Unusable(`must be an existing folder; ${folder} is not`);
  return folder;
}

function isReadableFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export function secretKeys(text: string): SecretKeys {
  const keys = parseSecretKeys(text);
  if (!keys) throw new Unusable(`must be ${secretKeysFormat}`);
  return keys;
}

/** A name without a host is a local name. */
export function operatorName(text: string): Operator {
  const [name = '', host = clonesHost, ...more] = text.split(':').toReversed();
  if (more.length > 0 || !isRepositoryName(name) || !/^[a-z]+$/.test(host))
    throw new Unusable('must list local names, or names on a code host such as github:octocat');
  return { host, name };
}

/** A host as in a URL: with the port unless it is 443. */
export function httpsHost(text: string): string {
  const url = URL.parse(`https://${text}`);
  if (url?.username !== '' || url.href !== `https://${url.host}/`)
    throw new Unusable('must list host names, such as github.com or git.example.org:8443');
  return url.host;
}

interface PrivateRepository {
  fullName: string;
  visibleTo: string[];
}

export function privateRepository(text: string): PrivateRepository {
  const [fullName = '', names = '', ...more] = text.split('=');
  const parts = fullName.replace(/\.git$/, '').split('/');
  const visibleTo = names.split('+').filter((name) => name !== '');
  if (parts.length !== 2 || more.length > 0 || ![...parts, ...visibleTo].every(isRepositoryName)) {
    throw new Unusable('must list entries such as owner/repo=alice+bob');
  }
  return { fullName: parts.join('/'), visibleTo };
}

export function modelName(text: string): ModelName {
  const [, first, name] = /^([^/]+)\/(\S+)$/.exec(text) ?? [];
  const provider = providers.find((known) => known === first);
  if (!provider || !name) {
    throw new Unusable(
      `must be a provider and a model, such as anthropic/claude-sonnet-4-5 or compatible/llama3.3; providers: ${providers.join(', ')}`,
    );
  }
  return { provider, name };
}

const apiKey = textThat(
  (text) => /^[\x21-\x7e]+$/.test(text),
  'must be a key of ASCII characters without spaces',
);

const shortestSecret = 16;

export function webhookSecret(text: string): string {
  if (text.length < shortestSecret)
    throw new Unusable(
      `must be secrets of at least ${shortestSecret} characters, for example from openssl rand -hex 32`,
    );
  return apiKey(text);
}

export const bearerToken = textThat(
  (text) => /^[\w.~+/-]{16,}=*$/.test(text) && text.length <= 1_000,
  'must have 16 to 1000 letters, digits or -._~+/, for example from openssl rand -hex 32',
);

/** Tokens of identity providers are long, because they contain claims about the user. */
export const tokenOfUser = textThat(
  (text) => /^[\w.~+/-]+=*$/.test(text) && text.length >= shortestSecret && text.length <= 8_192,
  'must be your token from pullquote token or pullquote login, with 16 to 8192 letters, digits or -._~+/',
);

/** Without a scheme, http is assumed. */
export function proxyUrl(text: string): string {
  const whole = /^[a-z\d]+:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.parse(whole);
  if (!url || !/^(https?|socks5):$/.test(url.protocol) || url.hostname === '') {
    throw new Unusable('must be the URL of a proxy, such as http://proxy.example.org:3128');
  }
  return url.href;
}

export function certificatesFile(text: string): string {
  const file = resolve(text);
  let content = '';
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    throw new Unusable(`must be a readable file; ${file} is not`);
  }
  if (!content.includes('-----BEGIN CERTIFICATE-----'))
    throw new Unusable(`must be a file of certificates (PEM); ${file} contains none`);
  return file;
}

export function scopes(text: string): string {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (!words.every((word) => /^[\w:]+$/.test(word)))
    throw new Unusable('must be scopes separated by spaces, such as repo');
  return words.join(' ');
}

/** The URLs of some providers have a query. */
export function keysUrl(text: string): URL {
  const [place = ''] = text.split('?');
  webUrl(place);
  return new URL(text);
}

/** Not normalized, because tokens contain exactly this text. */
export function issuer(text: string): string {
  requireHttps(webUrl(text), 'https://accounts.example.org');
  return text;
}

export function jsonPointer(text: string): string[] {
  if (!/^(?:\/(?:[^/~]|~[01])+)+$/.test(text))
    throw new Unusable('must be a JSON pointer, such as /sub or /firebase/identities/github.com/0');
  const steps = text.slice(1).split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The shortest unknown setting for which a similar name is suggested: shorter ones resemble too many. */
const shortest = 5;
const mostMistakes = 2;

export interface UnknownSetting {
  name: string;
  meant: string | null;
}

/** Prefixes of our settings that other programs are unlikely to use. */
const prefixes = /^(?:PULLQUOTE|AI|OIDC|DIGEST|SMTP|MAIL|GIT|GITHUB|GITLAB|GITEA)_/i;

/** Shorter names of other programs, such as HOST or LOG, are too similar to ours. */
const shortestOfOthers = 6;

/**
 * Names that look like settings but are not: every unknown name in the settings file, and in the environment, which has
 * names of other programs, only those similar to a setting.
 */
export function findUnknownSettings(
  known: readonly string[],
  { file, environment }: { file: readonly string[]; environment: readonly string[] },
): UnknownSetting[] {
  const unknown = (name: string) => !known.includes(name);
  const inFile = file.filter(unknown).map((name) => ({ name, meant: nearest(name, known) }));
  const nearly = environment
    .filter((name) => unknown(name) && !file.includes(name))
    .map((name) => ({ name, meant: prefixes.test(name) ? nearest(name, known) : mistyped(name, known) }))
    .filter(({ meant }) => meant !== null);
  return [...inFile, ...nearly];
}

/** The first letter is rarely mistyped: XAI_API_KEY is not AI_API_KEY. A cut-off name ends within its second word. */
function mistyped(name: string, known: readonly string[]): string | null {
  if (name.length < shortestOfOthers) return null;
  const typed = name.toUpperCase();
  const brokenOff = /^[A-Z]+_[A-Z]/.test(typed) && known.find((one) => one.startsWith(typed));
  if (brokenOff) return brokenOff;
  return known.find((one) => one[0] === typed[0] && mistakesBetween(typed, one) <= 1) ?? null;
}

function nearest(name: string, known: readonly string[]): string | null {
  if (name.length < shortest) return null;
  const ranked = known
    .filter((one) => Math.abs(one.length - name.length) <= mostMistakes)
    .map((one) => ({ one, mistakes: mistakesBetween(name.toUpperCase(), one) }))
    .sort((one, other) => one.mistakes - other.mistakes);
  const [first] = ranked;
  return first && first.mistakes <= mostMistakes ? first.one : null;
}
