import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { findJobAfterRenewal, type JobLook } from '../actions/find-job-after-renewal.ts';
import { seenBy } from '../actions/find-visible-repository.ts';
import type { RepositoryRenewals } from '../actions/renew-repositories.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { ref } from '../contract/component.ts';
import { Uuid } from '../contract/formats.ts';
import { Job } from '../contract/job.ts';
import type { Database } from '../db/database.ts';
import { type AskedJob, giveUpJob } from '../db/writing-jobs.ts';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { Failure } from '../domain/errors.ts';
import { isOver } from '../domain/writing-job.ts';
import type { JobWatch } from '../jobs/watch-jobs.ts';
import { content, empty, ok } from './answers/answer.ts';
import { Heartbeats } from './answers/heartbeats.ts';
import { streamJobEvents } from './answers/job-events.ts';
import { presentJob } from './answers/present-job.ts';
import { endpoint } from './endpoint.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  renewals: RepositoryRenewals;
  jobs: JobWatch;
  clock: () => Date;
}

const tag = 'Article';
const eventsType = 'text/event-stream; charset=utf-8';
const params = Type.Object({ id: Uuid('The job.') });

async function requireJob(parts: Parts, jobId: string, look: JobLook): Promise<AskedJob> {
  const job = await findJobAfterRenewal(parts, jobId, look);
  if (job) return job;
  throw new Failure(
    'NOT_FOUND',
    'You have asked for no such job, or it ended more than a day ago. Ask for the article to see how it stands.',
  );
}

export const getJob = (parts: Parts) =>
  endpoint({
    operationId: 'getJob',
    summary: 'See how far the writing of an article is',
    description: 'For those who asked for it. When it is done, the article is there too.',
    tag,
    access: 'user',
    params,
    data: ref(Job),
    success: { 200: 'The job.' },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer, request }) {
      const look = { viewer, now: parts.clock() };
      const job = await requireJob(parts, params.id, look);
      const shown = await presentJob(parts, job, { viewer: seenBy(look), requestId: request.id });
      return ok(shown, 'This is the job.');
    },
  });

export const deleteJob = (parts: Parts) =>
  endpoint({
    operationId: 'cancelJob',
    summary: 'Cancel the writing of an article',
    description:
      'The caller no longer wants it. It goes on while others do, and ends when nobody does. One that is over stays as ' +
      'it is.',
    tag,
    access: 'user',
    params,
    data: ref(Job),
    success: { 200: 'The job as it is now.' },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer, request }) {
      const { database, clock } = parts;
      const look = { viewer, now: clock() };
      const job = await requireJob(parts, params.id, look);
      const givingUp = { jobId: job.id, userId: viewer.user.id, now: look.now };
      if (!isOver(job.state)) await database.transaction((tx) => giveUpJob(tx, givingUp));
      const after = await requireJob(parts, params.id, look);
      const message = after.state === 'cancelled' ? 'The job is cancelled.' : 'The job was over already.';
      return ok(await presentJob(parts, after, { viewer: seenBy(look), requestId: request.id }), message);
    },
  });

/** More than anybody watches at a time, and few enough that one person's cost the others nothing. */
const mostStreams = 20;

export const getJobEvents = (parts: Parts) => {
  const heartbeats = new Heartbeats();
  const streams = new ConcurrencyLimit({
    most: mostStreams,
    refusal: `You follow ${mostStreams} jobs already. Close one of these streams first, or ask for the job now and then.`,
    retrySeconds: 5,
  });
  return endpoint({
    operationId: 'followJob',
    summary: 'Follow the writing of an article',
    description:
      'Server-sent events: `progress` now and then, at last `done` or `failed`; the data of each is the job. A job that ' +
      'was cancelled ends with `failed` and the code `ARTICLE_NOT_FOUND`. With `Last-Event-ID`, only what is newer; after ' +
      'the last one there is nothing, and the answer is 204.',
    tag,
    access: 'user',
    params,
    data: Type.String(),
    contentType: eventsType,
    success: { 200: 'Events until the job is over.', 204: 'The job is over and its last event was seen.' },
    failures: ['NOT_FOUND'],
    async handle({ params, viewer, request, reply }) {
      const jobId = params.id;
      const job = await requireJob(parts, jobId, { viewer, now: parts.clock() });
      // A connection that stays open after its stream would hold up the end of the service.
      reply.headers({ 'cache-control': 'no-cache', 'x-accel-buffering': 'no', connection: 'close' });
      const given = Number(request.headers['last-event-id'] ?? 0);
      const seen = Number.isSafeInteger(given) ? given : 0;
      if (isOver(job.state) && seen >= job.version) return empty;
      if (request.method === 'HEAD') return content(eventsType, Readable.from([]));
      const read = async () => {
        const look = { viewer, now: parts.clock() };
        const found = await findJobAfterRenewal(parts, jobId, look);
        const told = { viewer: seenBy(look), requestId: request.id };
        const shown = found && (await presentJob(parts, found, told));
        return found && shown && { version: found.version, shown };
      };
      const leave = streams.enter(viewer.user.id);
      const stream = streamJobEvents({ jobs: parts.jobs, heartbeats, jobId, seen, read });
      return content(eventsType, stream.once('close', leave));
    },
  });
};
