import { execFileSync } from 'node:child_process';

interface ToldChange {
  number: number | null;
  title: string;
  commits: readonly { sha: string; subject: string; body: string }[];
}

/** What git says of the releases of a mirror, and nothing but git: no code of the service is used here. */
export function openOracle(folder: string) {
  const git = (...parameters: string[]): string =>
    execFileSync('git', ['-C', folder, ...parameters], { encoding: 'utf8', maxBuffer: 1 << 30 });
  const lines = (...parameters: string[]): string[] =>
    git(...parameters)
      .split('\n')
      .filter(Boolean);

  const heads = new Map(
    lines('for-each-ref', '--format=%(refname) %(objectname)', 'refs/pull/').flatMap((line) => {
      const [, number, sha = ''] = /^refs\/pull\/(\d+)\/head (\w+)$/.exec(line) ?? [];
      return number ? [[Number(number), sha] as const] : [];
    }),
  );

  /** Which number a subject names, in either way. */
  const named = (subject: string): number => {
    if (subject.startsWith('Merge pull request #')) return Number.parseInt(subject.slice(20), 10);
    const at = subject.lastIndexOf('(#');
    const inside = at === -1 || !subject.endsWith(')') ? '' : subject.slice(at + 2, -1);
    return /^\d+$/.test(inside) ? Number(inside) : 0;
  };
  const read = (...which: string[]) =>
    lines('log', '--format=%H%x09%P%x09%s', ...which).map((line) => {
      const [sha = '', parents = '', ...subject] = line.split('\t');
      return { sha, parents: parents.split(' '), subject: subject.join('\t') };
    });
  /** By number, the oldest commit of some that names it: joining its head before all others. */
  const oldest = (all: ReturnType<typeof read>, line: ReturnType<typeof read>): Map<number, string> => {
    const found = new Map<number, string>();
    for (const { sha, subject } of line) if (heads.has(named(subject))) found.set(named(subject), sha);
    for (const { sha, parents, subject } of all)
      if (parents[1] && heads.get(named(subject)) === parents[1]) found.set(named(subject), sha);
    return found;
  };
  const onDefault = oldest(read('HEAD'), read('--first-parent', 'HEAD'));

  const titleOf = (sha: string): string => {
    const [subject = '', , ...body] = git('show', '--no-patch', '--format=%s%n%n%b', sha).split('\n');
    return subject.startsWith('Merge pull request #')
      ? (body.find((line) => line.trim() !== '') ?? subject)
      : subject;
  };
  const bare = (title: string): string =>
    title
      .replace(/(\s*\(#\d+\))+$/, '')
      .replace(/^\[[^\]]*\]:?\s*/, '')
      .replace(/^(backport|cherry-?pick)[^:]*:\s*/i, '')
      .trim()
      .toLowerCase();

  return {
    /** Pairs of tags that follow each other in time, spread over all of history, whichever branches they are on. */
    pairsOfTags(count: number): [string, string][] {
      const tags = lines('for-each-ref', '--sort=creatordate', '--format=%(refname:lstrip=2)', 'refs/tags/');
      const step = Math.max(1, Math.floor((tags.length - 1) / count));
      return Array.from({ length: Math.min(count, tags.length - 1) }, (_, index) => {
        const at = tags.length - 1 - index * step;
        return [tags[at - 1] ?? '', tags[at] ?? ''];
      });
    },

    /** By number, the commit that brought it in: what the default branch says, or else the branch of the end. */
    pullRequestsIn(from: string, to: string): Map<number, string> {
      const range = [`refs/tags/${to}`, `^refs/tags/${from}`];
      const all = read(...range);
      const inRange = new Set(all.map(({ sha }) => sha));
      const found = new Map([...onDefault].filter(([, sha]) => inRange.has(sha)));
      // First parents, from the end on, as long as they are in the range.
      const bySha = new Map(all.map((commit) => [commit.sha, commit]));
      const line: typeof all = [];
      for (let at = all[0]; at; at = bySha.get(at.parents[0] ?? '')) line.push(at);
      for (const [number, sha] of oldest(all, line)) {
        const elsewhere = onDefault.get(number);
        if (found.has(number)) continue;
        const isSame =
          elsewhere === undefined ||
          line.some(
            (commit) =>
              named(commit.subject) === number &&
              (bare(titleOf(commit.sha)) === bare(titleOf(elsewhere)) ||
                git('show', '--no-patch', '--format=%b', commit.sha).includes(
                  `cherry picked from commit ${elsewhere}`,
                )),
          );
        if (isSame) found.set(number, sha);
      }
      return found;
    },

    /** Commits that are no merges and that no pull request brought. */
    bareCommits(from: string, to: string, brought: Iterable<string>): string[] {
      const owned = new Set([...brought].flatMap((sha) => [sha, ...lines('rev-list', `${sha}^1..${sha}`)]));
      const range = [`refs/tags/${to}`, `^refs/tags/${from}`];
      return lines('rev-list', '--no-merges', ...range).filter((sha) => !owned.has(sha));
    },

    /** Whether the words of a change say that it takes another one back, as git reads them. */
    bearsOut(by: ToldChange['commits'], title: string, change: ToldChange): boolean {
      const text = by.map(({ sha }) => git('show', '--no-patch', '--format=%B', sha)).join('\n');
      const said = [...text.matchAll(/reverts commit (\w{7,40})/g)].map(([, sha = '']) => sha);
      if (said.some((sha) => change.commits.some((commit) => commit.sha.startsWith(sha)))) return true;
      if (change.number !== null && new RegExp(`#${change.number}\\b`).test(`${title}\n${text}`)) return true;
      return title.toLowerCase().includes(bare(change.title));
    },

    /** Whether a change names by its commit one that stands beside it. */
    takesBackOneOf(change: ToldChange, others: readonly ToldChange[]): boolean {
      const [first] = change.commits;
      const text = first ? git('show', '--no-patch', '--format=%b', first.sha).trim() : '';
      const [, sha] = /^This reverts commit (\w{7,40})\b/.exec(text) ?? [];
      return (
        Boolean(sha) && others.some((one) => one !== change && one.commits[0]?.sha.startsWith(sha ?? ''))
      );
    },

    isCopy(change: ToldChange, original: ToldChange): boolean {
      const text = change.commits.map(({ sha }) => git('show', '--no-patch', '--format=%B', sha)).join('\n');
      const names =
        original.number !== null && new RegExp(`#${original.number}\\b`).test(`${change.title}\n${text}`);
      const picked = original.commits.some(({ sha }) => text.includes(`cherry picked from commit ${sha}`));
      return names || picked || bare(change.title) === bare(original.title);
    },
  };
}

export type Oracle = ReturnType<typeof openOracle>;
