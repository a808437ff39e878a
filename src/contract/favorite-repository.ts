import { type Static, Type } from 'typebox';
import { component } from './component.ts';
import { HostId, Timestamp, Uuid } from './formats.ts';

export const FavoriteRepository = component(
  'FavoriteRepository',
  Type.Object(
    {
      id: Uuid(),
      userId: Uuid('The owning user.'),
      hostRepoId: HostId('Numeric id of the repository on the code host.'),
      repositoryFullName: Type.String({ description: 'Owner and repository, such as harborline/parcel.' }),
      owner: Type.String(),
      repo: Type.String(),
      registeredAt: Timestamp(),
    },
    { additionalProperties: false },
  ),
);

export type FavoriteRepository = Static<typeof FavoriteRepository>;
