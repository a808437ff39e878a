import type { Static } from 'typebox';
import { fileKinds, quoteSources, reasonsForOffline } from '../domain/article.ts';
import {
  AlsoChanged,
  AuthorWords,
  ChangeTypeEnum,
  MainChange,
  NotablePoint,
  Scope,
  Statement,
  TestChanges,
} from './article-parts.ts';
import { BaseSha, Count, component, LanguageCode, nullable, ref, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

const closed = { additionalProperties: false } as const;

export const titleMaxLength = 80;

export const standfirstMaxLength = 300;

/** Enough to see what kind of files were passed over; a list of thousands is not read. */
export const mostSkippedListed = 100;

const Counts = Type.Object(
  {
    files: Count('Changed files.'),
    additions: Count('Added lines.'),
    deletions: Count('Removed lines.'),
    commits: Count('Commits.'),
    parts: Type.Array(
      Type.Object(
        {
          kind: Type.Enum([...fileKinds], { type: 'string', description: 'What the files are for.' }),
          files: Count('How many of them changed.'),
        },
        closed,
      ),
      { description: 'The files by their kind.' },
    ),
  },
  { ...closed, description: 'How large the change is.' },
);

export type Counts = Static<typeof Counts>;

const Writer = Type.Object(
  {
    kind: Type.Enum(['offline', 'ai'], { type: 'string', description: 'Without a model, or with one.' }),
    provider: Type.Optional(Type.String({ description: 'Who runs the model.' })),
    model: Type.Optional(Type.String({ description: 'The model.' })),
    promptVersion: Type.Optional(Type.String({ description: 'Version of the prompts.' })),
    standsIn: Type.Optional(
      Type.Boolean({ description: 'Whether it was written without a model because the model failed.' }),
    ),
    because: Type.Optional(
      Type.Enum([...reasonsForOffline], {
        type: 'string',
        description: 'Why a service with a model wrote it without one.',
      }),
    ),
  },
  { ...closed, description: 'What wrote it.' },
);

const Coverage = Type.Object(
  {
    filesRead: Count('Files that were read.'),
    filesTotal: Count('Files that it changes.'),
    linesRead: Count('Changed lines that were read.'),
    linesTotal: Count('Changed lines in all.'),
    skipped: Type.Array(
      Type.Object(
        {
          fileName: Type.String({
            description:
              'Path in the repository; for words that are too long, what they are, such as `description`.',
          }),
          reason: Type.String({ description: 'Why it was not read, or not to its end.' }),
        },
        closed,
      ),
      { maxItems: mostSkippedListed, description: 'What was not read, or the first of it.' },
    ),
    skippedTotal: Count('How many were not read, or not to their end.'),
    notes: Type.Optional(
      Type.Object(
        {
          total: Count('Notes that a model took on its parts.'),
          used: Count('Those that the writer of the article had room for.'),
        },
        { ...closed, description: 'Only where the change was too large to be read at once.' },
      ),
    ),
  },
  { ...closed, description: 'How much of the pull request was read.' },
);

const Verification = Type.Object(
  {
    claims: Count('Claims that the writer made.'),
    verified: Count('Those that the diff bears out.'),
    repaired: Count('Those that were put right.'),
    dropped: Count('Those that were left out because the diff does not bear them out.'),
    judged: Count('Those that a second reader found borne out.'),
    unjudged: Count(
      'Those that a second reader should have read and did not; rules alone have checked them.',
    ),
  },
  {
    ...closed,
    description:
      'What checking the claims against the diff found: each was verified, repaired, left unjudged, or dropped.',
  },
);

export const Quote = Type.Object(
  {
    text: Type.String({ minLength: 1, description: 'The sentence, word for word.' }),
    from: Type.Enum([...quoteSources], { type: 'string', description: 'Where it comes from.' }),
  },
  { ...closed, description: 'A sentence of the author.' },
);

export type Quote = Static<typeof Quote>;

const tellingProperties = {
  changeTypes: Type.Array(ref(ChangeTypeEnum), {
    description: 'What kinds of change it tells of, the main one first; empty where none is sure.',
  }),
  quote: nullable(Quote),
  readingMinutes: Type.Integer({ minimum: 1, description: 'How long it takes to read.' }),
};

const stateProperties = {
  state: Type.Enum(['open', 'closed', 'merged'], { type: 'string', description: 'How far it got.' }),
  mergedAt: nullable(Timestamp('When it was merged.')),
};

export const listedProperties = {
  ...tellingProperties,
  standfirst: nullable(
    Type.String({
      minLength: 1,
      maxLength: standfirstMaxLength,
      description: 'What changes for whom, in a sentence.',
    }),
  ),
  ...stateProperties,
  isBreaking: Type.Boolean({
    description: 'Whether it tells of something that breaks for those who use the code.',
  }),
};

const Usage = Type.Object(
  {
    inputTokens: Count('Tokens that the model read.'),
    outputTokens: Count('Tokens that the model wrote.'),
    estimatedCostUsd: Type.Optional(
      Type.Number({ minimum: 0, description: 'What that cost, by list prices.' }),
    ),
  },
  { ...closed, description: 'What a model used; absent without one.' },
);

export const ArticleContent = component(
  'ArticleContent',
  Type.Object(
    {
      languageCode: LanguageCode(),
      aiGeneratedTitle: Type.String({ minLength: 1, maxLength: titleMaxLength, description: 'Title.' }),
      standfirst: Type.Union([ref(Statement), Type.Null()], {
        description: 'What changes for whom, in at most 300 characters; null where nothing certain says it.',
      }),
      scope: Type.Union([ref(Scope), Type.Null()], {
        description: 'How far it reaches; null where that is not certain.',
      }),
      authorWords: Type.Union([ref(AuthorWords), Type.Null()], {
        description: 'What the author wrote about it; null for nothing.',
      }),
      ...tellingProperties,
      counts: Counts,
      backgroundAndPurpose: Type.String({
        description: 'Why the change was made: by a model, else the author’s words as plain text.',
      }),
      background: Type.Array(ref(Statement), {
        description: 'What a model says of it, sentence by sentence.',
      }),
      mainChanges: Type.Array(ref(MainChange), {
        description: 'What changed; empty only for an empty diff.',
      }),
      notablePoints: Type.Array(ref(NotablePoint), { description: 'What a reader should not miss.' }),
      tests: Type.Union([ref(TestChanges), Type.Null()], {
        description: 'What became of tests; null for nothing, and with a model.',
      }),
      also: Type.Array(ref(AlsoChanged), { description: 'What the rest of it does not mention.' }),
      summaryGeneratedAt: Timestamp('When it was written.'),
      likeCount: Count('How many people like it in this language.'),
      headSha: Type.String({ description: 'The commit that it was written for.' }),
      baseSha: BaseSha,
      stale: Type.Boolean({
        description: 'Whether the diff is another since: its head has moved, or where it begins.',
      }),
      writer: Writer,
      coverage: Coverage,
      verification: Verification,
      usage: Type.Optional(Usage),
    },
    closed,
  ),
);

export type ArticleContent = Static<typeof ArticleContent>;

export const PullRequestArticle = component(
  'PullRequestArticle',
  Type.Object(
    {
      id: Uuid('The article.'),
      kind: Type.Literal('article', {
        description: 'That it is the article, and not the job that writes it.',
      }),
      pullRequestId: Uuid('The pull request here.'),
      host: Type.String({ description: 'The code host.' }),
      owner: Type.String({ description: 'Repository owner.' }),
      repo: Type.String({ description: 'Repository name.' }),
      prNumber: Type.Integer({ minimum: 1, description: 'Number of the pull request.' }),
      hostPrUrl: nullable(Type.String({ format: 'uri', description: 'Its page on the code host.' })),
      title: Type.String({ description: 'Title of the pull request.' }),
      authorLogin: Type.String({ description: 'Login name of its author.' }),
      headSha: Type.String({ description: 'The commit that it has now.' }),
      hostPrCreatedAt: Timestamp('When it was made on the code host.'),
      ...stateProperties,
      totalLikeCount: Count('Likes in all languages.'),
      contents: Type.Unsafe<Record<string, ArticleContent>>({
        type: 'object',
        additionalProperties: ref(ArticleContent),
        description: 'What it says, by language code.',
      }),
      createdAt: Timestamp('When the article was first written.'),
      updatedAt: Timestamp('When it was last written.'),
    },
    closed,
  ),
);

export type PullRequestArticle = Static<typeof PullRequestArticle>;

export const ArticleSummary = component(
  'ArticleSummary',
  Type.Object(
    {
      articleId: Uuid('The article.'),
      languageCode: LanguageCode(),
      aiGeneratedTitle: Type.String({ minLength: 1, maxLength: titleMaxLength, description: 'Title.' }),
      repositoryFullName: Type.String({ description: 'Owner and repository, such as harborline/parcel.' }),
      owner: Type.String({ description: 'Repository owner.' }),
      repo: Type.String({ description: 'Repository name.' }),
      prNumber: Type.Integer({ minimum: 1, description: 'Number of the pull request.' }),
      host: Type.String({ description: 'The code host.' }),
      authorLogin: Type.String({ description: 'Login name of the author of the pull request.' }),
      ...listedProperties,
      likeCount: Count('How many people like it in this language.'),
      summaryGeneratedAt: Timestamp('When it was written.'),
    },
    {
      ...closed,
      examples: [
        {
          articleId: '0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11',
          languageCode: 'en',
          aiGeneratedTitle: 'Estimates promise calendar days of the recipient',
          repositoryFullName: 'harborline/parcel',
          owner: 'harborline',
          repo: 'parcel',
          prNumber: 10,
          host: 'git',
          authorLogin: 'rin',
          changeTypes: ['FIX', 'TEST'],
          quote: null,
          readingMinutes: 1,
          standfirst: 'Promised days are those of the recipient, not of the depot.',
          state: 'merged',
          mergedAt: '2026-02-27T16:04:00.000Z',
          isBreaking: false,
          likeCount: 0,
          summaryGeneratedAt: '2026-03-01T09:30:00.000Z',
        },
      ],
    },
  ),
);

export type ArticleSummary = Static<typeof ArticleSummary>;
