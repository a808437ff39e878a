import type { Static } from 'typebox';
import { fileKinds, fileStatuses } from '../domain/articles.ts';
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
  previousFileName: Type.Optional(Text('Previous path, if renamed or copied.')),
  status: OneOf(fileStatuses, 'Whether the file was added, removed, modified, renamed or copied.'),
  kind: OneOf(fileKinds, 'Kind of file.'),
  language: Type.Optional(Text('Programming language, if known.')),
  additions: Count('Lines added.'),
  deletions: Count('Lines removed.'),
});

export type ChangedFile = Static<typeof ChangedFile>;

const Comment = record({
  kind: OneOf(['comment', 'review', 'reviewComment'], 'Kind of comment.'),
  author: Text('Login name.'),
  body: Text('Text of the comment.'),
  createdAt: Timestamp('When the comment was written.'),
  path: Type.Optional(Text('The file the comment is about.')),
  line: Type.Optional(Type.Integer({ description: 'The line the comment is about.' })),
});

export const PullRequest = resource('PullRequest', {
  id: Uuid('Id of the pull request in this service.'),
  ...pullRequestFields,
  hostPrUrl: nullable(Url('URL on the code host.')),
  title: Text('Title.'),
  body: nullable(Text('Description.')),
  authorLogin: Text('Login name of the author.'),
  state: stateField,
  labels: List(Type.String(), 'Labels.'),
  baseRef: Text('Target branch.'),
  baseSha: BaseSha,
  headRef: Text('Source branch.'),
  headSha: Text('The commit that was read.'),
  additions: Count('Total number of added lines.'),
  deletions: Count('Total number of removed lines.'),
  changedFiles: Count('Number of changed files.'),
  filesOmitted: Count('Number of changed files that are not in `files`; `GET …/files` lists all.'),
  files: Type.Array(ref(ChangedFile), {
    maxItems: mostFilesAnswered,
    description: 'The changed files.',
  }),
  unread: Type.Array(
    record({
      fileName: Text('Path in the repository.'),
      reason: Text('Why the changes in this file were not stored.'),
    }),
    {
      maxItems: mostFilesAnswered,
      description: 'Files whose changes were not read because the pull request is too large.',
    },
  ),
  commits: Type.Array(
    record({
      sha: Text('The commit.'),
      message: Text('Its message.'),
      author: Text('Its author.'),
    }),
    { maxItems: mostCommits, description: 'The commits, oldest first.' },
  ),
  comments: Type.Array(Comment, { maxItems: mostComments, description: 'The discussion.' }),
  linkedIssues: List(
    record({
      number: Type.Integer({ description: 'Number of the issue or pull request.' }),
      title: Text('Title of the issue, or empty if the host does not return it.'),
      body: nullable(Text('Description of the issue, if the host returns it.')),
    }),
    'Issues that the pull request says it closes, and pull requests that it says it reverts.',
  ),
  hostPrCreatedAt: Timestamp('When the pull request was created on the code host.'),
  mergedAt: nullable(Timestamp('When it was merged.')),
  fetchedAt: Timestamp('When the pull request was last fetched from the code host.'),
});

export type PullRequest = Static<typeof PullRequest>;

export const PullRequestSummary = resource('PullRequestSummary', {
  prNumber: Positive('Number of the pull request on the code host.'),
  title: Text('Title.'),
  authorLogin: Text('Login name of the author.'),
  hostPrUrl: nullable(Url('URL on the code host.')),
  state: stateField,
  createdAt: Timestamp('When the pull request was created.'),
  articleExists: Flag('Whether an article about the pull request exists.'),
});

export type PullRequestSummary = Static<typeof PullRequestSummary>;
