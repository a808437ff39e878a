import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe } from './description.ts';
import type {
  GitLabState,
  Role,
  StandInAccount,
  StandInMergeRequest,
  StandInNote,
  StandInProject,
} from './state.ts';

interface Asked {
  query: URLSearchParams;
  request: IncomingMessage;
  account: StandInAccount | null;
  hasToken: boolean;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

const notFound = (what: string): Reply => ({ status: 404, body: { message: `404 ${what} Not Found` } });
const forbidden: Reply = { status: 403, body: { message: '403 Forbidden' } };
const unauthorized: Reply = { status: 401, body: { message: '401 Unauthorized' } };

const insufficientScope: Reply = {
  status: 403,
  body: {
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: 'api read_api',
  },
};

/** The token of a request, in any form that GitLab accepts. */
export function tokenOf({ headers }: IncomingMessage): string | undefined {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (basic)
    return Buffer.from(basic, 'base64')
      .toString()
      .replace(/^[^:]*:/, '');
  const given = headers['private-token'];
  return (
    /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? (typeof given === 'string' ? given : undefined)
  );
}

/** The owner of a token. */
export const accountOf = ({ accounts }: GitLabState, token: string | undefined): StandInAccount | null =>
  accounts.find(({ tokens }) => token !== undefined && tokens.has(token)) ?? null;

const maySee = ({ visibility, members }: StandInProject, account: StandInAccount | null): boolean =>
  visibility === 'public' ||
  (account !== null && (visibility === 'internal' || members.has(account.username)));

const roleIn = ({ members }: StandInProject, account: StandInAccount | null): Role | undefined =>
  members.get(account?.username ?? '');

/** Guests of a private project do not see its code. */
export function maySeeCode(project: StandInProject, account: StandInAccount | null): boolean {
  const role = roleIn(project, account);
  if (project.visibility === 'private') return role === 'reporter';
  return project.repositoryLevel === 'private' ? role !== undefined : maySee(project, account);
}

function maySeeMergeRequests(project: StandInProject, account: StandInAccount | null): boolean {
  const { mergeRequestsLevel: level } = project;
  const isShown = level === 'enabled' || (level === 'private' && roleIn(project, account) === 'reporter');
  return isShown && maySeeCode(project, account);
}

/** Responds as a GitLab with this state; the path begins after /api/v4. */
export function createResponder(state: GitLabState, apiOf: (host: string) => string) {
  return (target: string, request: IncomingMessage, response: ServerResponse): void => {
    const { pathname: path, search, searchParams: query } = new URL(target, 'https://any');
    const token = tokenOf(request);
    const account = accountOf(state, token);
    const asked = { query, request, account, hasToken: token !== undefined };
    const answer = (): Reply => {
      if (token !== undefined && !account)
        return { status: 401, body: { error: 'invalid_token', error_description: 'Token was revoked.' } };
      if (account?.isBlocked)
        return { status: 403, body: { message: '403 Forbidden - Your account has been blocked.' } };
      if (state.isClosed && !account) return unauthorized;
      if (path === '/user') return account ? { status: 200, body: userOf(account) } : unauthorized;
      if (token !== undefined && state.ownAccountTokens.has(token)) return insufficientScope;
      const [, userId] = /^\/users\/(\d+)$/.exec(path) ?? [];
      if (userId) return sendAccount(state, Number(userId), account);
      const [, name = '', rest = ''] = /^\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? [];
      const found = findProject(state, decodeURIComponent(name), account);
      if (!found) return notFound('Project');
      if (!found.hasMoved) return sendProject(state, found.project, rest, asked);
      const location = `${apiOf(request.headers.host ?? '')}/projects/${found.project.id}${rest}${search}`;
      return { status: 301, headers: { location }, body: { message: 'This resource has been moved' } };
    };
    send(request, response, answer());
  };
}

function findProject({ projects }: GitLabState, name: string, account: StandInAccount | null) {
  const shown = projects.filter((one) => maySee(one, account));
  const isCalled = ({ id, group, path }: StandInProject) =>
    /^\d+$/.test(name) ? id === Number(name) : `${group}/${path}`.toLowerCase() === name.toLowerCase();
  const named = shown.find(isCalled);
  if (named) return { project: named, hasMoved: false };
  const moved = shown.find(({ formerPaths }) => formerPaths.includes(name));
  return moved ? { project: moved, hasMoved: true } : null;
}

function sendAccount({ accounts }: GitLabState, id: number, asker: StandInAccount | null): Reply {
  if (!asker) return { status: 403, body: { message: '403 Forbidden  - Not authorized!' } };
  const known = accounts.find((one) => one.id === id);
  if (!known) return notFound('User');
  const { email: _, ...shown } = userOf(known);
  return { status: 200, body: shown };
}

const userOf = ({ id, username, name, publicEmail, isBot = false }: StandInAccount) =>
  describe('UserPublic', {
    id,
    username,
    name,
    public_email: publicEmail ?? '',
    email: `${username}@inbox.example`,
    bot: isBot,
    avatar_url: `https://gitlab.example/uploads/${id}/avatar.png`,
  });

const authorOf = (username: string) =>
  describe('UserBasic', { id: 1, username, name: username, state: 'active' });

function sendProject(state: GitLabState, project: StandInProject, rest: string, asked: Asked): Reply {
  if (rest === '') return { status: 200, body: projectOf(project, asked.account) };
  const isShown = maySeeMergeRequests(project, asked.account);
  if (rest.startsWith('/repository/'))
    return maySeeCode(project, asked.account)
      ? sendRepository(project, rest.slice('/repository'.length), asked)
      : notFound('Repository');
  if (rest === '/merge_requests') return isShown ? listOf(project, asked) : forbidden;
  const [, issue] = /^\/issues\/(\d+)$/.exec(rest) ?? [];
  if (issue) {
    const issues = project.mergeRequests.flatMap((one) => issuesShown(state, project, one, asked.account));
    const found = issues.find(({ iid: number, projectId }) => number === Number(issue) && !projectId);
    return found ? { status: 200, body: issueOf(project, found) } : notFound('Issue');
  }
  const [, iid, part = ''] = /^\/merge_requests\/(\d+)(\/\w+(?:\/\d+)?)?$/.exec(rest) ?? [];
  const mergeRequest = project.mergeRequests.find((one) => one.iid === Number(iid));
  if (!mergeRequest || !isShown) return notFound('Not found');
  return sendMergeRequest(state, project, mergeRequest, part, asked);
}

function projectOf(project: StandInProject, account: StandInAccount | null) {
  const { id, group, path, visibility, mergeRequestsLevel, repositoryLevel, issuesLevel } = project;
  const basic = {
    id,
    name: path,
    path,
    path_with_namespace: `${group}/${path}`,
    namespace: { id: 1, path: group.split('/').at(-1) ?? '', kind: 'group', full_path: group },
  };
  // Requests without a token get fewer fields.
  if (!account) return describe('BasicProjectDetails', basic);
  return describe('ProjectWithAccess', {
    ...basic,
    visibility,
    repository_access_level: repositoryLevel,
    merge_requests_access_level: mergeRequestsLevel,
    issues_access_level: issuesLevel,
  });
}

function listOf(project: StandInProject, asked: Asked): Reply {
  const { query } = asked;
  const state = query.get('state') ?? 'all';
  const isByChange = query.get('order_by') === 'updated_at';
  const after = Date.parse(query.get('updated_after') ?? '1970-01-01T00:00:00Z');
  const numbers = query.getAll('iids[]').map(Number);
  const newestFirst = project.mergeRequests
    .filter((one) => state === 'all' || one.state === state)
    .filter(({ updatedAt }) => Date.parse(updatedAt) >= after)
    .filter(({ iid }) => numbers.length === 0 || numbers.includes(iid))
    .sort((one, other) =>
      isByChange ? Date.parse(other.updatedAt) - Date.parse(one.updatedAt) : other.iid - one.iid,
    );
  const listed = query.get('sort') === 'asc' ? newestFirst.toReversed() : newestFirst;
  return pageOf(asked, listed, (one) => mergeRequestOf(project, one));
}

function sendMergeRequest(
  state: GitLabState,
  project: StandInProject,
  mergeRequest: StandInMergeRequest,
  part: string,
  asked: Asked,
): Reply {
  switch (part) {
    case '':
      return { status: 200, body: { ...mergeRequestOf(project, mergeRequest), ...detailsOf(mergeRequest) } };
    case '/commits':
      return pageOf(asked, mergeRequest.commits.toReversed(), ({ sha, message, author }) =>
        describe('Commit', {
          id: sha,
          title: message.split('\n')[0] ?? '',
          // Git stores messages with a newline at the end.
          message: `${message}\n`,
          author_name: author,
        }),
      );
    case '/discussions':
      if (!asked.account) return unauthorized;
      return pageOf(asked, mergeRequest.discussions, (notes) =>
        describe('Discussion', {
          id: 'x',
          individual_note: notes.length === 1,
          notes: notes.map(noteOf(mergeRequest)),
        }),
      );
    case '/versions':
      return pageOf(asked, mergeRequest.versions.toReversed(), (version) =>
        describe('MergeRequestDiff', versionOf(mergeRequest, version)),
      );
    case '/closes_issues':
      return pageOf(asked, issuesShown(state, project, mergeRequest, asked.account), (issue) =>
        issueOf(project, issue),
      );
    default: {
      const [, id] = /^\/versions\/(\d+)$/.exec(part) ?? [];
      const version = mergeRequest.versions[Number(id) - 1];
      if (!version) return notFound('Not found');
      const diffs = version.diffs.map(({ path, diff }) =>
        describe('Diff', { old_path: path, new_path: path, diff }),
      );
      return {
        status: 200,
        body: describe('MergeRequestDiffFull', { ...versionOf(mergeRequest, version), diffs }),
      };
    }
  }
}

const versionOf = (
  { versions, baseSha }: StandInMergeRequest,
  version: StandInMergeRequest['versions'][number],
) => ({
  id: versions.indexOf(version) + 1,
  head_commit_sha: version.head,
  base_commit_sha: baseSha,
  created_at: version.at,
});

/**
 * Confidential issues, and issues visible to members only, are shown to members; other issues to everyone who may see the
 * project's issues.
 */
function issuesShown(
  { projects }: GitLabState,
  project: StandInProject,
  { issues }: StandInMergeRequest,
  account: StandInAccount | null,
) {
  return issues.filter(({ projectId = project.id, isConfidential }) => {
    const home = projects.find(({ id }) => id === projectId);
    if (!home || !maySee(home, account)) return false;
    const isMember = account !== null && home.members.has(account.username);
    return isMember || (!isConfidential && home.issuesLevel === 'enabled');
  });
}

const issueOf = (
  { id }: StandInProject,
  { iid, projectId = id, title, body, isConfidential = false }: StandInMergeRequest['issues'][number],
) =>
  describe('Issue', {
    id: 1,
    iid,
    project_id: projectId,
    title,
    description: body,
    confidential: isConfidential,
  });

function mergeRequestOf({ id, group, path }: StandInProject, mergeRequest: StandInMergeRequest) {
  const { iid } = mergeRequest;
  return describe('MergeRequest', {
    id: id * 1_000 + iid,
    iid,
    project_id: id,
    target_project_id: id,
    title: mergeRequest.title,
    description: mergeRequest.description,
    state: mergeRequest.state,
    created_at: mergeRequest.createdAt,
    updated_at: mergeRequest.updatedAt,
    merged_at: mergeRequest.mergedAt,
    target_branch: mergeRequest.targetBranch,
    source_branch: mergeRequest.sourceBranch,
    author: authorOf(mergeRequest.author),
    labels: mergeRequest.labels,
    draft: mergeRequest.isDraft,
    sha: mergeRequest.headSha,
    merge_commit_sha: mergeRequest.mergeCommitSha,
    squash_commit_sha: mergeRequest.squashCommitSha,
    references: { short: `!${iid}`, relative: `!${iid}`, full: `${group}/${path}!${iid}` },
  });
}

const detailsOf = ({ baseSha, headSha, diffRefs }: StandInMergeRequest) =>
  describe('MergeRequest', {
    changes_count: '1',
    diff_refs: diffRefs === null ? null : { base_sha: baseSha, head_sha: headSha, start_sha: baseSha },
  });

const noteOf =
  ({ discussions, headSha }: StandInMergeRequest) =>
  (note: StandInNote) => {
    const { type, author, body, createdAt, isSystem, isInternal, position, resolvedBy } = note;
    return describe('Note', {
      id: discussions.flat().indexOf(note) + 1,
      type: type ?? null,
      body,
      author: authorOf(author),
      created_at: createdAt ?? '2026-03-01T10:00:00.000Z',
      system: isSystem ?? false,
      internal: isInternal ?? false,
      confidential: isInternal ?? false,
      resolvable: type !== undefined,
      ...(type && { resolved: resolvedBy !== undefined }),
      ...(resolvedBy && { resolved_by: authorOf(resolvedBy) }),
      ...(position && { position: describe('Position', { head_sha: headSha, ...position }) }),
    });
  };

const git = (gitFolder: string, parameters: string[]): string =>
  execFileSync('git', parameters, { cwd: gitFolder, stdio: ['ignore', 'pipe', 'ignore'] }).toString();

/** Runs git for the responses that GitLab takes from git. */
function sendRepository(project: StandInProject, rest: string, asked: Asked): Reply {
  const { gitFolder, tags, mergeRequests } = project;
  const form = ['--format=%H%x1f%P%x1f%an%x1f%cI%x1f%B%x1e'];
  const log = (range: string[]) =>
    git(gitFolder, ['log', '--topo-order', ...form, ...range])
      .split('\x1e\n')
      .filter(Boolean)
      .map(commitOf);
  if (rest === '/tags') return pageOf(asked, tags, (name) => describe('Tag', { name }));
  const [, sha = '', isMergeRequests] = /^\/commits\/([^/]+)(\/merge_requests)?$/.exec(rest) ?? [];
  try {
    if (rest === '/commits')
      return pageOf(asked, log([asked.query.get('ref_name') ?? 'main', '--']), (one) => one);
    if (isMergeRequests) {
      const came = mergeRequests.filter(({ baseSha, headSha }) =>
        log([headSha, `^${baseSha}`, '--']).some(({ id }) => id === sha),
      );
      return pageOf(asked, came, (one) => mergeRequestOf(project, one));
    }
    const [only] = log(['-1', `${decodeURIComponent(sha)}^{commit}`, '--']);
    if (only) return { status: 200, body: only };
  } catch {
    // Git finds no such commit.
  }
  return notFound('Commit');
}

function commitOf(text: string) {
  const [id = '', parents = '', author = '', date = '', message = ''] = text.split('\x1f');
  return describe('Commit', {
    id,
    parent_ids: parents.split(' ').filter(Boolean),
    author_name: author,
    committed_date: new Date(date).toISOString(),
    title: message.split('\n')[0] ?? '',
    message,
  });
}

function pageOf<Item>({ query, request }: Asked, items: Item[], tell: (item: Item) => unknown): Reply {
  const size = Number(query.get('per_page') ?? 20);
  const page = Number(query.get('page') ?? 1);
  const next = new URL(request.url ?? '', `https://${request.headers.host}`);
  next.searchParams.set('page', String(page + 1));
  return {
    status: 200,
    headers: {
      ...(page * size < items.length && { link: `<${next.href}>; rel="next"` }),
      // GitLab gives no total above ten thousand, and none for commits.
      ...(!next.pathname.endsWith('/repository/commits') &&
        items.length <= 10_000 && { 'x-total': String(items.length) }),
    },
    body: items.slice((page - 1) * size, page * size).map(tell),
  };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  const sent = JSON.stringify(body);
  const etag = `W/"${hash('sha256', sent)}"`;
  const isKnown = status === 200 && request.headers['if-none-match'] === etag;
  response.writeHead(isKnown ? 304 : status, {
    'content-type': 'application/json',
    'ratelimit-limit': '2000',
    // Rate limit headers of a script take precedence.
    'ratelimit-remaining': String(response.getHeader('ratelimit-remaining') ?? '1999'),
    'ratelimit-reset': String(response.getHeader('ratelimit-reset') ?? '4102444800'),
    ...(status === 200 && { etag }),
    ...headers,
  });
  response.end(isKnown ? undefined : sent);
}
