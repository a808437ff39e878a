import type { Static } from 'typebox';
import { type ChangeType, changeTypes } from '../domain/article.ts';
import { ArticleSummary } from './article.ts';
import { Count, component, nullable, ref, Timestamp } from './formats.ts';
import { PullRequestSummary } from './pull-request.ts';
import { Type } from './type.ts';

const closed = { additionalProperties: false } as const;

/** How many commits without a pull request are listed. All are counted. */
export const mostBareCommits = 100;

export const ReleaseCommit = component(
  'ReleaseCommit',
  Type.Object(
    {
      sha: Type.String({ description: 'The beginning of its id.' }),
      subject: Type.String({ description: 'The first line of its message.' }),
    },
    closed,
  ),
);

export const ReleaseMention = component(
  'ReleaseMention',
  Type.Object(
    {
      prNumber: nullable(
        Type.Integer({
          minimum: 1,
          description: 'Its number; null for a commit without one.',
        }),
      ),
      sha: Type.String({ description: 'The commit that brought it in.' }),
      title: Type.String({ description: 'Its title, or the subject of the commit.' }),
    },
    closed,
  ),
);

export type ReleaseMention = Static<typeof ReleaseMention>;

const ReleaseGroup = Type.Object(
  {
    breaking: Type.Boolean({
      description: 'Whether these may break something.',
    }),
    changeType: Type.Unsafe<ChangeType | null>({
      type: ['string', 'null'],
      enum: [...changeTypes, null],
      description:
        'What kind they are; null for those that break something, and for what is of no certain kind.',
    }),
    items: Type.Array(Type.Union([ref(ArticleSummary), ref(PullRequestSummary)]), {
      description: 'What is written about each, or the bare pull request. Newest first.',
    }),
  },
  closed,
);

export const Release = component(
  'Release',
  Type.Object(
    {
      host: Type.String({ description: 'The code host.' }),
      owner: Type.String({ description: 'Repository owner.' }),
      repo: Type.String({ description: 'Repository name.' }),
      from: Type.String({ description: 'Start of the range, as requested.' }),
      to: Type.String({ description: 'End of the range, as requested.' }),
      fromSha: Type.String({ description: 'The commit that it begins after.' }),
      toSha: Type.String({ description: 'The commit that it ends with.' }),
      committedAt: nullable(Timestamp('When that commit was made.')),
      commits: Type.Object(
        {
          total: Count('How many commits `to` has and `from` has not.'),
          read: Count('How many of them were looked at, the newest.'),
          behind: Count('How many `from` has and `to` has not.'),
          shallow: Type.Boolean({
            description: 'Whether older history is missing.',
          }),
        },
        closed,
      ),
      groups: Type.Array(ReleaseGroup, {
        description: 'Each pull request once.',
      }),
      breaks: Type.Array(
        Type.Object(
          {
            prNumber: Type.Integer({ minimum: 1, description: 'Its number.' }),
            sentence: Type.String({
              description: 'What it breaks, as its article says, in the language of that.',
            }),
          },
          closed,
        ),
        { description: 'What breaks something by what is written about it, with the sentence that says so.' },
      ),
      reverted: Type.Array(Type.Object({ change: ref(ReleaseMention), by: ref(ReleaseMention) }, closed), {
        description: 'What was taken back, and by what: in no group.',
      }),
      backported: Type.Array(Type.Object({ change: ref(ReleaseMention), of: ref(ReleaseMention) }, closed), {
        description: 'Copies of what is in a group: in none themselves.',
      }),
      withoutPullRequest: Type.Object(
        {
          total: Count('How many there are, merges aside.'),
          items: Type.Array(ref(ReleaseCommit), {
            maxItems: mostBareCommits,
            description: 'The newest of them.',
          }),
        },
        closed,
      ),
      unwritten: Type.Array(Type.Integer({ minimum: 1 }), {
        description: 'Numbers without an article, as `POST …/import` takes them: those that are merged.',
      }),
      unwritable: Type.Array(
        Type.Object(
          {
            prNumber: Type.Integer({ minimum: 1, description: 'Its number.' }),
            problem: Type.String({ description: 'Why it is not written about, in a sentence.' }),
          },
          closed,
        ),
        { description: 'Those without an article that no import writes about, and why.' },
      ),
    },
    closed,
  ),
);

export type Release = Static<typeof Release>;
