import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '../../contract/type.ts';
import { confirmAddress, endDigest, findBySecret, isConfirmable } from '../../db/digests.ts';
import { Failure } from '../../domain/errors.ts';
import { hashToken } from '../../domain/token-hash.ts';
import { confirmPage, type LinkOutcome, linkOutcomePage, stopPage } from '../../pages/digest-links.ts';
import type { Html } from '../../pages/html.ts';
import { refuseJson } from '../answers/errors.ts';
import type { Deps } from '../deps.ts';
import { prefersJson } from '../requests/accept.ts';
import { sendFailurePages } from './failure-pages.ts';

const params = Type.Object({ secret: Type.String({ pattern: '^[\\w-]{43}$' }) });

type Route = { Params: { secret: string } };

/**
 * What links in mails lead to, without a session: their secret is all that counts, because mail may be read on another machine
 * than the service is used on. Opening one only asks, because programs that look through mails open every link.
 */
export async function serveDigestLinks(
  app: FastifyInstance,
  { database, clock, contexts }: Deps,
): Promise<void> {
  await app.register(async (links) => {
    links.setErrorHandler(sendFailurePages(contexts));
    links.addHook('onRequest', refuseJson);
    // One click in a mail program sends a form of either kind, which says nothing but that it was clicked (RFC 8058).
    links.removeAllContentTypeParsers();
    links.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null, undefined);
    });
    const send = (
      request: FastifyRequest,
      reply: FastifyReply,
      made: (context: Context) => Html,
      status = 200,
    ) =>
      reply
        .code(status)
        .headers({ ...contexts.headers, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
        .type('text/html; charset=utf-8')
        .send(made(contexts.contextFor(request, undefined)).toString());
    const tell = (request: FastifyRequest, reply: FastifyReply, outcome: LinkOutcome) => {
      const page = (context: Context) => linkOutcomePage(context, outcome);
      if (!prefersJson(request)) return send(request, reply, page, outcome === 'deadLink' ? 404 : 200);
      if (outcome === 'deadLink') throw new Failure('NOT_FOUND', 'This link has expired or was replaced.');
      const message = outcome === 'stopped' ? 'No more digests are sent.' : 'The address is confirmed.';
      return reply.header('cache-control', 'no-store').send({ success: true, data: {}, message });
    };
    const options = { schema: { hide: true, params }, config: { access: 'public' } } as const;

    links.get<Route>('/digest/confirm/:secret', options, async (request, reply) => {
      const isGood = await isConfirmable(database, { hash: hashToken(request.params.secret), now: clock() });
      return isGood ? send(request, reply, confirmPage) : tell(request, reply, 'deadLink');
    });
    links.post<Route>('/digest/confirm/:secret', options, async (request, reply) => {
      const hash = hashToken(request.params.secret);
      const confirmed = await confirmAddress(database, { hash, now: clock() });
      return tell(request, reply, confirmed ? 'confirmed' : 'deadLink');
    });
    links.get<Route>('/digest/unsubscribe/:secret', options, async (request, reply) => {
      const found = await findBySecret(database, hashToken(request.params.secret));
      if (!found) return tell(request, reply, 'deadLink');
      return found.isOn ? send(request, reply, stopPage) : tell(request, reply, 'stopped');
    });
    links.post<Route>('/digest/unsubscribe/:secret', options, async (request, reply) => {
      const found = await findBySecret(database, hashToken(request.params.secret));
      if (!found) return tell(request, reply, 'deadLink');
      await endDigest(database, { userId: found.userId, now: clock() });
      return tell(request, reply, 'stopped');
    });
  });
}

type Context = Parameters<typeof stopPage>[0];
