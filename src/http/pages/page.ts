import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Viewer } from '../../actions/accounts/identify-bearer.ts';
import { Type } from '../../contract/type.ts';
import type { Html } from '../../pages/html.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { isPageAddress } from '../cache/cache-key.ts';
import type { CachePolicy } from '../cache/public-cache.ts';
import type { PageContexts } from './page-contexts.ts';

/** A page as it is sent. */
export interface ShownPage {
  page: Html;
  /** 200, unless told otherwise. */
  status?: number;
  /** HTML, unless told otherwise. */
  type?: string;
  /** Until when, and until what changes, viewers without a session may be shown the same. */
  cachePolicy?: CachePolicy;
}

/** Where the reader is led instead. */
export interface Redirection {
  redirectTo: string;
}

/** What a page is made from. */
export interface PageCall<Params extends TObject, Query extends TObject> {
  params: Static<Params>;
  query: Static<Query>;
  viewer: Viewer | null;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Languages that the reader wants, as a header says them. */
  acceptLanguage: string;
  /** What the page is made with, in the language that the reader asks for, or in the one that suits them best. */
  contextIn: (asked: string | undefined) => PageContext;
}

interface Definition<Params extends TObject, Query extends TObject> {
  params?: Params;
  query?: Query;
  show: (call: PageCall<Params, Query>) => Promise<ShownPage | Redirection> | ShownPage | Redirection;
}

/** Describes a page once: what its address says, and what it shows. */
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
          // Validation has made sure of these by now.
          params: request.params as Static<Params>,
          query: request.query as Static<Query>,
          viewer: request.viewer,
          request,
          reply,
          acceptLanguage: contexts.acceptLanguage(request),
          contextIn: (asked) => contexts.contextFor(request, asked),
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
