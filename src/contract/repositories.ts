import type { Static } from 'typebox';
import { longestLabel, mostLabels, pauseReasons } from '../domain/pull-requests.ts';
import { component, HostId, LanguageCode, nullable, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

export const FavoriteRepository = component(
  'FavoriteRepository',
  Type.Object(
    {
      id: Uuid('The favorite.'),
      userId: Uuid('The owning user.'),
      hostRepoId: HostId('Numeric id of the repository on the code host.'),
      repositoryFullName: Type.String({ description: 'Owner and repository, such as harborline/parcel.' }),
      owner: Type.String({ description: 'Repository owner, as the host spells it.' }),
      repo: Type.String({ description: 'Repository name, as the host spells it.' }),
      registeredAt: Timestamp('When it became a favorite.'),
    },
    {
      additionalProperties: false,
      examples: [
        {
          id: 'aca9ce3d-94e8-408c-ba40-410258b599ce',
          userId: '2db6e65f-2021-4fb8-bebe-72498d0d50ae',
          hostRepoId: 5761282124065907,
          repositoryFullName: 'harborline/parcel',
          owner: 'harborline',
          repo: 'parcel',
          registeredAt: '2026-03-01T09:30:00.000Z',
        },
      ],
    },
  ),
);

export type FavoriteRepository = Static<typeof FavoriteRepository>;

const closed = { additionalProperties: false } as const;

export const Labels = Type.Array(Type.String({ minLength: 1, maxLength: longestLabel }), {
  maxItems: mostLabels,
  description: 'Only pull requests with any of these labels, in whatever case; all where there are none',
});

export const Watch = component(
  'Watch',
  Type.Object(
    {
      favoriteId: Uuid('The favorite that is watched.'),
      host: Type.String({ description: 'The code host of the repository.' }),
      owner: Type.String({ description: 'Repository owner, as the host last spelled it to the user.' }),
      repo: Type.String({ description: 'Repository name, as the host last spelled it to the user.' }),
      language: LanguageCode(),
      labels: Labels,
      includeBots: Type.Boolean({ description: 'Whether what bots have made is written about too.' }),
      since: Timestamp('When watching began.'),
      lastSeenAt: nullable(Timestamp('When the host last said what is merged; null before it did.')),
      paused: nullable(
        Type.Object(
          {
            reason: Type.Enum([...pauseReasons], {
              type: 'string',
              description:
                'Why it is not watched at the moment: no saved token may see it, the user no longer may, or the host does not answer',
            }),
            message: Type.String({ description: 'What to do.' }),
          },
          closed,
        ),
      ),
    },
    {
      ...closed,
      examples: [
        {
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
      ],
    },
  ),
);

export type Watch = Static<typeof Watch>;

/** Only the webhook operations use it, so it is no shared component. */
export const WebhookReceipt = Type.Object(
  {
    outcome: Type.Enum(['queued', 'repeated', 'nothing'], {
      type: 'string',
      description:
        '`queued`: what it calls for is under way, or done. `repeated`: that was so before. `nothing`: it calls for nothing here.',
    }),
  },
  { additionalProperties: false, examples: [{ outcome: 'queued' }] },
);
