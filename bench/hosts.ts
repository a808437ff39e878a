import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeLargeRepository } from '../test/make-large-repository.ts';
import { answersThatHurt } from './hosts/answers-that-hurt.ts';
import { countCalls } from './hosts/count-calls.ts';
import { type BenchHost, prepareHosts } from './hosts/network-hosts.ts';
import { prepareGit, type Running, runService } from './hosts/run-service.ts';
import { mebibyte, sizeOf, type Watched, watchProcess } from './hosts/watch-process.ts';

// What each code host costs, with stand-ins at the wire and the service in a process of its own: how many calls a first ingest of a
// small pull request takes, one of the same again, and one after a push (calls); 3,500 files, and a diff of 100 MB as git prints it,
// read whole and with a bound of 64 MiB (large); answers that are meant to hurt (hostile); and a fetch that takes longer than any
// request waits, which takes two minutes (waiting). Large ones are read of clones too. It fails where a stored diff is not git's own,
// or something of it is left on the disk.
// Run with node bench/hosts.ts [calls] [large] [hostile] [waiting]

const scenes = process.argv.slice(2);
const isWanted = (scene: string): boolean => scenes.length === 0 || scenes.includes(scene);

const files = 3_500;
const many =
  isWanted('large') || isWanted('waiting')
    ? [{ files, fullName: 'acme/files', made: makeLargeRepository(files) }]
    : [];
const [vast] = isWanted('large')
  ? [{ files, fullName: 'acme/bytes', made: makeLargeRepository(files, { linesAdded: 462 }) }]
  : [];
const all = [...many, ...(vast ? [vast] : [])];
const boundMib = 64;

/** The ids of files are abbreviated by how many objects a repository has. */
const withoutIds = (diff: string): string => diff.replaceAll(/^index \w+\.\.\w+/gm, 'index');

const inMib = (bytes: number): string => (bytes / mebibyte).toFixed(0);

function report(name: string, watched: Watched, said: string): void {
  const { seconds, memory, memoryOfGit, disk, diskLeft } = watched;
  console.log(
    `${name}: ${said}; ${seconds.toFixed(1)} s, ${inMib(memory)} MiB more memory (git beside it ${inMib(memoryOfGit)}), ` +
      `${inMib(disk)} MiB on disk, ${diskLeft} bytes left there`,
  );
  assert.equal(diskLeft, 0);
}

interface Told {
  changedFiles: number;
  unread: { reason: string }[];
}

/** Asks as those do who are told to come back. */
async function ingest({ call }: Running, fullName: string): Promise<{ status: number; data: Told }> {
  for (;;) {
    const answer = await call('POST', `/repos/${fullName}/pulls/1/ingest`);
    const text = await answer.text();
    if (answer.ok) return { status: answer.status, data: JSON.parse(text).data };
    if (answer.status !== 503) throw new Error(`${fullName} answered ${answer.status}: ${text}`);
  }
}

async function readLarge(running: Running, name: string, { fullName, made }: (typeof all)[number]) {
  const { id, pid, fetched, call } = running;
  const watched = await watchProcess(pid, fetched, () => ingest(running, fullName));
  const { status, data } = watched.done;
  const stored = await (await call('GET', `/repos/${fullName}/pulls/1/diff`)).text();
  const [own, kept] = [withoutIds(made.diff), withoutIds(stored)];
  const isWhole = data.unread.length === 0;
  const isGits = isWhole ? kept === own : kept.length > 0 && own.startsWith(kept);
  const read = `${data.changedFiles} files, ${(stored.length / 1e6).toFixed(1)} MB of ${(made.diff.length / 1e6).toFixed(1)} MB kept`;
  const unread = isWhole
    ? 'nothing unread'
    : `${data.unread.length} files told as unread ("${data.unread[0]?.reason}")`;
  report(
    `${id}, ${name}`,
    watched,
    `${status}, ${read}, ${unread}, ${isGits ? "git's own diff" : 'NOT what git prints'}`,
  );
  assert.ok(isGits);
}

async function hurt(host: BenchHost, { id, pid, fetched, call }: Running): Promise<void> {
  for (const [name, answer] of answersThatHurt) {
    const stop = host.script(/\/(?:pulls|merge_requests)\/\d+$/, answer);
    const watched = await watchProcess(pid, fetched, () => call('POST', '/repos/acme/small/pulls/1/ingest'));
    stop();
    report(`${id}, ${name}`, watched, String(watched.done.status));
  }
}

async function wait(host: BenchHost, { id, call }: Running): Promise<void> {
  const held = Promise.withResolvers<void>();
  let fetches = 0;
  const release = host.script(/\.git\//, async (_response, pass, { url }) => {
    fetches += Number(url?.includes('/info/refs'));
    await held.promise;
    await pass();
  });
  const path = '/repos/acme/files/pulls/2/ingest';
  const begun = performance.now();
  const told = await call('POST', path);
  const waited = ((performance.now() - begun) / 1_000).toFixed(1);
  const joined = call('POST', path, host.tokens[1]);
  await setTimeout(2_000);
  held.resolve();
  const { status } = await joined;
  release();
  console.log(
    `${id}, longer than anybody waits: ${told.status} after ${waited} s, Retry-After ${told.headers.get('retry-after')}; ` +
      `another viewer joins: ${status}; git fetched ${fetches} times, which is commits and files once`,
  );
}

const hosts = await prepareHosts(all);
const clones = isWanted('large') ? [{ id: 'git' }] : [];
const table: Record<string, object> = {};

for (const { id } of [...clones, ...hosts]) {
  const host = hosts.find((one) => one.id === id);
  /** What is loaded with the first ingest, and asked once an hour, is no part of what the others cost. */
  const runWarm = async (settings: Record<string, string> = {}): Promise<Running> => {
    const running = await runService(host ?? (await prepareGit(all)), settings);
    if (host) await ingest(running, 'acme/warm');
    return running;
  };
  const stop = async (running: Running): Promise<void> => {
    await running.stop();
    assert.equal(sizeOf(running.fetched), 0);
  };
  test(id, async () => {
    const running = await runWarm();
    if (host && isWanted('calls')) Object.assign(table, await countCalls(host, running));
    if (isWanted('large')) for (const one of all) await readLarge(running, one.fullName, one);
    if (host && isWanted('hostile')) await hurt(host, running);
    await stop(running);
  });
  if (vast)
    test(`${id}, with a bound`, async () => {
      const running = await runWarm({ MAX_DIFF_MIB: String(boundMib) });
      await readLarge(running, `${vast.fullName} with a bound of ${boundMib} MiB`, vast);
      await stop(running);
    });
}

if (isWanted('calls')) test('calls', () => console.table(table));

if (isWanted('waiting'))
  test('waiting', async () => {
    await Promise.all(
      hosts.map(async (host) => {
        const running = await runService(host);
        await wait(host, running);
        await running.stop();
      }),
    );
  });
