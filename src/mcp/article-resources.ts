import { presentSummary } from '../actions/articles/present-summary.ts';
import { printArticleBlocks } from '../actions/articles/read-article.ts';
import type { ArticleSummary } from '../contract/article.ts';
import { listArticles } from '../db/article-lists.ts';
import { Failure } from '../domain/errors.ts';
import type { AgentParts } from './agent-parts.ts';
import { inShort, takeFitting } from './answer-size.ts';
import { cursorAt, offsetOf } from './cursor.ts';
import { cutMarkdown } from './cut-markdown.ts';
import type { FindArticle } from './find-article.ts';
import { type AgentCall, notice } from './tool.ts';

const scheme = 'pullquote://articles/';

export const resourceOf = (articleId: string, language: string): string =>
  `${scheme}${articleId}/${language}`;

export const resourceTemplate = {
  name: 'article',
  title: 'An article',
  uriTemplate: `${scheme}{articleId}/{language}`,
  description:
    'What is written about a pull request, as Markdown. articleId and language stand in every list.',
  mimeType: 'text/markdown',
};

const resourcesAtOnce = 20;
const longestDescription = 200;

/** The form of the list itself. */
const listForm = { resources: [], nextCursor: '' };

/** The newest articles that the caller may see. */
export async function listResources(
  { database, listViewer }: AgentParts,
  cursor: string | undefined,
  { viewer }: AgentCall,
) {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw badCursor();
  const page = { limit: resourcesAtOnce, offset: offsetOf(cursor) };
  const { rows, total } = await listArticles(database, { viewer: listViewer(viewer), ...page });
  const fitting = takeFitting(rows.map(presentSummary).map(resourcePiece), listForm);
  const end = page.offset + fitting.length;
  return {
    resources: fitting.map(({ data }) => data),
    ...(fitting.length > 0 && end < total && { nextCursor: cursorAt({ offset: end }) }),
  };
}

/** An article in the list, which is all data. */
function resourcePiece(summary: ArticleSummary) {
  const said = summary.standfirst === null ? '' : ` ${inShort(summary.standfirst, longestDescription)}`;
  return {
    text: '',
    data: {
      uri: resourceOf(summary.articleId, summary.languageCode),
      name: `${summary.owner}/${summary.repo}#${summary.prNumber}`,
      title: inShort(summary.aiGeneratedTitle, longestDescription),
      description: `${notice} On ${summary.host}.${said}`,
      mimeType: resourceTemplate.mimeType,
      annotations: { lastModified: summary.summaryGeneratedAt },
    },
  };
}

const badCursor = (): Failure =>
  new Failure('INVALID_REQUEST', 'This is no cursor of resources. Ask again without it.', {
    details: [{ field: 'cursor', problem: 'is of something else' }],
  });

/** An article as Markdown, or as much of it as one answer has. */
export async function readResource(findArticle: FindArticle, uri: string, call: AgentCall) {
  const [, article, language] = /^pullquote:\/\/articles\/([0-9a-f-]{36})\/([a-z]{2})$/i.exec(uri) ?? [];
  if (article === undefined || language === undefined)
    throw new Failure(
      'NOT_FOUND',
      `Resources are called ${resourceTemplate.uriTemplate}. List them, or search.`,
    );
  const found = await findArticle({ article, language }, call);
  const pieces = cutMarkdown(await printArticleBlocks(found.article, found.content));
  const fitting = takeFitting(pieces, notice);
  const told = fitting.map(({ text }) => text);
  if (fitting.length < pieces.length) {
    const cursor = cursorAt({ offset: fitting.length, revision: found.content.revision });
    told.push(
      `(This is not all of it: get_article goes on, with article "${article}", language "${language}", detail "full" and cursor "${cursor}".)`,
    );
  }
  const text = `> ${notice}\n\n${told.join('\n\n')}\n`;
  return { contents: [{ uri, mimeType: resourceTemplate.mimeType, text }] };
}
