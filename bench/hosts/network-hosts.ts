import * as tea from '../../test/gitea/make-repository.ts';
import { startGitea } from '../../test/gitea/stand-in.ts';
import { account as teaAccount, pull as teaPull } from '../../test/gitea/state.ts';
import { type ScriptedAnswer, standInCertificate, startGitHub } from '../../test/github/stand-in.ts';
import * as hub from '../../test/github/state.ts';
import { startGitLab } from '../../test/gitlab/stand-in.ts';
import * as lab from '../../test/gitlab/state.ts';
import type { makeLargeRepository } from '../../test/make-large-repository.ts';
import { fileName, makeSmallRepository } from './make-small-repository.ts';

/** A code host with acme/warm and acme/small, whose pull request 1 is small, and large ones. */
export interface BenchHost {
  id: string;
  environment: Record<string, string>;
  tokens: [string, string];
  script: (path: RegExp, answer: ScriptedAnswer) => () => void;
  /** Pushes a commit to acme/small. */
  push: () => void;
}

export interface Large {
  fullName: string;
  made: ReturnType<typeof makeLargeRepository>;
  files: number;
}

const [before, pushed] = ['2026-03-01T10:00:00Z', '2026-03-02T10:00:00Z'];

/** GitLab tells milliseconds, too. */
const labTime = (time: string): string => new Date(time).toISOString();

const comments = ['Which rows?', 'Those of the table.'].map((body) => ({
  author: 'rin',
  body,
  createdAt: before,
}));
const remark = { author: 'rin', body: 'Why from zero?', createdAt: before, path: fileName, line: 2 };
const issue = { number: 5, title: 'Nobody counts', body: 'Rows are not counted.' };
const text = { title: 'feat: count the rows', body: `Closes #${issue.number}.` };

/** As many as are asked for: the first, and one that is fetched while others wait. */
const largeNumbers = [1, 2];
const isPublic = { NODE_EXTRA_CA_CERTS: standInCertificate };

async function prepareGitHub(all: Large[]): Promise<BenchHost> {
  const { url, state, script } = await startGitHub();
  state.accounts.push(hub.account(1, 'ann', 'ghp_ann'), hub.account(2, 'bea', 'ghp_bea'));
  const small = (id: number, fullName: string) => {
    const { gitFolder, base, commits, diffUpTo } = makeSmallRepository();
    const upTo = (count: number) => {
      const sha = commits[count - 1]?.sha ?? '';
      return { head: { ref: 'topic', sha }, commits: commits.slice(0, count), diff: diffUpTo(sha) };
    };
    const pull = hub.pull(1, 'rows', {
      ...text,
      ...upTo(2),
      base: { ref: 'main', sha: base },
      mergeBase: base,
      comments,
      reviews: [
        { id: 1, author: 'rin', body: 'One question.', state: 'COMMENTED', submittedAt: before },
        { id: 2, author: 'kai', body: 'Good.', state: 'APPROVED', submittedAt: before },
      ],
      reviewComments: [{ ...remark, reviewId: 1 }],
      closingIssues: [{ ...issue, repositoryId: id }],
    });
    state.repositories.push(hub.repository(id, fullName, { gitFolder, pulls: [pull] }));
    return () => void Object.assign(pull, upTo(3), { updatedAt: pushed });
  };
  small(71, 'acme/warm');
  for (const [place, { fullName, files, made }] of all.entries()) {
    const { base, head, gitFolder } = made;
    const range = { base: { ref: 'main', sha: base }, head: { ref: 'topic', sha: head }, mergeBase: base };
    const pulls = largeNumbers.map((number) =>
      hub.pull(number, 'large', { ...range, changedFiles: files, diff: null }),
    );
    state.repositories.push(hub.repository(80 + place, fullName, { gitFolder, pulls }));
  }
  return {
    id: 'github',
    environment: { ...isPublic, GITHUB_URL: url },
    tokens: ['ghp_ann', 'ghp_bea'],
    script,
    push: small(72, 'acme/small'),
  };
}

async function prepareGitLab(all: Large[]): Promise<BenchHost> {
  const { url, state, script } = await startGitLab();
  const tokens: [string, string] = ['glpat-tokenOfAnn', 'glpat-tokenOfBea'];
  state.accounts.push(lab.account(1, 'ann', tokens[0]), lab.account(2, 'bea', tokens[1]));
  const { body, author, path, line } = remark;
  const createdAt = labTime(before);
  const position = { old_path: path, new_path: path, old_line: null, new_line: line };
  const small = (id: number, fullName: string) => {
    const { gitFolder, base, commits, moveTo } = makeSmallRepository();
    const upTo = (count: number) => {
      const sha = commits[count - 1]?.sha ?? '';
      moveTo(sha);
      return { headSha: sha, commits: commits.slice(0, count).toReversed() };
    };
    const change = {
      iid: 1,
      words: 'rows',
      title: text.title,
      description: text.body,
      baseSha: base,
      ...upTo(2),
      discussions: [
        ...comments.map((comment) => [{ ...comment, createdAt }]),
        [{ author, body: 'One question.', createdAt }],
        [{ author, body, createdAt, type: 'DiffNote' as const, position }],
        [{ author: 'kai', body: 'approved this merge request', createdAt, isSystem: true }],
      ],
      issues: [{ iid: issue.number, title: issue.title, body: issue.body }],
    };
    const project = lab.project(id, fullName, [change], { gitFolder });
    state.projects.push(project);
    return () => void Object.assign(project.mergeRequests[0] ?? {}, upTo(3), { updatedAt: labTime(pushed) });
  };
  small(71, 'acme/warm');
  for (const [place, { fullName, made }] of all.entries()) {
    const range = { words: 'large', baseSha: made.base, headSha: made.head };
    const changes = largeNumbers.map((iid) => ({ ...range, iid }));
    state.projects.push(lab.project(80 + place, fullName, changes, { gitFolder: made.gitFolder }));
  }
  return {
    id: 'gitlab',
    environment: { ...isPublic, GITLAB_URL: url },
    tokens,
    script,
    push: small(72, 'acme/small'),
  };
}

async function prepareGitea(all: Large[]): Promise<BenchHost> {
  const { url, state, script } = await startGitea();
  const tokens: [string, string] = ['a'.repeat(40), 'b'.repeat(40)];
  state.accounts.push(teaAccount(1, 'ann', tokens[0]), teaAccount(2, 'bea', tokens[1]));
  const small = (id: number, fullName: string) => {
    const { gitFolder, base, commits, moveTo } = makeSmallRepository();
    const upTo = (count: number) => {
      const sha = commits[count - 1]?.sha ?? '';
      moveTo(sha);
      return { head: sha, commits: commits.slice(0, count) };
    };
    const pull = teaPull(1, 'rows', {
      ...text,
      ...upTo(2),
      mergeBase: base,
      comments,
      reviews: [
        {
          id: 1,
          author: 'rin',
          body: 'One question.',
          state: 'COMMENT',
          submittedAt: before,
          comments: [remark],
        },
        { id: 2, author: 'kai', body: 'Good.', state: 'APPROVED', submittedAt: before, comments: [] },
      ],
    });
    const repository = tea.repository(id, fullName, { gitFolder, pulls: [pull], issues: [issue] });
    state.repositories.push(repository);
    return () => void Object.assign(repository.pulls[0] ?? {}, upTo(3), { updatedAt: pushed });
  };
  small(71, 'acme/warm');
  for (const [place, { fullName, files, made }] of all.entries()) {
    const { base: mergeBase, head, gitFolder } = made;
    const pulls = largeNumbers.map((number) => teaPull(number, 'large', { mergeBase, head, files }));
    state.repositories.push(tea.repository(80 + place, fullName, { gitFolder, pulls }));
  }
  return {
    id: 'gitea',
    environment: { ...isPublic, GITEA_URL: url },
    tokens,
    script,
    push: small(72, 'acme/small'),
  };
}

/** All of them with the same pull requests. */
export const prepareHosts = (all: Large[]): Promise<BenchHost[]> =>
  Promise.all([prepareGitHub(all), prepareGitLab(all), prepareGitea(all)]);
