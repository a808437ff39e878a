import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendCommits, sendRef } from './answer-commits.ts';
import { describe } from './describe.ts';
import { type Asked, notFound, pageOf, type Reply, refusal } from './reply.ts';
import type { GiteaState, StandInAccount, StandInPull, StandInRepository } from './state.ts';

/** Responds as a Gitea with this state. */
export function createResponder(state: GiteaState, folder: string) {
  return (target: string, request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, search, searchParams: query } = new URL(target, 'https://any');
    const token = /^(?:bearer|token) (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const account = state.accounts.find(({ tokens }) => token !== undefined && tokens.has(token)) ?? null;
    const path = pathname.replace(/^\/api\/v1(?=\/)/, '');
    const asked = { path, query, account, token, mostItems: state.mostItems };
    const { status, headers, body } =
      path === pathname ? notAnApi : answer(state, asked, `${folder}/api/v1`, search);
    response.writeHead(status, { 'content-type': 'application/json;charset=utf-8', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Pages for people, which programs do not request. */
const notAnApi: Reply = {
  status: 404,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: '<!DOCTYPE html><title>Page Not Found</title>',
};

const lacksScope = ({ account, token = '' }: Asked, category: string): Reply | null => {
  const scopes = account?.scopes.get(token);
  if (!scopes || scopes.includes(`read:${category}`)) return null;
  return refusal(
    403,
    `token does not have at least one of required scope(s), required=[read:${category}], token scope=${scopes.join()}`,
  );
};

function answer(state: GiteaState, asked: Asked, api: string, search: string): Reply {
  const { path, account, token, query } = asked;
  if (token !== undefined && !account) return refusal(401, 'invalid username, password or token');
  if (account?.isProhibited)
    return refusal(
      403,
      'This account is prohibited from signing in, please contact your site administrator.',
    );
  if (!account && state.requiresSignIn) return refusal(403, 'Only signed in user is allowed to call APIs.');
  if (path === '/version') return { status: 200, body: describe('ServerVersion', { version: '1.27.0' }) };
  if (path === '/user' || path === '/user/settings') {
    if (!account) return refusal(401, 'token is required');
    const body =
      path === '/user'
        ? describe('User', accountOf(account))
        : describe('UserSettings', { hide_email: account.hidesEmail });
    return lacksScope(asked, 'user') ?? { status: 200, body };
  }
  if (path === '/users/search') {
    const found = state.accounts.filter(({ id }) => id === Number(query.get('uid')));
    return { status: 200, body: { ok: true, data: found.map((one) => describe('User', accountOf(one))) } };
  }
  if (path === '/repos/search')
    return lacksScope(asked, 'repository') ?? { status: 200, body: { ok: true, data: [] } };
  if (path === '/repos/issues/search') return lacksScope(asked, 'issue') ?? { status: 200, body: [] };
  const found = findRepository(state, asked);
  if (!found) return notFound;
  const { repository, rest, former } = found;
  // Gitea redirects a renamed repository before it checks who asks.
  const location = `${api}/repos/${repository.owner}/${repository.name}${rest}${search}`;
  if (former) return { status: 301, headers: { location }, body: '' };
  const category = rest.startsWith('/issues/') ? 'issue' : 'repository';
  if (!maySee(repository, account)) return notFound;
  return lacksScope(asked, category) ?? sendRepository(repository, rest, asked);
}

function findRepository({ repositories }: GiteaState, { path, account }: Asked) {
  const [, id] = /^\/repositories\/(\d+)$/.exec(path) ?? [];
  if (id !== undefined) {
    // Gitea needs a token for a repository by its id.
    const repository = account && repositories.find((one) => one.id === Number(id));
    return repository && { repository, rest: '', former: false };
  }
  const [, fullName = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/.exec(path) ?? [];
  const isNamed = (name: string): boolean => name.toLowerCase() === fullName.toLowerCase();
  const named = repositories.find(({ owner, name }) => isNamed(`${owner}/${name}`));
  if (named) return { repository: named, rest, former: false };
  const moved = repositories.find(({ formerNames }) => formerNames.some(isNamed));
  return moved ? { repository: moved, rest, former: true } : null;
}

export function maySee(
  { isPrivate, ownerVisibility, visibleTo }: StandInRepository,
  account: StandInAccount | null,
): boolean {
  if (account && visibleTo.has(account.login)) return true;
  if (isPrivate || ownerVisibility === 'private') return false;
  return ownerVisibility === 'public' || account !== null;
}

/** Whether the repository's code unit is on, and the account may see it. */
export function maySeeCode(
  { hasCode, admins, withoutCode }: StandInRepository,
  account: StandInAccount | null,
): boolean {
  const login = account?.login ?? '';
  return admins.has(login) || (hasCode && !withoutCode.has(login));
}

function sendRepository(repository: StandInRepository, rest: string, asked: Asked): Reply {
  if (rest === '') return { status: 200, body: describe('Repository', repositoryOf(repository)) };
  const isWithout = asked.account !== null && repository.withoutCode.has(asked.account.login);
  if ((isWithout || !repository.hasPulls) && rest.startsWith('/pulls')) return notFound;
  // Pull requests are issues too, and as issues they are visible without the code unit.
  const isOfCode = !rest.startsWith('/issues/');
  if (isWithout || (isOfCode && !maySeeCode(repository, asked.account)))
    return refusal(403, 'user should have specific read permission or be a repo admin or a site admin');
  if (rest === '/pulls') {
    const state = asked.query.get('state') ?? 'open';
    const pulls = repository.pulls
      .filter((pull) => state === 'all' || pull.state === state)
      .sort((one, other) =>
        asked.query.get('sort') === 'recentupdate'
          ? Date.parse(other.updatedAt) - Date.parse(one.updatedAt)
          : other.number - one.number,
      );
    return pageOf(asked, pulls, (pull) => describe('PullRequest', pullOf(repository, pull)), {
      isLinked: true,
    });
  }
  if (rest === '/tags')
    return pageOf(asked, repository.tags, (name) => describe('Tag', { name, id: '', message: '' }));
  const [, ref] = /^\/git\/refs\/(.+)$/.exec(rest) ?? [];
  if (ref !== undefined) return sendRef(repository, ref);
  const byCommit = sendCommits(repository, rest, asked, (pull) => pullOf(repository, pull));
  if (byCommit) return byCommit;
  const [, kind, number, part = ''] = /^\/(pulls|issues)\/(\d+)(\/.+)?$/.exec(rest) ?? [];
  const pull = repository.pulls.find((one) => one.number === Number(number));
  if (kind === 'issues' && part === '') {
    const issue = repository.issues.find((one) => one.number === Number(number));
    if (issue)
      return { status: 200, body: describe('Issue', { ...issue, state: 'open', pull_request: null }) };
    return pull ? { status: 200, body: describe('Issue', issueOfPull(pull)) } : notFound;
  }
  return pull ? sendPull(repository, pull, `/${kind}${part}`, asked) : notFound;
}

function sendPull(repository: StandInRepository, pull: StandInPull, part: string, asked: Asked): Reply {
  const [, review] = /^\/pulls\/reviews\/(\d+)\/comments$/.exec(part) ?? [];
  if (review !== undefined) {
    const comments = pull.reviews.find(({ id }) => id === Number(review))?.comments;
    return comments
      ? { status: 200, body: comments.map((one) => describe('PullReviewComment', remarkOf(pull, one))) }
      : notFound;
  }
  switch (part) {
    case '/pulls':
      return {
        status: 200,
        body: describe('PullRequest', { ...pullOf(repository, pull), ...countsOf(pull) }),
      };
    case '/pulls/commits':
      return pageOf(asked, pull.commits.toReversed(), (one) => describe('Commit', commitOf(one)), {
        isLinked: true,
      });
    case '/pulls/files':
      return pageOf(asked, Array.from({ length: pull.files }), (_, index) =>
        describe('ChangedFile', {
          filename: `src/file-${index}.ts`,
          status: 'added',
          additions: 1,
          deletions: 0,
        }),
      );
    case '/pulls/reviews': {
      const shown = pull.reviews.filter(
        ({ state, author }) => state !== 'PENDING' || author === asked.account?.login,
      );
      return pageOf(asked, shown, (one) => describe('PullReview', reviewOf(one)));
    }
    // Gitea returns this list without pages.
    case '/issues/comments':
      return {
        status: 200,
        headers: { 'x-total-count': String(pull.comments.length) },
        body: pull.comments.map((one) => describe('Comment', commentOf(pull, one))),
      };
    case '/issues/timeline':
      return timelineOf(pull, asked);
    default:
      return notFound;
  }
}

const userOf = (login: string | null) =>
  login === null ? { id: -1, login: 'Ghost', full_name: 'Ghost' } : { id: 900, login, full_name: '' };

/** An account as it and administrators see it, with its email address even if that is hidden. */
const accountOf = ({ id, login, fullName, email }: StandInAccount) => ({
  id,
  login,
  full_name: fullName,
  email,
  avatar_url: `https://gitea.example/avatars/${id}`,
  visibility: 'public',
});

const repositoryOf = ({
  id,
  owner,
  name,
  isPrivate,
  ownerVisibility,
  hasPulls,
  hasCode,
}: StandInRepository) => ({
  id,
  name,
  full_name: `${owner}/${name}`,
  owner: { id: 1, login: owner, visibility: ownerVisibility },
  private: isPrivate,
  internal: !isPrivate && ownerVisibility === 'private',
  has_pull_requests: hasPulls,
  has_code: hasCode,
});

/** If the branch has moved on, Gitea gives its newest commit as head of an old merge. */
const pullOf = (repository: StandInRepository, pull: StandInPull) => ({
  number: pull.number,
  title: pull.title,
  body: pull.body,
  user: userOf(pull.author),
  state: pull.state,
  labels: pull.labels.map((name, index) => ({ id: index + 1, name })),
  draft: pull.isDraft,
  created_at: pull.createdAt,
  updated_at: pull.updatedAt,
  merged: pull.mergedAt !== null,
  merged_at: pull.mergedAt,
  merge_base: pull.mergeBase,
  merge_commit_sha: pull.mergeCommitSha,
  base: { ref: pull.baseRef, sha: pull.mergeBase, repo: repositoryOf(repository) },
  head: { ref: 'topic', sha: pull.branchSha ?? pull.head, repo: null },
});

/** Gitea lists pull requests among issues. */
const issueOfPull = ({ number, title, body, state, isDraft, mergedAt }: StandInPull) => ({
  number,
  title,
  body,
  state,
  pull_request: { merged: mergedAt !== null, merged_at: mergedAt, draft: isDraft, html_url: '' },
});

const countsOf = ({ files }: StandInPull) => ({ changed_files: files, additions: files, deletions: 0 });

const commitOf = ({ sha, message, author }: StandInPull['commits'][number]) => ({
  sha,
  // Git stores messages with a newline at the end.
  commit: { message: `${message}\n`, author: { name: author } },
});

const commentOf = (
  { comments }: StandInPull,
  comment: StandInPull['comments'][number],
  { author, body, createdAt } = comment,
) => ({
  id: 5_000 + comments.indexOf(comment),
  user: userOf(author),
  body,
  created_at: createdAt,
});

/** Gitea counts only the events on the page, and includes texts of reviews that were not submitted. */
function timelineOf({ pushes, mentionedBy, reviews }: StandInPull, { query }: Asked): Reply {
  const events = [
    ...pushes.map(({ at, isForced, commits }) => ({
      type: 'pull_push',
      body: JSON.stringify({ is_force_push: isForced, commit_ids: commits }),
      created_at: at,
    })),
    ...reviews.map(({ body, submittedAt, author }) => ({
      type: 'review',
      user: userOf(author),
      body,
      created_at: submittedAt,
    })),
    ...mentionedBy.map(({ number, isMerged, repository }) => ({
      type: 'pull_ref',
      body: '',
      created_at: '2026-03-01T10:00:00Z',
      ref_issue: {
        number,
        pull_request: { merged: isMerged },
        repository: {
          id: 1,
          name: repository.split('/')[1],
          owner: repository.split('/')[0],
          full_name: repository,
        },
      },
    })),
  ];
  const [size, page] = [Number(query.get('limit') ?? 50), Number(query.get('page') ?? 1)];
  const shown = events.slice((page - 1) * size, page * size);
  return {
    status: 200,
    headers: { 'x-total-count': String(shown.length) },
    body: shown.map((one, index) => describe('TimelineComment', { id: index + 1, ref_issue: null, ...one })),
  };
}

const reviewOf = ({
  id,
  author,
  body,
  state,
  submittedAt,
  comments,
  commit = '',
  isDismissed = false,
}: StandInPull['reviews'][number]) => ({
  commit_id: commit,
  dismissed: isDismissed,
  id,
  user: userOf(author),
  body,
  state,
  submitted_at: submittedAt,
  comments_count: comments.length,
});

const remarkOf = (
  { reviews }: StandInPull,
  remark: StandInPull['reviews'][number]['comments'][number],
  { author, body, createdAt, path, line, hunk = '', resolver } = remark,
) => ({
  id: 6_000 + reviews.flatMap(({ comments }) => comments).indexOf(remark),
  user: userOf(author),
  resolver: resolver === undefined ? null : userOf(resolver),
  body,
  created_at: createdAt,
  path,
  position: line,
  original_position: 0,
  diff_hunk: hunk,
});
