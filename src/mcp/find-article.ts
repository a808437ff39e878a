import {
  contentInLanguage,
  publishedContent,
  readArticleAbout,
  readArticlesById,
} from '../actions/articles/read-article.ts';
import type { Viewer } from '../actions/deps.ts';
import type { Seen } from '../actions/repositories/find-repository.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { Type } from '../contract/type.ts';
import type { PublishedContent, StoredArticle, StoredContent } from '../db/articles.ts';
import type { DetailScope } from '../db/visibility.ts';
import { Failure } from '../domain/errors.ts';
import { longestAddress, type PastedAddress, parsePastedAddress } from '../domain/repositories.ts';
import { anyOf } from '../domain/text.ts';
import type { AgentCall, AgentDeps } from './tool.ts';

export const PullRequestName = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: longestAddress,
    description: `${what}: owner/repo#7, or its URL on the code host.`,
  });

export const RepositoryArgument = (what: string) =>
  Type.String({ minLength: 1, maxLength: longestAddress, description: `${what}, as in owner/repo.` });

export const HostName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The code host of owner/repo, as named in results. Default: the first.',
});

export const ArticleName = Type.String({
  minLength: 1,
  maxLength: longestAddress,
  description: 'owner/repo#7, its URL on the code host, or the articleId from a list.',
});

const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

interface Named extends PastedAddress {
  codeHost: CodeHost;
}

interface Requested {
  text: string;
  field: string;
  host: string | undefined;
}

export function readName(
  { codeHosts }: Pick<AgentDeps, 'codeHosts'>,
  { text, field, host }: Requested,
): Named {
  const requested = host === undefined ? codeHosts : [hostCalled(codeHosts, host)];
  const read = parsePastedAddress(text, requested);
  const codeHost = requested.find(({ id }) => id === read?.host);
  if (read && codeHost) return { ...read, codeHost };
  const where = host === undefined ? 'a code host of this service' : `the code host ${host}`;
  throw unreadable(
    field,
    `is not a pull request or repository on ${where}; write owner/repo#7 or owner/repo`,
  );
}

export function hostCalled(codeHosts: CodeHost[], host: string): CodeHost {
  const called = codeHosts.find(({ id }) => id === host);
  if (called) return called;
  throw unreadable('host', `must be ${anyOf(codeHosts.map(({ id }) => id))}`);
}

const unreadable = (field: string, problem: string): Failure =>
  new Failure('INVALID_REQUEST', `${field} ${problem}.`, { details: [{ field, problem }] });

export function readPullRequestName(
  deps: Pick<AgentDeps, 'codeHosts'>,
  requested: Requested,
): Named & { number: number } {
  const { number, ...named } = readName(deps, requested);
  if (number !== null) return { ...named, number };
  throw unreadable(
    requested.field,
    'is a repository, not a pull request; add the number, as in owner/repo#7',
  );
}

export interface FoundArticle {
  article: StoredArticle;
  content: StoredContent;
  said: PublishedContent;
  seen: DetailScope;
}

export type FindArticle = (
  requested: { pullRequest: string; host?: string; language?: string },
  call: AgentCall,
) => Promise<FoundArticle>;

export function createFindArticle(deps: AgentDeps): FindArticle {
  const readById = readArticlesById(deps);
  return async ({ pullRequest: name, host, language }, { viewer }) => {
    const { found: article, seen } = isId(name)
      ? await readById(name.toLowerCase(), viewer)
      : await readNamed(deps, { text: name, field: 'pullRequest', host }, viewer);
    const own = viewer?.user?.language;
    const content = contentInLanguage(article, { requested: language, own, acceptLanguage: undefined });
    return { article, content, said: publishedContent(content), seen };
  };
}

async function readNamed(
  deps: AgentDeps,
  requested: Requested,
  viewer: Viewer | null,
): Promise<Seen<StoredArticle>> {
  const { codeHost, owner, repo, number } = readPullRequestName(deps, requested);
  const address = { codeHost, owner, name: repo, number };
  return readArticleAbout(deps, address, viewer).catch((error) => {
    if (!(error instanceof Failure) || error.code !== 'ARTICLE_NOT_FOUND') throw error;
    const message = `No article about ${owner}/${repo}#${number} on ${codeHost.id} exists, or you do not have access to it. To have one written, call explain_pull_request.`;
    throw new Failure('ARTICLE_NOT_FOUND', message);
  });
}
