import type { Static } from 'typebox';
import { fileKinds, fileStatuses } from '../domain/article.ts';
import { mostComments, mostCommits, mostFilesAnswered } from '../domain/pull-requests.ts';
import {
  BaseSha,
  Count,
  Flag,
  List,
  nullable,
  OneOf,
  Positive,
  pullRequestFields,
  record,
  ref,
  resource,
  stateField,
  Text,
  Timestamp,
  Url,
  Uuid,
} from './formats.ts';
import { Type } from './type.ts';

export const ChangedFile = resource('ChangedFile', {
  fileName: Text('Path in the repository.'),
  previousFileName: Type.Optional(Text('Where it came from, when renamed or copied.')),
  status: OneOf(fileStatuses, 'What happened to it.'),
  kind: OneOf(fileKinds, 'What it is for.'),
  language: Type.Optional(Text('The language it is written in, where known.')),
  additions: Count('Lines added.'),
  deletions: Count('Lines removed.'),
});

export type ChangedFile = Static<typeof ChangedFile>;

const Comment = record({
  kind: OneOf(['comment', 'review', 'reviewComment'], 'Where it was made.'),
  author: Text('Login name.'),
  body: Text('What was said.'),
  createdAt: Timestamp('When it was said.'),
  path: Type.Optional(Text('The file it is about.')),
  line: Type.Optional(Type.Integer({ description: 'The line it is about.' })),
});

export const PullRequest = resource('PullRequest', {
  id: Uuid('The pull request here.'),
  ...pullRequestFields,
  hostPrUrl: nullable(Url('Its page on the code host.')),
  title: Text('Title.'),
  body: nullable(Text('Description.')),
  authorLogin: Text('Login name of the author.'),
  state: stateField,
  labels: List(Type.String(), 'Labels.'),
  baseRef: Text('The branch it is for.'),
  baseSha: BaseSha,
  headRef: Text('The branch it comes from.'),
  headSha: Text('The commit that was read.'),
  additions: Count('Lines added in all.'),
  deletions: Count('Lines removed in all.'),
  changedFiles: Count('How many files it changes.'),
  filesOmitted: Count('How many of them are not in `files`; `GET …/files` lists all.'),
  files: Type.Array(ref(ChangedFile), {
    maxItems: mostFilesAnswered,
    description: 'The files it changes.',
  }),
  unread: Type.Array(
    record({
      fileName: Text('Path in the repository.'),
      reason: Text('Why its changes were not kept.'),
    }),
    {
      maxItems: mostFilesAnswered,
      description: 'Files whose changes were not read because the whole is too large.',
    },
  ),
  commits: Type.Array(
    record({
      sha: Text('The commit.'),
      message: Text('Its message.'),
      author: Text('Its author.'),
    }),
    { maxItems: mostCommits, description: 'Its commits, oldest first.' },
  ),
  comments: Type.Array(Comment, { maxItems: mostComments, description: 'The discussion.' }),
  linkedIssues: List(
    record({
      number: Type.Integer({ description: 'Number of the issue.' }),
      title: Text('Its title, where the host tells it; otherwise empty.'),
      body: nullable(Text('Its description, where the host tells it.')),
    }),
    'Issues that it says it closes.',
  ),
  hostPrCreatedAt: Timestamp('When it was made on the code host.'),
  mergedAt: nullable(Timestamp('When it was merged.')),
  fetchedAt: Timestamp('When it was last fetched from the code host.'),
});

export type PullRequest = Static<typeof PullRequest>;

export const PullRequestSummary = resource('PullRequestSummary', {
  prNumber: Positive('Its number on the code host.'),
  title: Text('Title.'),
  authorLogin: Text('Login name of the author.'),
  hostPrUrl: nullable(Url('Its page on the code host.')),
  state: stateField,
  createdAt: Timestamp('When it was made.'),
  articleExists: Flag('Whether there is an article about it.'),
});

export type PullRequestSummary = Static<typeof PullRequestSummary>;
