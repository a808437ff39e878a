import type { CodeHost } from '../code-hosts/code-host.ts';
import { ref } from '../contract/component.ts';
import { HealthCheckResponseData, Meta } from '../contract/service.ts';
import type { Database } from '../db/database.ts';
import { type ErrorDetail, Failure } from '../domain/errors.ts';
import type { Housekeeping } from '../jobs/housekeeping.ts';
import type { WritingQueue } from '../jobs/writing-queue.ts';
import { version } from '../version.ts';
import { ok } from './answers/answer.ts';
import { endpoint } from './endpoint.ts';

interface HealthParts {
  database: Database;
  housekeeping: Housekeeping;
  queue: WritingQueue;
}

/** Whoever watches the service gives up waiting at about this time, so that a later answer helps nobody. */
const patienceMs = 2_000;

async function answersInTime(ask: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  const answered = ask().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, tooLate]).finally(() => clearTimeout(timer));
}

export const getHealth = ({ database, housekeeping, queue }: HealthParts) =>
  endpoint({
    operationId: 'checkHealth',
    summary: 'Health check',
    description:
      'Asks the database and looks after the background work, now. 503 names in `details` what fails.',
    tag: 'General',
    access: 'anybody',
    data: ref(HealthCheckResponseData),
    success: { 200: 'All is well.' },
    async handle({ reply }) {
      const failing: ErrorDetail[] = [];
      if (!(await answersInTime(database.ping))) {
        failing.push({ field: 'database', problem: `does not answer within ${patienceMs / 1000} s` });
      }
      if (!housekeeping.isHealthy())
        failing.push({ field: 'jobs', problem: 'housekeeping has failed; see the log' });
      if (!queue.isHealthy())
        failing.push({ field: 'jobs', problem: 'the queue of articles to write does not run; see the log' });
      if (failing.length > 0) {
        throw new Failure(
          'UNAVAILABLE',
          'The service cannot work properly at the moment. See details and the log.',
          {
            details: failing,
          },
        );
      }
      reply.header('cache-control', 'no-store');
      const health: HealthCheckResponseData = {
        ok: true,
        version,
        uptimeSeconds: Math.floor(process.uptime()),
        checks: { database: 'ok', jobs: 'ok' },
      };
      return ok(health, 'All is well.');
    },
  });

export const getMeta = ({ codeHosts, languages }: { codeHosts: CodeHost[]; languages: string[] }) =>
  endpoint({
    operationId: 'describeService',
    summary: 'What this service offers',
    description: 'For pages and tools: code hosts, ways to sign in, languages and the writer of articles.',
    tag: 'General',
    access: 'anybody',
    data: ref(Meta),
    success: { 200: 'What there is.' },
    handle: () =>
      ok(
        {
          version,
          hosts: codeHosts.map(({ id, webUrl }) => ({ id, webUrl })),
          signIn: [...new Set(codeHosts.map(({ signIn }) => signIn))],
          languages,
          writer: 'offline',
        },
        'This is what the service offers.',
      ),
  });
