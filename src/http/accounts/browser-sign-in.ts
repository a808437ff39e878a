import type { FastifyRequest } from 'fastify';
import { type BrowserSignIn, beginSignIn, finishSignIn } from '../../actions/accounts/sign-in.ts';
import { Text } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { asDatabaseFailure } from '../../db/failures.ts';
import { Failure } from '../../domain/errors.ts';
import { signInProblemPage } from '../../pages/failure.ts';
import type { Deps } from '../deps.ts';
import { endpoint } from '../endpoint.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { clearSignInCookie, setSessionCookie, setSignInCookie, signInCookieOf } from '../requests/cookies.ts';
import { prefersJson } from '../requests/parse-requests.ts';
import { content, redirect } from '../responses/response.ts';

const htmlType = 'text/html; charset=utf-8';
const Page = Text('A page with instructions');

const Answered = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }));

const onlyOne = (given: string | string[] | undefined): string | undefined =>
  Array.isArray(given) ? undefined : given;

const callbackPath = '/auth/callback';

/** The redirect address comes from the settings, because a client can send any Host header. */
const browserSignIns = ({ codeHosts, publicUrl }: Deps): (BrowserSignIn & { publicUrl: string })[] =>
  codeHosts.flatMap((codeHost) => {
    const { app } = codeHost;
    const path = app?.callbackPath ?? `${callbackPath}/${codeHost.id}`;
    return app && publicUrl ? [{ codeHost, app, publicUrl, redirectUri: publicUrl + path }] : [];
  });

function notOffered(offered: BrowserSignIn[]): Failure {
  const hosts = offered.map(({ codeHost: { id } }) => id).join(', ');
  return new Failure(
    'NOT_FOUND',
    hosts === ''
      ? 'Browser sign-in is not set up here. Sign in with a token; GET /meta lists the accepted ones.'
      : `Browser sign-in is available for ${hosts}. Use one of these, or a token; GET /meta lists the accepted ones.`,
  );
}

export const getLogin = (deps: Deps) => {
  const offered = browserSignIns(deps);
  return endpoint({
    operationId: 'beginSignIn',
    summary: 'Sign in with a browser',
    description:
      'Redirects the browser to the code host, which asks the user for permission, and then to `/auth/callback`, or to `/auth/callback/{host}` for hosts other than GitHub. 404 if browser sign-in is not set up.',
    tag: 'User & Auth',
    access: 'public',
    query: {
      returnTo: Type.Optional(
        Text('Path to open afterwards; anything outside this service is replaced by /'),
      ),
      ...hostQuery(deps.codeHosts, 'Code host to sign in with; by default the first that offers it'),
    },
    data: Page,
    contentType: htmlType,
    success: { 302: 'Redirects to the code host.' },
    failures: ['NOT_FOUND'],
    handle({ query, request, reply }) {
      const signIn = offered.find(({ codeHost: { id } }) => query.host === undefined || id === query.host);
      if (!signIn) throw notOffered(offered);
      const { location, cookie } = beginSignIn(deps, signIn, query.returnTo);
      setSignInCookie(reply, { request, publicUrl: signIn.publicUrl }, cookie);
      reply.header('cache-control', 'no-store');
      return redirect(location);
    },
  });
};

function problemPage({ contexts }: Deps, request: FastifyRequest, sentence: string): string {
  const context = { ...contexts.contextFor(request, undefined), address: '/' };
  return signInProblemPage(context, sentence).toString();
}

/**
 * A callback for the first host, and with `ofHost` one for each other host, so that no host gets the code of another.
 */
const callback = (deps: Deps, ofHost: boolean) => {
  const offered = browserSignIns(deps);
  const [first] = offered;
  return endpoint({
    operationId: ofHost ? 'finishSignInWithHost' : 'finishSignIn',
    summary: ofHost ? 'Complete a browser sign-in on another code host' : 'Complete a browser sign-in',
    description:
      'Signs in the user when the code host redirects the same browser back: sets a session cookie and saves the token of the user. New users continue to sign-up. Errors are pages with instructions: 400 if the sign-in has expired, was already used or was started in another browser, 403 if the user declined, 5xx if the code host fails.',
    tag: 'User & Auth',
    access: 'public',
    // Code hosts add parameters of their own. One that comes twice is not from the code host.
    query: {
      code: Answered('The one-time code'),
      state: Answered('State of the sign-in'),
      error: Answered('Reason why there is no code'),
      iss: Answered('The issuer, if the code host sends it'),
    },
    ignoresOtherQuery: true,
    data: Page,
    contentType: htmlType,
    success: { 302: 'Signed in.' },
    failures: ['NOT_FOUND'],
    failuresAsContent: [
      'INVALID_REQUEST',
      'FORBIDDEN',
      'HOST_ERROR',
      'HOST_RATE_LIMITED',
      'HOST_TIMEOUT',
      'UNAVAILABLE',
      'STORAGE_FULL',
    ],
    ...(ofHost && {
      params: { host: Type.String({ description: 'Code host', examples: ['gitlab'] }) },
    }),
    async handle({ query: { code, state, error, iss }, request, reply }) {
      if (!first) throw notOffered(offered);
      const { publicUrl } = first;
      const answered = {
        code: onlyOne(code),
        state: onlyOne(state),
        error: onlyOne(error),
        issuer: onlyOne(iss),
        cameTo: publicUrl + request.url.replace(/\?.*$/s, ''),
      };
      reply.header('cache-control', 'no-store');
      try {
        const cookie = signInCookieOf({ request, publicUrl });
        const { accessToken, returnTo, isNew } = await finishSignIn(deps, offered, { cookie, answered });
        clearSignInCookie(reply, { request, publicUrl });
        setSessionCookie(reply, { request, publicUrl }, accessToken);
        return redirect(isNew ? `/sign-up?back=${encodeURIComponent(returnTo)}` : returnTo);
      } catch (error) {
        const failure = error instanceof Failure ? error : asDatabaseFailure(error);
        if (!failure || prefersJson(request)) throw error;
        const { status, message, cause } = failure;
        if (status >= 500) request.log.error({ err: cause ?? failure }, message);
        reply.headers(deps.contexts.headers);
        return content(htmlType, problemPage(deps, request, message), status);
      }
    },
  });
};

export const getCallback = (deps: Deps) => callback(deps, false);
export const getCallbackOfHost = (deps: Deps) => callback(deps, true);
