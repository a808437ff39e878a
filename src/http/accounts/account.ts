import type { FastifyRequest } from 'fastify';
import { deleteAccount, forgetHostToken, saveGivenToken } from '../../actions/accounts/account.ts';
import { SavedHostToken, User } from '../../contract/accounts.ts';
import { LanguageCode, Nothing, record, ref } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { type User as StoredUser, updateLanguage } from '../../db/accounts.ts';
import type { Identity } from '../../domain/accounts.ts';
import { accountGone } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { endpoint } from '../endpoint.ts';
import { originOf } from '../requests/addresses.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { clearSessionCookie } from '../requests/cookies.ts';
import { ok } from '../responses/response.ts';

export function presentUser(
  request: FastifyRequest,
  publicUrl: string | undefined,
  identity: Identity,
  user: StoredUser,
): User {
  const { hostUserId, hostUsername, hostDisplayName, email } = identity;
  return {
    id: user.id,
    ...{ hostUserId, hostUsername, hostDisplayName, email },
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
    description: 'The user of this credential.',
    tag: 'User & Auth',
    access: 'user',
    data: ref(User),
    success: { 200: 'The current user.' },
    handle: ({ viewer, request }) => ok(presentUser(request, publicUrl, viewer.identity, viewer.user)),
  });

export const patchCurrentUser = ({ database, clock, publicUrl }: Deps) =>
  endpoint({
    operationId: 'changeLanguage',
    summary: 'Change the language of the current user',
    description: 'New articles that the user requests are in this language unless the request names another.',
    tag: 'User & Auth',
    access: 'user',
    body: record({ language: LanguageCode() }, { example: { language: 'en' } }),
    data: ref(User),
    success: { 200: 'The updated user.' },
    async handle({ body, viewer, request }) {
      const { language } = body;
      const changed = await updateLanguage(database, { userId: viewer.user.id, language, now: clock() });
      if (!changed) throw accountGone();
      return ok(
        presentUser(request, publicUrl, viewer.identity, changed),
        `The language is now ${language}.`,
      );
    },
  });

export const deleteCurrentUser = (deps: Deps & Parameters<typeof deleteAccount>[0]) =>
  endpoint({
    operationId: 'deleteAccount',
    summary: 'Delete the account of the current user',
    description:
      'Deletes the user with all likes, favorites, read marks, digests, sessions, saved tokens and grants, at once and permanently. Articles are kept, because they belong to everyone who reads them.',
    tag: 'User & Auth',
    access: 'user',
    data: Nothing,
    success: { 200: 'Your account and all its data are deleted.' },
    async handle({ viewer, request, reply }) {
      if (!(await deleteAccount(deps, viewer.user.id))) throw accountGone();
      clearSessionCookie(request, reply);
      return ok({});
    },
  });

const meansOwn = 'The code host that issued the token; by default, the one of the caller';

const longest = 4096;

export const postHostToken = (deps: Deps) =>
  endpoint({
    operationId: 'saveHostToken',
    summary: 'Save a code host token',
    description:
      'Stores a token, encrypted. The service uses it to read from the code host for the caller when a request carries no token of that host, for example with a session. There is one token per host; a new one replaces it. For the host of the caller’s account, the token must belong to that account; for other hosts, it can belong to any account.',
    tag: 'User & Auth',
    access: 'identity',
    query: hostQuery(deps.codeHosts, meansOwn),
    body: record(
      {
        accessToken: Type.String({ minLength: 1, maxLength: longest, description: 'The token' }),
        refreshToken: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: longest,
            description: 'Refresh token, if the token expires',
          }),
        ),
      },
      { example: { accessToken: 'github_pat_…' } },
    ),
    data: ref(SavedHostToken),
    success: { 200: 'The token is saved. It is never shown again.' },
    async handle({ query, body, viewer: { identity } }) {
      const codeHost = chooseCodeHost(deps.codeHosts, query.host ?? identity.host);
      const { accessToken, refreshToken = null } = body;
      const given = { identity, accessToken, refreshToken };
      const { hostUsername, savedAt } = await saveGivenToken(deps, codeHost, given);
      return ok({ host: codeHost.id, hostUsername, savedAt: savedAt.toISOString() });
    },
  });

export const removeHostToken = (deps: Deps) =>
  endpoint({
    operationId: 'forgetHostToken',
    summary: 'Delete a saved code host token',
    description:
      'Deletes the saved token, if there is one. A token that was issued to this service is also revoked on the code host, ' +
      'if the host responds within two seconds.',
    tag: 'User & Auth',
    access: 'identity',
    query: hostQuery(deps.codeHosts, meansOwn),
    data: Nothing,
    success: { 200: 'The token is deleted.' },
    async handle({ query, viewer: { identity } }) {
      const codeHost = chooseCodeHost(deps.codeHosts, query.host ?? identity.host);
      await forgetHostToken(deps, codeHost, identity);
      return ok({});
    },
  });
