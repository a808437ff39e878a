import type { FastifyRequest } from 'fastify';
import { deleteAccount } from '../actions/accounts/delete-account.ts';
import { ref } from '../contract/component.ts';
import { Nothing } from '../contract/envelope.ts';
import { LanguageCode } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { User } from '../contract/user.ts';
import { type User as StoredUser, updateLanguage } from '../db/users.ts';
import { accountGone } from '../domain/errors.ts';
import type { Identity } from '../domain/identity.ts';
import { ok } from './answers/answer.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { originOf } from './requests/origin.ts';
import { clearSessionCookie } from './requests/session-cookie.ts';

export function presentUser(
  request: FastifyRequest,
  publicUrl: string | undefined,
  identity: Identity,
  user: StoredUser,
): User {
  return {
    id: user.id,
    hostUserId: identity.hostUserId,
    hostUsername: identity.hostUsername,
    hostDisplayName: identity.hostDisplayName,
    email: identity.email,
    avatarUrl: identity.avatarUrl ?? `${originOf(request, publicUrl)}/avatars/${user.id}.svg`,
    language: user.language,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

export const getCurrentUser = ({ publicUrl }: Deps) =>
  endpoint({
    operationId: 'getCurrentUser',
    summary: 'Get the current user',
    description: 'Who the credential belongs to.',
    tag: 'User & Auth',
    access: 'user',
    data: ref(User),
    success: { 200: 'The user.' },
    handle: ({ viewer, request }) =>
      ok(presentUser(request, publicUrl, viewer.identity, viewer.user), 'This is you.'),
  });

export const patchCurrentUser = ({ database, clock, publicUrl }: Deps) =>
  endpoint({
    operationId: 'changeLanguage',
    summary: 'Change the language of the current user',
    description:
      'Articles that the user has written from then on are in this language unless another is asked for.',
    tag: 'User & Auth',
    access: 'user',
    body: Type.Object(
      { language: LanguageCode() },
      { additionalProperties: false, examples: [{ language: 'en' }] },
    ),
    data: ref(User),
    success: { 200: 'The user as it is now.' },
    async handle({ body, viewer, request }) {
      const changed = await updateLanguage(database, {
        userId: viewer.user.id,
        language: body.language,
        now: clock(),
      });
      if (!changed) throw accountGone();
      return ok(
        presentUser(request, publicUrl, viewer.identity, changed),
        `The language is now ${changed.language}.`,
      );
    },
  });

export const deleteCurrentUser = (deps: Deps & Parameters<typeof deleteAccount>[0]) =>
  endpoint({
    operationId: 'deleteAccount',
    summary: 'Delete the account of the current user',
    description:
      'Removes the user with all likes, favorites, read marks, digests, sessions, saved tokens and grants, at once and for good. Articles stay: they belong to ' +
      'everybody who reads them.',
    tag: 'User & Auth',
    access: 'user',
    data: Nothing,
    success: { 200: 'The account is gone.' },
    async handle({ viewer, request, reply }) {
      if (!(await deleteAccount(deps, viewer.user.id))) throw accountGone();
      clearSessionCookie(request, reply);
      return ok({}, 'Your account and everything that belonged to it is deleted.');
    },
  });
