import { signUp } from '../../actions/accounts/account.ts';
import { openSession, requireUnused } from '../../actions/accounts/sign-in.ts';
import type { Viewer } from '../../actions/deps.ts';
import { AuthSession, Identity, LogoutResponseData, User } from '../../contract/accounts.ts';
import { LanguageCode, record, ref, Uuid } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { findIdentity, findOwnSession, listLiveSessions, type Session } from '../../db/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { defaultLanguage } from '../../domain/languages.ts';
import type { Deps } from '../deps.ts';
import { endpoint, listEndpoint } from '../endpoint.ts';
import { clearSessionCookie, setSessionCookie } from '../requests/cookies.ts';
import { created, ok } from '../responses/response.ts';
import { presentUser } from './account.ts';

export function presentSession(session: Session, { user, credential }: Viewer): AuthSession {
  return {
    id: session.id,
    userId: user?.id ?? null,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: session.lastUsedAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    revokedAt: session.revokedAt?.toISOString() ?? null,
    current: credential.kind === 'session' && credential.session.id === session.id,
  };
}

export const postSignup = ({ database, clock, publicUrl }: Deps) =>
  endpoint({
    operationId: 'signUp',
    summary: 'Sign up',
    description:
      'Registers the identity of the credential as a new user. The response is the user itself, without the envelope. The original specification defines 201 (user created) and 409 (conflict); the other statuses are additions.',
    tag: 'User & Auth',
    access: 'identity',
    body: record(
      {
        language: Type.Optional(Type.String({ ...LanguageCode(), default: defaultLanguage })),
      },
      { example: { language: 'en' } },
    ),
    data: ref(User),
    bare: true,
    success: { 201: 'User created.' },
    failures: ['ALREADY_SIGNED_UP'],
    async handle({ body, viewer, request }) {
      const user = await signUp({ database, clock }, viewer.identity, body.language ?? defaultLanguage);
      return created(presentUser(request, publicUrl, viewer.identity, user));
    },
  });

export const postSession = ({ database, codeHosts, clock, publicUrl }: Deps) =>
  endpoint({
    operationId: 'openSession',
    summary: 'Open a session',
    description:
      "Exchanges a token from a code host or identity provider for a session token, which is returned only once. With `cookie`, the session token is set as a cookie for the pages of this service and not returned. This call also re-enables a code host token that was logged out. An identity provider's token that was logged out is rejected until it expires.",
    tag: 'User & Auth',
    access: 'signingIn',
    body: record(
      {
        cookie: Type.Optional(
          Type.Boolean({ default: false, description: 'Set a cookie instead of returning the token' }),
        ),
      },
      { example: { cookie: false } },
    ),
    data: ref(AuthSession),
    success: { 201: 'The session, with its token unless it is set as a cookie.' },
    async handle({ body, viewer, request, reply }) {
      const { session, accessToken } = await openSession({ database, codeHosts, clock }, viewer);
      const shown = presentSession(session, viewer);
      reply.header('cache-control', 'no-store');
      if (!body.cookie)
        return created({ ...shown, accessToken }, 'Store this token. It will not be shown again.');
      setSessionCookie(reply, { request, publicUrl }, accessToken);
      return created(shown, 'You are signed in.');
    },
  });

export const getIdentity = () =>
  endpoint({
    operationId: 'tellIdentity',
    summary: 'Get the owner of a credential',
    description:
      'Returns the account that this credential would sign in. No session is opened, and a one-time token stays valid.',
    tag: 'User & Auth',
    access: 'signingIn',
    data: ref(Identity),
    success: { 200: 'The owner of the credential.' },
    handle({ viewer, reply }) {
      requireUnused(viewer);
      const { host, hostUserId, hostUsername } = viewer.identity;
      reply.header('cache-control', 'no-store');
      return ok({ host, hostUserId, hostUsername });
    },
  });

export const getSessions = ({ database, clock }: Deps) =>
  listEndpoint({
    operationId: 'listSessions',
    summary: 'List your sessions',
    description: "The caller's active sessions, newest first.",
    tag: 'User & Auth',
    access: 'identity',
    item: ref(AuthSession),
    success: { 200: 'Your sessions.' },
    async list({ viewer }, page) {
      const known = await findIdentity(database, viewer.identity);
      const { rows, total } = known
        ? await listLiveSessions(database, { identityId: known.identityId, now: clock(), ...page })
        : { rows: [], total: 0 };
      return { items: rows.map((session) => presentSession(session, viewer)), total };
    },
  });

export const deleteSession = ({ database, revocations, clock }: Deps) =>
  endpoint({
    operationId: 'endSession',
    summary: 'End one of your own sessions',
    description: 'Every process rejects the token of this session immediately.',
    tag: 'User & Auth',
    access: 'identity',
    params: { id: Uuid('The session.') },
    data: ref(AuthSession),
    success: { 200: 'The session is ended.' },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer }) {
      const known = await findIdentity(database, viewer.identity);
      const own = { sessionId: params.id, now: clock() };
      const session = known && (await findOwnSession(database, { ...own, identityId: known.identityId }));
      if (!session || revocations.isPending(session.id))
        throw new Failure(
          'NOT_FOUND',
          'You have no session with this id. GET /auth/sessions lists your sessions.',
        );
      const revokedAt = await revocations.endSession(session);
      return ok(presentSession({ ...session, revokedAt }, viewer));
    },
  });

export const postLogout = ({ revocations }: Deps) =>
  endpoint({
    operationId: 'logOut',
    summary: 'Log out',
    description:
      'Invalidates only the credential that was sent. A code host token is rejected until it is sent to POST /auth/session again.',
    tag: 'User & Auth',
    access: 'identity',
    data: ref(LogoutResponseData),
    success: { 200: 'You are logged out.' },
    async handle({ viewer, request, reply }) {
      const loggedOutAt = await revocations.logOut(viewer);
      clearSessionCookie(request, reply);
      return ok({ loggedOutAt: loggedOutAt.toISOString() });
    },
  });
