import type { Static } from 'typebox';
import { changeTypes } from '../domain/article.ts';
import { ArticleSummary } from './article.ts';
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
} from './formats.ts';
import { PullRequestSummary } from './pull-request.ts';
import { Type } from './type.ts';

/** How many commits without a pull request are listed. All are counted. */
export const mostBareCommits = 100;

export const ReleaseCommit = resource('ReleaseCommit', {
  sha: Text('The beginning of its id.'),
  subject: Text('The first line of its message.'),
});

export const ReleaseMention = resource('ReleaseMention', {
  prNumber: nullable(Positive('Its number; null for a commit without one.')),
  sha: Text('The commit that brought it in.'),
  title: Text('Its title, or the subject of the commit.'),
});

export type ReleaseMention = Static<typeof ReleaseMention>;

const ReleaseGroup = record({
  breaking: Flag('Whether these may break something.'),
  changeType: oneOfOrNull(
    changeTypes,
    'What kind they are; null for those that break something, and for what is of no certain kind.',
  ),
  items: List(
    Type.Union([ref(ArticleSummary), ref(PullRequestSummary)]),
    'What is written about each, or the bare pull request. Newest first.',
  ),
});

export const Release = resource('Release', {
  ...repositoryFields,
  from: Text('Start of the range, as requested.'),
  to: Text('End of the range, as requested.'),
  fromSha: Text('The commit that it begins after.'),
  toSha: Text('The commit that it ends with.'),
  committedAt: nullable(Timestamp('When that commit was made.')),
  commits: record({
    total: Count('How many commits `to` has and `from` has not.'),
    read: Count('How many of them were looked at, the newest.'),
    behind: Count('How many `from` has and `to` has not.'),
    shallow: Flag('Whether older history is missing.'),
  }),
  groups: List(ReleaseGroup, 'Each pull request once.'),
  breaks: List(
    record({
      prNumber: Positive('Its number.'),
      sentence: Text('What it breaks, as its article says, in the language of that.'),
    }),
    'What breaks something by what is written about it, with the sentence that says so.',
  ),
  reverted: List(
    record({ change: ref(ReleaseMention), by: ref(ReleaseMention) }),
    'What was taken back, and by what: in no group.',
  ),
  backported: List(
    record({ change: ref(ReleaseMention), of: ref(ReleaseMention) }),
    'Copies of what is in a group: in none themselves.',
  ),
  withoutPullRequest: record({
    total: Count('How many there are, merges aside.'),
    items: Type.Array(ref(ReleaseCommit), {
      maxItems: mostBareCommits,
      description: 'The newest of them.',
    }),
  }),
  unwritten: List(
    Type.Integer({ minimum: 1 }),
    'Numbers without an article, as `POST …/import` takes them: those that are merged.',
  ),
  unwritable: List(
    record({
      prNumber: Positive('Its number.'),
      problem: Text('Why it is not written about, in a sentence.'),
    }),
    'Those without an article that no import writes about, and why.',
  ),
});

export type Release = Static<typeof Release>;
