import type { Static } from 'typebox';
import { readStates } from '../domain/articles.ts';
import { longestLabel, mostLabels, pauseReasons } from '../domain/pull-requests.ts';
import { ArticleSummary } from './articles.ts';
import {
  Flag,
  HostId,
  LanguageCode,
  nullable,
  OneOf,
  record,
  resource,
  Text,
  Timestamp,
  Uuid,
} from './formats.ts';
import { Type } from './type.ts';

export const FavoriteRepository = resource(
  'FavoriteRepository',
  {
    id: Uuid('The favorite.'),
    userId: Uuid('The owning user.'),
    hostRepoId: HostId('Numeric id of the repository on the code host.'),
    repositoryFullName: Text('Owner and repository, such as harborline/parcel.'),
    owner: Text('Repository owner, as the host spells it.'),
    repo: Text('Repository name, as the host spells it.'),
    registeredAt: Timestamp('When the favorite was added.'),
  },
  {
    example: {
      id: 'aca9ce3d-94e8-408c-ba40-410258b599ce',
      userId: '2db6e65f-2021-4fb8-bebe-72498d0d50ae',
      hostRepoId: 5761282124065907,
      repositoryFullName: 'harborline/parcel',
      owner: 'harborline',
      repo: 'parcel',
      registeredAt: '2026-03-01T09:30:00.000Z',
    },
  },
);

export type FavoriteRepository = Static<typeof FavoriteRepository>;

export const Labels = Type.Array(Type.String({ minLength: 1, maxLength: longestLabel }), {
  maxItems: mostLabels,
  description: 'Only pull requests with any of these labels, in any case; all if empty',
});

export const Watch = resource(
  'Watch',
  {
    favoriteId: Uuid('The favorite that is watched.'),
    host: Text('The code host of the repository.'),
    owner: Text('Repository owner, as the host last spelled it to the user.'),
    repo: Text('Repository name, as the host last spelled it to the user.'),
    language: LanguageCode(),
    labels: Labels,
    includeBots: Flag('Whether pull requests by bots are included.'),
    since: Timestamp('When watching began.'),
    lastSeenAt: nullable(
      Timestamp('When the host was last polled successfully; null before the first poll.'),
    ),
    paused: nullable(
      record({
        reason: OneOf(
          pauseReasons,
          'Why the watch is paused: no saved token can read the repository, the user lost access, or the host does not respond',
        ),
        message: Text('Instructions for the user.'),
      }),
    ),
  },
  {
    example: {
      favoriteId: 'aca9ce3d-94e8-408c-ba40-410258b599ce',
      host: 'github',
      owner: 'harborline',
      repo: 'parcel',
      language: 'en',
      labels: [],
      includeBots: false,
      since: '2026-03-01T09:30:00.000Z',
      lastSeenAt: '2026-03-01T09:40:00.000Z',
      paused: null,
    },
  },
);

export type Watch = Static<typeof Watch>;

export const FeedEntry = resource('FeedEntry', {
  ...ArticleSummary.properties,
  read: OneOf(
    readStates,
    'Whether the caller has read the article: no, yes, or changed if a newer version contains something new.',
  ),
});

export type FeedEntry = Static<typeof FeedEntry>;
