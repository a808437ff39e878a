import { type Static, Type } from 'typebox';
import { component } from './component.ts';
import { Timestamp, Uuid } from './formats.ts';

export const AuthSession = component(
  'AuthSession',
  Type.Object(
    {
      id: Uuid(),
      userId: Type.Union([Uuid(), Type.Null()], { description: 'Null while the identity has not signed up.' }),
      createdAt: Timestamp(),
      lastUsedAt: Timestamp('At most a minute behind.'),
      expiresAt: Timestamp('14 days after the last use, 90 days after creation at the latest.'),
      revokedAt: Type.Union([Timestamp(), Type.Null()]),
      accessToken: Type.Optional(
        Type.String({ description: 'The session token; shown when the session is opened and never again.' }),
      ),
    },
    { additionalProperties: false },
  ),
);

export type AuthSession = Static<typeof AuthSession>;

export const LogoutResponseData = component(
  'LogoutResponseData',
  Type.Object({ loggedOutAt: Timestamp() }, { additionalProperties: false }),
);
