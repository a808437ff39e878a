import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { SignedUpViewer, Viewer } from '../../actions/deps.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { Type } from '../../contract/type.ts';
import type { Html } from '../../pages/html.ts';
import { signInLink, signUpLink } from '../../pages/links.ts';
import type { PageContext } from '../../pages/page-context.ts';
import type { Pages } from '../../pages/pages-around.ts';
import { isPageAddress } from '../cache/cache-policy.ts';
import type { CachePolicy } from '../cache/public-cache.ts';
import type { PageContexts } from './page-contexts.ts';

export interface ShownPage {
  page: Html;
  /** 200 by default. */
  status?: number;
  /** HTML by default. */
  type?: string;
  /** Until when, and until what changes, viewers without a session may be shown the same. */
  cachePolicy?: CachePolicy;
}

export interface Redirection {
  redirectTo: string;
}

interface PageCall<Params extends TObject, Query extends TObject> {
  params: Static<Params>;
  query: Static<Query>;
  viewer: Viewer | null;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Languages that the reader wants, as a header says them. */
  acceptLanguage: string;
  /** What the page is made with, in the language that the reader asks for, or in the one that suits them best. */
  contextIn: (language: string | undefined) => PageContext;
}

interface Definition<Params extends TObject, Query extends TObject> {
  params?: Params;
  query?: Query;
  show: (call: PageCall<Params, Query>) => Promise<ShownPage | Redirection> | ShownPage | Redirection;
}

export function page<
  Params extends TObject = ReturnType<typeof anything>,
  Query extends TObject = ReturnType<typeof anything>,
>(definition: Definition<Params, Query>) {
  return (contexts: PageContexts) =>
    (url: string): RouteOptions => ({
      method: 'GET',
      url,
      config: { access: 'viewer' },
      schema: {
        hide: true,
        params: definition.params ?? anything(),
        querystring: definition.query ?? anything(),
      },
      handler: async (request, reply) => {
        const shown = await definition.show({
          // Checked by validation.
          params: request.params as Static<Params>,
          query: request.query as Static<Query>,
          viewer: request.viewer,
          request,
          reply,
          acceptLanguage: contexts.acceptLanguage(request),
          contextIn: (language) => contexts.contextFor(request, language),
        });
        if ('redirectTo' in shown) return reply.redirect(shown.redirectTo, 303);
        if (isPageAddress(request.url) && asksNothingElse(request, definition.query))
          reply.cachePolicy = shown.cachePolicy ?? null;
        return reply
          .code(shown.status ?? 200)
          .headers(contexts.headers)
          .type(shown.type ?? 'text/html; charset=utf-8')
          .send(shown.page.toString());
      },
    });
}

const anything = () => Type.Object({});

/** Links get around with words added to them that mean nothing here; each would be one more page to keep. */
const asksNothingElse = ({ query }: FastifyRequest, known: TObject | undefined): boolean =>
  Object.keys(query as object).every((name) => Object.hasOwn(known?.properties ?? {}, name));

type Show<Query extends TObject> = (
  call: Omit<PageCall<TObject, Query>, 'params'> & { viewer: SignedUpViewer },
) => Promise<ShownPage> | ShownPage;

/** A page that is its reader's alone: a viewer who has not signed in, or not signed up, is led there and back. */
export const ownPage = <Query extends TObject>({ query, show }: { query?: Query; show: Show<Query> }) =>
  page({ params: Type.Object({}), ...(query && { query }), show: forReader(show) });

/** The same for a page of which only a part is its reader's alone. */
export const forReader =
  <Query extends TObject>(show: Show<Query>) =>
  (call: Omit<PageCall<TObject, Query>, 'params'>): Promise<ShownPage> | ShownPage | Redirection => {
    const { address } = call.contextIn(undefined);
    const { viewer } = call;
    if (!viewer) return { redirectTo: signInLink(address) };
    const { user } = viewer;
    if (!user) return { redirectTo: signUpLink(address) };
    return show({ ...call, viewer: { ...viewer, user } });
  };

export const offsetQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

export const pagesAround = (page: { limit: number; offset: number }, total: number): Pages => ({
  newer: page.offset > 0 ? Math.max(0, page.offset - page.limit) : null,
  older: page.offset + page.limit < total ? page.offset + page.limit : null,
});

/** The languages in which a viewer reads, the best first: the viewer's own, what the browser asks for, and what the page speaks. */
export const wishedLanguages = (
  own: string | undefined,
  acceptLanguage: string,
  { language }: { language: string },
): string[] => [...new Set([...(own ? [own] : []), ...acceptLanguage.split(', ').filter(Boolean), language])];

/** What there is in the first of some languages that has anything, or nothing in the last one. */
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

/** The domain of the host, which people know it by. */
export const hostName = ({ id, webUrl }: CodeHost): string => (webUrl && URL.parse(webUrl)?.host) || id;

export const backQuery = Type.Object({ back: Type.Optional(Type.String()) });
