import type { Static } from 'typebox';
import { fileKinds, fileStatuses } from '../domain/article.ts';
import { mostComments, mostCommits, mostFilesAnswered } from '../domain/pull-requests.ts';
import { BaseSha, component, nullable, ref, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

const closed = { additionalProperties: false } as const;

export const ChangedFile = component(
  'ChangedFile',
  Type.Object(
    {
      fileName: Type.String({ description: 'Path in the repository.' }),
      previousFileName: Type.Optional(
        Type.String({ description: 'Where it came from, when renamed or copied.' }),
      ),
      status: Type.Enum([...fileStatuses], { type: 'string', description: 'What happened to it.' }),
      kind: Type.Enum([...fileKinds], { type: 'string', description: 'What it is for.' }),
      language: Type.Optional(Type.String({ description: 'The language it is written in, where known.' })),
      additions: Type.Integer({ minimum: 0, description: 'Lines added.' }),
      deletions: Type.Integer({ minimum: 0, description: 'Lines removed.' }),
    },
    closed,
  ),
);

export type ChangedFile = Static<typeof ChangedFile>;

const Comment = Type.Object(
  {
    kind: Type.Enum(['comment', 'review', 'reviewComment'], {
      type: 'string',
      description: 'Where it was made.',
    }),
    author: Type.String({ description: 'Login name.' }),
    body: Type.String({ description: 'What was said.' }),
    createdAt: Timestamp('When it was said.'),
    path: Type.Optional(Type.String({ description: 'The file it is about.' })),
    line: Type.Optional(Type.Integer({ description: 'The line it is about.' })),
  },
  closed,
);

export const PullRequest = component(
  'PullRequest',
  Type.Object(
    {
      id: Uuid('The pull request here.'),
      host: Type.String({ description: 'The code host.' }),
      owner: Type.String({ description: 'Repository owner.' }),
      repo: Type.String({ description: 'Repository name.' }),
      prNumber: Type.Integer({ minimum: 1, description: 'Its number on the code host.' }),
      hostPrUrl: nullable(Type.String({ format: 'uri', description: 'Its page on the code host.' })),
      title: Type.String({ description: 'Title.' }),
      body: nullable(Type.String({ description: 'Description.' })),
      authorLogin: Type.String({ description: 'Login name of the author.' }),
      state: Type.Enum(['open', 'closed', 'merged'], { type: 'string', description: 'How far it got.' }),
      labels: Type.Array(Type.String(), { description: 'Labels.' }),
      baseRef: Type.String({ description: 'The branch it is for.' }),
      baseSha: BaseSha,
      headRef: Type.String({ description: 'The branch it comes from.' }),
      headSha: Type.String({ description: 'The commit that was read.' }),
      additions: Type.Integer({ minimum: 0, description: 'Lines added in all.' }),
      deletions: Type.Integer({ minimum: 0, description: 'Lines removed in all.' }),
      changedFiles: Type.Integer({ minimum: 0, description: 'How many files it changes.' }),
      filesOmitted: Type.Integer({
        minimum: 0,
        description: 'How many of them are not in `files`; `GET …/files` lists all.',
      }),
      files: Type.Array(ref(ChangedFile), {
        maxItems: mostFilesAnswered,
        description: 'The files it changes.',
      }),
      unread: Type.Array(
        Type.Object(
          {
            fileName: Type.String({ description: 'Path in the repository.' }),
            reason: Type.String({ description: 'Why its changes were not kept.' }),
          },
          closed,
        ),
        {
          maxItems: mostFilesAnswered,
          description: 'Files whose changes were not read because the whole is too large.',
        },
      ),
      commits: Type.Array(
        Type.Object(
          {
            sha: Type.String({ description: 'The commit.' }),
            message: Type.String({ description: 'Its message.' }),
            author: Type.String({ description: 'Its author.' }),
          },
          closed,
        ),
        { maxItems: mostCommits, description: 'Its commits, oldest first.' },
      ),
      comments: Type.Array(Comment, { maxItems: mostComments, description: 'The discussion.' }),
      linkedIssues: Type.Array(
        Type.Object(
          {
            number: Type.Integer({ description: 'Number of the issue.' }),
            title: Type.String({ description: 'Its title, where the host tells it; otherwise empty.' }),
            body: nullable(Type.String({ description: 'Its description, where the host tells it.' })),
          },
          closed,
        ),
        { description: 'Issues that it says it closes.' },
      ),
      hostPrCreatedAt: Timestamp('When it was made on the code host.'),
      mergedAt: nullable(Timestamp('When it was merged.')),
      fetchedAt: Timestamp('When it was last fetched from the code host.'),
    },
    closed,
  ),
);

export type PullRequest = Static<typeof PullRequest>;

export const PullRequestSummary = component(
  'PullRequestSummary',
  Type.Object(
    {
      prNumber: Type.Integer({ minimum: 1, description: 'Its number on the code host.' }),
      title: Type.String({ description: 'Title.' }),
      authorLogin: Type.String({ description: 'Login name of the author.' }),
      hostPrUrl: nullable(Type.String({ format: 'uri', description: 'Its page on the code host.' })),
      state: Type.Enum(['open', 'closed', 'merged'], { type: 'string', description: 'How far it got.' }),
      createdAt: Timestamp('When it was made.'),
      articleExists: Type.Boolean({ description: 'Whether there is an article about it.' }),
    },
    closed,
  ),
);

export type PullRequestSummary = Static<typeof PullRequestSummary>;
