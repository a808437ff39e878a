import type { Static } from 'typebox';
import { changeTypes } from '../domain/articles.ts';
import { ArticleSummary } from './articles.ts';
import {
  Count,
  Flag,
  List,
  nullable,
  oneOfOrNull,
  Positive,
  record,
  ref,
  repositoryFields,
  resource,
  Text,
  Timestamp,
  Url,
} from './formats.ts';
import { PullRequestSummary } from './pull-requests.ts';
import { Type } from './type.ts';

/** The number of commits without a pull request that are listed. All are counted. */
export const mostBareCommits = 100;

const ReleaseCommit = resource('ReleaseCommit', {
  automatic: Flag('Whether a bot made the commit, or it updates dependencies.'),
  sha: Text('Abbreviated commit id.'),
  subject: Text('First line of the commit message.'),
  authorLogin: nullable(Text('Login name of the author, or the name in the commit.')),
});

export const ReleaseMention = resource('ReleaseMention', {
  prNumber: nullable(Positive('Number of the pull request; null for a commit without one.')),
  sha: Text('The commit that merged it.'),
  title: Text('Title of the pull request, or subject of the commit.'),
  authorLogin: nullable(Text('Login name of the author, or the name in the commit.')),
});

export type ReleaseMention = Static<typeof ReleaseMention>;

const ReleaseGroup = record({
  breaking: Flag('Whether this group contains breaking changes.'),
  changeType: oneOfOrNull(
    changeTypes,
    'Type of change; null for breaking changes, and if the type is not certain.',
  ),
  heading: nullable(
    Text(
      'A heading of the changelog that is more specific than a type, or a prefix that several titles share.',
    ),
  ),
  automatic: Flag('Whether this group contains updates of dependencies and the pull requests of bots.'),
  items: List(
    Type.Union([ref(ArticleSummary), ref(PullRequestSummary)]),
    'The article about each pull request, or the pull request itself. Newest first.',
  ),
});

export const Release = resource('Release', {
  ...repositoryFields,
  from: Text('Start of the range, as requested.'),
  to: Text('End of the range, as requested.'),
  fromSha: Text('The commit at the start of the range, not included.'),
  toSha: Text('The commit at the end of the range, included.'),
  committedAt: nullable(Timestamp('Date of that commit.')),
  commits: record({
    total: Count('Number of commits that are in `to` but not in `from`.'),
    read: Count('Number of these commits that were read, the newest first.'),
    behind: Count('Number of commits that are in `from` but not in `to`.'),
    shallow: Flag('Whether older history is missing.'),
  }),
  groups: List(ReleaseGroup, 'Each pull request once.'),
  contributors: List(
    record({
      login: Text('Login name, or the name in the commit.'),
      isNew: Flag('Whether this is certainly the first release with a commit of this author.'),
    }),
    'Authors without bots, those with most changes first.',
  ),
  compareUrl: nullable(Url('Page of the code host that compares both ends, if the host is known.')),
  breaks: List(
    record({
      prNumber: Positive('Its number.'),
      sentence: Text('The breaking change, in the words and language of the article.'),
    }),
    'Breaking changes according to the articles, with the sentence that says so.',
  ),
  reverted: List(
    record({ change: ref(ReleaseMention), by: ref(ReleaseMention) }),
    'Reverted pull requests, with what reverted them. They are in no group.',
  ),
  backported: List(
    record({ change: ref(ReleaseMention), of: ref(ReleaseMention) }),
    'Copies of changes that are in a group. The copies are in no group.',
  ),
  withoutPullRequest: record({
    total: Count('Number of commits, without merges.'),
    items: Type.Array(ref(ReleaseCommit), {
      maxItems: mostBareCommits,
      description: 'The newest commits.',
    }),
  }),
  unwritten: List(
    Type.Integer({ minimum: 1 }),
    'Numbers of merged pull requests without an article, as accepted by `POST …/import`.',
  ),
  unwritable: List(
    record({
      prNumber: Positive('Its number.'),
      problem: Text('Reason in one sentence.'),
    }),
    'Pull requests without an article that an import cannot write about, with the reason.',
  ),
});

export type Release = Static<typeof Release>;
