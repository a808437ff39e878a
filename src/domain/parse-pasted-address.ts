import { isRepositoryName } from './repository-name.ts';

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
}

const short = /^([^\s/#!]+)\/([^\s/#!]+?)(?:\.git)?(?:(?:#|!|\/|\/pull\/)(\d+))?\/?$/;
const inAddress =
  /^\/([^/]+)\/([^/]+?)(?:\.git)?(?:\/(?:pull|pulls|issues|(?:-\/)?merge_requests)\/(\d+))?(?:\/.*)?$/;

/**
 * Reads what people paste: the address of a pull request on one of the hosts with any tail, or of a repository;
 * `owner/repo#7` or `owner/repo` on the first of them. Null for anything else.
 */
export function parsePastedAddress(pasted: string, hosts: KnownHost[]): PastedAddress | null {
  const text = pasted.trim();
  const url = urlOf(text);
  for (const { id, webUrl } of hosts) {
    const web = webUrl === null ? null : URL.parse(webUrl);
    const folder = web?.pathname.replace(/\/$/, '') ?? '';
    if (url && web?.host === url.host && url.pathname.startsWith(`${folder}/`))
      return addressOf(id, inAddress.exec(url.pathname.slice(folder.length)));
  }
  const [first] = hosts;
  return first ? addressOf(first.id, short.exec(text)) : null;
}

/** Whether something is an address of github.com, whatever hosts are read. */
export const isOnGitHub = (pasted: string): boolean =>
  /^(?:www\.)?github\.com$/.test(urlOf(pasted.trim())?.hostname ?? '');

const urlOf = (text: string): URL | null => URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);

function addressOf(host: string, found: RegExpExecArray | null): PastedAddress | null {
  const [, owner = '', repo = '', digits] = found ?? [];
  if (!isRepositoryName(owner) || !isRepositoryName(repo)) return null;
  const number = digits === undefined ? null : Number(digits);
  if (number !== null && (!Number.isSafeInteger(number) || number < 1)) return null;
  return { host, owner, repo, number };
}
