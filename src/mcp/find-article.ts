import {
  contentInLanguage,
  publishedContent,
  readArticleAbout,
  readArticlesById,
} from '../actions/articles/read-article.ts';
import type { Look } from '../actions/repositories/find-visible-repository.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { Type } from '../contract/type.ts';
import type { PublishedContent, StoredArticle, StoredContent } from '../db/articles.ts';
import { Failure } from '../domain/errors.ts';
import { longestAddress, type PastedAddress, parsePastedAddress } from '../domain/parse-pasted-address.ts';
import type { AgentParts } from './agent-parts.ts';
import type { AgentCall } from './tool.ts';

export const PullRequestName = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: longestAddress,
    description: `${what}: owner/repo#7, or the address of the pull request on its code host.`,
  });

export const ArticleName = Type.String({
  minLength: 1,
  maxLength: longestAddress,
  description:
    'Which article: the articleId of a list, owner/repo#7, or the address of the pull request on its code host.',
});

const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** What a name means, and on which host. */
export interface Named extends PastedAddress {
  codeHost: CodeHost;
}

export function readName({ codeHosts }: AgentParts, text: string, field: string): Named {
  const read = parsePastedAddress(text, codeHosts);
  const codeHost = typeof read === 'string' ? undefined : codeHosts.find(({ id }) => id === read.host);
  if (typeof read !== 'string' && codeHost) return { ...read, codeHost };
  const problem = 'names nothing on a code host of this service; write owner/repo#7, or owner/repo';
  throw new Failure('INVALID_REQUEST', `${field} ${problem}.`, { details: [{ field, problem }] });
}

export function readPullRequestName(
  parts: AgentParts,
  text: string,
  field: string,
): Named & { number: number } {
  const { number, ...named } = readName(parts, text, field);
  if (number !== null) return { ...named, number };
  const problem = 'names a repository and no pull request; add its number, as in owner/repo#7';
  throw new Failure('INVALID_REQUEST', `${field} ${problem}.`, { details: [{ field, problem }] });
}

export interface FoundArticle {
  article: StoredArticle;
  content: StoredContent;
  /** What it says in that language. */
  said: PublishedContent;
  /** As of which moment it was looked at. */
  look: Look;
}

export type FindArticle = (
  asked: { article: string; language?: string },
  call: AgentCall,
) => Promise<FoundArticle>;

/** Finds an article by whatever it is called, in the language that is wanted. */
export function createFindArticle(parts: AgentParts): FindArticle {
  const readById = readArticlesById(parts);
  return async ({ article: name, language }, { viewer }) => {
    const look: Look = { viewer, now: parts.clock() };
    const article = isId(name)
      ? await readById(name.toLowerCase(), viewer)
      : await readNamed(parts, name, look);
    const own = viewer?.user?.language;
    const content = contentInLanguage(article, { asked: language, own, acceptLanguage: undefined });
    return { article, content, said: publishedContent(content), look };
  };
}

async function readNamed(parts: AgentParts, text: string, look: Look): Promise<StoredArticle> {
  const { codeHost, owner, repo, number } = readPullRequestName(parts, text, 'article');
  const address = { codeHost, owner, name: repo, number };
  return readArticleAbout(parts, address, look.viewer, look).catch((error) => {
    if (!(error instanceof Failure) || error.code !== 'ARTICLE_NOT_FOUND') throw error;
    const message = `There is no article about ${owner}/${repo}#${number}, or you may not see it. explain_pull_request has it written.`;
    throw new Failure('ARTICLE_NOT_FOUND', message);
  });
}
