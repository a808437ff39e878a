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
import {
  BaseSha,
  Count,
  Flag,
  LanguageCode,
  List,
  NonEmpty,
  nullable,
  OneOf,
  Positive,
  pullRequestFields,
  record,
  ref,
  refOrNull,
  resource,
  stateField,
  Text,
  Timestamp,
  Url,
  Uuid,
} from './formats.ts';
import { Type } from './type.ts';

export const titleMaxLength = 80;

export const standfirstMaxLength = 300;

/** Enough to see what kind of files were passed over; a list of thousands is not read. */
export const mostSkippedListed = 100;

const Counts = record(
  {
    files: Count('Changed files.'),
    additions: Count('Added lines.'),
    deletions: Count('Removed lines.'),
    commits: Count('Commits.'),
    parts: List(
      record({
        kind: OneOf(fileKinds, 'What the files are for.'),
        files: Count('How many of them changed.'),
      }),
      'The files by their kind.',
    ),
  },
  { description: 'How large the change is.' },
);

export type Counts = Static<typeof Counts>;

export const Writer = record(
  {
    kind: OneOf(['offline', 'ai'], 'Without a model, or with one.'),
    provider: Type.Optional(Text('Who runs the model.')),
    model: Type.Optional(Text('The model.')),
    promptVersion: Type.Optional(Text('Version of the prompts.')),
    standsIn: Type.Optional(Flag('Whether it was written without a model because the model failed.')),
    because: Type.Optional(OneOf(reasonsForOffline, 'Why a service with a model wrote it without one.')),
  },
  { description: 'What wrote it.' },
);

const Coverage = record(
  {
    filesRead: Count('Files that were read.'),
    filesTotal: Count('Files that it changes.'),
    linesRead: Count('Changed lines that were read.'),
    linesTotal: Count('Changed lines in all.'),
    skipped: Type.Array(
      record({
        fileName: Text(
          'Path in the repository; for words that are too long, what they are, such as `description`.',
        ),
        reason: Text('Why it was not read, or not to its end.'),
      }),
      { maxItems: mostSkippedListed, description: 'What was not read, or the first of it.' },
    ),
    skippedTotal: Count('How many were not read, or not to their end.'),
    notes: Type.Optional(
      record(
        {
          total: Count('Notes that a model took on its parts.'),
          used: Count('Those that the writer of the article had room for.'),
        },
        { description: 'Only where the change was too large to be read at once.' },
      ),
    ),
  },
  { description: 'How much of the pull request was read.' },
);

export const Verification = record(
  {
    claims: Count('Claims that the writer made.'),
    verified: Count('Statements that the diff confirms.'),
    repaired: Count('Statements that were repaired.'),
    dropped: Count('Those that were left out because the diff does not bear them out.'),
    judged: Count('Statements that a second model confirmed.'),
    unjudged: Count(
      'Those that a second reader should have read and did not; rules alone have checked them.',
    ),
  },
  {
    description:
      'What checking the claims against the diff found: each was verified, repaired, left unjudged, or dropped.',
  },
);

export const Quote = record(
  {
    text: NonEmpty('The sentence, word for word.'),
    from: OneOf(quoteSources, 'Where it comes from.'),
  },
  { description: 'A sentence of the author.' },
);

export type Quote = Static<typeof Quote>;

const Title = Type.String({ minLength: 1, maxLength: titleMaxLength, description: 'Title.' });

const tellingProperties = {
  changeTypes: List(
    ref(ChangeTypeEnum),
    'What kinds of change it tells of, the main one first; empty where none is sure.',
  ),
  quote: nullable(Quote),
  readingMinutes: Positive('How long it takes to read.'),
};

const stateProperties = {
  state: stateField,
  mergedAt: nullable(Timestamp('When it was merged.')),
};

export const listedFields = {
  articleId: Uuid('The article.'),
  languageCode: LanguageCode(),
  aiGeneratedTitle: Title,
  repositoryFullName: Text('Owner and repository, such as harborline/parcel.'),
  ...pullRequestFields,
  authorLogin: Text('Login name of the author of the pull request.'),
  ...tellingProperties,
  standfirst: nullable(
    Type.String({
      minLength: 1,
      maxLength: standfirstMaxLength,
      description: 'What changes for whom, in a sentence.',
    }),
  ),
  ...stateProperties,
  isBreaking: Flag('Whether it tells of something that breaks for those who use the code.'),
};

export const Usage = record(
  {
    inputTokens: Count('Tokens that the model read.'),
    outputTokens: Count('Tokens that the model wrote.'),
    estimatedCostUsd: Type.Optional(
      Type.Number({ minimum: 0, description: 'What that cost, by list prices.' }),
    ),
  },
  { description: 'What a model used; absent without one.' },
);

export const ArticleContent = resource('ArticleContent', {
  languageCode: LanguageCode(),
  aiGeneratedTitle: Title,
  standfirst: refOrNull(
    Statement,
    'What changes for whom, in at most 300 characters; null where nothing certain says it.',
  ),
  scope: refOrNull(Scope, 'How far it reaches; null where that is not certain.'),
  authorWords: refOrNull(AuthorWords, 'What the author wrote about it; null for nothing.'),
  ...tellingProperties,
  counts: Counts,
  backgroundAndPurpose: Text('Why the change was made: by a model, else the author’s words as plain text.'),
  background: List(ref(Statement), 'What a model says of it, sentence by sentence.'),
  mainChanges: List(ref(MainChange), 'What changed; empty only for an empty diff.'),
  notablePoints: List(ref(NotablePoint), 'What a reader should not miss.'),
  tests: refOrNull(TestChanges, 'What became of tests; null for nothing, and with a model.'),
  also: List(ref(AlsoChanged), 'What the rest of it does not mention.'),
  summaryGeneratedAt: Timestamp('When it was written.'),
  likeCount: Count('How many people like it in this language.'),
  headSha: Text('The commit that it was written for.'),
  baseSha: BaseSha,
  stale: Flag('Whether the diff is another since: its head has moved, or where it begins.'),
  writer: Writer,
  coverage: Coverage,
  verification: Verification,
  usage: Type.Optional(Usage),
});

export type ArticleContent = Static<typeof ArticleContent>;

export const PullRequestArticle = resource('PullRequestArticle', {
  id: Uuid('The article.'),
  kind: Type.Literal('article', {
    description: 'That it is the article, and not the job that writes it.',
  }),
  pullRequestId: Uuid('The pull request here.'),
  ...pullRequestFields,
  hostPrUrl: nullable(Url('Its page on the code host.')),
  title: Text('Title of the pull request.'),
  authorLogin: Text('Login name of its author.'),
  headSha: Text('The commit that it has now.'),
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
});

export type PullRequestArticle = Static<typeof PullRequestArticle>;

export const listedExample = {
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
};

export const ArticleSummary = resource(
  'ArticleSummary',
  {
    ...listedFields,
    likeCount: Count('How many people like it in this language.'),
    summaryGeneratedAt: Timestamp('When it was written.'),
  },
  { example: { ...listedExample, likeCount: 0, summaryGeneratedAt: '2026-03-01T09:30:00.000Z' } },
);

export type ArticleSummary = Static<typeof ArticleSummary>;
