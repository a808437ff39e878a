import { useIntentOnce } from '../../actions/accounts/sign-in.ts';
import { requestArticle } from '../../actions/articles/request-article.ts';
import type { SignedUpViewer, Viewer } from '../../actions/deps.ts';
import {
  findVisiblePullRequest,
  glanceAtPullRequest,
  type PullRequestAddress,
  RemovedPullRequest,
} from '../../actions/pull-requests/find-pull-request.ts';
import { UnshownWithoutToken } from '../../actions/repositories/find-repository.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { findLiveJobOfUser, type LiveJob } from '../../db/jobs.ts';
import type { StoredPullRequest } from '../../db/pull-requests.ts';
import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { absentPage, type KnownPullRequest, unwrittenPage } from '../../pages/articles/unwritten.ts';
import type { ShownProblem } from '../../pages/failure.ts';
import type { PageContext } from '../../pages/layout.ts';
import { articleLink, type PullRequestPlace, type RepositoryPlace } from '../../pages/links.ts';
import type { RunningJob } from '../../pages/progress.ts';
import type { Deps } from '../deps.ts';
import { clearIntentCookie, intentCookieOf } from '../requests/cookies.ts';
import { abortOnDisconnect } from '../requests/parse-requests.ts';
import { presentPullRequest } from '../responses/present.ts';
import { asUser, hostName, type PageCall, type Redirection, type ShownPage } from './page.ts';

export interface ArticleCall extends Omit<PageCall, 'params' | 'query'> {
  address: PullRequestAddress;
  language: string | undefined;
}

const patienceMs = 5_000;

/** Null if it does not exist or is hidden. Removed pull requests are not offered again. */
export async function unlessAbsent<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof RemovedPullRequest) throw error;
    if (error instanceof Failure && error.status === 404) return null;
    throw error;
  }
}

export async function runningFor(
  { database }: Deps,
  viewer: Viewer | null,
  about: { pullRequestId: string; language: string | undefined },
): Promise<RunningJob | null> {
  if (!viewer?.user) return null;
  const job = await findLiveJobOfUser(database, { ...about, userId: viewer.user.id });
  return job && presentRunning(job);
}

export const presentRunning = ({ id, languageCode, step, done, total }: LiveJob): RunningJob => ({
  id,
  languageCode,
  progress: { step, done, total },
});

/**
 * Users see the pull request and can request an article; visitors see only stored public data. Null if the viewer may
 * see stored data only since this request, because the host has just shown it.
 */
export async function showUnwritten(deps: Deps, call: ArticleCall): Promise<ShownPage | Redirection | null> {
  const { address, viewer, contextIn, language } = call;
  const user = asUser(viewer);
  const begun = user && (await beginAsIntended(deps, call, user));
  if (begun && 'redirectTo' in begun) return begun;
  const stored = await unlessAbsent(findVisiblePullRequest(deps, address, viewer));
  const context = contextIn(language);
  const place = unwrittenPlace(address, stored);
  if (stored || !user) {
    const running = stored && (await runningFor(deps, viewer, { pullRequestId: stored.id, language }));
    const known = stored && knownOf(stored);
    return {
      status: 404,
      page: unwrittenPage(context, place, { known, running, problem: begun?.problem ?? null }),
    };
  }
  return showUnstored(deps, { ...call, user, context, problem: begun?.problem ?? null });
}

async function beginAsIntended(
  deps: Deps,
  { address, request, reply, contextIn }: ArticleCall,
  viewer: SignedUpViewer,
): Promise<{ problem: ShownProblem | null } | Redirection> {
  const { codeHost, owner, name, number } = address;
  const browser = { request, publicUrl: deps.publicUrl };
  const sealed = intentCookieOf(browser);
  const about = { host: codeHost.id, owner, repo: name, number };
  const language = await useIntentOnce(deps, sealed, about);
  if (language === null) return { problem: null };
  clearIntentCookie(reply, browser);
  try {
    const wish = { address: { codeHost, owner, name }, number, language, regenerate: false };
    const { article } = await requestArticle(deps, wish, { viewer, watched: null });
    if (!article) return { problem: null };
    const place = { host: codeHost.id, owner, repo: name, prNumber: number };
    return { redirectTo: articleLink(place, contextIn(undefined).firstHost, { language }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.status === 404) return { problem: null };
    return { problem: { code: error.code, message: error.message } };
  }
}

const unwrittenPlace = (address: PullRequestAddress, stored: StoredPullRequest | null): PullRequestPlace => ({
  host: address.codeHost.id,
  owner: stored?.owner ?? address.owner,
  repo: stored?.repo ?? address.name,
  prNumber: address.number,
});

function knownOf(stored: StoredPullRequest): KnownPullRequest {
  const shown = presentPullRequest(stored);
  return { ...shown, lines: shown, stored: shown };
}

async function showUnstored(
  deps: Deps,
  call: ArticleCall & { user: SignedUpViewer; context: PageContext; problem: ShownProblem | null },
): Promise<ShownPage | null> {
  const { address, user, reply, context, problem: first } = call;
  const { codeHost } = address;
  const place = unwrittenPlace(address, null);
  const show = (known: KnownPullRequest | null, later: ShownProblem | null) => ({
    status: 404,
    page: unwrittenPage(context, place, { known, problem: first ?? later }),
  });
  try {
    const glance = glanceAtPullRequest(deps, address, { viewer: user, signal: abortOnDisconnect(reply) });
    const found = await inTime(glance, patienceMs, () => null);
    if (!found) return show(null, null);
    const { createdAt, mergedAt, owner, name, isPrivate, ...same } = found;
    if (isPrivate && (await unlessAbsent(findVisiblePullRequest(deps, address, user)))) return null;
    const times = { hostPrCreatedAt: createdAt.toISOString(), mergedAt: mergedAt?.toISOString() ?? null };
    const known = { ...same, ...times, stored: null };
    const named = { ...place, owner, repo: name };
    return { status: 404, page: unwrittenPage(context, named, { known, problem: first }) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, status } = error;
    if (code === 'PULL_REQUEST_NOT_FOUND' || code === 'REPOSITORY_NOT_FOUND')
      return showAbsent(deps, context, { ...place, codeHost }, error);
    if (status >= 500) return show(null, { code, message });
    throw error;
  }
}

export function showAbsent(
  { codeHosts }: { codeHosts: CodeHost[] },
  context: PageContext,
  { codeHost, ...place }: RepositoryPlace & { prNumber: number | null; codeHost: CodeHost },
  error: Failure,
): ShownPage {
  const other = codeHosts.find(({ isLocal }) => isLocal !== codeHost.isLocal);
  const absent = {
    isRepository: error.code === 'PULL_REQUEST_NOT_FOUND',
    isClone: codeHost.isLocal,
    lacksToken: error instanceof UnshownWithoutToken,
    elsewhere: other ? { host: other.id, hostName: hostName(other) } : null,
  };
  return { status: 404, page: absentPage(context, place, absent) };
}
