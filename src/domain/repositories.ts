/** Matches every name that the known code hosts allow, and nothing that could refer to another folder. */
export const repositoryNamePattern = '^(?!\\.$)(?!.*\\.\\.)[A-Za-z0-9_.-]+$';

export const repositoryNameMaxLength = 100;

/** Names of owners; nested groups are separated by slashes. */
export const ownerPattern = '^(?!.*\\.\\.)(?!\\.(?:/|$))[A-Za-z0-9_.-]+(?:/(?!\\.(?:/|$))[A-Za-z0-9_.-]+)*$';

export const ownerMaxLength = 400;

const namePattern = new RegExp(repositoryNamePattern);
const wholeOwner = new RegExp(ownerPattern);

export function isRepositoryName(text: string): boolean {
  return text.length <= repositoryNameMaxLength && namePattern.test(text);
}

export function isOwner(text: string): boolean {
  return text.length <= ownerMaxLength && wholeOwner.test(text);
}

export function ownerAndName(text: string): { owner: string; name: string } {
  const end = text.lastIndexOf('/');
  return { owner: text.slice(0, Math.max(end, 0)), name: text.slice(end + 1) };
}

export const repositorySegments = (owner: string, name: string): string =>
  `${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;

/** The host of a name without a host: the first one, or for a nested owner the first that has nested owners. */
export function hostMeant<Host extends { ownersNest?: boolean }>(
  hosts: Host[],
  owner: string | undefined,
): Host | undefined {
  const nesting = owner?.includes('/') ? hosts.find(({ ownersNest }) => ownersNest) : undefined;
  return nesting ?? hosts[0];
}

/** The id of the clones among code hosts. Stored rows contain it even if clones are no longer read. */
export const clonesHost = 'git';

export type CloneProblem =
  | 'missing'
  | 'unreadable'
  | 'replaced'
  | 'outsideRoots'
  | 'borrows'
  | 'leadsOutside';

export const isFromClone = ({ host }: { host: string }): boolean => host === clonesHost;

/** The longest address that is parsed: longer than any of a repository or pull request. */
export const longestAddress = 2000;

export interface PastedAddress {
  host: string;
  owner: string;
  repo: string;
  number: number | null;
}

interface KnownHost {
  id: string;
  webUrl: string | null;
  isLocal: boolean;
  ownersNest?: boolean;
}

const short = /^([^\s/#!]+)\/([^\s/#!]+?)(?:\.git)?(?:\s*(?:#|!|\/|\/pulls?\/|@)(\d+))?\/?$/;
const inAddress =
  /^\/([^/]+)\/([^/]+?)(?:\.git)?(?:\/(?:pull|pulls|issues|(?:-\/)?merge_requests)\/(\d+))?(?:\/.*)?$/;

/** If owners are nested, all names before `/-/` belong to the repository. Issues there have numbers of their own. */
const nestedInAddress =
  /^\/((?:(?!(?:-|merge_requests)\/)[^/]+\/)+(?!(?:-|merge_requests)\/)[^/]+?)(?:\.git)?(?:(?:\/-)?\/merge_requests\/(\d+)(?:\/.*)?|\/-\/.*)?\/?$/;
const nestedShort = /^((?:[^\s/#!]+\/){2,}[^\s/#!]+?)(?:\.git)?(?:\s*[#!@](\d+))?\/?$/;

/** The form of git's addresses: git@host:owner/repo.git. */
const forGit = /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+):(?!\/\/|\d+\/)\/?([^\s/]+\/\S+)$/;

/**
 * Parses a pasted address: that of a pull request with any tail, or of a repository, on any of the hosts;
 * `owner/repo#7` or `owner/repo` on the first of them. Clones without a web address are assumed to come from GitHub.
 */
export function parsePastedAddress(pasted: string, hosts: KnownHost[]): PastedAddress | null {
  // Pasted text may include the end of a sentence, or the brackets that mail puts around addresses.
  const text = pasted.trim().replace(/^[<("'`]+|[>)"'`,;.]+$/g, '');
  const url = parsedUrl(text);
  for (const host of hosts) {
    const { webUrl } = host;
    const web = webUrl === null ? null : URL.parse(webUrl);
    const folder = web?.pathname.replace(/\/$/, '') ?? '';
    if (url && web && isSameName(web, url) && url.pathname.startsWith(`${folder}/`))
      return readPath(host, url.pathname.slice(folder.length));
  }
  if (url && isGitHub(url)) {
    const clones = hosts.find(({ isLocal, webUrl }) => isLocal && webUrl === null);
    return clones ? readPath(clones, url.pathname) : null;
  }
  return readShort(hosts, text);
}

function readPath({ id, ownersNest }: KnownHost, path: string): PastedAddress | null {
  if (ownersNest) return pastedAddress(id, foundNested(nestedInAddress.exec(path)));
  const [, owner, repo, digits] = inAddress.exec(path) ?? [];
  return pastedAddress(id, { owner, repo, digits });
}

function readShort(hosts: KnownHost[], text: string): PastedAddress | null {
  const [, owner, repo, digits] = short.exec(text) ?? [];
  const found = owner === undefined ? foundNested(nestedShort.exec(text)) : { owner, repo, digits };
  // Only hosts with groups use this notation.
  const isMerge = text.includes('!');
  const host = (isMerge && hosts.find(({ ownersNest }) => ownersNest)) || hostMeant(hosts, found.owner);
  return host ? pastedAddress(host.id, found) : null;
}

function foundNested(found: RegExpExecArray | null): Found {
  const [, fullName = '', digits] = found ?? [];
  const { owner, name: repo } = ownerAndName(fullName);
  return { owner, repo, digits };
}

/** Whether a text is only names separated by slashes: a short name of a repository, or a path. */
export const isNameOrPath = (pasted: string): boolean =>
  /^[^\s/#!@:]+(?:\/[^\s/#!@:]+)+(?<!\.git)\/?$/.test(pasted.trim());

export function isAddressAt(webUrl: string, pasted: string): boolean {
  const url = parsedUrl(pasted.trim());
  return url !== null && isSameName(new URL(webUrl), url);
}

const isGitHub = ({ hostname }: URL): boolean => /^(?:www\.)?github\.com$/.test(hostname);

const isSameName = (one: URL, other: URL): boolean =>
  one.host === other.host ||
  (isGitHub(one) && isGitHub(other)) ||
  // Git uses another port for ssh.
  (other.protocol === 'ssh:' && one.hostname === other.hostname);

function parsedUrl(text: string): URL | null {
  const [, name, path] = forGit.exec(text) ?? [];
  if (name) return URL.parse(`https://${name}/${path}`);
  const isWhole = /^(?:https?|ssh|git|git\+https|git\+ssh):\/\//i.test(text);
  // URL parses only web addresses in the same way everywhere, so for others the name and path are compared.
  return URL.parse(isWhole ? text.replace(/^git(?:\+\w+)?:/i, 'https:') : `https://${text}`);
}

interface Found {
  owner: string | undefined;
  repo: string | undefined;
  digits: string | undefined;
}

function pastedAddress(host: string, { owner = '', repo = '', digits }: Found): PastedAddress | null {
  if (!isOwner(owner) || !isRepositoryName(repo)) return null;
  const number = digits === undefined ? null : Number(digits);
  return number === null || (number > 0 && Number.isSafeInteger(number))
    ? { host, owner, repo, number }
    : null;
}

/** A path without leading `./` and trailing slashes; the root is empty. */
export function plainPath(path: string): string {
  const plain = path.trim().replace(/^(?:\.?\/+)+|\/+\.?$/g, '');
  return plain === '.' ? '' : plain;
}

export function matchesPath(fileName: string, plain: string): boolean {
  const [name, wanted] = [fileName.toLowerCase(), plain.toLowerCase()];
  return wanted === '' || name === wanted || name.startsWith(`${wanted}/`) || name.endsWith(`/${wanted}`);
}
