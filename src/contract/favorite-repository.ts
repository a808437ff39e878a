import type { Static } from 'typebox';
import { component } from './component.ts';
import { HostId, Timestamp, Uuid } from './formats.ts';
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
