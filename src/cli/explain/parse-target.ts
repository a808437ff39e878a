import { networkHosts } from '../../code-hosts/known-hosts.ts';
import type { Config } from '../../config.ts';
import { isAddressAt, parsePastedAddress } from '../../domain/repositories.ts';
import { anyOf } from '../../domain/text.ts';
import { UsageProblem } from '../command.ts';

interface WebHost {
  id: keyof typeof networkHosts;
  name: string;
  webUrl: string | null;
  urlSetting: string;
  isLocal: false;
  ownersNest: boolean;
  examplePath: string;
}

const ids = Object.keys(networkHosts) as WebHost['id'][];

export const webHosts = (config: Config): WebHost[] =>
  ids.map((id) => {
    const { name, web } = networkHosts[id];
    const { urlSetting, ownersNest, examplePath } = web;
    const webUrl = web.urlOf(config)?.href.replace(/\/$/, '') ?? null;
    return { id, name, webUrl, urlSetting, isLocal: false, ownersNest, examplePath };
  });

export const hostAt = (hosts: WebHost[], address: string): WebHost | undefined =>
  hosts.find(({ webUrl }) => webUrl !== null && isAddressAt(webUrl, address));

export type Target =
  | { kind: 'patch' }
  | { kind: 'hosted'; host: WebHost['id']; owner: string; repo: string; number: number }
  | { kind: 'number'; number: number }
  | { kind: 'branch'; base: string | null; head: string | null };

/**
 * The meaning of a parameter: a URL, OWNER/REPO#NUMBER, a number, a range or a branch; without one, the current branch.
 * If a host is chosen, only that host is considered.
 */
export function parseTarget(given: string | undefined, hosts: WebHost[], chosen?: string): Target {
  if (chosen === undefined) return parseTargetText(given, hosts);
  const target = parseTargetText(given, [hostOf(chosen, hosts)]);
  if (target.kind !== 'hosted') throw new UsageProblem('--host can only be used with OWNER/REPO#7.');
  return target;
}

function hostOf(chosen: string, hosts: WebHost[]): WebHost {
  const host = hosts.find(({ id }) => id === chosen);
  if (!host) throw new UsageProblem(`--host must be ${anyOf(hosts.map(({ id }) => id))}.`);
  if (host.webUrl === null) throw new UsageProblem(`To read from ${host.name}, set ${host.urlSetting}.`);
  return host;
}

function parseTargetText(given: string | undefined, hosts: WebHost[]): Target {
  if (given === undefined) return { kind: 'branch', base: null, head: null };
  if (given === '-') return { kind: 'patch' };
  const number = /^#?([1-9]\d{0,14})$/.exec(given)?.[1];
  if (number) return { kind: 'number', number: Number(number) };
  const hosted = readAddress(given, hosts) ?? readShortTarget(given, hosts);
  if (hosted) return hosted;
  if (!/^[^\s\p{Cc}:]+$/u.test(given))
    throw new UsageProblem(`${given} is not a pull request, a range or a branch.`);
  const [, base = '', head = ''] = /^(.*?)\.{2,3}(.*)$/.exec(given) ?? [];
  if (base === '' && head === '') return { kind: 'branch', base: null, head: given };
  for (const name of [base, head])
    if (name.startsWith('-')) throw new UsageProblem(`${name} is not a branch.`);
  return { kind: 'branch', base: base || 'HEAD', head: head || 'HEAD' };
}

/** URLs are pasted with or without their scheme; without it, the host name distinguishes them from branches. */
function readAddress(given: string, hosts: WebHost[]): Target | null {
  const at = hostAt(hosts, given);
  if (!at) {
    if (/^https?:\/\//i.test(given)) throw new UsageProblem(unknownHost(given, hosts));
    return null;
  }
  const read = parsePastedAddress(given, hosts);
  const host = hosts.find(({ id }) => id === read?.host);
  if (!read || !host || read.number === null) {
    const { webUrl, examplePath } = host ?? at;
    throw new UsageProblem(`This is not the URL of a pull request, such as ${webUrl}${examplePath}.`);
  }
  return { kind: 'hosted', ...read, host: host.id, number: read.number };
}

/**
 * Only a number with a mark at the end distinguishes a pull request from a branch, whose name may contain slashes and
 * numbers.
 */
function readShortTarget(given: string, hosts: WebHost[]): Target | null {
  if (!/[#!]\d+$/.test(given)) return null;
  const read = parsePastedAddress(given, hosts);
  const host = hosts.find(({ id }) => id === read?.host);
  if (/\/.*[#!](?:0+|\d{16,})$/.test(given))
    throw new UsageProblem(`${given} does not contain a valid pull request number.`);
  if (!read || !host || read.number === null) return null;
  if (read.owner.includes('/') && !host.ownersNest)
    throw new UsageProblem(`${host.name} has no nested groups: write OWNER/REPO#7.`);
  return { kind: 'hosted', ...read, host: host.id, number: read.number };
}

function unknownHost(given: string, hosts: WebHost[]): string {
  const known = hosts.map(({ webUrl, urlSetting }) => `${urlSetting} (${webUrl ?? 'unset'})`).join(', ');
  return (
    `${URL.parse(given)?.origin ?? 'This'} is not a supported code host. Supported: ${known}. ` +
    'For other hosts, clone the repository and pass a branch in it, or pipe the diff.'
  );
}
