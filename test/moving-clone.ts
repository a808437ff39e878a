import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Chance } from './chance.ts';
import { git } from './make-clone.ts';
import {
  asStream,
  type Files,
  line,
  mergedFiles,
  nearestCommon,
  type Revision,
  scratch,
} from './revision.ts';

// A real clone whose history changes like those of busy projects, always in the same way for the same seed. `step`
// makes a random change and describes it ('squash #3', 'rewrite main', …), and `numbers` lists all pull requests so
// far. Pull requests are recorded as in a mirror: by refs/pull/N/head, by refs/pull/N/merge while open, and by the
// commits of the default branch. `clone-oracle.ts` computes the expected diffs with git.

interface PullRequest {
  number: number;
  title: string;
  author: string;
  /** The commit it branched off, and the pull request it is stacked on. */
  start: Revision;
  below: PullRequest | null;
  head: Revision;
  state: 'open' | 'closed' | 'merged';
}

const people = ['Ada', 'Bo', 'Chidi', 'Dunja', 'Emil'];
const words = 'amber birch cedar delta ember fjord grove heath inlet jetty knoll loch mesa notch oasis'.split(
  ' ',
);

export class MovingClone {
  readonly folder: string;
  readonly #chance: Chance;
  readonly #pulls: PullRequest[] = [];
  readonly #draft: Revision[] = [];
  readonly #refs = new Map<string, Revision | null>();
  #tip: Revision;
  #branch = 'main';
  #made = 0;

  constructor(folder: string, seed: number) {
    this.folder = folder;
    this.#chance = new Chance(seed);
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '--quiet', '--bare', '--initial-branch=main');
    const files = new Map(words.slice(0, 6).map((word) => [`${word}.txt`, this.#page()]));
    this.#tip = this.#commit('Begin', [], files, this.#chance.one(people));
    for (let more = 0; more < 3; more += 1) this.#workOnDefault();
    this.#write();
  }

  numbers(): number[] {
    return this.#pulls.map(({ number }) => number);
  }

  /** Makes one random change; returns its description. */
  step(): string {
    const open = this.#pulls.filter(({ state }) => state === 'open');
    const closed = this.#pulls.filter(({ state }) => state === 'closed');
    const pull = this.#chance.pick(open);
    const whatever = [() => this.#open(null)];
    if (pull) {
      whatever.push(
        () => this.#workOnDefault(),
        () => this.#open(null),
        () => this.#open(pull),
        () => this.#open(pull),
        () => this.#push(pull),
        () => this.#rebase(pull),
        () => this.#bringUpToDate(pull),
        () => this.#mergeCommit(pull),
        () => this.#mergeCommit(pull),
        () => this.#squash(pull),
        () => this.#squash(pull),
        () => this.#rebaseAndMerge(pull),
        () => this.#mergeIntoBelow(pull),
        () => this.#setState(pull, 'closed'),
        () => this.#rewriteDefault(),
        () => this.#rewindDefault(),
        () => this.#replaceDefault(pull),
        () => this.#renameDefault(),
        () => this.#tidy(),
      );
    }
    const again = this.#chance.pick(closed);
    if (again) whatever.push(() => this.#setState(again, 'open'));
    const happened = this.#chance.one(whatever)();
    this.#write();
    return happened;
  }

  #open(below: PullRequest | null): string {
    const number = this.#pulls.length + 1;
    const start = below?.head ?? this.#chance.one(line(this.#tip, null).slice(0, 4));
    const pull: PullRequest = {
      number,
      title: this.#sentence(),
      author: this.#chance.one(people),
      start,
      below,
      head: start,
      state: 'open',
    };
    this.#pulls.push(pull);
    this.#grow(pull);
    this.#setState(pull, 'open');
    return below ? `stack #${number} on #${below.number}` : `open #${number}`;
  }

  #push(pull: PullRequest): string {
    this.#grow(pull);
    return `push to #${pull.number}`;
  }

  #grow(pull: PullRequest): void {
    for (let left = this.#chance.from(1, 3); left > 0; left -= 1) {
      this.#setHead(pull, this.#change(pull.head, this.#sentence(), pull.author));
    }
  }

  /** Rebases a pull request on the one it is stacked on, or on the default branch. */
  #rebase(pull: PullRequest): string {
    if (pull.below?.state === 'merged') pull.below = null;
    const start = pull.below?.head ?? this.#tip;
    const head = this.#replay(line(pull.head, pull.start), start);
    pull.start = start;
    this.#setHead(pull, head);
    return `rebase #${pull.number}`;
  }

  #bringUpToDate(pull: PullRequest): string {
    const message = `Merge branch '${this.#branch}' into change-${pull.number}`;
    this.#setHead(pull, this.#merge(pull.head, this.#tip, message, pull.author));
    return `merge the default branch into #${pull.number}`;
  }

  #mergeCommit(pull: PullRequest): string {
    const message = `Merge pull request #${pull.number} from someone/change-${pull.number}\n\n${pull.title}`;
    this.#setTip(this.#merge(this.#tip, pull.head, message, 'Bo'));
    this.#setState(pull, 'merged');
    return `merge #${pull.number}`;
  }

  #squash(pull: PullRequest): string {
    const base = nearestCommon(this.#tip, pull.head);
    const files = mergedFiles(base?.files, this.#tip.files, pull.head.files);
    this.#setTip(this.#commit(`${pull.title} (#${pull.number})`, [this.#tip], files, pull.author));
    this.#setState(pull, 'merged');
    return `squash #${pull.number}`;
  }

  #rebaseAndMerge(pull: PullRequest): string {
    this.#setTip(this.#replay(line(pull.head, pull.start), this.#tip));
    this.#setState(pull, 'merged');
    return `rebase and merge #${pull.number}`;
  }

  #mergeIntoBelow(pull: PullRequest): string {
    const { below } = pull;
    if (below?.state !== 'open') return this.#mergeCommit(pull);
    const message = `Merge pull request #${pull.number} from someone/change-${pull.number}\n\n${pull.title}`;
    this.#setHead(below, this.#merge(below.head, pull.head, message, 'Bo'));
    this.#setState(pull, 'merged');
    return `merge #${pull.number} into #${below.number}`;
  }

  #workOnDefault(): string {
    this.#setTip(this.#change(this.#tip, this.#sentence()));
    return 'work on the default branch';
  }

  /** Rewrites the last commits of the default branch with other ids. */
  #rewriteDefault(): string {
    const last = line(this.#tip, null).slice(0, this.#chance.from(1, 5));
    const from = last.at(-1)?.parents[0];
    if (!from) return this.#workOnDefault();
    this.#setTip(this.#replay(last, from));
    return 'rewrite the default branch';
  }

  #rewindDefault(): string {
    this.#setTip(this.#chance.one(line(this.#tip, null).slice(1, 5).concat(this.#tip)));
    return 'rewind the default branch';
  }

  /** Replaces the default branch with a branch that has merged it, which swaps the parents' order. */
  #replaceDefault(pull: PullRequest): string {
    const message = `Merge branch '${this.#branch}'`;
    this.#setTip(this.#merge(pull.head, this.#tip, message, pull.author));
    return `continue the default branch from #${pull.number}`;
  }

  #renameDefault(): string {
    this.#refs.set(`refs/heads/${this.#branch}`, null);
    this.#branch = `${this.#chance.one(words)}-${this.#made}`;
    this.#setTip(this.#tip);
    this.#write();
    git(this.folder, 'symbolic-ref', 'HEAD', `refs/heads/${this.#branch}`);
    return `name the default branch ${this.#branch}`;
  }

  /** Changes without visible effect: refs and objects are packed, and unreachable objects are pruned. */
  #tidy(): string {
    if (this.#chance.from(0, 1) === 0) git(this.folder, 'pack-refs', '--all');
    else git(this.folder, 'gc', '--quiet', '--prune=now');
    return 'tidy up';
  }

  #setTip(tip: Revision): void {
    this.#tip = tip;
    this.#refs.set(`refs/heads/${this.#branch}`, tip);
  }

  #setHead(pull: PullRequest, head: Revision): void {
    pull.head = head;
    this.#refs.set(`refs/pull/${pull.number}/head`, head);
  }

  #setState(pull: PullRequest, state: PullRequest['state']): string {
    pull.state = state;
    this.#refs.set(`refs/pull/${pull.number}/merge`, state === 'open' ? pull.head : null);
    return `#${pull.number} is ${state}`;
  }

  #merge(ours: Revision, theirs: Revision, message: string, author: string): Revision {
    const files = mergedFiles(nearestCommon(ours, theirs)?.files, ours.files, theirs.files);
    return this.#commit(message, [ours, theirs], files, author);
  }

  /** Applies commits, newest first, on top of another one. */
  #replay(commits: Revision[], onto: Revision): Revision {
    return commits.reduceRight((parent, commit) => {
      const files = mergedFiles(commit.parents[0]?.files, parent.files, commit.files);
      return this.#commit(commit.message, [parent, ...commit.parents.slice(1)], files, commit.author);
    }, onto);
  }

  #change(parent: Revision, message: string, author = this.#chance.one(people)): Revision {
    const files = new Map(parent.files);
    for (let left = this.#chance.from(1, 3); left > 0; left -= 1) {
      const path = this.#chance.pick([...files.keys()]);
      const kind = this.#chance.from(0, 9);
      if (!path || kind === 0)
        files.set(`${this.#chance.one(words)}-${this.#made}/${left}.txt`, this.#page());
      else if (kind === 1) files.delete(path);
      else if (kind === 2) {
        files.set(`moved/${this.#made}-${left}.txt`, files.get(path) ?? '');
        files.delete(path);
      } else files.set(path, this.#edit(files.get(path) ?? ''));
    }
    return this.#commit(message, [parent], files, author);
  }

  #edit(text: string): string {
    const lines = text.split('\n').slice(0, -1);
    const at = this.#chance.from(0, lines.length);
    lines.splice(at, this.#chance.from(0, 2), this.#sentence());
    return `${lines.join('\n')}\n`;
  }

  #page = (): string =>
    Array.from({ length: this.#chance.from(4, 30) }, () => `${this.#sentence()}\n`).join('');

  #sentence = (): string => Array.from({ length: 4 }, () => this.#chance.one(words)).join(' ');

  #commit(message: string, parents: Revision[], files: Files, author: string): Revision {
    this.#made += 1;
    const revision = { order: this.#made, sha: '', parents, files, message, author };
    this.#draft.push(revision);
    return revision;
  }

  /** Writes new commits and moved refs, with one run of git for each. */
  #write(): void {
    if (this.#draft.length > 0) {
      const stream = this.#draft.map(asStream).join('');
      const shas = run(this.folder, ['fast-import', '--quiet', '--force'], stream).split('\n');
      for (const [index, revision] of this.#draft.entries()) revision.sha = shas[index] ?? '';
      this.#draft.length = 0;
      this.#refs.set(scratch, null);
    }
    const orders = [...this.#refs].map(([ref, to]) => (to ? `update ${ref} ${to.sha}\n` : `delete ${ref}\n`));
    run(this.folder, ['update-ref', '--stdin'], orders.join(''));
    this.#refs.clear();
  }
}

const run = (folder: string, parameters: string[], input: string): string =>
  execFileSync('git', ['-C', folder, ...parameters], { input, encoding: 'utf8' });
