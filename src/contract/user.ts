import { type Static, Type } from 'typebox';
import { component } from './component.ts';
import { HostId, LanguageCode, Timestamp, Uuid } from './formats.ts';

export const User = component(
  'User',
  Type.Object(
    {
      id: Uuid(),
      hostUserId: HostId('Numeric id of the user on the code host.'),
      hostUsername: Type.String({ description: 'Login name on the code host.' }),
      hostDisplayName: Type.String({ description: 'Display name on the code host, or the login name without one.' }),
      email: Type.String({ format: 'email', description: "Public e-mail address, or the host's no-reply address." }),
      avatarUrl: Type.String({ format: 'uri', description: 'Avatar image; without one on the host, a drawn one.' }),
      language: LanguageCode(),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
    },
    { additionalProperties: false },
  ),
);

export type User = Static<typeof User>;
