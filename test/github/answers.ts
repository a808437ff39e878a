import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkQuery } from './check-query.ts';
import { compare } from './compare.ts';
import type { GitHubState, StandInAccount, StandInPull, StandInRepository } from './state.ts';

/** Makes GitHub's responses from the state of a test, and checks them against GitHub's own description. */
export type Describe = (operation: string, values: unknown) => unknown;

interface Asked {
  path: string;
  query: URLSearchParams;
  request: IncomingMessage;
  account: StandInAccount | null;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body that is not JSON. */
  text?: string;
}

const notFound: Reply = { status: 404, body: { message: 'Not Found' } };

/** Responds as a GitHub with this state. */
export function createResponder(state: GitHubState, describe: Describe, apiOf: (host: string) => string) {
  return async (target: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname: path, search, searchParams: query } = new URL(target, 'https://any');
    const token = /^(?:bearer|token) (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const account = state.accounts.find(({ tokens }) => token !== undefined && tokens.has(token)) ?? null;
    const asked = { path, query, request, account };
    const answer = async (): Promise<Reply> => {
      if (token !== undefined && !account) return { status: 401, body: { message: 'Bad credentials' } };
      if (account?.isSuspended)
        return { status: 403, body: { message: 'Sorry. Your account was suspended.' } };
      if (path === '/graphql' || path === '/api/graphql') return sendQuery(state, asked);
      if (path === '/user') return sendUser(describe, account);
      const [, id] = /^\/user\/(\d+)$/.exec(path) ?? [];
      if (id) return sendAccount(describe, state, Number(id));
      const found = findRepository(state, asked);
      if (!found) return notFound;
      if (!found.hasMoved) return sendRepository(describe, found.repository, found.rest, asked);
      const location = `${apiOf(request.headers.host ?? '')}/repositories/${found.repository.id}${found.rest}${search}`;
      return { status: 301, headers: { location }, body: { message: 'Moved Permanently', url: location } };
    };
    send(request, response, await answer());
  };
}

function sendUser(describe: Describe, account: StandInAccount | null): Reply {
  if (!account) return { status: 401, body: { message: 'Requires authentication' } };
  return { status: 200, body: describe('get /user', accountOf(account)) };
}

/** An account as every caller sees it. */
function sendAccount(describe: Describe, { accounts }: GitHubState, id: number): Reply {
  const known = accounts.find((one) => one.id === id);
  if (!known) return notFound;
  return { status: 200, body: describe('get /user/{account_id}', accountOf(known)) };
}

function findRepository({ repositories }: GitHubState, { path, account }: Asked) {
  const [, id, restOfId = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? [];
  const [, owner = '', name = '', restOfName = ''] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const shown = repositories.filter((one) => maySee(one, account));
  const rest = id ? restOfId : restOfName;
  const named = shown.find((one) => (id ? one.id === Number(id) : isNamed(one, owner, name)));
  if (named) return { repository: named, rest, hasMoved: false };
  const moved = shown.find(({ formerNames }) => formerNames.includes(`${owner}/${name}`));
  return moved ? { repository: moved, rest, hasMoved: true } : null;
}

const isNamed = ({ owner, name }: StandInRepository, wantedOwner: string, wantedName: string): boolean =>
  owner.toLowerCase() === wantedOwner.toLowerCase() && name.toLowerCase() === wantedName.toLowerCase();

const maySee = ({ visibility, visibleTo }: StandInRepository, account: StandInAccount | null): boolean =>
  visibility === 'public' || (account !== null && visibleTo.has(account.login));

function sendRepository(
  describe: Describe,
  repository: StandInRepository,
  rest: string,
  asked: Asked,
): Reply {
  const route = (operation: string): string => `get /repos/{owner}/{repo}${operation}`;
  if (rest === '') return { status: 200, body: describe(route(''), repositoryOf(repository)) };
  if (rest === '/pulls') {
    const state = asked.query.get('state') ?? 'open';
    const pulls = repository.pulls
      .filter((pull) => state === 'all' || pull.state === state)
      .sort((one, other) =>
        asked.query.get('sort') === 'updated'
          ? Date.parse(other.updatedAt) - Date.parse(one.updatedAt)
          : other.number - one.number,
      );
    return pageOf(asked, pulls, (page) =>
      describe(
        route('/pulls'),
        page.map((pull) => pullOf(repository, pull)),
      ),
    );
  }
  const [, base, head] = /^\/compare\/(.+?)\.\.\.(.+)$/.exec(rest) ?? [];
  if (base && head) {
    const between = compare(repository, [base, head], asked.query);
    if (between) return { status: 200, body: describe(route('/compare/{basehead}'), between) };
    const compared = repository.pulls.find((pull) => pull.head.sha === head && pull.base.sha === base);
    if (!compared) return notFound;
    const comparison = { merge_base_commit: { sha: compared.mergeBase }, commits: [], files: [] };
    return { status: 200, body: describe(route('/compare/{basehead}'), comparison) };
  }
  // Of a list of tags only names are read, so it is not checked against GitHub's description.
  if (rest === '/tags')
    return pageOf(asked, repository.history?.tags ?? [], (page) => page.map((name) => ({ name })));
  const [, sha] = /^\/commits\/(\w+)\/pulls$/.exec(rest) ?? [];
  if (sha) {
    const commit = repository.history?.commits.find((one) => one.sha === sha);
    const came = repository.pulls.filter(({ number }) => commit?.pulls?.includes(number));
    // GitHub's description gives these items the same type.
    return pageOf(asked, came, (page) =>
      describe(
        route('/pulls'),
        page.map((pull) => pullOf(repository, pull)),
      ),
    );
  }
  const [, kind, number, part = ''] = /^\/(pulls|issues)\/(\d+)(\/\w+)?$/.exec(rest) ?? [];
  const pull = repository.pulls.find((one) => one.number === Number(number));
  if (!pull) return notFound;
  const operation = `/${kind}/${kind === 'pulls' ? '{pull_number}' : '{issue_number}'}${part}`;
  return sendPull(describe, repository, pull, operation, asked);
}

function sendPull(
  describe: Describe,
  repository: StandInRepository,
  pull: StandInPull,
  operation: string,
  asked: Asked,
): Reply {
  const named = `get /repos/{owner}/{repo}${operation}`;
  const page = <Item>(items: Item[], describeItem: (item: Item) => unknown): Reply =>
    pageOf(asked, items, (some) => describe(named, some.map(describeItem)));
  switch (operation) {
    case '/pulls/{pull_number}':
      if (asked.request.headers.accept?.includes('diff')) return diffOf(pull);
      return { status: 200, body: describe(named, pullOf(repository, pull)) };
    case '/pulls/{pull_number}/commits':
      return page(pull.commits, commitOf);
    case '/pulls/{pull_number}/files':
      return page(pull.files, (file) => file);
    case '/pulls/{pull_number}/reviews': {
      const shown = pull.reviews.filter(({ visibleTo }) => !visibleTo || visibleTo === asked.account?.login);
      return page(shown, reviewOf);
    }
    case '/pulls/{pull_number}/comments':
      return page(pull.reviewComments, reviewCommentOf(pull));
    case '/issues/{issue_number}/comments':
      return page(pull.comments, commentOf(pull));
    default:
      return notFound;
  }
}

const accountOf = ({ id, login, name, email }: StandInAccount) => ({
  id,
  login,
  name,
  email,
  avatar_url: `https://avatars.github.example/u/${id}`,
});

const repositoryOf = ({ id, owner, name, visibility }: StandInRepository) => ({
  id,
  name,
  full_name: `${owner}/${name}`,
  owner: { login: owner },
  private: visibility !== 'public',
  visibility,
});

const userOf = (login: string | null) =>
  login === null ? null : { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' };

const pullOf = (repository: StandInRepository, pull: StandInPull) => ({
  number: pull.number,
  title: pull.title,
  body: pull.body,
  user: userOf(pull.author),
  state: pull.state,
  labels: pull.labels.map((name) => ({ name })),
  draft: pull.isDraft ?? false,
  created_at: pull.createdAt,
  updated_at: pull.updatedAt,
  merged_at: pull.mergedAt,
  merge_commit_sha: pull.mergeCommitSha ?? null,
  changed_files: pull.changedFiles ?? pull.files.length,
  additions: pull.files.reduce((sum, file) => sum + file.additions, 0),
  deletions: pull.files.reduce((sum, file) => sum + file.deletions, 0),
  base: { ...pull.base, repo: repositoryOf(repository) },
  head: pull.head,
});

const commitOf = ({ sha, message, author }: StandInPull['commits'][number]) => ({
  sha,
  commit: { message, author: { name: author } },
});

const commentOf =
  ({ comments }: StandInPull) =>
  (comment: StandInPull['comments'][number]) => ({
    id: 5_000 + comments.indexOf(comment),
    user: userOf(comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    ...(comment.isHidden && { minimized: { reason: 'spam' } }),
  });

const reviewOf = ({ id = 1, author, body, state, submittedAt, commit }: StandInPull['reviews'][number]) => ({
  id,
  user: userOf(author),
  body,
  state,
  ...(submittedAt !== null && { submitted_at: submittedAt }),
  ...(commit && { commit_id: commit }),
});

const remarkIdOf = ({ reviewComments }: StandInPull, remark: StandInPull['reviewComments'][number]): number =>
  remark.id ?? 6_000 + reviewComments.indexOf(remark);

const reviewCommentOf = (pull: StandInPull) => (comment: StandInPull['reviewComments'][number]) => {
  const { reviewId = 1, author, body, createdAt, path, line } = comment;
  return {
    id: remarkIdOf(pull, comment),
    pull_request_review_id: reviewId,
    user: userOf(author),
    body,
    created_at: createdAt,
    path,
    diff_hunk: comment.hunk ?? '@@ -0,0 +1 @@',
    original_commit_id: comment.commit ?? pull.head.sha,
    side: comment.side ?? 'RIGHT',
    ...(comment.replyTo !== undefined && { in_reply_to_id: comment.replyTo }),
    ...(comment.startLine !== undefined && { original_start_line: comment.startLine }),
    ...(line !== null && { line, original_line: line }),
  };
};

async function sendQuery({ repositories }: GitHubState, { request, account }: Asked): Promise<Reply> {
  if (!account) return { status: 401, body: { message: 'This endpoint requires you to be authenticated.' } };
  const { query, variables } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
  checkQuery(query);
  const repository = repositories.find(
    (one) => isNamed(one, variables.owner, variables.name) && maySee(one, account),
  );
  if (query.includes('object(expression:')) return textsIn(repository, query, variables);
  const pull = repository?.pulls.find((one) => one.number === variables.number);
  if (query.includes('reviewThreads(')) {
    const pullRequest = pull ? discussionOf(pull, account, variables) : null;
    return { status: 200, body: { data: { repository: repository ? { pullRequest } : null } } };
  }
  const all = (pull?.closingIssues ?? [])
    .filter(({ visibleTo }) => !visibleTo || visibleTo === account.login)
    .map(({ number, title, body, repositoryId }) => ({
      number,
      title,
      body,
      repository: { databaseId: repositoryId },
    }));
  const begin = Number(variables.after ?? 0);
  const end = begin + 20;
  const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
  const nodes = all.slice(begin, end);
  const pullRequest = pull ? { closingIssuesReferences: { pageInfo, nodes } } : null;
  return { status: 200, body: { data: { repository: repository ? { pullRequest } : null } } };
}

/** The discussion includes pending reviews of the caller, as on GitHub. */
function discussionOf(pull: StandInPull, account: StandInAccount, variables: Record<string, string | null>) {
  const pageOfNodes = <Node>(nodes: Node[], after: string | null | undefined) => {
    const end = Number(after ?? 0) + 100;
    const shown = nodes.slice(end - 100, end);
    return {
      pageInfo: { hasNextPage: end < nodes.length, endCursor: shown.length > 0 ? String(end) : null },
      nodes: shown,
    };
  };
  const mark = (id: number, isHidden = false) => ({ fullDatabaseId: String(id), isMinimized: isHidden });
  const reviews = pull.reviews.filter(({ visibleTo }) => !visibleTo || visibleTo === account.login);
  const threads = pull.reviewComments.filter(({ replyTo }) => replyTo === undefined);
  return {
    comments: pageOfNodes(
      pull.comments.map((one) => mark(commentOf(pull)(one).id, one.isHidden)),
      variables.comments,
    ),
    reviews: pageOfNodes(
      reviews.map(({ id = 1, isHidden }) => mark(id, isHidden)),
      variables.reviews,
    ),
    reviewThreads: pageOfNodes(
      threads.map((first) => ({
        isResolved: first.resolvedBy !== undefined,
        isOutdated: first.isOutdated ?? false,
        resolvedBy: first.resolvedBy === undefined ? null : { login: first.resolvedBy },
        comments: {
          nodes: pull.reviewComments
            .filter((one) => one === first || one.replyTo === remarkIdOf(pull, first))
            .map((one) => mark(remarkIdOf(pull, one), one.isHidden)),
        },
      })),
      variables.threads,
    ),
    timelineItems: pageOfNodes(
      [
        ...(pull.forcedPushes ?? []).map(({ at, before, after }) => ({
          createdAt: at,
          beforeCommit: { oid: before },
          afterCommit: { oid: after },
        })),
        ...(pull.mentionedBy ?? []).map(({ number, merged, repositoryId }) => ({
          source: { number, merged, repository: { databaseId: repositoryId } },
        })),
      ],
      variables.events,
    ),
  };
}

function textsIn(
  repository: StandInRepository | undefined,
  query: string,
  variables: Record<string, string>,
): Reply {
  const asked = [...query.matchAll(/(\w+): object\(expression: \$(\w+)\)/g)];
  const files = asked.map(([, name = '', variable = '']) => {
    const text = repository?.texts?.[variables[variable] ?? ''];
    return [name, text === undefined ? null : { text, isTruncated: false }];
  });
  return { status: 200, body: { data: { repository: repository ? Object.fromEntries(files) : null } } };
}

function diffOf({ diff }: StandInPull): Reply {
  if (diff !== null)
    return {
      status: 200,
      headers: { 'content-type': 'application/vnd.github.diff; charset=utf-8' },
      text: diff,
    };
  const message = 'Sorry, the diff exceeded the maximum number of lines';
  return { status: 406, body: { message, errors: [{ code: 'too_large' }] } };
}

function pageOf<Item>(
  { query, request }: Asked,
  items: Item[],
  describeAll: (page: Item[]) => unknown,
): Reply {
  const size = Number(query.get('per_page') ?? 30);
  const page = Number(query.get('page') ?? 1);
  const next = new URL(request.url ?? '', `https://${request.headers.host}`);
  next.searchParams.set('page', String(page + 1));
  return {
    status: 200,
    headers: page * size < items.length ? { link: `<${next.href}>; rel="next"` } : {},
    body: describeAll(items.slice((page - 1) * size, page * size)),
  };
}

/** ETags depend on the credential, as GitHub's do. */
function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, text }: Reply,
): void {
  const sent = text ?? JSON.stringify(body);
  const etag = `W/"${hash('sha256', `${request.headers.authorization} ${sent}`)}"`;
  const isKnown = status === 200 && request.headers['if-none-match'] === etag;
  response.writeHead(isKnown ? 304 : status, {
    'content-type': 'application/json; charset=utf-8',
    // Rate limit headers of a script take precedence.
    'x-ratelimit-remaining': String(response.getHeader('x-ratelimit-remaining') ?? '4999'),
    'x-ratelimit-reset': String(response.getHeader('x-ratelimit-reset') ?? '4102444800'),
    ...(status === 200 && { etag }),
    ...headers,
  });
  response.end(isKnown ? undefined : sent);
}
