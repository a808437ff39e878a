import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Viewer } from '../../actions/deps.ts';
import { findDigest, findLastMerge } from '../../actions/digests/digest.ts';
import { findRepositoryFor } from '../../actions/repositories/find-repository.ts';
import { Type } from '../../contract/type.ts';
import {
  confirmDigestAddress,
  findDigestBySecret,
  findDigestSettings,
  isDigestAddressConfirmable,
  stopDigest,
} from '../../db/digests.ts';
import { type DigestPeriod, digestChoices, isEmail, lastPeriod, longestEmail } from '../../domain/digests.ts';
import { Failure } from '../../domain/errors.ts';
import { hashToken } from '../../domain/secrets.ts';
import * as pages from '../../pages/digests.ts';
import type { Html } from '../../pages/html.ts';
import { type RepositoryPlace, withQuery } from '../../pages/links.ts';
import { languageToWriteIn } from '../../pages/progress.ts';
import type { Deps } from '../deps.ts';
import { type DigestQuery, digestQuery, findWanted, presentDigestSettings, takeChoice } from '../digests.ts';
import { chooseCodeHost } from '../requests/choose-code-host.ts';
import { handOn, takeHandedOn, typedDigest } from '../requests/cookies.ts';
import { prefersJson } from '../requests/parse-requests.ts';
import { refuseJson } from '../responses/errors.ts';
import { forReader, ownForm, page, sendFailurePages } from './page.ts';

const problemOf: Partial<Record<Failure['code'], pages.DigestProblem>> = {
  INVALID_REQUEST: 'address',
  QUOTA_EXHAUSTED: 'tooMany',
  UNAVAILABLE: 'away',
};

const query = (deps: Deps) => ({
  ...digestQuery(deps.codeHosts),
  problem: Type.Optional(Type.Enum([...pages.digestProblems], { type: 'string' })),
});

export const getDigestPage = (deps: Deps) => {
  const own = ownDigest(deps);
  return page({
    query: query(deps),
    async show(call) {
      const { problem: _, ...wish } = call.query;
      if (wish.owner === undefined && wish.repo === undefined) return own(call);
      const context = call.contextIn(undefined);
      const { period = 'weekly', language = languageToWriteIn(context) } = wish;
      const shown = await findShown(deps, { ...wish, period, language }, call.viewer);
      return { page: pages.digestPage(context, { ...shown, choosing: null }) };
    },
  });
};

const ownDigest = (deps: Deps) =>
  forReader<ReturnType<typeof query>>(
    async ({ query: { problem, ...wish }, viewer, request, reply, contextIn }) => {
      const settings = presentDigestSettings(await findDigestSettings(deps.database, viewer.user.id));
      const period = wish.period ?? (settings.period === 'daily' ? 'daily' : 'weekly');
      const shown = await findShown(deps, { ...wish, period }, viewer);
      const { email } = viewer.identity;
      const suggested = isEmail(email) && !/noreply/i.test(email) ? email : '';
      const handedOn = takeHandedOn({ ...deps, request, reply, userId: viewer.user.id }, typedDigest);
      const [, choice, typed] = /^(\w+) (.*)$/s.exec(handedOn ?? '') ?? [];
      const choosing = {
        settings,
        sendsMail: deps.mail !== null && deps.publicUrl !== undefined,
        typed: {
          period: digestChoices.find((one) => one === choice) ?? settings.period,
          email: typed ?? settings.email ?? suggested,
        },
        problem: problem ?? null,
      };
      return { page: pages.digestPage(contextIn(undefined), { ...shown, choosing }) };
    },
  );

async function findShown(
  deps: Deps,
  wish: DigestQuery & { period: DigestPeriod },
  viewer: Viewer | null,
): Promise<Omit<pages.ShownDigest, 'choosing'>> {
  const wanted = await findWanted(deps, wish, viewer);
  const digest = await findDigest(deps, wanted);
  const { period } = wish;
  const lengthMs = Date.parse(digest.to) - Date.parse(digest.from);
  const next = new Date(Date.parse(digest.to) + lengthMs);
  const [only] = digest.repositories;
  return {
    digest,
    period,
    before: digest.from,
    after: next <= lastPeriod(period, deps.clock()).to ? next.toISOString() : null,
    lastMergeAt: digest.merged > 0 ? null : await findLastMerge(deps, wanted, wanted.span.from),
    repository: wish.owner !== undefined && only ? only : null,
    hasFeed: wish.owner !== undefined && only !== undefined && (await isRepositoryPublic(deps, only)),
  };
}

/** Private repositories have no public feed; their readers have feeds at secret addresses. */
async function isRepositoryPublic(deps: Deps, { host, owner, repo }: RepositoryPlace): Promise<boolean> {
  const address = { codeHost: chooseCodeHost(deps.codeHosts, host), owner, name: repo };
  return (await findRepositoryFor(deps, address, { viewer: null, now: deps.clock() })) !== null;
}

export const digestForm = (deps: Deps) =>
  ownForm({
    body: {
      period: Type.Enum([...digestChoices], { type: 'string' }),
      email: Type.Optional(Type.String({ maxLength: longestEmail })),
    },
    async submit({ body: { period, email = '' }, viewer, request, reply }) {
      const typed = email.trim();
      try {
        await takeChoice(deps, { period, email: typed === '' ? null : typed }, viewer);
        return `${pages.digestPath}#mail`;
      } catch (error) {
        const problem = error instanceof Failure ? problemOf[error.code] : undefined;
        if (!problem) throw error;
        handOn({ ...deps, request, reply, userId: viewer.user.id }, typedDigest, `${period} ${typed}`);
        return `${withQuery(pages.digestPath, { problem })}#mail`;
      }
    },
  });

const params = Type.Object({ secret: Type.String({ pattern: '^[\\w-]{43}$' }) });

type Route = { Params: { secret: string } };

/**
 * Pages linked from mails. They need no session, and opening one changes nothing, because mail scanners open every
 * link.
 */
export async function serveDigestLinks(
  app: FastifyInstance,
  { database, clock, contexts }: Deps,
): Promise<void> {
  await app.register(async (links) => {
    links.setErrorHandler(sendFailurePages(contexts));
    links.addHook('onRequest', refuseJson);
    // One-click unsubscription sends a form whose content does not matter (RFC 8058).
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
    const conclude = (request: FastifyRequest, reply: FastifyReply, outcome: pages.LinkOutcome) => {
      const page = (context: Context) => pages.linkOutcomePage(context, outcome);
      if (!prefersJson(request)) return send(request, reply, page, outcome === 'deadLink' ? 404 : 200);
      if (outcome === 'deadLink') throw new Failure('NOT_FOUND', 'This link has expired or was replaced.');
      const message = outcome === 'stopped' ? 'No more digests are sent.' : 'The address is confirmed.';
      return reply.header('cache-control', 'no-store').send({ success: true, data: {}, message });
    };
    const options = { schema: { hide: true, params }, config: { access: 'public' } } as const;

    links.get<Route>('/digest/confirm/:secret', options, async (request, reply) => {
      const isGood = await isDigestAddressConfirmable(database, {
        hash: hashToken(request.params.secret),
        now: clock(),
      });
      return isGood ? send(request, reply, pages.confirmPage) : conclude(request, reply, 'deadLink');
    });
    links.post<Route>('/digest/confirm/:secret', options, async (request, reply) => {
      const hash = hashToken(request.params.secret);
      const confirmed = await confirmDigestAddress(database, { hash, now: clock() });
      return conclude(request, reply, confirmed ? 'confirmed' : 'deadLink');
    });
    links.get<Route>('/digest/unsubscribe/:secret', options, async (request, reply) => {
      const found = await findDigestBySecret(database, hashToken(request.params.secret));
      if (!found) return conclude(request, reply, 'deadLink');
      return found.isOn ? send(request, reply, pages.stopPage) : conclude(request, reply, 'stopped');
    });
    links.post<Route>('/digest/unsubscribe/:secret', options, async (request, reply) => {
      const found = await findDigestBySecret(database, hashToken(request.params.secret));
      if (!found) return conclude(request, reply, 'deadLink');
      await stopDigest(database, { userId: found.userId, now: clock() });
      return conclude(request, reply, 'stopped');
    });
  });
}

type Context = Parameters<typeof pages.stopPage>[0];
