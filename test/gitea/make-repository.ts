import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import type { PullOfTest, StandInRepository } from './state.ts';

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
const base = 1;
const markOf = (place: number): number => base + 1 + place;

function commit(ref: string, mark: number, message: string, rest: string): string {
  const by = 'committer Mona <mona@example.org> 1772359200 +0000';
  return `commit ${ref}\nmark :${mark}\n${by}\n${data(message)}${rest}\n`;
}

const fileOf = (path: string, text: string): string => `M 100644 inline ${path}\n${data(text)}`;

/** Commits on a common base, each at the ref that Gitea keeps for a pull request. */
function makePulls(pulls: PullOfTest[]): { gitFolder: string; pulls: PullOfTest[] } {
  const gitFolder = join(temporaryFolder(), 'made.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitFolder]);
  const heads = pulls.map(({ number, title, words, files }, place) => {
    const added = Array.from({ length: files }, (_, index) =>
      fileOf(`src/file-${index}.ts`, `export const words = '${words}';\n`),
    );
    return commit(`refs/pull/${number}/head`, markOf(place), title, `from :${base}\n${added.join('')}`);
  });
  const marks = join(gitFolder, 'marks');
  execFileSync('git', ['-C', gitFolder, 'fast-import', '--quiet', `--export-marks=${marks}`], {
    input: commit('refs/heads/main', base, 'Begin', fileOf('README.md', '# Made\n')) + heads.join(''),
  });
  const printed = readFileSync(marks, 'utf8').trim().split('\n');
  const shas = new Map(printed.map((line) => line.split(' ') as [string, string]));
  const shaOf = (mark: number): string => shas.get(`:${mark}`) ?? '';
  const withCommits = pulls.map((pull, place) => ({
    ...pull,
    mergeBase: pull.mergeBase || shaOf(base),
    head: pull.head || shaOf(markOf(place)),
    commits:
      pull.commits.length > 0
        ? pull.commits
        : [{ sha: shaOf(markOf(place)), message: pull.title, author: 'Mona' }],
  }));
  return { gitFolder, pulls: withCommits };
}

type Given = Partial<Omit<StandInRepository, 'pulls'>> & { pulls?: PullOfTest[] };

/** A repository with its own commits; pull requests without commits of their own add files. */
export function repository(
  id: number,
  fullName: string,
  { pulls = [], ...rest }: Given = {},
): StandInRepository {
  const [owner = '', name = ''] = fullName.split('/');
  const made = rest.gitFolder === undefined ? makePulls(pulls) : { gitFolder: rest.gitFolder, pulls };
  return {
    id,
    owner,
    name,
    formerNames: [],
    isPrivate: false,
    ownerVisibility: 'public',
    visibleTo: new Set(),
    withoutCode: new Set(),
    hasPulls: true,
    hasCode: true,
    admins: new Set(),
    issues: [],
    tags: [],
    ...rest,
    gitFolder: made.gitFolder,
    pulls: made.pulls.map(({ words: _, ...pull }) => pull),
  };
}

/** Adds a commit to a pull request, as a push does. */
export function push(
  { gitFolder }: { gitFolder: string },
  pull: { number: number; head: string },
  words: string,
): string {
  const ref = `refs/pull/${pull.number}/head`;
  const stream = commit(
    ref,
    base,
    words,
    `from ${pull.head}\n${fileOf('src/pushed.ts', `export const pushed = '${words}';\n`)}`,
  );
  execFileSync('git', ['-C', gitFolder, 'fast-import', '--quiet', '--force'], { input: stream });
  pull.head = execFileSync('git', ['-C', gitFolder, 'rev-parse', ref]).toString().trim();
  return pull.head;
}
