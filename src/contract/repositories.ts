import type { Static } from 'typebox';
import { Flag, nullable, repositoryFields, resource, Text, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

export const AddedRepository = resource(
  'AddedRepository',
  {
    id: Uuid('Id of the list entry; for a mirror, also the id of its job.'),
    kind: Type.Literal('repository', { description: 'Always `repository`, in contrast to `job`.' }),
    ...repositoryFields,
    isPrivate: Flag('Whether only the user who added the repository can see it.'),
    folder: nullable(Text('The git folder of a clone; null for a mirror.')),
    address: nullable(Text('URL of a mirror; null for a clone.')),
    isReady: Flag('Whether the repository can be read. False while it is being mirrored.'),
    addedAt: Timestamp('When the repository was added.'),
    refreshedAt: nullable(Timestamp('When the mirror was last fetched; null for a clone.')),
    refreshError: nullable(Text('Why the last refresh of the mirror failed. Its previous state is kept.')),
    isRefreshing: Flag('Whether the mirror is being refreshed.'),
  },
  {
    example: {
      id: '2f0f9f0e-5f0e-43d6-9a43-0d1c04b3a1de',
      kind: 'repository',
      host: 'git',
      owner: 'acme',
      repo: 'rocket',
      isPrivate: false,
      folder: '/home/ann/code/rocket/.git',
      address: null,
      isReady: true,
      addedAt: '2026-03-01T09:30:00.000Z',
      refreshedAt: null,
      refreshError: null,
      isRefreshing: false,
    },
  },
);

export type AddedRepository = Static<typeof AddedRepository>;
