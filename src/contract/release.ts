import type { Static } from 'typebox';
import { type ChangeType, changeTypes } from '../domain/change-types.ts';
import { ArticleSummary } from './article.ts';
import { component, ref } from './component.ts';
import { Count, nullable, Timestamp } from './formats.ts';
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
          description: 'Number of the pull request; null for a commit without one.',
        }),
      ),
      sha: Type.String({ description: 'The beginning of the id of the commit that brought it in.' }),
      title: Type.String({ description: 'Title of the pull request, or the subject of the commit.' }),
    },
    closed,
  ),
);

export type ReleaseMention = Static<typeof ReleaseMention>;

const ReleaseGroup = Type.Object(
  {
    breaking: Type.Boolean({
      description: 'Whether these are the ones that may break something. They come first.',
    }),
    changeType: Type.Unsafe<ChangeType | null>({
      type: ['string', 'null'],
      enum: [...changeTypes, null],
      description:
        'What kind of change they are; null for those that may break something, and for the last group, of what is not written about or of no certain kind.',
    }),
    items: Type.Array(Type.Union([ref(ArticleSummary), ref(PullRequestSummary)]), {
      description:
        'What is written about a pull request, or the bare pull request where nothing is. Newest first.',
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
      from: Type.String({ description: 'Where it begins, as it was asked for.' }),
      to: Type.String({ description: 'Where it ends, as it was asked for.' }),
      fromSha: Type.String({ description: 'The commit that it begins after.' }),
      toSha: Type.String({ description: 'The commit that it ends with.' }),
      committedAt: nullable(
        Timestamp('When the commit was made that it ends with; null where that is not known.'),
      ),
      commits: Type.Object(
        {
          total: Count('How many commits `to` has and `from` has not.'),
          read: Count(
            'How many of them, the newest, were looked at: where that is not all, pull requests may be missing.',
          ),
          behind: Count(
            'How many commits `from` has and `to` has not: none where the one leads to the other.',
          ),
          shallow: Type.Boolean({
            description: 'Whether the clone lacks older history, so that more may have changed.',
          }),
        },
        closed,
      ),
      groups: Type.Array(ReleaseGroup, {
        description: 'Each pull request once. Groups without any are left out.',
      }),
      reverted: Type.Array(Type.Object({ change: ref(ReleaseMention), by: ref(ReleaseMention) }, closed), {
        description: 'What was taken back within the same range, and by what: in no group.',
      }),
      backported: Type.Array(Type.Object({ change: ref(ReleaseMention), of: ref(ReleaseMention) }, closed), {
        description: 'Copies of what is in a group: in none themselves.',
      }),
      withoutPullRequest: Type.Object(
        {
          total: Count('How many commits came without a pull request, merges aside.'),
          items: Type.Array(ref(ReleaseCommit), {
            maxItems: mostBareCommits,
            description: 'The newest of them.',
          }),
        },
        closed,
      ),
      unwritten: Type.Array(Type.Integer({ minimum: 1 }), {
        description:
          'Numbers of the pull requests in groups that nothing is written about and that can be, as `POST …/import` takes them.',
      }),
    },
    closed,
  ),
);

export type Release = Static<typeof Release>;
