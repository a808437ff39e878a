import type { Static } from 'typebox';
import {
  bases,
  excerptLineKinds,
  type PointLabel,
  pointLabels,
  quoteSources,
  reasonsForOffline,
  rowKinds,
} from '../domain/article.ts';
import { categories, changeTypes } from '../domain/change-types.ts';
import { fileKinds } from '../domain/file-kinds.ts';
import { component, ref } from './component.ts';
import { BaseSha, LanguageCode, nullable, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

const closed = { additionalProperties: false } as const;
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const titleMaxLength = 80;

/** As long as what lists show below a title. */
export const standfirstMaxLength = 200;

/** Enough to see what kind of files were passed over; a list of thousands is not read. */
export const mostSkippedListed = 100;

export const ChangeTypeEnum = component(
  'ChangeTypeEnum',
  Type.Enum([...changeTypes], { type: 'string', description: 'What kind of change it is.' }),
);

export const CategoryEnum = component(
  'CategoryEnum',
  Type.Enum([...categories], { type: 'string', description: 'From which side it deserves attention.' }),
);

export const Evidence = component(
  'Evidence',
  Type.Object(
    {
      fileName: Type.String({ description: 'Path in the repository.' }),
      startLine: Type.Integer({ minimum: 1, description: 'The first line that shows it.' }),
      endLine: Type.Integer({ minimum: 1, description: 'The last line that shows it.' }),
      side: Type.Enum(['old', 'new'], {
        type: 'string',
        description: 'Whether the lines are those before the change or those after it.',
      }),
      hostUrl: nullable(
        Type.String({ format: 'uri', description: 'The lines on the code host, where it shows them.' }),
      ),
    },
    {
      ...closed,
      description: 'Lines that a hunk of the diff has.',
      examples: [{ fileName: 'src/label.ts', startLine: 12, endLine: 19, side: 'new', hostUrl: null }],
    },
  ),
);

export type Evidence = Static<typeof Evidence>;

export const Statement = component(
  'Statement',
  Type.Object(
    {
      id: Type.String({
        pattern: '^[0-9a-f]{12}(-[1-9][0-9]*)?$',
        description:
          'Stays as long as the sentence, what it rests on and the files of its evidence do. Pages have it as an anchor.',
      }),
      text: Type.String({ minLength: 1, description: 'One sentence.' }),
      basis: Type.Enum([...bases], {
        type: 'string',
        description:
          '`diff`: what the lines do. `words`: what somebody wrote; the sentence says who, or is a quotation with a ' +
          '`source`. `judgement`: what it means; it follows a statement of what the lines do and is no claim.',
      }),
      source: Type.Optional(
        Type.Enum([...quoteSources], {
          type: 'string',
          description: 'Where a sentence stands that is a quotation and nothing else.',
        }),
      ),
      evidence: Type.Array(ref(Evidence), { description: 'The lines that bear it out.' }),
    },
    closed,
  ),
);

export type Statement = Static<typeof Statement>;

const Statements = Type.Array(ref(Statement), {
  minItems: 1,
  description: 'The same, sentence by sentence.',
});

const LineNumber = (side: string) => nullable(Type.Integer({ minimum: 1, description: side }));

const ExcerptLine = Type.Object(
  {
    kind: Type.Enum([...excerptLineKinds], {
      type: 'string',
      description: 'What the line is; a `gap` stands for lines of the same file that are left out.',
    }),
    oldLine: LineNumber('Its number before the change.'),
    newLine: LineNumber('Its number after the change.'),
    text: Type.String({ description: 'The line as it stands; empty for a gap.' }),
  },
  closed,
);

export const mostExcerptLines = 16;

export const Excerpt = component(
  'Excerpt',
  Type.Object(
    {
      fileName: Type.String({ description: 'Path in the repository.' }),
      heading: nullable(
        Type.String({ minLength: 1, description: 'The function or section around the lines.' }),
      ),
      lines: Type.Array(ExcerptLine, {
        minItems: 1,
        maxItems: mostExcerptLines,
        description:
          'Lines that a hunk of the diff has, cut and never written; at most twelve of them changed.',
      }),
    },
    {
      ...closed,
      examples: [
        {
          fileName: 'src/label.ts',
          heading: 'printLabel',
          lines: [
            { kind: 'removed', oldLine: 12, newLine: null, text: '  return print(label);' },
            { kind: 'added', oldLine: null, newLine: 12, text: '  return print(label, { retries: 2 });' },
          ],
        },
      ],
    },
  ),
);

export type Excerpt = Static<typeof Excerpt>;

export const mostExcerptsOfChange = 3;

export const MainChange = component(
  'MainChange',
  Type.Object(
    {
      fileName: Type.String({ description: 'Path in the repository.' }),
      changeTypes: Type.Array(ref(ChangeTypeEnum), {
        description: 'What kinds of change; empty where none is sure.',
      }),
      statements: Statements,
      description: Type.String({ description: 'What changed.' }),
      evidence: Type.Array(ref(Evidence), { description: 'Where it shows; empty only without hunks.' }),
      excerpts: Type.Array(ref(Excerpt), {
        maxItems: mostExcerptsOfChange,
        description: 'The lines themselves, as far as they are worth showing.',
      }),
    },
    closed,
  ),
);

export const NotablePoint = component(
  'NotablePoint',
  Type.Object(
    {
      categories: Type.Array(ref(CategoryEnum), { minItems: 1, description: 'Why it deserves attention.' }),
      label: Type.Unsafe<PointLabel | null>({
        type: ['string', 'null'],
        enum: [...pointLabels, null],
        description: 'What it warns of, where that has a name; pages then show it above what changed.',
      }),
      statements: Statements,
      point: Type.String({ description: 'What a reader should not miss.' }),
      evidence: Type.Array(ref(Evidence), { description: 'Where it shows; empty only without hunks.' }),
    },
    closed,
  ),
);

export const mostFilesOfRow = 20;

export const AlsoChanged = component(
  'AlsoChanged',
  Type.Object(
    {
      kind: Type.Enum([...rowKinds], {
        type: 'string',
        description: 'One edit that was made in many places, or files of one kind.',
      }),
      statement: ref(Statement),
      times: nullable(Type.Integer({ minimum: 1, description: 'How often the same edit was made.' })),
      files: Type.Array(Type.String(), {
        maxItems: mostFilesOfRow,
        description: 'Paths in the repository, or the first of them.',
      }),
      filesTotal: Count('How many files it tells of.'),
      additions: Count('Lines that were added in them.'),
      deletions: Count('Lines that were removed from them.'),
    },
    { ...closed, description: 'A row for what no main change tells.' },
  ),
);

export type AlsoChanged = Static<typeof AlsoChanged>;

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
    promptVersion: Type.Optional(Type.String({ description: 'What the model was told.' })),
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
  },
  { ...closed, description: 'What checking the claims against the diff found.' },
);

export const Quote = Type.Object(
  {
    text: Type.String({ minLength: 1, description: 'The sentence, word for word.' }),
    from: Type.Enum([...quoteSources], { type: 'string', description: 'Where it stands.' }),
  },
  { ...closed, description: 'A sentence of the author.' },
);

export type Quote = Static<typeof Quote>;

/** What an article and lists say of what it tells. */
const tellingProperties = {
  changeTypes: Type.Array(ref(ChangeTypeEnum), {
    description: 'What kinds of change it tells of, the main one first; empty where none is sure.',
  }),
  quote: nullable(Quote),
  readingMinutes: Type.Integer({ minimum: 1, description: 'How long it takes to read.' }),
};

/** How far a pull request got, and when. */
const stateProperties = {
  state: Type.Enum(['open', 'closed', 'merged'], { type: 'string', description: 'How far it got.' }),
  mergedAt: nullable(Timestamp('When it was merged.')),
};

/** What every list says of an article, beside which one it is. */
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
        description: 'What changes for whom, in at most 200 characters; null where nobody has said it.',
      }),
      ...tellingProperties,
      counts: Counts,
      backgroundAndPurpose: Type.String({ description: 'Why the change was made.' }),
      background: Type.Array(ref(Statement), { description: 'The same, sentence by sentence.' }),
      mainChanges: Type.Array(ref(MainChange), {
        description: 'What changed; empty only for an empty diff.',
      }),
      notablePoints: Type.Array(ref(NotablePoint), { description: 'What a reader should not miss.' }),
      also: Type.Array(ref(AlsoChanged), {
        description: 'What no main change tells; together they tell of all files that changed.',
      }),
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
          likeCount: 0,
          summaryGeneratedAt: '2026-03-01T09:30:00.000Z',
        },
      ],
    },
  ),
);

export type ArticleSummary = Static<typeof ArticleSummary>;
