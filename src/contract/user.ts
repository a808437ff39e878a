import type { Static } from 'typebox';
import { component } from './component.ts';
import { HostId, LanguageCode, Timestamp, Uuid } from './formats.ts';
import { Type } from './type.ts';

export const User = component(
  'User',
  Type.Object(
    {
      id: Uuid('The user.'),
      hostUserId: HostId('Numeric id of the user on the code host.'),
      hostUsername: Type.String({ description: 'Login name on the code host.' }),
      hostDisplayName: Type.String({
        description: 'Display name on the code host, or the login name without one.',
      }),
      email: Type.String({
        format: 'email',
        description: "Public e-mail address, or the host's no-reply address.",
      }),
      avatarUrl: Type.String({
        format: 'uri',
        description: 'Avatar image; without one on the host, a drawn one.',
      }),
      language: LanguageCode(),
      createdAt: Timestamp('When the user signed up.'),
      updatedAt: Timestamp('When anything about the user changed last.'),
    },
    {
      additionalProperties: false,
      examples: [
        {
          id: '2db6e65f-2021-4fb8-bebe-72498d0d50ae',
          hostUserId: 1542618457563584,
          hostUsername: 'alice',
          hostDisplayName: 'alice',
          email: '1542618457563584+alice@users.noreply.git',
          avatarUrl: 'https://pullquote.example.org/avatars/2db6e65f-2021-4fb8-bebe-72498d0d50ae.svg',
          language: 'ja',
          createdAt: '2026-03-01T09:30:00.000Z',
          updatedAt: '2026-03-01T09:30:00.000Z',
        },
      ],
    },
  ),
);

export type User = Static<typeof User>;
