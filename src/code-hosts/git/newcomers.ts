import { BoundedMap } from '../bounded-map.ts';
import type { HostRange } from '../code-host.ts';
import type { Clone, GitRunner } from '../git-runner/run-git.ts';
import { readShallow } from './pull-request-index.ts';
import { loginOf, readLog } from './read-commits.ts';

type Range = Pick<HostRange, 'fromSha' | 'toSha'>;

const mostCached = 1024 * 1024;

/** The authors between two commits never change. */
export class CachedNewcomers {
  readonly #cached = new BoundedMap<ReadonlySet<string>>(
    mostCached,
    (logins, key) => key.length + [...logins].join(' ').length,
  );

  async find(git: GitRunner, clone: Clone, range: Range): Promise<ReadonlySet<string>> {
    // A shallow clone lacks earlier commits.
    if ((await readShallow(clone)) !== '') return new Set();
    const key = [clone.gitFolder, range.fromSha, range.toSha].join('\n');
    const known = this.#cached.get(key);
    if (known) return known;
    const found = await findNewcomers(git, clone, range);
    this.#cached.set(key, found);
    return found;
  }
}

/** After longer histories, nobody is known to be new. */
const mostRead = 5_000;

const fields = [
  { format: '%an', most: 200 },
  { format: '%ae', most: 200 },
  { format: '%(trailers:key=Co-authored-by,valueonly)', most: 20_000 },
];

/** An author is new if neither the name, nor the address, nor the login occurs in an earlier commit. */
async function findNewcomers(git: GitRunner, clone: Clone, { fromSha, toSha }: Range): Promise<Set<string>> {
  const known = new Set<string>();
  let read = 0;
  for await (const [name = '', email = '', others = ''] of readLog(git, clone, fields, [
    `--max-count=${mostRead + 1}`,
    fromSha,
  ])) {
    read += 1;
    if (read > mostRead) return new Set();
    for (const one of namesOf(name, email)) known.add(one);
    for (const [, named = '', address = ''] of others.matchAll(/^([^<\n]{0,200})<([^>\n]{1,200})>/gm))
      for (const one of namesOf(named, address)) known.add(one);
  }
  const named = new Map<string, string[]>();
  for await (const [name = '', email = ''] of readLog(git, clone, fields, [
    `--max-count=${mostRead}`,
    `${fromSha}..${toSha}`,
  ])) {
    const login = loginOf({ authorName: name, authorEmail: email });
    named.set(login, [...(named.get(login) ?? []), ...namesOf(name, email)]);
  }
  return new Set(
    [...named].flatMap(([login, names]) => (names.some((one) => known.has(one)) ? [] : [login])),
  );
}

const namesOf = (name: string, email: string): string[] =>
  [...new Set([name, email, loginOf({ authorName: name, authorEmail: email })])]
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '');
