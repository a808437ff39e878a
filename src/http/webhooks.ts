import { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Taken, takeDeliveries } from '../actions/webhooks/take-deliveries.ts';
import type { HostWebhooks } from '../code-hosts/code-host.ts';
import { knownHosts } from '../code-hosts/known-hosts.ts';
import { Bytes } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { WebhookReceipt } from '../contract/webhooks.ts';
import { asDatabaseFailure } from '../db/failures.ts';
import { Semaphore } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';
import { addressBlock } from '../domain/limits.ts';
import type { Deps } from './deps.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { abortOnDisconnect } from './requests/parse-requests.ts';
import { accepted, ok } from './responses/response.ts';

/**
 * Bodies beyond this size need a slot, because anyone can send them: a signature can be checked only once the whole
 * body has arrived.
 */
const largeBytes = 512 * 1024;
const largeSlots = { of: 'large bodies', most: 2 };

/**
 * The time in which a body with a slot must arrive: half of the ten seconds that GitHub and GitLab wait for a response.
 */
const largeMs = 5_000;

const responses: Record<Taken, string> = {
  taken: 'The event is being processed.',
  repeated: 'This delivery was already processed.',
  nothing: 'There is nothing to do.',
};

/**
 * Receives webhook deliveries of code hosts. The signature over the bytes is checked before they are used in any way.
 */
export const postWebhook =
  (deps: Deps): Endpoint =>
  (method, url) => {
    const semaphore = new Semaphore();
    const { preValidation, ...route } = describeWebhook(deps, takeDeliveries(deps))(method, url);
    return {
      ...route,
      onRequest: (request, reply, done) => {
        if (!webhooksOf(deps, request).looksSigned(request.headers)) throw unsigned(deps, request, reply);
        // Gitea signs the content of a form, which is known only here, so no secret would match.
        if (!isJson(request)) throw refuseNotJson(deps, request, reply);
        refuseLarger(deps, request, reply, lengthOf(request));
        done();
      },
      preParsing: (request, reply, payload, done) => {
        if (lengthOf(request) <= largeBytes) return done(null, payload);
        const gate = limitLarge(semaphore, request, reply);
        payload.once('error', (error) => gate.destroy(error));
        // Unread bytes would reset the connection before the sender has read the response.
        gate.on('error', () => payload.resume());
        done(null, payload.pipe(gate));
      },
      onError: (request, _reply, error, done) => {
        const isCutOff = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' && Number.isNaN(lengthOf(request));
        if (isCutOff) deps.rateLimit.takeAddress(request.raw);
        done();
      },
      preValidation: [
        (request, reply, done) => {
          const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
          refuseLarger(deps, request, reply, body.length);
          if (!webhooksOf(deps, request).isSigned(request.headers, body))
            throw unsigned(deps, request, reply);
          done();
        },
        ...[preValidation ?? []].flat(),
      ],
    };
  };

/**
 * Passes a body on. Its part beyond `largeBytes` waits for a slot, of which each address gets one, and must arrive in
 * time.
 */
function limitLarge(semaphore: Semaphore, request: FastifyRequest, reply: FastifyReply): Transform {
  const slots = [largeSlots, { of: addressBlock(request.ip), most: 1 }];
  const gone = abortOnDisconnect(reply);
  let bytes = 0;
  let slot: Promise<void> | undefined;
  const take = async (): Promise<void> => {
    const leave = await semaphore.acquire(slots, gone);
    const timer = setTimeout(() => gate.destroy(bodyTooSlow()), largeMs);
    reply.raw.once('close', () => {
      clearTimeout(timer);
      leave();
    });
  };
  const gate = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= largeBytes) return done(null, chunk);
      slot ??= take();
      slot.then(() => done(null, chunk), done);
    },
  });
  return gate;
}

const bodyTooSlow = (): Failure =>
  new Failure('INVALID_REQUEST', 'The request took too long to arrive. Send it again, faster.', {
    headers: { connection: 'close' },
  });

const headersOfHosts = Object.values(knownHosts)
  .flatMap(({ webhooks }) => webhooks?.headers ?? [])
  .join('; ');

const isJson = ({ headers }: FastifyRequest): boolean =>
  /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? 'application/json');

const lengthOf = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? Number.NaN);

const describeWebhook = (deps: Deps, take: ReturnType<typeof takeDeliveries>) =>
  endpoint({
    operationId: 'takeWebhook',
    summary: 'Webhook of a code host',
    description: `For code hosts, which sign their deliveries with one of the configured secrets. ${headersOfHosts}. A delivery is only a hint that something changed; the service fetches the rest from the host. The response comes within a second, even if the event has no effect.`,
    tag: 'General',
    access: 'signed',
    params: {
      host: Type.String({ description: 'The code host that sends the webhook', examples: ['github'] }),
    },
    body: Bytes,
    bodyLimitKib: Math.max(...deps.codeHosts.map(({ webhooks }) => webhooks?.mostKib ?? 0)),
    data: WebhookReceipt,
    success: { 200: 'Nothing to do, or already processed.', 202: 'The event is being processed.' },
    failures: ['NOT_FOUND'],
    async handle({ params: { host }, body, request }) {
      const { deliveryId: nameOf, deliveryHeader, read } = webhooksOf(deps, request);
      const deliveryId = nameOf(request.headers);
      if (deliveryId === null) throw unnamed(deliveryHeader);
      const news = await read(request.headers, body);
      const delivered = { host, deliveryId, news };
      const taken = await take(delivered).catch((error) => {
        // A delivery that revokes rights clears the cache of this process at once and is stored when possible, because
        // hosts do not send it again.
        if (asDatabaseFailure(error) && (news.revoked || news.hiddenIssue)) {
          deps.cache.clear();
          deps.revocations.storeLater(`${host} ${deliveryId}`, () => take(delivered));
        }
        throw error;
      });
      deps.metrics?.countWebhook(host, taken);
      return taken === 'taken'
        ? accepted({ outcome: 'queued' as const }, responses[taken])
        : ok({ outcome: taken }, responses[taken]);
    },
  });

function webhooksOf({ codeHosts }: Deps, { params }: FastifyRequest): HostWebhooks {
  const { host } = params as { host: string };
  const webhooks = codeHosts.find(({ id }) => id === host)?.webhooks;
  if (webhooks) return webhooks;
  throw new Failure(
    'NOT_FOUND',
    'There is nothing at this path. See GET /openapi.json or /docs for all operations.',
  );
}

function refuseLarger(deps: Deps, request: FastifyRequest, reply: FastifyReply, bytes: number): void {
  const { mostKib } = webhooksOf(deps, request);
  if (Number.isNaN(bytes) || bytes <= mostKib * 1024) return;
  deps.rateLimit.countAddress(request, reply);
  reply.header('connection', 'close');
  throw new Failure(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than the ${mostKib} KiB that this code host sends.`,
  );
}

function countRefused({ rateLimit, metrics }: Deps, request: FastifyRequest, reply: FastifyReply): void {
  metrics?.countWebhook((request.params as { host: string }).host, 'refused');
  rateLimit.countAddress(request, reply);
}

function unsigned(deps: Deps, request: FastifyRequest, reply: FastifyReply): Failure {
  countRefused(deps, request, reply);
  return new Failure(
    'UNAUTHORIZED',
    'The signature does not match any secret of this service. Use one of the configured secrets for the webhook.',
  );
}

function refuseNotJson(deps: Deps, request: FastifyRequest, reply: FastifyReply): Failure {
  countRefused(deps, request, reply);
  return new Failure(
    'UNSUPPORTED_MEDIA_TYPE',
    'This delivery is not JSON. Set the content type of the webhook to application/json.',
  );
}

function unnamed(header: string): Failure {
  return new Failure(
    'INVALID_REQUEST',
    `Send the delivery id in ${header}, as the code host does: up to 100 letters and digits.`,
    { details: [{ field: header.toLowerCase(), problem: 'is not a delivery id' }] },
  );
}
