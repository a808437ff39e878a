import { createHash } from 'node:crypto';
import { Failure } from '../../domain/errors.ts';
import type { Identity } from '../../domain/identity.ts';
import {
  type CodeHost,
  type DiffLines,
  type HostApp,
  type HostRepository,
  MovedMeanwhile,
  UnknownRef,
  UnrelatedRefs,
} from '../code-host.ts';
import { rememberAnswers } from '../http/check-tokens.ts';
import { callAs, type HostCaller, unlessClosed } from '../http/host-api.ts';
import { HostClient } from '../http/host-client.ts';
import { lastMerged, mergedSince } from '../http/list-merged.ts';
import { createSignInCheck, type HostWays } from '../http/open-ways.ts';
import { KeptRanges } from '../http/ranges.ts';
import { type GiteaAddresses, giteaApi } from './gitea-api.ts';
import { checkGiteaTokens, identityOf } from './gitea-app.ts';
import { createGiteaWebhooks } from './gitea-webhooks.ts';
import { listChanged, listGiteaPullRequests } from './list-gitea-pull-requests.ts';
import { AccountsPayload } from './payloads.ts';
import {
  createFindPull,
  type FoundPull,
  glanceOf,
  readGiteaPullRequest,
  versionOf,
} from './read-gitea-pull-request.ts';
import { findRange, listGiteaTags, readFoundRange } from './read-gitea-range.ts';
import {
  ifVisibleTo,
  isUnchanged,
  pathOf,
  readRepository,
  repositoryOf,
  showsPullRequests,
} from './read-repository.ts';
import { isGiteaToken } from './token-shapes.ts';

interface GiteaHostOptions {
  addresses: GiteaAddresses;
  /** What Gitea signs deliveries with, any of them; none where it sends nothing here. */
  webhookSecrets: string[];
  /** The service's own token, for what is public; null to ask without one. */
  token: string | null;
  /** What this service is on Gitea; null where it is nothing there. */
  app: HostApp | null;
  ways: HostWays;
  clock: () => Date;
}

const mayMeanHidden = (error: unknown): boolean =>
  [UnknownRef, UnrelatedRefs, MovedMeanwhile].some((kind) => error instanceof kind);

/** Under how many names a repository is looked for that is renamed meanwhile. */
const mostNames = 3;

/** Gitea or Forgejo as a code host, with the rights of the viewer. */
export function createGiteaHost(options: GiteaHostOptions): CodeHost {
  const { addresses, webhookSecrets, token: serviceToken, app, ways, clock } = options;
  const { fetch, fetchByGit, close } = ways;
  const { web } = addresses;
  const api = giteaApi(addresses);
  const client = new HostClient({ api, fetch, clock });
  const findPull = createFindPull(client);
  const parts = { api, client, findPull, fetchByGit, web };
  const { remember: rememberAccount } = rememberAnswers<Identity | null>(clock);
  const { identify, forgetTokens } = checkGiteaTokens({ client, addresses, app, clock });
  const ranges = new KeptRanges({
    find: (repository, wanted, caller) => findRange(client, repository, wanted, caller),
    read: (repository, found, caller) => readFoundRange(parts, repository, found, caller),
    clock,
  });
  const checkSignIn = createSignInCheck({
    isOpen: serviceToken !== null,
    shows: (repository, nobody) => showsPullRequests(client, repository, nobody),
    clock,
  });

  const as = callAs(serviceToken);

  const findAt = async (path: string, caller: HostCaller): Promise<HostRepository | null> => {
    const found = await readRepository(client, path, caller);
    return found && checkSignIn(found, caller);
  };

  /** By its number, which Gitea takes from those with a token alone; without one, by its name, if it still has that. */
  const findKnown = async (known: Omit<HostRepository, 'isPrivate'>, caller: HostCaller) => {
    const path = caller.token === null ? pathOf(known) : `/repositories/${known.hostRepoId}`;
    const found = await findAt(path, caller);
    return found?.hostRepoId === known.hostRepoId ? found : null;
  };

  /**
   * Reads what does not say of which repository it is: the repository has to have had that name, and be shown, afterwards too.
   * Null where it is not shown.
   */
  const underItsName = async <Read>(
    known: HostRepository,
    caller: HostCaller,
    read: (repository: HostRepository, caller: HostCaller) => Promise<Read>,
  ): Promise<Read | null> => {
    for (let [named, tries] = [known, 0]; tries < mostNames; tries += 1) {
      const outcome = await read(named, caller).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      if ('error' in outcome && !mayMeanHidden(outcome.error)) throw outcome.error;
      const now = await findKnown(named, caller);
      if (!now) return null;
      if (now.owner === named.owner && now.name === named.name) {
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      }
      named = now;
    }
    throw new MovedMeanwhile();
  };

  return {
    id: 'gitea',
    webUrl: web,
    avatarOrigins: [addresses.origin],
    signIn: 'giteaToken',
    whatCounts: null,
    isLocal: false,
    sparePerHour: () => client.sparePerHour(serviceToken),
    limitLeft: () => client.limitLeft(serviceToken),
    recognizes: isGiteaToken,
    ...(webhookSecrets.length > 0 && { webhooks: createGiteaWebhooks(webhookSecrets) }),
    identify,
    forgetTokens,
    app,
    findAccount: (hostUserId, signal) =>
      rememberAccount(String(hostUserId), async () => {
        const asker = { isService: true, token: serviceToken, signal };
        const found = await client.get(`/users/search?uid=${hostUserId}&limit=1`, AccountsPayload, asker);
        const account = found?.data.find(({ id }) => id === hostUserId);
        return account ? identityOf(account, addresses) : null;
      }),
    findRepository: (owner, name, caller) => unlessClosed(findAt(pathOf({ owner, name }), as(caller))),
    findRepositoryById: (known, caller) => findKnown(known, as(caller)),
    async findPullRequest(owner, name, number, caller) {
      const asker = as(caller);
      const find = () => unlessClosed(findPull({ owner, name }, number, asker));
      const found = await find();
      const shown = found && ifVisibleTo(asker, repositoryOf(found.pull.base.repo));
      if (!shown) {
        // Also for what is there and not shown, which might as well not exist: it is to take as long.
        const alone = await unlessClosed(findAt(pathOf({ owner, name }), asker));
        return alone && { repository: alone, pullRequest: null };
      }
      let known: FoundPull | null = found;
      const read = async () => {
        // A second read is made because it has changed.
        const current = known ?? (await find());
        known = null;
        const now = current && ifVisibleTo(asker, repositoryOf(current.pull.base.repo));
        if (!current || !now)
          throw new Failure('PULL_REQUEST_NOT_FOUND', 'This pull request is gone. Check the repository.');
        if (!isUnchanged(shown, now))
          throw new Failure('UNAVAILABLE', 'This repository has changed while it was being read. Try again.');
        return readGiteaPullRequest(parts, current, asker);
      };
      return {
        repository: await checkSignIn(shown, asker),
        pullRequest: { version: versionOf(found), glance: () => glanceOf(parts, found, asker), read },
      };
    },
    linesUrl,
    suggestPullRequest: async () => null,
    listPullRequests: (repository, page, caller) =>
      listGiteaPullRequests(parts, repository, page, as(caller)),
    async mergedSince(repository, cursor, caller) {
      const asker = as(caller);
      const told = await mergedSince(listChanged(client, repository, asker), cursor);
      if (!told?.repository) return told;
      return { ...told, repository: await checkSignIn(told.repository, asker) };
    },
    lastMerged: (repository, wanted, caller) =>
      lastMerged(listChanged(client, repository, as(caller)), wanted),
    readRange: (repository, wanted, caller) =>
      underItsName(repository, as(caller), (named, asker) => ranges.read(named, wanted, asker)),
    listTags: async (repository, atMost, caller) =>
      (await underItsName(repository, as(caller), (named, asker) =>
        listGiteaTags(client, named, atMost, asker),
      )) ?? [],
    close,
  };
}

/** Gitea gives every line of a diff an anchor that is made from the path of its file. */
export function linesUrl(pullRequestUrl: string | null, _headSha: string, lines: DiffLines): string | null {
  if (!pullRequestUrl) return null;
  const file = createHash('sha1').update(lines.fileName).digest('hex');
  return `${pullRequestUrl}/files#diff-${file}${lines.side === 'old' ? 'L' : 'R'}${lines.startLine}`;
}
