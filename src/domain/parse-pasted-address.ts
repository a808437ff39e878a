import { isRepositoryName } from './repository-name.ts';

/** No address that a host gives a repository or a pull request comes near this. */
export const longestAddress = 2000;

/** What a user names by a URL or in short: a pull request, or a repository. */
export interface PastedAddress {
  host: string;
  owner: string;
  repo: string;
  number: number | null;
}

interface KnownHost {
  id: string;
  webUrl: string | null;
  /** Whether it is a folder of clones, which may come from anywhere. */
  isLocal: boolean;
}

/** Why something names nothing: a number that no pull request has is told from all else. */
export type Unreadable = 'unknown' | 'hugeNumber' | 'zero';

const short = /^([^\s/#!]+)\/([^\s/#!]+?)(?:\.git)?(?:\s*(?:#|!|\/|\/pulls?\/|@)(\d+))?\/?$/;
const inAddress =
  /^\/([^/]+)\/([^/]+?)(?:\.git)?(?:\/(?:pull|pulls|issues|(?:-\/)?merge_requests)\/(\d+))?(?:\/.*)?$/;

/** How git writes an address: git@host:owner/repo.git. */
const forGit = /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+):(?!\/\/|\d+\/)\/?([^\s/]+\/\S+)$/;

/**
 * Reads what people paste: the address of a pull request on one of the hosts with any tail, or of a repository;
 * `owner/repo#7` or `owner/repo` on the first of them. Clones that are said to come from nowhere come from GitHub.
 */
export function parsePastedAddress(pasted: string, hosts: KnownHost[]): PastedAddress | Unreadable {
  // People copy a sentence's end, or what mail puts around addresses, along with them.
  const text = pasted.trim().replace(/^[<("'`]+|[>)"'`,;.]+$/g, '');
  const url = urlOf(text);
  for (const { id, webUrl } of hosts) {
    const web = webUrl === null ? null : URL.parse(webUrl);
    const folder = web?.pathname.replace(/\/$/, '') ?? '';
    if (url && web && isSameName(web, url) && url.pathname.startsWith(`${folder}/`))
      return addressOf(id, inAddress.exec(url.pathname.slice(folder.length)));
  }
  if (url && isGitHub(url)) {
    const clones = hosts.find(({ isLocal, webUrl }) => isLocal && webUrl === null);
    return clones ? addressOf(clones.id, inAddress.exec(url.pathname)) : 'unknown';
  }
  const [first] = hosts;
  return first ? addressOf(first.id, short.exec(text)) : 'unknown';
}

/** Whether something is two names with a slash between them, and nothing more: a repository in short, or a path. */
export const isNameOrPath = (pasted: string): boolean =>
  /^[^\s/#!@:]+\/[^\s/#!@:]+(?<!\.git)\/?$/.test(pasted.trim());

/** Whether something is an address at a place on the web, whatever hosts are read. */
export function isAddressAt(webUrl: string, pasted: string): boolean {
  const url = urlOf(pasted.trim());
  return url !== null && isSameName(new URL(webUrl), url);
}

const isGitHub = ({ hostname }: URL): boolean => /^(?:www\.)?github\.com$/.test(hostname);

const isSameName = (one: URL, other: URL): boolean =>
  one.host === other.host ||
  (isGitHub(one) && isGitHub(other)) ||
  // Git asks at another port.
  (other.protocol === 'ssh:' && one.hostname === other.hostname);

function urlOf(text: string): URL | null {
  const [, name, path] = forGit.exec(text) ?? [];
  if (name) return URL.parse(`https://${name}/${path}`);
  const isWhole = /^(?:https?|ssh|git|git\+https|git\+ssh):\/\//i.test(text);
  // Only addresses of the web are taken apart alike by URL; of all others, the name and the path count.
  return URL.parse(isWhole ? text.replace(/^git(?:\+\w+)?:/i, 'https:') : `https://${text}`);
}

function addressOf(host: string, found: RegExpExecArray | null): PastedAddress | Unreadable {
  const [, owner = '', repo = '', digits] = found ?? [];
  if (!isRepositoryName(owner) || !isRepositoryName(repo)) return 'unknown';
  const number = digits === undefined ? null : Number(digits);
  if (number !== null && !Number.isSafeInteger(number)) return 'hugeNumber';
  return number === 0 ? 'zero' : { host, owner, repo, number };
}
