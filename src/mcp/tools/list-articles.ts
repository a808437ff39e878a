import type { TSchema } from 'typebox';
import { presentListed, presentSummary } from '../../actions/articles/read-article.ts';
import type { ArticleSummary } from '../../contract/articles.ts';
import { Flag, List, OneOf, record, Text } from '../../contract/formats.ts';
import { indexedShare as IndexedShare } from '../../contract/search.ts';
import { Type } from '../../contract/type.ts';
import { findArticleContents, type PublishedContent } from '../../db/articles.ts';
import { listFeedEntries } from '../../db/following.ts';
import { listRankedArticles } from '../../db/likes.ts';
import { readStates } from '../../domain/articles.ts';
import { Failure } from '../../domain/errors.ts';
import { longestQuestion } from '../../domain/search/question.ts';
import { rankingPeriodNames } from '../../domain/time.ts';
import { headlineOf } from '../../domain/titles.ts';
import { articleLink } from '../../pages/links.ts';
import { markOf, type Said, SaidSentence, sentencesOf } from '../article-sentences.ts';
import { HostName, hostCalled, RepositoryArgument, readName } from '../find-article.ts';
import { resourceOf } from '../present-article.ts';
import {
  type AgentCall,
  type AgentDeps,
  cursorAt,
  inShort,
  listParameters,
  NextCursor,
  Notice,
  notice,
  type Piece,
  pageAt,
  requireUser,
  type ToolAnswer,
  takeFitting,
  takes,
  tool,
} from '../tool.ts';

interface Found {
  kind: string;
  text: string;
  id?: string;
}

export const searchArticlesTool = (deps: AgentDeps) =>
  tool({
    name: 'search_articles',
    title: 'Search articles',
    description:
      'Finds articles about pull requests by words in any language, best first: what a change did, why, where and by whom.',
    input: takes(
      {
        query: Type.String({
          minLength: 1,
          maxLength: longestQuestion,
          description:
            'Words that results must contain, "words in this order", and the filters repo:owner/name, author:, type:FIX, file:src/app.ts and is:unread.',
        }),
      },
      listParameters('why each was found, its author, type and state'),
    ),
    output: ListedAnswer(
      { matches: Type.Optional(List(SaidSentence, 'Sentences that contain the words.')) },
      { indexedShare: IndexedShare },
    ),
    async run({ query, language, detail = 'brief', ...paging }, call) {
      const page = pageAt(paging);
      const request = { q: query, ...(language !== undefined && { language }) };
      const { articles, total, indexedShare } = await deps.search(request, call.viewer, page).catch(sayQuery);
      const contents = await findArticleContents(deps.database, {
        viewer: deps.listViewer(call.viewer),
        articles: detail === 'full' ? articles.map(({ article }) => article) : [],
      });
      const pieces = articles.map(({ article, matches }) => {
        const said = saidIn(contents.get(article.articleId), matches);
        const extra = { data: { matches: sentenceData(said) }, lines: sentenceLines(said) };
        return pieceOfSummary(article, { deps, call, detail }, detail === 'full' ? extra : undefined);
      });
      return listAnswer({ what: 'Articles found', pieces, total, page, beside: besideOf(indexedShare) });
    },
  });

const besideOf = (indexedShare: number) => ({
  data: { indexedShare },
  lines:
    indexedShare < 1 ? [`Only ${Math.floor(indexedShare * 100)}% of all articles are indexed so far.`] : [],
});

function saidIn(content: PublishedContent | undefined, matches: { section: Found }[]): Said[] {
  const known = new Map(
    content && sentencesOf(content).map(({ statement }) => [statement.id, statement] as const),
  );
  return matches.map(({ section: { kind, id, text } }) => {
    if (kind === 'words') return { ...known.get('words'), text, basis: 'words' };
    const statement = id === undefined ? undefined : known.get(id);
    return statement ?? { text, basis: null };
  });
}

function sayQuery(error: unknown): never {
  if (!(error instanceof Failure) || !error.details) throw error;
  const details = error.details.map(({ field, problem }) => ({
    field: field === 'q' ? 'query' : field,
    problem,
  }));
  throw new Failure(error.code, error.message, { details });
}

export const listRanking = (deps: AgentDeps) =>
  tool({
    name: 'list_ranking',
    title: 'List the most liked articles',
    description: 'Articles about public repositories, the most liked first.',
    input: takes(
      {},
      {
        period: OneOf(
          rankingPeriodNames,
          'Likes to count: those of the last 24 hours, 7, 30 or 365 days, or all (the default).',
        ),
        repository: RepositoryArgument('Only of this one'),
        host: HostName,
        ...listParameters('its author, type and state'),
      },
    ),
    output: ListedAnswer({
      rank: Type.Integer({ description: 'Position in the whole list.' }),
      likes: Type.Integer({ description: 'Likes in the period.' }),
    }),
    async run({ period = 'all', repository, host, language, detail = 'brief', ...paging }, call) {
      const named =
        repository === undefined ? null : readName(deps, { text: repository, field: 'repository', host });
      const page = pageAt(paging);
      const { rows, total } = await listRankedArticles(deps.database, {
        // The ranking is the same for every viewer, because it contains only public articles.
        viewer: deps.listViewer(null),
        period,
        language,
        ...(host !== undefined && { host: hostCalled(deps.codeHosts, host).id }),
        ...(named && { host: named.host, owner: named.owner, repo: named.repo }),
        ...page,
      });
      const pieces = rows.map(({ likeCount, ...listed }, index) => {
        const rank = page.offset + index + 1;
        const lines = [`${rank}. with ${likeCount} ${likeCount === 1 ? 'like' : 'likes'}`];
        return pieceOfSummary(
          presentListed(deps.codeHosts, listed),
          { deps, call, detail },
          { data: { rank, likes: likeCount }, lines },
        );
      });
      return listAnswer({ what: 'Most liked articles', pieces, total, page });
    },
  });

const said = { no: 'unread', yes: 'read', changed: 'read, and says something new since' };

export const listMyFeed = (deps: AgentDeps) =>
  tool({
    name: 'list_my_feed',
    title: 'List what is new for me',
    description:
      'Articles about the favorite repositories of the caller, newest first, with whether the caller has read them. Needs a token.',
    isForUsers: true,
    input: takes(
      {},
      {
        unread: Flag('Only articles that are unread or contain something new since they were read.'),
        ...listParameters('its author, type and state'),
      },
    ),
    output: ListedAnswer({
      read: OneOf(
        readStates,
        'Whether the caller has read the article; changed: it contains something new since.',
      ),
    }),
    async run({ unread = false, language, detail = 'brief', ...paging }, call) {
      const viewer = requireUser(call);
      const page = pageAt(paging);
      const { rows, total } = await listFeedEntries(deps.database, {
        viewer: { ...deps.listViewer(viewer), userId: viewer.user.id },
        languages: [language, viewer.user.language].filter((one) => one !== undefined),
        isUnreadOnly: unread,
        ...page,
      });
      const pieces = rows.map(({ read, ...listed }) =>
        pieceOfSummary(
          presentSummary(deps.codeHosts)(listed),
          { deps, call, detail },
          { data: { read }, lines: [said[read]] },
        ),
      );
      return listAnswer({ what: 'Articles about your favorites', pieces, total, page });
    },
  });

const longestSentence = 300;

const listed = {
  articleId: Text('The article, for get_article and get_evidence.'),
  pullRequest: Text('The pull request, as in owner/repo#7.'),
  host: Text('The code host.'),
  language: Text('Language of this version.'),
  title: Type.String(),
  standfirst: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'What changes for whom.' }),
  secondLine: Type.Optional(
    Text('Without a standfirst: the first sentence of the author, or what the change touches.'),
  ),
  url: Text('Its page.'),
  resource: Type.Optional(Text('The article as a resource.')),
  author: Type.Optional(Type.String()),
  changeTypes: Type.Optional(Type.Array(Type.String())),
  isBreaking: Type.Optional(Type.Boolean()),
  state: Type.Optional(Type.String()),
  mergedAt: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
  writtenAt: Type.Optional(Type.String()),
  readingMinutes: Type.Optional(Type.Integer()),
};

interface Extra {
  data: object;
  lines: string[];
}

type Summary = Omit<ArticleSummary, 'likeCount' | 'summaryGeneratedAt'> & { summaryGeneratedAt?: string };

interface ListOptions {
  deps: Pick<AgentDeps, 'codeHosts'>;
  call: Pick<AgentCall, 'origin'>;
  detail: 'brief' | 'full';
}

export function pieceOfSummary(
  summary: Summary,
  { deps, call, detail }: ListOptions,
  extra: Extra = { data: {}, lines: [] },
): Piece<object> {
  const { articleId, languageCode: language, owner, repo, prNumber, host, mergedAt, changeTypes } = summary;
  const pullRequest = `${owner}/${repo}#${prNumber}`;
  const title = inShort(headlineOf(summary.title, summary), longestSentence);
  const shorten = (text: string | null) => (text === null ? null : inShort(text, longestSentence));
  const standfirst = shorten(summary.standfirst);
  const secondLine = standfirst === null ? shorten(summary.secondLine?.text ?? null) : null;
  const url = `${call.origin}${articleLink(summary, deps.codeHosts[0]?.id ?? '', { language })}`;
  const more = {
    resource: resourceOf(articleId, language),
    author: inShort(summary.authorLogin, longestSentence),
    ...{ changeTypes, isBreaking: summary.isBreaking, state: summary.state, mergedAt },
    ...(summary.summaryGeneratedAt !== undefined && { writtenAt: summary.summaryGeneratedAt }),
    readingMinutes: summary.readingMinutes,
  };
  const said = [
    pullRequest,
    `on ${host}`,
    ...(changeTypes.length > 0 ? [changeTypes.join(', ')] : []),
    ...(summary.isBreaking ? ['BREAKING'] : []),
    mergedAt === null ? summary.state : `merged ${mergedAt.slice(0, 10)}`,
    ...(detail === 'full' ? [more.author] : []),
  ];
  const below = standfirst ?? secondLine;
  const lines = [said.join(' · '), ...(below === null ? [] : [below]), ...extra.lines, url];
  return {
    text: [`- ${title}`, ...lines.map((line) => `  ${line}`)].join('\n'),
    data: {
      ...{ articleId, pullRequest, host, language, title, standfirst, url },
      ...(secondLine !== null && { secondLine }),
      ...(detail === 'full' && more),
      ...extra.data,
    },
  };
}

export const sentenceLines = (sentences: Said[]): string[] =>
  sentences.map((said) => `> ${markOf(said)}${shortened(said.text)}`);

export const sentenceData = (sentences: Said[]): Said[] =>
  sentences.map(({ text, basis, source }) => ({ text: shortened(text), basis, ...(source && { source }) }));

export const shortened = (text: string): string => inShort(text, longestSentence);

export const ListedAnswer = (more: Record<string, TSchema> = {}, beside: Record<string, TSchema> = {}) =>
  record({
    notice: Notice,
    ...beside,
    items: Type.Array(record({ ...listed, ...more })),
    total: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Total number; null if there are too many to count.',
    }),
    nextCursor: NextCursor,
  });

interface AnsweredList {
  what: string;
  pieces: Piece<object>[];
  total: number | null;
  page: { limit: number; offset: number };
  beside?: Extra;
}

export function listAnswer({
  what,
  pieces,
  total,
  page,
  beside = { data: {}, lines: [] },
}: AnsweredList): ToolAnswer {
  const fitting = takeFitting(pieces, [notice, notice, what, beside]);
  const end = page.offset + fitting.length;
  const isCut = fitting.length < pieces.length;
  const goesOn = isCut || (total === null ? pieces.length === page.limit : fitting.length > 0 && end < total);
  const nextCursor = goesOn ? cursorAt({ offset: end }) : null;
  const many = total === null ? 'more than 1,000' : String(total);
  const shown = fitting.length === 0 ? 'none here' : `${page.offset + 1} to ${end} here`;
  const next =
    nextCursor === null
      ? ''
      : `\n\n${isCut ? 'This result was shortened. ' : ''}Continue with cursor "${nextCursor}".`;
  const aside = beside.lines.map((line) => `\n${line}`).join('');
  return {
    text: `${notice}\n\n${what}: ${many}, ${shown}.${aside}\n\n${fitting.map(({ text }) => text).join('\n')}${next}`,
    data: { notice, ...beside.data, items: fitting.map(({ data }) => data), total, nextCursor },
  };
}
