import type { Static } from 'typebox';
import { Flag, HostId, LanguageCode, nullable, resource, Text, Timestamp, Url, Uuid } from './formats.ts';
import { Type } from './type.ts';

export const User = resource(
  'User',
  {
    id: Uuid('The user.'),
    hostUserId: HostId('Numeric id of the user on the code host.'),
    hostUsername: Text('Login name on the code host.'),
    hostDisplayName: Text('Display name on the code host, or the login name without one.'),
    email: Type.String({
      format: 'email',
      description: "Public email address, or the host's no-reply address.",
    }),
    avatarUrl: Url('Avatar image; without one on the host, a drawn one.'),
    language: LanguageCode(),
    createdAt: Timestamp('When the user signed up.'),
    updatedAt: Timestamp('When the user last changed.'),
  },
  {
    example: {
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
  },
);

export type User = Static<typeof User>;

export const AuthSession = resource(
  'AuthSession',
  {
    id: Uuid('The session.'),
    userId: nullable(Uuid('The user; null if the identity has not signed up yet.')),
    createdAt: Timestamp('When the session was opened.'),
    lastUsedAt: Timestamp('When the session was last used, accurate to a minute.'),
    expiresAt: Timestamp(
      'When the session expires: 14 days after its last use, at the latest 90 days after creation.',
    ),
    revokedAt: nullable(Timestamp('When the session was ended; null while it is active.')),
    current: Flag('Whether this request uses the session.'),
    accessToken: Type.Optional(Text('The session token. It is returned only when the session is opened.')),
  },
  {
    example: {
      id: '22e596f7-f52f-491a-a76a-92b256d353da',
      userId: '2db6e65f-2021-4fb8-bebe-72498d0d50ae',
      createdAt: '2026-03-01T09:30:00.000Z',
      lastUsedAt: '2026-03-01T09:30:00.000Z',
      expiresAt: '2026-03-15T09:30:00.000Z',
      revokedAt: null,
      current: true,
    },
  },
);

export type AuthSession = Static<typeof AuthSession>;

export const Identity = resource(
  'Identity',
  {
    host: Text('The code host.'),
    hostUserId: HostId('Numeric id of the account on the code host.'),
    hostUsername: Text('Login name on the code host.'),
  },
  { example: { host: 'git', hostUserId: 1542618457563584, hostUsername: 'alice' } },
);

export const LogoutResponseData = resource(
  'LogoutResponseData',
  { loggedOutAt: Timestamp('When the credential was invalidated.') },
  { example: { loggedOutAt: '2026-03-01T09:30:00.000Z' } },
);

export const SavedHostToken = resource(
  'SavedHostToken',
  {
    host: Text('The code host of the token.'),
    hostUsername: Text('Owner of the token on the code host.'),
    savedAt: Timestamp('When the token was saved.'),
  },
  { example: { host: 'github', hostUsername: 'octocat', savedAt: '2026-03-01T09:30:00.000Z' } },
);

export type SavedHostToken = Static<typeof SavedHostToken>;
