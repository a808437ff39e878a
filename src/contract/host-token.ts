import type { Static } from 'typebox';
import { component } from './component.ts';
import { Timestamp } from './formats.ts';
import { Type } from './type.ts';

export const SavedHostToken = component(
  'SavedHostToken',
  Type.Object(
    {
      host: Type.String({ description: 'The code host that it is for.' }),
      hostUsername: Type.String({ description: 'Whose token it is there.' }),
      savedAt: Timestamp('When it was saved.'),
    },
    {
      additionalProperties: false,
      examples: [{ host: 'github', hostUsername: 'octocat', savedAt: '2026-03-01T09:30:00.000Z' }],
    },
  ),
);

export type SavedHostToken = Static<typeof SavedHostToken>;
