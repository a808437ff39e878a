import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identifyBearers } from '../../actions/accounts/sessions.ts';
import type { Viewer } from '../../actions/deps.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { knownHosts } from '../../code-hosts/known-hosts.ts';
import { asDatabaseFailure } from '../../db/failures.ts';
import { Failure, ReadOnlyFailure } from '../../domain/errors.ts';
import { hashToken } from '../../domain/secrets.ts';
import { anyOf } from '../../domain/text.ts';
import type { Deps } from '../deps.ts';
import type { Access } from '../endpoint.ts';
import { isSameOrigin } from './addresses.ts';
import { sessionTokenOf } from './cookies.ts';
import { isUnroutedPageRequest } from './parse-requests.ts';

type AuthDeps = Pick<
  Deps,
  'database' | 'revocations' | 'codeHosts' | 'issuer' | 'clock' | 'publicUrl' | 'rateLimit'
>;

/** Tokens of this service, hosts and identity providers are far shorter; longer ones are not worth hashing. */
const longestToken = 8 * 1024;

export function authenticateRequests(app: FastifyInstance, deps: AuthDeps): void {
  app.decorateRequest('viewer', null);
  const identifyBearer = identifyBearers(deps);
  const identify = async (request: FastifyRequest, reply: FastifyReply, { token, byCookie }: Presented) => {
    const credentialKey = hashToken(token);
    deps.rateLimit.refuseGuessing(request, reply, credentialKey);
    const viewer = await identifyBearer(token).catch((error) => {
      deps.rateLimit.countAddress(request, reply);
      if (logsOut(request) && asDatabaseFailure(error)) deps.revocations.endUnknown(token);
      throw error;
    });
    // The primary may have been lost since the request began: a standby does not know of the last log-outs.
    if (deps.database.isReadOnly()) throw new ReadOnlyFailure();
    if (!viewer || !mayUse(viewer, accessOf(request))) {
      deps.rateLimit.countGuess(request, reply, credentialKey);
      throw badCredential(token, deps.codeHosts);
    }
    deps.rateLimit.countIdentity(reply, viewer.identity, credentialKey);
    if (byCookie) refuseForeignWrites(request, deps.publicUrl);
    request.viewer = viewer;
  };
  app.addHook('onRequest', (request, reply, done) => {
    const access = accessOf(request);
    if (request.isReadOnly && access !== 'operator') {
      deps.rateLimit.countAddress(request, reply);
      return done(isOpenToAll(request, access) ? undefined : new ReadOnlyFailure());
    }
    if (access === 'signed' || access === 'operator') return done();
    const presented = access === 'public' ? null : presentedToken(request);
    if (presented) {
      identify(request, reply, presented).then(() => done(), done);
      return;
    }
    deps.rateLimit.countAddress(request, reply);
    const mayPass = access === 'public' || (access === 'viewer' && !triedToSignIn(request));
    done(mayPass ? undefined : noCredential());
  });
}

/** Without a primary nothing can be written, and whether a credential still counts is not known. */
const isOpenToAll = (request: FastifyRequest, access: Access): boolean =>
  ['GET', 'HEAD', 'OPTIONS'].includes(request.method) && (access === 'public' || access === 'viewer');

const logsOut = ({ routeOptions: { url } }: FastifyRequest): boolean =>
  url === '/auth/logout' || url === '/settings/log-out';

/** Error pages keep the user signed in. */
const accessOf = (request: FastifyRequest): Access =>
  request.routeOptions.config.access ?? (isUnroutedPageRequest(request) ? 'viewer' : 'public');

interface Presented {
  token: string;
  byCookie: boolean;
}

function presentedToken(request: FastifyRequest): Presented | null {
  const header = request.headers.authorization;
  if (header !== undefined) {
    const token = /^Bearer +([\w.~+/=-]+)$/i.exec(header)?.[1];
    return token && token.length <= longestToken ? { token, byCookie: false } : null;
  }
  const token = sessionTokenOf(request);
  return token && token.length <= longestToken ? { token, byCookie: true } : null;
}

function triedToSignIn(request: FastifyRequest): boolean {
  return request.headers.authorization !== undefined;
}

/** A token that was logged out, or may open only one session, can sign in and do nothing else. */
function mayUse({ credential }: Viewer, access: Access): boolean {
  return (
    credential.kind !== 'hostToken' || access === 'signingIn' || !(credential.singleUse || credential.refused)
  );
}

/** Browsers send the cookie with requests of any page, but only our own pages may write with it. */
function refuseForeignWrites(request: FastifyRequest, publicUrl: string | undefined): void {
  if (request.method === 'GET' || request.method === 'HEAD' || isSameOrigin(request, publicUrl)) return;
  throw new Failure(
    'FORBIDDEN',
    "The session cookie only allows changes from this service's own pages. Elsewhere, use a bearer token.",
  );
}

export function noCredential(): Failure {
  return new Failure('UNAUTHORIZED', 'Send a token: Authorization: Bearer <ACCESS_TOKEN>.');
}

function badCredential(token: string, codeHosts: CodeHost[]): Failure {
  const kinds = Object.values(knownHosts).map(({ name, tokens }) => ({ name, ...tokens }));
  const taken = kinds.filter(({ kind }) => codeHosts.some(({ signIn }) => signIn === kind));
  const kind = kinds.find(({ isOne }) => isOne(token));
  if (kind && !taken.includes(kind))
    return new Failure(
      'UNAUTHORIZED',
      `This is a ${kind.name} token, but CODE_HOST does not include ${kind.name}. Send ${anyOf(taken.map((one) => one.taken))}.`,
    );
  return new Failure('UNAUTHORIZED', 'This token is invalid, expired or revoked. Sign in again.');
}
