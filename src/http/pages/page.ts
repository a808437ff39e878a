import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Static, TObject, TProperties } from 'typebox';
import type { SignedUpViewer, Viewer } from '../../actions/deps.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { Type } from '../../contract/type.ts';
import type { StoredArticle, StoredContent } from '../../db/articles.ts';
import { safeReturnPath } from '../../domain/accounts.ts';
import { Failure, ReadOnlyFailure } from '../../domain/errors.ts';
import { failurePage } from '../../pages/failure.ts';
import type { Html } from '../../pages/html.ts';
import type { PageContext, Pages } from '../../pages/layout.ts';
import { signInLink, signUpLink } from '../../pages/links.ts';
import { type CachePolicy, isPageAddress } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { isSameOrigin } from '../requests/addresses.ts';
import { clearSessionCookie } from '../requests/cookies.ts';
import { prefersJson } from '../requests/parse-requests.ts';
import { beginFailure, type SendFailure, sendFailure } from '../responses/errors.ts';
import { presentArticle } from '../responses/present.ts';
import type { PageContexts } from './page-contexts.ts';

export interface ShownPage {
  page: Html;
  status?: number;
  type?: string;
  cachePolicy?: CachePolicy;
}

export interface Redirection {
  redirectTo: string;
}

type None = Record<never, never>;

interface Call<Params extends TProperties, Query extends TProperties> {
  params: Static<TObject<Params>>;
  query: Static<TObject<Query>>;
  viewer: Viewer | null;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface PageCall<Params extends TProperties = None, Query extends TProperties = None>
  extends Call<Params, Query> {
  acceptLanguage: string;
  contextIn: (language: string | undefined) => PageContext;
}

type Answer = ShownPage | Redirection;

export type PageRoute = (url: string, deps: Pick<Deps, 'contexts' | 'publicUrl'>) => RouteOptions;

interface Page<Params extends TProperties, Query extends TProperties> {
  params?: Params;
  query?: Query;
  show: (call: PageCall<Params, Query>) => Promise<Answer> | Answer;
}

export function page<Params extends TProperties = None, Query extends TProperties = None>(
  described: Page<Params, Query>,
): PageRoute {
  const { params, query, show } = described;
  return (url, { contexts }) => ({
    method: 'GET',
    url,
    config: { access: 'viewer' },
    schema: { hide: true, params: Type.Object(params ?? {}), querystring: Type.Object(query ?? {}) },
    handler: async (request, reply) => {
      await contexts.countNew(request);
      const shown = await show({
        params: request.params as Static<TObject<Params>>,
        query: request.query as Static<TObject<Query>>,
        viewer: request.viewer,
        request,
        reply,
        acceptLanguage: contexts.acceptLanguage(request),
        contextIn: (language) => contexts.contextFor(request, language),
      });
      if ('redirectTo' in shown) return reply.redirect(shown.redirectTo, 303);
      // Unknown parameters would fill the cache with copies of a page.
      const isKnown = Object.keys(request.query as object).every((name) => Object.hasOwn(query ?? {}, name));
      if (isKnown && isPageAddress(request.url)) reply.cachePolicy = shown.cachePolicy ?? null;
      return sendPage(reply.code(shown.status ?? 200), contexts, shown);
    },
  });
}

const sendPage = (reply: FastifyReply, contexts: PageContexts, { page: made, type }: ShownPage) =>
  reply
    .headers(contexts.headers)
    .type(type ?? 'text/html; charset=utf-8')
    .send(made.toString());

type Show<Query extends TProperties> = (
  call: Omit<PageCall<None, Query>, 'params'> & { viewer: SignedUpViewer },
) => Promise<ShownPage> | ShownPage;

export const ownPage = <Query extends TProperties>(own: { query?: Query; show: Show<Query> }) =>
  page<None, Query>({ ...own, show: forReader(own.show) });

export const asUser = (viewer: Viewer | null): SignedUpViewer | null =>
  viewer?.user ? { ...viewer, user: viewer.user } : null;

export const forReader =
  <Query extends TProperties>(show: Show<Query>) =>
  (call: Omit<PageCall<None, Query>, 'params'>): Promise<ShownPage> | Answer => {
    const { address } = call.contextIn(undefined);
    const viewer = asUser(call.viewer);
    if (viewer) return show({ ...call, viewer });
    if (call.request.isReadOnly) throw new ReadOnlyFailure();
    return { redirectTo: call.viewer ? signUpLink(address) : signInLink(address) };
  };

interface Form<Params extends TProperties, Query extends TProperties, Body extends TProperties, User> {
  params?: Params;
  query?: Query;
  body?: Body;
  submit: (
    call: Call<Params, Query> & { body: Static<TObject<Body>>; viewer: User },
  ) => Promise<string> | string;
}

/** A form for browsers without scripts: it takes fields and redirects. Accepted only from our own pages. */
export function form<
  Params extends TProperties = None,
  Query extends TProperties = None,
  Body extends TProperties = None,
>({ params, query, body, submit }: Form<Params, Query, Body, Viewer | null>): PageRoute {
  const exactly = (fields: TProperties = {}) => Type.Object(fields, { additionalProperties: false });
  return (url, { publicUrl }) => ({
    method: 'POST',
    url,
    config: { access: 'viewer' },
    schema: {
      hide: true,
      params: Type.Object(params ?? {}),
      querystring: query ? Type.Object(query) : exactly(),
      body: exactly(body),
    },
    preValidation: (request, _reply, done) => {
      request.body ??= {};
      done(isSameOrigin(request, publicUrl) ? undefined : foreign());
    },
    handler: async (request, reply) => {
      const shown = await submit({
        params: request.params as Static<TObject<Params>>,
        query: request.query as Static<TObject<Query>>,
        body: request.body as Static<TObject<Body>>,
        viewer: request.viewer,
        request,
        reply,
      });
      return reply.header('cache-control', 'no-store').redirect(shown, 303);
    },
  });
}

export const ownForm = <
  Params extends TProperties = None,
  Query extends TProperties = None,
  Body extends TProperties = None,
>({
  submit,
  ...same
}: Form<Params, Query, Body, SignedUpViewer>): PageRoute =>
  form<Params, Query, Body>({
    ...same,
    submit: (call) => {
      const viewer = asUser(call.viewer);
      if (viewer) return submit({ ...call, viewer });
      return (call.viewer ? signUpLink : signInLink)(pageOfForm(call.request));
    },
  });

export function pageOfForm(request: FastifyRequest): string {
  const from = URL.parse(request.headers.referer ?? '');
  return safeReturnPath(from ? from.pathname + from.search : undefined);
}

export function parseForms(pages: FastifyInstance): void {
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const sent = new URLSearchParams(String(body));
      // Checkboxes send several values under one name.
      done(null, Object.fromEntries([...sent.keys()].map((name) => [name, sent.getAll(name).join(',')])));
    },
  );
}

const foreign = () =>
  new Failure(
    'FORBIDDEN',
    'This form was not sent from a page of this service. Open the page and send it again.',
  );

/** Errors of pages are sent as pages, unless the client wants JSON. */
export const sendFailurePages =
  (contexts: PageContexts): SendFailure =>
  (thrown, request, reply) => {
    const error = isOfParams(thrown) ? new Failure('NOT_FOUND', 'There is no page at this URL.') : thrown;
    if (prefersJson(request)) return sendFailure(error, request, reply);
    const failure = beginFailure(error, request, reply);
    const isForm = request.method === 'POST';
    const found = contexts.contextFor(request, undefined);
    const context = isForm ? { ...found, address: pageOfForm(request) } : found;
    const { code, status, message, headers } = failure;
    if (code === 'UNAUTHORIZED') {
      clearSessionCookie(request, reply);
      return reply.redirect(signInLink(context.address), 303);
    }
    const retrySeconds = Number.parseInt(headers['retry-after'] ?? '', 10);
    // All 404 pages are the same, whatever they hide.
    const isMessageShown = code !== 'INTERNAL' && (isForm || status !== 404);
    const made = failurePage(context, {
      code,
      status,
      requestId: request.id,
      message: isMessageShown ? message : null,
      retrySeconds: Number.isNaN(retrySeconds) ? null : retrySeconds,
      isForm,
    });
    return sendPage(reply, contexts, { page: made });
  };

const isOfParams = (error: unknown): boolean =>
  error instanceof Error && 'validationContext' in error && error.validationContext === 'params';

export const offsetQuery = {
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
};

export const backQuery = { back: Type.Optional(Type.String()) };

export const offsetsAround = (around: { limit: number; offset: number }, total: number): Pages => ({
  newer: around.offset > 0 ? Math.max(0, around.offset - around.limit) : null,
  older: around.offset + around.limit < total ? around.offset + around.limit : null,
});

export const wishedLanguages = (
  own: string | undefined,
  acceptLanguage: string,
  { language }: { language: string },
): string[] => [...new Set([...(own ? [own] : []), ...acceptLanguage.split(', ').filter(Boolean), language])];

export async function firstWithArticles<Found>(
  languages: string[],
  list: (language: string | undefined) => Promise<Found>,
  isSomething: (found: Found) => boolean,
): Promise<{ language: string | null; found: Found }> {
  const [first = 'all', ...others] = languages;
  const language = first === 'all' ? undefined : first;
  const found = await list(language);
  if (isSomething(found) || others.length === 0) return { language: language ?? null, found };
  return firstWithArticles(others, list, isSomething);
}

export const minutesSince = (then: Date, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - then.getTime()) / 60_000));

export const hostName = ({ id, webUrl }: CodeHost): string => (webUrl && URL.parse(webUrl)?.host) || id;

export function presentIn(article: StoredArticle, stored: StoredContent) {
  const { contents, ...presented } = presentArticle(article, [stored]);
  const content = contents[stored.languageCode];
  if (!content) throw new Error('An article was presented without its language.');
  return { article: presented, content };
}
