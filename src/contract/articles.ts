import type { Static } from 'typebox';
import { fileKinds, quoteSources, reasonsForOffline } from '../domain/articles.ts';
import { secondLineSources } from '../domain/second-line.ts';
import {
  AlsoChanged,
  AuthorWords,
  BeforeAfter,
  ChangeTypeEnum,
  DependencyTable,
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
import { Review } from './reviews.ts';
import { Type } from './type.ts';

export const titleMaxLength = 80;

export const standfirstMaxLength = 300;

/** The most skipped files that an article lists: enough to see which kinds were skipped. */
export const mostSkippedListed = 100;

export const mostLookedAtListed = 40;

const Counts = record(
  {
    files: Count('Changed files.'),
    additions: Count('Added lines.'),
    deletions: Count('Removed lines.'),
    commits: Count('Commits.'),
    parts: List(
      record({
        kind: OneOf(fileKinds, 'Kind of the files.'),
        files: Count('Number of changed files of this kind.'),
      }),
      'The files by kind.',
    ),
  },
  { description: 'Size of the change.' },
);

export type Counts = Static<typeof Counts>;

export const Writer = record(
  {
    kind: OneOf(['offline', 'ai'], 'Whether the article was written without a model or with one.'),
    provider: Type.Optional(
      Text('Provider of the model; `recorded` for an example that comes with the service.'),
    ),
    model: Type.Optional(Text('The model.')),
    promptVersion: Type.Optional(Text('Version of the prompts.')),
    standsIn: Type.Optional(
      Flag('Whether the article was written without a model because the model failed.'),
    ),
    because: Type.Optional(
      OneOf(reasonsForOffline, 'Why a service with a model wrote the article without one.'),
    ),
  },
  { description: 'How the article was written.' },
);

const Coverage = record(
  {
    filesRead: Count('Files that were read.'),
    filesTotal: Count('Changed files in total.'),
    linesRead: Count('Changed lines that were read.'),
    linesTotal: Count('Changed lines in total.'),
    skipped: Type.Array(
      record({
        fileName: Text(
          'Path in the repository, or the name of a text that was too long, such as `description`.',
        ),
        reason: Text('Why it was not read, or not completely.'),
      }),
      { maxItems: mostSkippedListed, description: 'The first items that were not read completely.' },
    ),
    skippedTotal: Count('Number of items that were not read completely.'),
    notes: Type.Optional(
      record(
        {
          total: Count('Notes that a model took on the parts.'),
          used: Count('Notes that fitted into the writing of the article.'),
        },
        { description: 'Only if the change was too large to be read at once.' },
      ),
    ),
    lookedAt: Type.Optional(
      Type.Array(
        record({
          fileName: Text('Path in the repository.'),
          side: OneOf(['old', 'new'], 'Whether the file was looked at as it was before or after the change.'),
          lines: Count('Lines that were shown to the model.'),
        }),
        {
          maxItems: mostLookedAtListed,
          description: 'Code that the change leaves alone and that a model asked to see.',
        },
      ),
    ),
  },
  { description: 'How much of the pull request was read.' },
);

export const Verification = record(
  {
    claims: Count('Statements that the writer made.'),
    verified: Count('Statements that the diff confirms.'),
    repaired: Count('Statements that were repaired.'),
    dropped: Count('Statements that were left out because the diff does not confirm them.'),
    judged: Count('Statements that a second model confirmed.'),
    unjudged: Count(
      'Statements that a second model should have checked but did not; only rules checked them.',
    ),
  },
  {
    description:
      'Results of checking the statements against the diff: each was verified, repaired, left unjudged or dropped.',
  },
);

export const Quote = record(
  {
    text: NonEmpty('The sentence, word for word.'),
    from: OneOf(quoteSources, 'Source of the quotation.'),
  },
  { description: 'A sentence of the author.' },
);

export type Quote = Static<typeof Quote>;

const Title = Type.String({ minLength: 1, maxLength: titleMaxLength, description: 'Title.' });

const tellingProperties = {
  changeTypes: List(ref(ChangeTypeEnum), 'Types of change, the main one first; empty if none is certain.'),
  quote: nullable(Quote),
  readingMinutes: Positive('Reading time in minutes.'),
};

const stateProperties = {
  state: stateField,
  mergedAt: nullable(Timestamp('When the pull request was merged.')),
};

export const listedFields = {
  articleId: Uuid('The article.'),
  languageCode: LanguageCode(),
  title: Text('Title of the pull request, as its author wrote it.'),
  aiGeneratedTitle: Title,
  repositoryFullName: Text('Owner and repository, such as harborline/parcel.'),
  ...pullRequestFields,
  hostPrUrl: nullable(Url('URL of the pull request on the code host.')),
  authorLogin: Text('Login name of the author of the pull request.'),
  byBot: Flag('Whether the author is a bot by name.'),
  ...tellingProperties,
  standfirst: nullable(
    Type.String({
      minLength: 1,
      maxLength: standfirstMaxLength,
      description: 'Summary in one sentence: what changes for whom.',
    }),
  ),
  secondLine: nullable(
    record(
      {
        text: NonEmpty('The text, with names of code in backticks.'),
        from: OneOf(
          secondLineSources,
          'The lead, the first sentence of the author, or what the change touches.',
        ),
      },
      { description: 'What lists show below the title; null only for an empty diff.' },
    ),
  ),
  ...stateProperties,
  isBreaking: Flag('Whether the article reports a breaking change.'),
  isExample: Flag('Whether it is an example: a recorded model wrote it about the sample repository.'),
  additions: Count('Added lines.'),
  deletions: Count('Removed lines.'),
};

export const Usage = record(
  {
    inputTokens: Count('Tokens that the model read.'),
    outputTokens: Count('Tokens that the model wrote.'),
    estimatedCostUsd: Type.Optional(Type.Number({ minimum: 0, description: 'Cost by list price.' })),
  },
  { description: 'Tokens and cost of the model; absent without one.' },
);

export const ArticleContent = resource('ArticleContent', {
  languageCode: LanguageCode(),
  aiGeneratedTitle: Title,
  standfirst: refOrNull(
    Statement,
    'Summary of what changes for whom, in at most 300 characters; null if nothing is certain.',
  ),
  scope: refOrNull(Scope, 'Scope of the change; null if not certain.'),
  authorWords: refOrNull(AuthorWords, 'What the author wrote about the change; null if nothing.'),
  ...tellingProperties,
  counts: Counts,
  backgroundAndPurpose: Text('Why the change was made: by a model, else the author’s words as plain text.'),
  background: List(ref(Statement), 'Background by a model, sentence by sentence.'),
  mainChanges: List(ref(MainChange), 'The changes; empty only for an empty diff.'),
  notablePoints: List(ref(NotablePoint), 'Risks that readers should not miss.'),
  beforeAfter: Type.Optional(
    refOrNull(
      BeforeAfter,
      'What callers wrote and what they write now, where something breaks; absent in older articles.',
    ),
  ),
  tests: refOrNull(TestChanges, 'Changes in tests; null if there are none, and with a model.'),
  dependencies: Type.Optional(
    refOrNull(
      DependencyTable,
      'Dependencies that changed, lock files included; null if there are none, absent in older articles.',
    ),
  ),
  also: List(ref(AlsoChanged), 'Edits that the rest of the article does not mention.'),
  review: Type.Optional(
    refOrNull(
      Review,
      'What the review led to, made at each reading from the comments that the code host showed last; null if there are none. Absent where an article is answered with a job.',
    ),
  ),
  summaryGeneratedAt: Timestamp('When this version was written.'),
  likeCount: Count('Number of likes in this language.'),
  headSha: Text('The commit that this version describes.'),
  baseSha: BaseSha,
  stale: Flag('Whether the diff has changed since: its head or its base has moved.'),
  writer: Writer,
  coverage: Coverage,
  verification: Verification,
  usage: Type.Optional(Usage),
});

export type ArticleContent = Static<typeof ArticleContent>;

export const PullRequestArticle = resource('PullRequestArticle', {
  id: Uuid('The article.'),
  kind: Type.Literal('article', {
    description: 'Always `article`, in contrast to `job`.',
  }),
  pullRequestId: Uuid('Id of the pull request in this service.'),
  ...pullRequestFields,
  hostPrUrl: nullable(Url('URL of the pull request on the code host.')),
  title: Text('Title of the pull request.'),
  authorLogin: Text('Login name of the author.'),
  headSha: Text('Current head commit.'),
  hostPrCreatedAt: Timestamp('When the pull request was created on the code host.'),
  ...stateProperties,
  totalLikeCount: Count('Likes in all languages.'),
  contents: Type.Unsafe<Record<string, ArticleContent>>({
    type: 'object',
    additionalProperties: ref(ArticleContent),
    description: 'The versions of the article, by language code.',
  }),
  createdAt: Timestamp('When the article was first written.'),
  updatedAt: Timestamp('When the article was last written.'),
});

export type PullRequestArticle = Static<typeof PullRequestArticle>;

export const listedExample = {
  articleId: '0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11',
  languageCode: 'en',
  title: 'fix: estimates promise calendar days of the recipient',
  aiGeneratedTitle: 'Estimates promise calendar days of the recipient',
  repositoryFullName: 'harborline/parcel',
  owner: 'harborline',
  repo: 'parcel',
  prNumber: 10,
  host: 'git',
  hostPrUrl: null,
  authorLogin: 'rin',
  byBot: false,
  changeTypes: ['FIX', 'TEST'],
  quote: null,
  readingMinutes: 1,
  standfirst: 'Promised days are those of the recipient, not of the depot.',
  secondLine: { text: 'Promised days are those of the recipient, not of the depot.', from: 'lead' },
  state: 'merged',
  mergedAt: '2026-02-27T16:04:00.000Z',
  isBreaking: false,
  isExample: false,
  additions: 31,
  deletions: 12,
};

export const ArticleSummary = resource(
  'ArticleSummary',
  {
    ...listedFields,
    likeCount: Count('Number of likes in this language.'),
    summaryGeneratedAt: Timestamp('When this version was written.'),
  },
  { example: { ...listedExample, likeCount: 0, summaryGeneratedAt: '2026-03-01T09:30:00.000Z' } },
);

export type ArticleSummary = Static<typeof ArticleSummary>;
