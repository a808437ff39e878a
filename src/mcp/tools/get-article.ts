import { Type } from '../../contract/type.ts';
import { articleSections } from '../../domain/article.ts';
import type { AgentParts } from '../agent-parts.ts';
import { Cursor } from '../cursor.ts';
import { ArticleName, type FindArticle, HostName } from '../find-article.ts';
import { ArticleAnswer, tellArticle } from '../tell-article.ts';
import { Detail, Language, takes, tool } from '../tool.ts';

export const getArticle = (parts: AgentParts, findArticle: FindArticle) =>
  tool({
    name: 'get_article',
    title: 'Read an article',
    description:
      'What is written about one pull request: why it was made, what it changes and what to watch out for. What is said of the diff (basis: diff) was checked against it, and get_evidence shows the lines; what people wrote (words) and what it means (judgement) are marked.',
    input: takes({
      article: ArticleName,
      host: Type.Optional(HostName),
      section: Type.Optional(
        Type.Enum([...articleSections], {
          type: 'string',
          description: 'Only this part of it; without it, all.',
        }),
      ),
      language: Type.Optional(Language),
      detail: Type.Optional(
        Detail(
          'every sentence with its id (the default)',
          'Markdown, with the hunks that it shows and where lines are',
        ),
      ),
      cursor: Type.Optional(Cursor),
    }),
    output: ArticleAnswer,
    run: async ({ detail = 'brief', ...asked }, call) =>
      tellArticle(parts, await findArticle(asked, call), call, { detail, ...asked }),
  });
