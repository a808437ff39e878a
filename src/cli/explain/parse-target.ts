import { UsageProblem } from '../command.ts';

/** What is to be explained. */
export type Target =
  | { kind: 'patch' }
  | { kind: 'hosted'; owner: string; repo: string; number: number }
  | { kind: 'number'; number: number }
  | { kind: 'branch'; base: string | null; head: string | null };

/** What a parameter names: an address, OWNER/REPO#NUMBER, a number, a range or a branch; without one, what is checked out. */
export function parseTarget(given: string | undefined, github: URL): Target {
  if (given === undefined) return { kind: 'branch', base: null, head: null };
  if (given === '-') return { kind: 'patch' };
  const number = /^#?([1-9]\d{0,14})$/.exec(given)?.[1];
  if (number) return { kind: 'number', number: Number(number) };
  const address = addressIn(given, github);
  if (address) return parseAddress(address, github);
  const [, owner, repo, ofRepository] = /^([\w.-]+)\/([\w.-]+)#([1-9]\d{0,14})$/.exec(given) ?? [];
  if (owner && repo) return { kind: 'hosted', owner, repo, number: Number(ofRepository) };
  if (!/^[^\s\p{Cc}:]+$/u.test(given))
    throw new UsageProblem(`${given} is no pull request, no range and no branch.`);
  const [, base = '', head = ''] = /^(.*?)\.{2,3}(.*)$/.exec(given) ?? [];
  if (base === '' && head === '') return { kind: 'branch', base: null, head: given };
  for (const name of [base, head]) if (name.startsWith('-')) throw new UsageProblem(`${name} is no branch.`);
  return { kind: 'branch', base: base || 'HEAD', head: head || 'HEAD' };
}

/** Addresses are copied with and without their beginning. */
function addressIn(given: string, { host }: URL): URL | null {
  if (/^https?:\/\//i.test(given)) return URL.parse(given);
  return given.toLowerCase().startsWith(`${host}/`) ? URL.parse(`https://${given}`) : null;
}

function parseAddress({ host, pathname, origin }: URL, github: URL): Target {
  if (host !== github.host)
    throw new UsageProblem(
      `${origin} is not ${github.origin}, which is the only host whose addresses are read (GITHUB_URL names another GitHub). ` +
        'Of other hosts, clone the repository and name a branch in it, or pipe the diff.',
    );
  const [, owner, repo, number] =
    /^\/([\w.-]+)\/([\w.-]+)\/pull\/([1-9]\d{0,14})(?:\/|$)/.exec(pathname) ?? [];
  if (owner && repo) return { kind: 'hosted', owner, repo, number: Number(number) };
  throw new UsageProblem(`This is no address of a pull request, such as ${github.origin}/OWNER/REPO/pull/7.`);
}
