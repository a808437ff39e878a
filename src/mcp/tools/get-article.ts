import { contentInLanguage, publishedContent } from '../../actions/articles/read-article.ts';
import { saidOfLanguage } from '../../actions/articles/request-article.ts';
import { seenBy } from '../../actions/repositories/find-repository.ts';
import { Flag, OneOf, record } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { articleSections } from '../../domain/articles.ts';
import {
  ArticleName,
  type FindArticle,
  HostName,
  PullRequestName,
  readPullRequestName,
} from '../find-article.ts';
import { ArticleAnswer, tellArticle } from '../present-article.ts';
import {
  type AgentDeps,
  Cursor,
  Detail,
  Language,
  Notice,
  notice,
  patienceMs,
  requireUser,
  takes,
  tool,
} from '../tool.ts';

export const getArticleTool = (deps: AgentDeps, findArticle: FindArticle) =>
  tool({
    name: 'get_article',
    title: 'Read an article',
    description:
      'Returns the article about one pull request: why it was made, what it changes and what to watch out for. Statements about the diff (basis: diff) were checked against it, and get_evidence shows the lines; quotations from people (words) and interpretations (judgement) are marked.',
    input: takes(
      { pullRequest: ArticleName },
      {
        host: HostName,
        section: OneOf(articleSections, 'Only this section. Default: all.'),
        language: Language,
        detail: Detail('every sentence with its id (the default)', 'Markdown, with hunks and line numbers'),
        cursor: Cursor,
      },
    ),
    output: ArticleAnswer,
    run: async ({ detail = 'brief', ...request }, call) =>
      tellArticle(deps, await findArticle(request, call), call, { detail, ...request }),
  });

const { article, sentences, nextCursor } = ArticleAnswer.properties;

export const explainPullRequestTool = (deps: AgentDeps) =>
  tool({
    name: 'explain_pull_request',
    title: 'Write an article',
    description:
      'Reads a pull request with your rights and writes an article about it, unless there is an up-to-date one. Articles by a model count against your quota. If the result is not ready (isWritten: false), call again. Needs a token.',
    isForUsers: true,
    writes: true,
    input: takes(
      { pullRequest: PullRequestName('The pull request') },
      { host: HostName, language: Language },
    ),
    output: record({
      notice: Notice,
      isWritten: Flag('False while the article is not done yet: call again.'),
      article: Type.Optional(article),
      sentences,
      nextCursor: Type.Optional(nextCursor),
    }),
    async run({ pullRequest, host, language }, call) {
      const viewer = requireUser(call);
      const { codeHost, owner, repo, number } = readPullRequestName(deps, {
        text: pullRequest,
        field: 'pullRequest',
        host,
      });
      const wanted = { codeHost, owner, name: repo, number, language: language ?? null };
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(patienceMs)]);
      const written = await deps.writeArticle(wanted, viewer, signal);
      if (!written)
        return {
          text: `${owner}/${repo}#${number} is still being read or written about. To get the article, call explain_pull_request again with the same arguments; a large pull request takes a few minutes.`,
          data: { notice, isWritten: false },
        };
      const wish = { requested: written.language, own: undefined, acceptLanguage: undefined };
      const content = contentInLanguage(written.article, wish);
      const found = {
        article: written.article,
        content,
        said: publishedContent(content),
        seen: seenBy({ viewer, now: deps.clock() }),
      };
      const answer = await tellArticle(deps, found, call, { detail: 'brief' });
      const note = saidOfLanguage(wanted.language, viewer.user, written.language).trim();
      return {
        text: [note, answer.text].filter(Boolean).join('\n\n'),
        data: { ...answer.data, isWritten: true },
      };
    },
  });
