import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { makeClone } from '../../test/make-clone.ts';
import { makeLargePullRequest } from '../../test/make-large-pull-request.ts';
import { questionIn } from '../../test/model/obliging-writer.ts';
import type { Health } from '../hostile/ask-health.ts';
import type { RunningServer } from '../run-server.ts';
import { type Bench, peakMegabytes } from './bench-service.ts';
import { changedLinesIn, changedLinesOf, rawDiff } from './count-lines.ts';
import { bytesOf } from './note-parts.ts';

export interface WideReading {
  parts: number;
  calls: number;
  seconds: number;
  /** Changed lines that were never sent, or more than once, or that are none. */
  missing: number;
  twice: number;
  foreign: number;
  bytesOfDiff: number;
  /** Without what is generated, and without the line that is too long. */
  bytesOfWhatIsRead: number;
  bytesSent: number;
  largestQuestion: number;
  megabytes: number;
  /** What the same takes that is written without a model. */
  megabytesOffline: number;
  permille999: number;
  longest: number;
  longestOffline: number;
}

const isRead = (path: string): boolean => !/\/schema-\d+/.test(path);

/** Has a wide pull request read by parts, after the same without a model, and counts what was sent. */
export async function readWide(bench: Bench, clone: string, repo: string): Promise<WideReading> {
  const { model, start, call } = bench;
  const plain = await start({ AI_MODEL: '', AI_BASE_URL: '' });
  await call('POST', `${plain.url}/auth/signup`);
  const offline = await write(bench, plain, repo, 'ja');
  const megabytesOffline = peakMegabytes(plain.child.pid);
  await plain.stop();
  const server = await start();
  // What writes with a model is loaded with the first article, which is not what is measured here.
  makeLargePullRequest(makeClone(bench.repos, 'acme/small'), 2, 1, 1);
  await write(bench, server, 'small', 'en');
  const before = model.heard.length;
  const began = performance.now();
  const health = await write(bench, server, repo, 'en');
  const seconds = (performance.now() - began) / 1000;
  const megabytes = peakMegabytes(server.child.pid);
  await server.stop();
  const heard = model.heard.slice(before);
  const parts = heard.map(questionIn).filter(({ asked }) => asked === 'notes');
  const sent = parts.flatMap(({ material }) => changedLinesOf(material));
  const [wanted, different] = [changedLinesIn(clone, isRead), new Set(sent)];
  return {
    parts: parts.length,
    calls: heard.length,
    seconds,
    missing: [...wanted].filter((line) => !different.has(line)).length,
    twice: sent.length - different.size,
    foreign: [...different].filter((line) => !wanted.has(line)).length,
    bytesOfDiff: Buffer.byteLength(rawDiff(clone)),
    bytesOfWhatIsRead: Buffer.byteLength(rawDiff(clone, '.', ':!*/schema-*', ':!packages/table.ts')),
    bytesSent: heard.reduce((sum, request) => sum + bytesOf(request), 0),
    largestQuestion: Math.max(...heard.map(bytesOf)),
    megabytes,
    megabytesOffline,
    ...health,
    longestOffline: offline.longest,
  };
}

/** Has it written, and tells how the service answered `/healthz` meanwhile. */
async function write({ ask, waitForEnd }: Bench, { url }: RunningServer, repo: string, language: string) {
  const worker = new Worker(new URL('../hostile/ask-health.ts', import.meta.url), {
    workerData: `${url}/healthz`,
  });
  const state = await waitForEnd(url, (await ask(url, repo, { language })).id);
  const told = once(worker, 'message');
  worker.postMessage('stop');
  const [{ milliseconds }] = (await told) as [Health];
  if (state !== 'done') throw new Error(`The article is ${state}.`);
  const sorted = milliseconds.toSorted((one, other) => one - other);
  return {
    permille999: sorted[Math.floor(sorted.length * 0.999)] ?? Number.NaN,
    longest: sorted.at(-1) ?? Number.NaN,
  };
}
