import { execFileSync } from 'node:child_process';
import { describe } from './describe.ts';
import { type Asked, notFound, pageOf, type Reply } from './reply.ts';
import type { StandInPull, StandInRepository } from './state.ts';

/** The output of git, or null if it finds no such object. */
function git({ gitFolder }: StandInRepository, ...parameters: string[]): string | null {
  try {
    return execFileSync('git', ['-C', gitFolder, ...parameters], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
  } catch {
    return null;
  }
}

export function sendRef(repository: StandInRepository, ref: string): Reply {
  const sha = git(repository, 'rev-parse', '--verify', `refs/${ref}`)?.trim();
  if (!sha) return notFound;
  const object = { type: 'commit', sha };
  return { status: 200, body: describe('Reference', { ref: `refs/${ref}`, object }) };
}

const format = '%H%x00%P%x00%cI%x00%B%x00%x00';

function commitsIn(repository: StandInRepository, ...range: string[]): unknown[] {
  const printed = git(repository, 'log', `--format=${format}`, ...range) ?? '';
  return printed.split('\0\0\n').flatMap((one) => {
    const [sha = '', parents = '', date, message = ''] = one.split('\0');
    if (sha === '') return [];
    const commit = { message, committer: { name: 'Mona', date }, author: { name: 'Mona' } };
    const parentsOf = parents
      .split(' ')
      .filter(Boolean)
      .map((parent) => ({ sha: parent }));
    return [describe('Commit', { sha, parents: parentsOf, commit })];
  });
}

/** Gitea's response about commits; null for other paths. */
export function sendCommits(
  repository: StandInRepository,
  rest: string,
  asked: Asked,
  pullOf: (pull: StandInPull) => unknown,
): Reply | null {
  const [, ref] = /^\/git\/commits\/([^/]+)$/.exec(rest) ?? [];
  if (ref !== undefined) {
    const [commit] = commitsIn(repository, '-1', decodeURIComponent(ref), '--');
    return commit ? { status: 200, body: commit } : notFound;
  }
  const [, sha] = /^\/commits\/(\w+)\/pull$/.exec(rest) ?? [];
  if (sha !== undefined) {
    const pull = repository.pulls.find((one) => one.mergeCommitSha === sha);
    return pull ? { status: 200, body: describe('PullRequest', pullOf(pull)) } : notFound;
  }
  if (rest !== '/commits') return null;
  const from = asked.query.get('sha') ?? 'HEAD';
  const not = asked.query.get('not');
  const commits = commitsIn(repository, from, ...(not ? [`^${not}`] : []), '--');
  return pageOf(asked, commits, (commit) => commit, { isLinked: true });
}
