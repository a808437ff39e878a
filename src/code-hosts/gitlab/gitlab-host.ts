import { createHash } from 'node:crypto';
import { Failure } from '../../domain/errors.ts';
import { completeIdentity, type Identity } from '../../domain/identity.ts';
import {
  type CodeHost,
  type DiffLines,
  type HostApp,
  type HostRepository,
  MovedMeanwhile,
  UnknownRef,
} from '../code-host.ts';
import { checkTokens, rememberAnswers } from '../http/check-tokens.ts';
import { callAs, type HostCaller, unlessClosed } from '../http/host-api.ts';
import { HostClient } from '../http/host-client.ts';
import { lastMerged, mergedSince } from '../http/list-merged.ts';
import type { HostWays } from '../http/open-ways.ts';
import { KeptRanges } from '../http/ranges.ts';
import { createGitLabApi, type GitLabAddresses, ownersNest } from './gitlab-api.ts';
import { createGitLabWebhooks } from './gitlab-webhooks.ts';
import { listChanged, listMergeRequests } from './list-merge-requests.ts';
import { AccountPayload, MergeRequestPayload } from './payloads.ts';
import { findRange, listTags, readFound } from './read-gitlab-range.ts';
import {
  type FoundMergeRequest,
  glanceOf,
  isIssueHidden,
  readIssues,
  readMergeRequest,
  versionOf,
} from './read-merge-request.ts';
import { createReadProject, isUnchanged, projectPath, projectPathById } from './read-project.ts';
import { isAppToken, isGitLabToken } from './token-shapes.ts';

interface GitLabHostOptions {
  addresses: GitLabAddresses;
  /** What GitLab sends with deliveries or signs them with, any of them; none where it sends nothing here. */
  webhookSecrets: string[];
  /** The service's own token, for what is public; null to ask without one. */
  token: string | null;
  /** What this service is on GitLab; null where it is nothing there. */
  app: HostApp | null;
  ways: HostWays;
  clock: () => Date;
}

const notOurs =
  'This token was not made for this service, or is revoked. Make a personal access token, or sign in at /sign-in.';

/** GitLab as a code host, with the rights of the viewer. */
export function createGitLabHost(options: GitLabHostOptions): CodeHost {
  const { addresses, webhookSecrets, token: serviceToken, app, ways, clock } = options;
  const { fetch, fetchByGit, close } = ways;
  const { web } = addresses;
  const client = new HostClient({ api: createGitLabApi(addresses.api), fetch, clock });
  const { remember: rememberAccount } = rememberAnswers<Identity | null>(clock);
  const { identify, forgetTokens } = checkTokens({
    name: client.api.name,
    app,
    isAppToken,
    notOurs,
    async whose(token, signal) {
      const account = await client.get('/user', AccountPayload, { isService: false, token, signal });
      return account && identityOf(account, addresses);
    },
    clock,
  });
  const readProject = createReadProject({ client, addresses, serviceToken, clock });
  const parts = { client, fetchByGit, readProject, web, clock };
  const ranges = new KeptRanges({
    find: (...asked) => findRange(parts, ...asked),
    read: (...asked) => readFound(parts, ...asked),
    clock,
  });

  const as = callAs(serviceToken);

  const isShown = async (repository: HostRepository, caller: HostCaller): Promise<boolean> =>
    (await readProject(projectPathById(repository), caller)) !== null;

  return {
    id: 'gitlab',
    webUrl: web,
    avatarOrigins: addresses.avatars,
    signIn: 'gitlabToken',
    whatCounts: null,
    isLocal: false,
    ownersNest,
    sparePerHour: () => client.sparePerHour(serviceToken),
    limitLeft: () => client.limitLeft(serviceToken),
    recognizes: isGitLabToken,
    ...(webhookSecrets.length > 0 && {
      webhooks: createGitLabWebhooks(webhookSecrets, clock, (issue) => isIssueHidden(client, issue)),
    }),
    identify,
    forgetTokens,
    app,
    findAccount: (hostUserId, signal) =>
      rememberAccount(String(hostUserId), async () => {
        const asker = { isService: true, token: serviceToken, signal };
        const account = await client.get(`/users/${hostUserId}`, AccountPayload, asker);
        return account && identityOf(account, addresses);
      }),
    findRepository: (owner, name, caller) => unlessClosed(readProject(projectPath(owner, name), as(caller))),
    findRepositoryById: (known, caller) => readProject(projectPathById(known), as(caller)),
    async findPullRequest(owner, name, number, caller) {
      const asker = as(caller);
      const path = projectPath(owner, name);
      const find = async (): Promise<[HostRepository | null, FoundMergeRequest | null]> => {
        const [repository, mergeRequest] = await Promise.all([
          unlessClosed(readProject(path, asker)),
          unlessClosed(client.get(`${path}/merge_requests/${number}`, MergeRequestPayload, asker)),
        ]);
        if (!repository || mergeRequest?.project_id !== repository.hostRepoId) return [repository, null];
        const issues = await readIssues(client, repository, number, asker);
        return [repository, { mergeRequest, issues }];
      };
      const [repository, found] = await find();
      if (!repository) return null;
      if (!found) return { repository, pullRequest: null };
      let known: FoundMergeRequest | null = found;
      const read = async () => {
        // A second read is made because it has changed.
        const [now, again] = known ? [repository, known] : await find();
        known = null;
        if (!now || !again)
          throw new Failure('PULL_REQUEST_NOT_FOUND', 'This merge request is gone. Check the project.');
        if (!isUnchanged(repository, now))
          throw new Failure('UNAVAILABLE', 'This project has changed while it was being read. Try again.');
        return readMergeRequest(parts, repository, again, asker);
      };
      const glance = async () => glanceOf(repository, found.mergeRequest, web);
      return { repository, pullRequest: { version: versionOf(found, asker), glance, read } };
    },
    linesUrl,
    suggestPullRequest: async () => null,
    async listPullRequests(repository, page, caller) {
      const asker = as(caller);
      const listed = await listMergeRequests(parts, repository, page, asker);
      // Lists do not say whether the project has become private, which hides nothing from the service's own token.
      const isHidden = asker.isService && asker.token !== null && !(await isShown(repository, asker));
      return isHidden ? { items: [], total: null } : listed;
    },
    async mergedSince(repository, cursor, caller) {
      const asker = as(caller);
      const told = await mergedSince(listChanged(client, repository, asker), cursor);
      if (!told || told.cursor === cursor) return told;
      // Merge requests do not say whether the project is still shown.
      const now = await readProject(projectPathById(repository), asker);
      return now && { ...told, repository: now };
    },
    async lastMerged(repository, wanted, caller) {
      const asker = as(caller);
      const last = await lastMerged(listChanged(client, repository, asker), wanted);
      return last && (await isShown(repository, asker)) ? last : null;
    },
    async readRange(repository, wanted, caller) {
      const asker = as(caller);
      try {
        const range = await ranges.read(repository, wanted, asker);
        // Commits do not say of which project they are, which may no longer be shown.
        return (await isShown(repository, asker)) ? range : null;
      } catch (error) {
        const mayBeHidden = error instanceof UnknownRef || error instanceof MovedMeanwhile;
        if (mayBeHidden && !(await isShown(repository, asker))) return null;
        throw error;
      }
    },
    async listTags(repository, atMost, caller) {
      const asker = as(caller);
      const tags = await listTags(client, repository, atMost, asker);
      return (await isShown(repository, asker)) ? tags : [];
    },
    close,
  };
}

export function identityOf(account: AccountPayload, { domain }: GitLabAddresses): Identity {
  return completeIdentity({
    host: 'gitlab',
    hostUserId: account.id,
    hostUsername: account.username,
    hostDisplayName: account.name ?? null,
    email: account.public_email ?? null,
    avatarUrl: account.avatar_url ?? null,
    noReplyDomain: domain,
  });
}

const mergeRequestPage = /\/-\/merge_requests\/\d+$/;

/**
 * GitLab finds lines of a diff by their numbers on both sides, which are not known of any one: lines as they became are linked to
 * in the file itself, lines as they were to the file within the diff.
 */
export function linesUrl(pullRequestUrl: string | null, headSha: string, lines: DiffLines): string | null {
  if (!pullRequestUrl) return null;
  const { fileName, startLine, endLine, side } = lines;
  if (side === 'old') return `${pullRequestUrl}/diffs#${createHash('sha1').update(fileName).digest('hex')}`;
  const path = fileName.split('/').map(encodeURIComponent).join('/');
  const file = pullRequestUrl.replace(mergeRequestPage, `/-/blob/${headSha}/${path}`);
  return `${file}#L${startLine}${endLine > startLine ? `-${endLine}` : ''}`;
}
