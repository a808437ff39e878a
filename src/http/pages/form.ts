import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { SignedUpViewer, Viewer } from '../../actions/deps.ts';
import { Type } from '../../contract/type.ts';
import { safeReturnPath } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import { signInLink, signUpLink } from '../../pages/links.ts';
import { isSameOrigin } from '../requests/addresses.ts';

interface FormCall<Params extends TObject, Query extends TObject, Body extends TObject> {
  params: Static<Params>;
  query: Static<Query>;
  body: Static<Body>;
  viewer: Viewer | null;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Definition<Params extends TObject, Query extends TObject, Body extends TObject> {
  params?: Params;
  query?: Query;
  body?: Body;
  /** Does the work and returns the page to show. */
  submit: (call: FormCall<Params, Query, Body>) => Promise<string> | string;
}

/** Makes a route of a form for the origin at which people reach the service. */
export type Form = (publicUrl: string | undefined) => (url: string) => RouteOptions;

/** A form for browsers without scripts: fields in, a redirect out. Accepted from our own pages only. */
export function form<
  Params extends TObject = ReturnType<typeof nothing>,
  Query extends TObject = ReturnType<typeof nothing>,
  Body extends TObject = ReturnType<typeof nothing>,
>(definition: Definition<Params, Query, Body>): Form {
  return (publicUrl) => (url) => ({
    method: 'POST',
    url,
    config: { access: 'viewer' },
    schema: {
      hide: true,
      params: definition.params ?? nothing(),
      querystring: definition.query ?? nothing(),
      body: definition.body ?? nothing(),
    },
    preValidation: (request, _reply, done) => {
      request.body ??= {};
      done(isSameOrigin(request, publicUrl) ? undefined : foreign());
    },
    handler: async (request, reply) => {
      const page = await definition.submit({
        // Checked by validation.
        params: request.params as Static<Params>,
        query: request.query as Static<Query>,
        body: request.body as Static<Body>,
        viewer: request.viewer,
        request,
        reply,
      });
      return reply.header('cache-control', 'no-store').redirect(page, 303);
    },
  });
}

interface OwnDefinition<Params extends TObject, Query extends TObject, Body extends TObject>
  extends Omit<Definition<Params, Query, Body>, 'submit'> {
  submit: (call: FormCall<Params, Query, Body> & { viewer: SignedUpViewer }) => Promise<string> | string;
}

/** A form of users: a visitor who is none yet is led to signing in or up, and back to the page that they were on. */
export const ownForm = <
  Params extends TObject = ReturnType<typeof nothing>,
  Query extends TObject = ReturnType<typeof nothing>,
  Body extends TObject = ReturnType<typeof nothing>,
>({
  submit,
  ...same
}: OwnDefinition<Params, Query, Body>): Form =>
  form<Params, Query, Body>({
    ...same,
    submit: (call) => {
      const { viewer } = call;
      if (!viewer) return signInLink(pageOfForm(call.request));
      const { user } = viewer;
      return user ? submit({ ...call, viewer: { ...viewer, user } }) : signUpLink(pageOfForm(call.request));
    },
  });

/** The page on which a form was sent, as its browser says; the first page where it does not. */
export function pageOfForm(request: FastifyRequest): string {
  const from = URL.parse(request.headers.referer ?? '');
  return safeReturnPath(from ? from.pathname + from.search : undefined);
}

/** Reads what browsers make of forms, in the pages alone. */
export function parseForms(pages: FastifyInstance): void {
  pages.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

const nothing = () => Type.Object({}, { additionalProperties: false });

function foreign(): Failure {
  return new Failure('FORBIDDEN', 'Forms are taken from the pages of this service only. Send it from there.');
}
