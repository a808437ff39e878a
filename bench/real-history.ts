import { execFileSync, spawnSync } from 'node:child_process';
import { Chance } from '../test/chance.ts';
import { git } from '../test/make-clone.ts';

interface PullRequest {
  number: number;
  state: 'open' | 'closed' | 'merged';
}

/** Far enough back that pull requests of today are still open then, near enough that they still apply. */
const commitsBack = 120;
const pullsAtFirst = 4;

/** Those that are made up have numbers that no commit of a real clone names. */
const firstMade = 1_000_000;

/** Reading one is not what takes long, but many are read many times. */
const mostFiles = 25;

/**
 * A copy of a real clone, some time before now, whose real pull requests are merged, squashed, rebased, stacked, closed
 * and opened again at random, and whose default branch is rewritten and rewound: always the same way for the same seed.
 */
export class RealHistory {
  readonly folder: string;
  readonly #chance: Chance;
  readonly #pulls: PullRequest[] = [];
  #made = 0;

  constructor(mirror: string, folder: string, seed: number) {
    this.folder = folder;
    this.#chance = new Chance(seed);
    execFileSync('git', ['clone', '--quiet', '--bare', '--single-branch', '--no-tags', mirror, folder]);
    const back = commitsBack + this.#chance.from(0, 60);
    this.#setTip(git(folder, 'rev-list', '--first-parent', `--skip=${back}`, '--max-count=1', 'HEAD').trim());
    this.#takePullRequests(mirror);
  }

  numbers(): number[] {
    return this.#pulls.map(({ number }) => number);
  }

  /** Lets one thing happen and says what. */
  step(): string {
    const open = this.#pulls.filter(({ state }) => state === 'open');
    const pull = this.#chance.pick(open);
    const closed = this.#chance.pick(this.#pulls.filter(({ state }) => state === 'closed'));
    const whatever = [() => this.#rewriteDefault(), () => this.#rewindDefault()];
    if (pull) {
      whatever.push(
        () => this.#merge(pull),
        () => this.#merge(pull),
        () => this.#squash(pull),
        () => this.#squash(pull),
        () => this.#rebase(pull),
        () => this.#bringUpToDate(pull),
        () => this.#stack(pull),
        () => this.#stack(pull),
        () => this.#setState(pull, 'closed'),
      );
    }
    if (closed) whatever.push(() => this.#setState(closed, 'open'));
    return this.#chance.one(whatever)();
  }

  /** Some that were not yet merged into the default branch as it was then, and are not too large. */
  #takePullRequests(mirror: string): void {
    const merged = git(this.folder, 'log', '--format=%s', 'HEAD').matchAll(
      /^Merge pull request #(\d+) |\(#(\d+)\)$/gm,
    );
    const named = new Set([...merged].map(([, merge, squash]) => Number(merge ?? squash)));
    const refs = git(mirror, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/pull/').matchAll(
      /^(\w+) refs\/pull\/(\d+)\/head$/gm,
    );
    const known = [...refs].map(([, sha = '', number]) => ({ sha, number: Number(number) })).slice(-900);
    for (let tries = 0; tries < 400 && this.#pulls.length < pullsAtFirst; tries += 1) {
      const { sha, number } = this.#chance.one(known);
      if (named.has(number) || this.numbers().includes(number) || !this.#isSmall(sha)) continue;
      this.#pulls.push({ number, state: 'open' });
      this.#setHead(number, sha);
      this.#setState({ number, state: 'open' }, 'open');
    }
    if (this.#pulls.length < pullsAtFirst) throw new Error(`${mirror} has too few pull requests.`);
  }

  #isSmall(head: string): boolean {
    const run = (...parameters: string[]) =>
      spawnSync('git', ['-C', this.folder, ...parameters], { encoding: 'utf8' });
    // A clone of one branch has the objects of all when it is made by links.
    if (run('cat-file', '-e', head).status !== 0) return false;
    const base = run('merge-base', 'HEAD', head);
    if (base.status !== 0 || base.stdout.trim() === head) return false;
    const files = run('diff', '--name-only', base.stdout.trim(), head).stdout.split('\n').length - 1;
    return files > 0 && files <= mostFiles;
  }

  #merge({ number }: PullRequest): string {
    const message = `Merge pull request #${number} from someone/change-${number}\n\nChange number ${number}`;
    this.#setTip(
      this.#commit(this.#mergedTree(this.#tip, this.head(number)), [this.#tip, this.head(number)], message),
    );
    this.#setState(this.#pull(number), 'merged');
    return `merge #${number}`;
  }

  #squash({ number }: PullRequest): string {
    const tree = this.#mergedTree(this.#tip, this.head(number));
    this.#setTip(this.#commit(tree, [this.#tip], `Change number ${number} (#${number})`));
    this.#setState(this.#pull(number), 'merged');
    return `squash #${number}`;
  }

  #rebase({ number }: PullRequest): string {
    const tree = this.#mergedTree(this.#tip, this.head(number));
    this.#setHead(number, this.#commit(tree, [this.#tip], `Change number ${number}`));
    return `rebase #${number}`;
  }

  #bringUpToDate({ number }: PullRequest): string {
    const head = this.head(number);
    const message = `Merge the default branch into change-${number}`;
    this.#setHead(number, this.#commit(this.#mergedTree(head, this.#tip), [head, this.#tip], message));
    return `merge the default branch into #${number}`;
  }

  /** What another pull request changes, on top of this one. */
  #stack({ number: below }: PullRequest): string {
    const [head, other] = [this.head(below), this.head(this.#chance.one(this.#pulls).number)];
    const number = firstMade + this.#pulls.length;
    const parted = git(this.folder, 'merge-base', 'HEAD', other).trim();
    // Git merges from where two commits parted: as if this one's files had been made there.
    const made = this.#commit(`${head}^{tree}`, [parted], 'What is stacked on');
    this.#pulls.push({ number, state: 'open' });
    this.#setHead(number, this.#commit(this.#mergedTree(made, other), [head], `Change number ${number}`));
    this.#setState(this.#pull(number), 'open');
    return `stack #${number} on #${below}`;
  }

  /** The last commit of the default branch anew, with another id. */
  #rewriteDefault(): string {
    const parents = git(this.folder, 'rev-list', '--parents', '--max-count=1', this.#tip)
      .trim()
      .split(' ')
      .slice(1);
    const message = git(this.folder, 'log', '--max-count=1', '--format=%B', this.#tip);
    this.#setTip(this.#commit(`${this.#tip}^{tree}`, parents, message));
    return 'rewrite the default branch';
  }

  #rewindDefault(): string {
    const back = this.#chance.from(1, 4);
    this.#setTip(git(this.folder, 'rev-parse', `${this.#tip}~${back}`).trim());
    return `rewind the default branch by ${back}`;
  }

  get #tip(): string {
    return git(this.folder, 'rev-parse', 'HEAD').trim();
  }

  head = (number: number): string => git(this.folder, 'rev-parse', `refs/pull/${number}/head`).trim();

  #pull(number: number): PullRequest {
    const pull = this.#pulls.find((one) => one.number === number);
    if (!pull) throw new Error(`There is no pull request ${number}.`);
    return pull;
  }

  #setTip = (sha: string): string => git(this.folder, 'update-ref', 'HEAD', sha);

  #setHead = (number: number, sha: string): string =>
    git(this.folder, 'update-ref', `refs/pull/${number}/head`, sha);

  #setState(pull: PullRequest, state: PullRequest['state']): string {
    const ref = `refs/pull/${pull.number}/merge`;
    if (state === 'open') git(this.folder, 'update-ref', ref, this.head(pull.number));
    else git(this.folder, 'update-ref', '-d', ref);
    pull.state = state;
    return `#${pull.number} is ${state}`;
  }

  /** Where both have changed the same lines, git leaves its marks in the file, which is a change like any other. */
  #mergedTree(ours: string, theirs: string): string {
    const { stdout } = spawnSync('git', ['-C', this.folder, 'merge-tree', '--write-tree', ours, theirs], {
      encoding: 'utf8',
    });
    // What git cannot merge at all stays as it is.
    return stdout.split('\n')[0] || `${ours}^{tree}`;
  }

  #commit(tree: string, parents: string[], message: string): string {
    this.#made += 1;
    const author = { GIT_AUTHOR_NAME: 'Rin Example', GIT_AUTHOR_EMAIL: 'rin@example.org' };
    const committer = { GIT_COMMITTER_NAME: 'Rin Example', GIT_COMMITTER_EMAIL: 'rin@example.org' };
    const date = `${1.79e9 + this.#made * 60} +0000`;
    return execFileSync(
      'git',
      ['-C', this.folder, 'commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])],
      {
        input: message,
        encoding: 'utf8',
        env: { ...author, ...committer, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      },
    ).trim();
  }
}
