import { Readable } from 'node:stream';
import { checkCredentials } from '../actions/accounts/sessions.ts';
import { findArticlesTogether } from '../actions/articles/read-article.ts';
import { findJobsAfterRenewal, type JobLook } from '../actions/articles/request-article.ts';
import type { SignedUpViewer } from '../actions/deps.ts';
import type { Seen } from '../actions/repositories/find-repository.ts';
import { ref, Uuid } from '../contract/formats.ts';
import { Job as ShownJob } from '../contract/jobs.ts';
import { Type } from '../contract/type.ts';
import { asDatabaseFailure } from '../db/failures.ts';
import { cancelJob } from '../db/jobs.ts';
import { findAnswer } from '../db/questions.ts';
import type { DetailScope } from '../db/visibility.ts';
import { Failure } from '../domain/errors.ts';
import { errorOf, isOver, type Job } from '../domain/jobs.ts';
import { ConcurrencyLimit } from '../domain/limits.ts';
import type { JobWatch } from '../jobs/listen.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { presentJob } from './responses/present.ts';
import { content, empty, ok } from './responses/response.ts';

const tag = 'Article';
const eventsType = 'text/event-stream; charset=utf-8';
const params = { id: Uuid('The job.') };

const noSuchJob = (): Failure =>
  new Failure('NOT_FOUND', 'You have no such job, or it ended more than a day ago. Get the article instead.');

export function jobFinders(deps: Deps) {
  const { database } = deps;
  const findArticle = findArticlesTogether(deps);
  const findOneAnswer = (id: string, viewer: DetailScope) => findAnswer(database, id, viewer);
  const findJob = findJobsAfterRenewal(deps);
  const requireJob = async (jobId: string, look: JobLook, absent = noSuchJob): Promise<Seen<Job>> => {
    const visible = await findJob(jobId, look);
    if (!visible) throw absent();
    return visible;
  };
  return {
    findJob,
    requireJob,
    findArticle,
    findAnswer: findOneAnswer,
    present: ({ found, seen }: Seen<Job>, requestId: string) =>
      presentJob(found, { findArticle, findAnswer: findOneAnswer, viewer: seen, requestId }),
    async cancel(jobId: string, look: JobLook): Promise<Seen<Job>> {
      const { found: job } = await requireJob(jobId, look);
      const wanted = { jobId, userId: look.viewer.user.id, now: look.now };
      if (!isOver(job.state)) await database.transaction((tx) => cancelJob(tx, wanted));
      return requireJob(jobId, look);
    },
  };
}

export function requireResult(job: Job, now: Date): void {
  const error = errorOf(job);
  if (!error) return;
  const { code, message, details, retryAt } = error;
  const seconds = retryAt ? Math.ceil((Date.parse(retryAt) - now.getTime()) / 1000) : 0;
  throw new Failure(code, message, {
    ...(details && { details }),
    ...(retryAt && { headers: { 'retry-after': String(Math.max(1, seconds)) } }),
  });
}

export const getJob = (deps: Deps) => {
  const finders = jobFinders(deps);
  return endpoint({
    operationId: 'getJob',
    summary: 'Get a job',
    description: 'Visible to its requesters. A finished job includes the article.',
    tag,
    access: 'user',
    params,
    data: ref(ShownJob),
    success: { 200: 'The job.' },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer, request }) {
      const job = await finders.requireJob(params.id, { viewer, now: deps.clock() });
      return ok(await finders.present(job, request.id));
    },
  });
};

export const cancelJobRoute = (deps: Deps) => {
  const finders = jobFinders(deps);
  return endpoint({
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description:
      "Withdraws the caller's request. The job continues if others are waiting for it, and is cancelled otherwise. A job that has already ended does not change. The quota is refunded unless a model was called. For an import, unfinished articles are cancelled and finished ones are kept. A cancelled mirror is deleted.",
    tag,
    access: 'user',
    params,
    data: ref(ShownJob),
    success: { 200: 'The job as it is now.' },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer, request }) {
      const after = await finders.cancel(params.id, { viewer, now: deps.clock() });
      const message =
        after.found.state === 'cancelled' ? 'The job is cancelled.' : 'The job had already ended.';
      return ok(await finders.present(after, request.id), message);
    },
  });
};

function readForStreams(deps: Deps, finders: ReturnType<typeof jobFinders>) {
  const credentialCounts = checkCredentials(deps);
  return async (jobId: string, viewer: SignedUpViewer, requestId: string) => {
    try {
      if (!(await credentialCounts(viewer))) return null;
      const visible = await finders.findJob(jobId, { viewer, now: deps.clock() });
      if (!visible) return null;
      return { version: visible.found.version, shown: await finders.present(visible, requestId) };
    } catch (error) {
      // A stream cannot report errors, so it ends, and the client's next request gets the error.
      if (error instanceof Failure || asDatabaseFailure(error)) return null;
      throw error;
    }
  };
}

/** The open event streams of a user: more than anybody needs at once, and few enough not to affect other users. */
const mostStreams = 20;

export const getJobEvents = (deps: Deps) => {
  const finders = jobFinders(deps);
  const read = readForStreams(deps, finders);
  const streams = new ConcurrencyLimit({
    most: mostStreams,
    refusal: `You already follow ${mostStreams} jobs. Close one of these streams, or poll the job.`,
    retrySeconds: 5,
  });
  return endpoint({
    operationId: 'followJob',
    summary: 'Follow a job',
    description:
      'Server-sent events: `progress` as it changes, then `done` or `failed`, each with the job as its data. A cancelled job ends with `failed` and the code `ARTICLE_NOT_FOUND`. With `Last-Event-ID`, returns only newer events, or 204 after the last one. If the caller loses the credential or access to the repository, the stream ends within 15 seconds without a last event.',
    tag,
    access: 'user',
    params,
    data: Type.String(),
    contentType: eventsType,
    success: {
      200: 'Events until the job ends or the caller loses access to it.',
      204: 'The job has ended, and its last event was already received.',
    },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer, request, reply }) {
      const jobId = params.id;
      const { found: job } = await finders.requireJob(jobId, { viewer, now: deps.clock() });
      // A connection that stays open after its stream would delay the shutdown.
      reply.headers({ 'cache-control': 'no-cache', 'x-accel-buffering': 'no', connection: 'close' });
      const given = Number(request.headers['last-event-id'] ?? 0);
      const seen = Number.isSafeInteger(given) ? given : 0;
      if (isOver(job.state) && seen >= job.version) return empty;
      if (request.method === 'HEAD') return content(eventsType, Readable.from([]));
      const leave = streams.enter(viewer.user.id);
      const stream = streamJobEvents({
        jobs: deps.jobs,
        heartbeatMs: deps.patience?.heartbeatMs ?? usualHeartbeatMs,
        jobId,
        seen,
        read: () => read(jobId, viewer, request.id),
      });
      return content(eventsType, stream.once('close', leave));
    },
  });
};

const usualHeartbeatMs = 15_000;

const retryMs = 2_000;

interface Source {
  jobs: JobWatch;
  heartbeatMs: number;
  jobId: string;
  seen: number;
  read: () => Promise<{ version: number; shown: ShownJob } | null>;
}

function streamJobEvents(source: Source): Readable {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, source.jobs.ending]);
  const stream = Readable.from(eventsOf(source, signal), { objectMode: false });
  stream.once('close', () => gone.abort());
  return stream;
}

async function* eventsOf(
  { jobs, heartbeatMs, jobId, seen, read }: Source,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let lastSent = seen;
  let isDue = true;
  let wake = (): void => {};
  const look = (): void => {
    isDue = true;
    wake();
  };
  const unwatch = jobs.watch(jobId, ({ version }) => {
    if (version > lastSent) look();
  });
  // All streams check at the same time, so that their reads share a query.
  let heartbeat: NodeJS.Timeout | undefined;
  const awaitBeat = (): void => {
    heartbeat = setTimeout(
      () => {
        look();
        awaitBeat();
      },
      heartbeatMs - (Date.now() % heartbeatMs),
    ).unref();
  };
  awaitBeat();
  const end = (): void => wake();
  signal.addEventListener('abort', end);
  try {
    yield `retry: ${retryMs}\n\n`;
    while (!signal.aborted) {
      isDue = false;
      const found = await read();
      if (!found) return;
      if (found.version > lastSent) {
        lastSent = found.version;
        yield printEvent(found.version, found.shown);
      } else yield ': still here\n\n';
      if (isOver(found.shown.state)) return;
      if (isDue || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    unwatch();
    clearTimeout(heartbeat);
    signal.removeEventListener('abort', end);
  }
}

function printEvent(version: number, job: ShownJob): string {
  const name = {
    queued: 'progress',
    running: 'progress',
    done: 'done',
    failed: 'failed',
    cancelled: 'failed',
  };
  return `event: ${name[job.state]}\nid: ${version}\ndata: ${JSON.stringify(job)}\n\n`;
}
