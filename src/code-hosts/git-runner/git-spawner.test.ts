import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeClone } from '../../../test/make-clone.ts';
import { isAlive, untilGone } from '../../../test/processes-gone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { findClone } from '../git/find-clone.ts';
import { GitSpawner } from './git-spawner.ts';
import { runGit, streamGit } from './run-git.ts';
import type { GitCommand, GitEnd } from './spawn-git-for-parent.ts';

const unhurried = { timeoutMs: 60_000, shares: [] };

/** A folder with a stand-in for git that prints its own and its parent's process id before its work. */
function standInForGit(work: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho $$ $PPID\n${work}\n`, { mode: 0o755 });
  return folder;
}

function newSpawner(): GitSpawner {
  const spawner = new GitSpawner();
  after(() => spawner.close());
  return spawner;
}

const commandFor = (path: string, parameters: string[] = [], input = '') => ({
  parameters,
  cwd: '/',
  environment: { PATH: path },
  input,
});

async function runToEnd(output: AsyncGenerator<Buffer, GitEnd>): Promise<{ printed: string; end: GitEnd }> {
  let printed = '';
  for (;;) {
    const { done, value } = await output.next();
    if (done) return { printed, end: value };
    printed += value.toString();
  }
}

async function readIds(output: AsyncGenerator<Buffer, GitEnd>): Promise<{ git: number; helper: number }> {
  const { value } = await output.next();
  assert.ok(value instanceof Buffer);
  const [git, helper] = value.toString().split(/\s/).map(Number);
  return { git: git ?? assert.fail(), helper: helper ?? assert.fail() };
}

/** Starts a command with a timeout, doubled until the command prints before it is killed. */
async function startInTime(start: (timeoutMs: number) => AsyncGenerator<Buffer, GitEnd>) {
  for (let timeoutMs = 1_000; ; timeoutMs *= 2) {
    const output = start(timeoutMs);
    const { value } = await output.next();
    if (value instanceof Buffer) return { output, printed: value.toString() };
  }
}

test('concurrent commands each read their own input and get their own output', async () => {
  const spawner = newSpawner();
  const path = process.env.PATH ?? '';
  const contents = Array.from({ length: 20 }, (_, index) => `content ${index}\n`.repeat(index));
  const results = await Promise.all(
    contents.map((content) =>
      runToEnd(spawner.run(commandFor(path, ['hash-object', '--stdin'], content), unhurried)),
    ),
  );
  const hash = (content: string) =>
    createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex');
  assert.deepEqual(
    results.map(({ printed }) => printed.trim()),
    contents.map(hash),
  );
});

test('git gets exactly the folder, parameters and environment of its command', async () => {
  const folder = temporaryFolder();
  const program = 'console.log(JSON.stringify([process.env, process.cwd(), process.argv.slice(2)]))';
  writeFileSync(join(folder, 'git'), `#!${process.execPath}\n${program}\n`, { mode: 0o755 });
  const environment = { PATH: folder, GIT_DIR: '/some/where' };
  const command = { parameters: ['log', '-p'], cwd: '/', environment, input: '' };
  const { printed } = await runToEnd(newSpawner().run(command, unhurried));
  assert.deepEqual(JSON.parse(printed), [environment, '/', ['log', '-p']]);
});

test('git runs with niceness 10, for its process and for its scheduling group', {
  skip: !existsSync('/proc/self/autogroup') && 'about a Linux that does',
}, async () => {
  const git = standInForGit('cat /proc/self/autogroup; nice');
  const { printed } = await runToEnd(newSpawner().run(commandFor(`${git}:${process.env.PATH}`), unhurried));
  assert.match(printed, / nice 10\n10\n$/);
});

test('a command returns the exit code or signal of git and the first 2,000 characters of its error output', async () => {
  const spawner = newSpawner();
  const path = standInForGit('printf "%05000d" 0 >&2; exit 3');
  const { end } = await runToEnd(spawner.run(commandFor(path), unhurried));
  assert.deepEqual(end, { code: 3, signal: null, complaint: '0'.repeat(2_000) });
  const killed = await runToEnd(spawner.run(commandFor(standInForGit('kill -TERM $$')), unhurried));
  assert.deepEqual(killed.end, { code: null, signal: 'SIGTERM', complaint: '' });
});

test('git waits for a slow reader while other commands run', async () => {
  const spawner = newSpawner();
  const done = join(temporaryFolder(), 'done');
  const size = 16 * 1024 * 1024;
  const path = standInForGit(`/usr/bin/head -c ${size} /dev/zero; echo > ${done}`);
  const large = spawner.run(commandFor(path), unhurried);
  await readIds(large);
  for (let round = 0; round < 20; round += 1) {
    const { end } = await runToEnd(spawner.run(commandFor(process.env.PATH ?? '', ['--version']), unhurried));
    assert.equal(end.code, 0);
  }
  assert.equal(existsSync(done), false);
  const { printed, end } = await runToEnd(large);
  assert.equal(end.code, 0);
  assert.ok(printed.length > size - 64 * 1024, 'all but the beginning, which came with the ids');
  assert.equal(existsSync(done), true);
});

test('an endless output keeps the helper below 200 MB, and git is killed when the reader stops', async () => {
  const endless = newSpawner().run(commandFor(standInForGit('exec /bin/cat /dev/zero')), unhurried);
  const { git, helper } = await readIds(endless);
  let read = 0;
  for await (const chunk of endless) {
    read += chunk.length;
    if (read > 100_000_000) break;
    // A pause between reads lets output accumulate, if it does.
    await new Promise(setImmediate);
  }
  const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(helper)], { encoding: 'utf8' }));
  assert.ok(kilobytes < 200_000, `the helper has ${kilobytes} kB`);
  await untilGone(git);
});

test('git is killed at its timeout, even while its output is not read', async () => {
  const spawner = newSpawner();
  const path = standInForGit('exec /bin/cat /dev/zero');
  const { output, printed } = await startInTime((timeoutMs) =>
    spawner.run(commandFor(path), { ...unhurried, timeoutMs }),
  );
  await untilGone(Number.parseInt(printed, 10));
  assert.equal((await runToEnd(output)).end.signal, 'SIGKILL');
});

/** Starts commands that never end; each start resolves once its git runs. */
function startStuck(spawner: GitSpawner, clones: string[], signal?: AbortSignal) {
  const path = standInForGit('exec /bin/sleep 60');
  const outputs = clones.map((clone) =>
    spawner.run(commandFor(path), { ...unhurried, shares: [{ of: clone, most: 3 }], signal }),
  );
  const starts = outputs.map((output) => readIds(output));
  for (const start of starts) start.catch(() => {});
  return { outputs, starts };
}

const countGits = (helper: number): number =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(helper)], { encoding: 'utf8' })
    .trim()
    .split('\n').length;

test('at most eight gits run at once, and a waiting command runs when one of them ends', async () => {
  const spawner = newSpawner();
  const clones = Array.from({ length: 20 }, (_, index) => `clone ${index % 10}`);
  const { outputs, starts } = startStuck(spawner, clones);
  const [first] = await Promise.all(starts.slice(0, 8));
  assert.ok(first);
  assert.equal(countGits(first.helper), 8);
  for (const output of outputs) void output.return({ code: null, signal: null, complaint: '' });
  const ended = await runToEnd(spawner.run(commandFor(standInForGit('exit 0')), unhurried));
  assert.equal(ended.end.code, 0);
  await untilGone(first.git);
});

test('commands that are stuck on two clones leave slots for other commands', async () => {
  const spawner = newSpawner();
  const stuck = ['one', 'one', 'one', 'one', 'one', 'two', 'two', 'two', 'two', 'two'];
  const { starts } = startStuck(spawner, stuck);
  const [first] = await Promise.all([...starts.slice(0, 3), ...starts.slice(5, 8)]);
  assert.ok(first);
  for (let round = 0; round < 5; round += 1) {
    const { end } = await runToEnd(spawner.run(commandFor(standInForGit('exit 0')), unhurried));
    assert.equal(end.code, 0);
  }
  await waitUntil('only those that are stuck run', () => countGits(first.helper) === 6);
});

test('a command that waits too long fails with HOST_TIMEOUT, an aborted one with UNAVAILABLE, and the git of an aborted one is killed', async () => {
  const spawner = newSpawner();
  const hangUp = new AbortController();
  const { outputs, starts } = startStuck(spawner, ['one', 'one', 'one', 'one', 'one'], hangUp.signal);
  const running = await Promise.all(starts.slice(0, 3));
  const shares = [{ of: 'one', most: 3 }];
  const late = spawner.run(commandFor(standInForGit('exit 0')), { timeoutMs: 50, shares });
  await assert.rejects(late.next(), { code: 'HOST_TIMEOUT', message: /Too many requests/ });
  hangUp.abort();
  for (const waiting of starts.slice(3)) await assert.rejects(waiting, { code: 'UNAVAILABLE' });
  await untilGone(...running.map(({ git }) => git));
  const [output] = outputs;
  assert.ok(output);
  assert.equal((await runToEnd(output)).end.signal, 'SIGKILL');
});

test('`GitSpawner.close` rejects waiting commands and ends the helper', async () => {
  const spawner = newSpawner();
  const { starts } = startStuck(spawner, ['one', 'one', 'one', 'one']);
  const [first] = await Promise.all(starts.slice(0, 3));
  await spawner.close();
  await assert.rejects(starts[3] ?? assert.fail(), { code: 'UNAVAILABLE' });
  await untilGone(first?.helper ?? assert.fail());
});

test('a command that cannot start fails and leaves the helper running', async () => {
  const spawner = newSpawner();
  const waiting = spawner.run(commandFor(standInForGit('exec /bin/sleep 60')), unhurried);
  const { helper } = await readIds(waiting);
  for (const command of [commandFor('/nonexistent'), commandFor('/', ['a\0b'])]) {
    const { end } = await runToEnd(spawner.run(command, unhurried));
    assert.deepEqual([end.code, end.signal], [null, null]);
    assert.notEqual(end.complaint, '');
  }
  assert.ok(isAlive(helper));
  await waiting.return({ code: null, signal: null, complaint: '' });
});

test('killing the helper fails its running commands and ends their gits, and the next command works', async () => {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket');
  const clone = (await findClone(root, 'acme', 'rocket')) ?? assert.fail();
  const spawner = newSpawner();
  const path = process.env.PATH ?? '';
  const isolatedFolders = join(temporaryFolder(), 'isolated');
  const asleep = standInForGit('exec /bin/sleep 60');
  const first = spawner.run(commandFor(asleep), unhurried);
  const { git, helper } = await readIds(first);
  const second = streamGit({ path: asleep, isolatedFolders, spawner }, clone, ['log']);
  await second.next();
  process.kill(helper, 'SIGKILL');
  await assert.rejects(second.next(), { code: 'HOST_ERROR', message: /acme\/rocket/ });
  assert.match((await runToEnd(first)).end.complaint, /has ended/);
  await untilGone(git, helper);
  assert.match(await runGit({ path, isolatedFolders, spawner }, clone, ['log', '--all']), /Begin/);
});

test('the helper ignores SIGINT, SIGTERM and SIGHUP, and ends when the spawner is closed', async () => {
  const spawner = newSpawner();
  const path = standInForGit('exec /bin/sleep 60');
  const first = spawner.run(commandFor(path), unhurried);
  const { git, helper } = await readIds(first);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(helper, signal);
  const second = spawner.run(commandFor(path), unhurried);
  const again = await readIds(second);
  assert.equal(again.helper, helper);
  await spawner.close();
  await untilGone(git, again.git, helper);
  assert.match((await runToEnd(first)).end.complaint, /has ended/);
});

/** A git that starts a child as a fetch does, and prints the ids of itself, the child and the helper. */
function standInForFetch(work: string): string {
  const folder = temporaryFolder();
  const script = `#!/bin/sh\n/bin/sleep 600 > /dev/null 2>&1 &\necho $$ $! $PPID\n${work}\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  return folder;
}

const fetchWith = (path: string) => ({ ...commandFor(path), groupMemoryBytes: 64 * 1024 * 1024 });

test('child processes of a fetch end with it on exit, abort, timeout, loss of the helper and close', async () => {
  const spawner = newSpawner();
  const cancelling = new AbortController();
  const endings: [work: string, options?: object, end?: (ids: number[]) => unknown][] = [
    ['exit 0'],
    ['wait', { signal: cancelling.signal }, () => cancelling.abort()],
    // This command runs into its timeout.
    ['wait', {}],
    ['wait', unhurried, ([, , helper = 0]) => process.kill(helper, 'SIGKILL')],
    ['wait', unhurried, () => spawner.close()],
  ];
  for (const [work, options = unhurried, end] of endings) {
    const command = fetchWith(standInForFetch(work));
    const { output, printed } = await startInTime((timeoutMs) =>
      spawner.run(command, { ...unhurried, timeoutMs, ...options }),
    );
    const ids = printed.trim().split(' ').map(Number);
    assert.equal(ids.length, 3);
    await end?.(ids);
    await untilGone(...ids.slice(0, 2));
    await runToEnd(output);
  }
});

test('a fetch above its memory limit fails with a memory error, and a fetch without git with ENOENT', async () => {
  const spawner = newSpawner();
  // `tail` keeps the whole line in memory, because it has no line break.
  const path = standInForFetch('/usr/bin/head -c 200M /dev/zero | /usr/bin/tail -n 1 > /dev/null');
  const { end } = await runToEnd(spawner.run(fetchWith(path), unhurried));
  assert.match(end.complaint, /memory/);
  const without = await runToEnd(spawner.run(fetchWith('/nonexistent'), unhurried));
  assert.deepEqual([without.end.code, /ENOENT/.test(without.end.complaint)], [null, true]);
});

/** A separate process that runs one command on a spawner and prints its output, unless `use` does something else. */
function startParent(
  command: GitCommand,
  use = 'for await (const chunk of output) process.stdout.write(chunk);',
) {
  const file = join(temporaryFolder(), 'parent.mjs');
  const module = JSON.stringify(join(import.meta.dirname, 'git-spawner.ts'));
  writeFileSync(
    file,
    `import { GitSpawner } from ${module};
const spawner = new GitSpawner();
const output = spawner.run(${JSON.stringify(command)}, ${JSON.stringify(unhurried)});
${use}\n`,
  );
  return spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
}

test('killing the service ends the helper and its git', async () => {
  const parent = startParent(commandFor(standInForGit('exec /bin/sleep 60')));
  const [printed] = await once(parent.stdout, 'data');
  const [git, helper] = String(printed).split(/\s/).map(Number);
  assert.ok(git && helper && isAlive(git) && isAlive(helper));
  parent.kill('SIGKILL');
  await untilGone(git, helper);
});

test('killing the service ends every process of a fetch', async () => {
  const parent = startParent(fetchWith(standInForFetch('wait')));
  const [printed] = await once(parent.stdout, 'data');
  const ids = String(printed).trim().split(' ').map(Number);
  assert.ok(ids.length === 3 && ids.every(isAlive));
  parent.kill('SIGKILL');
  await untilGone(...ids);
});

test('an idle spawner does not keep its process alive, and its helper ends too', async () => {
  const parent = startParent(commandFor(standInForGit('exit 0')));
  const [[printed], [code]] = await Promise.all([once(parent.stdout, 'data'), once(parent, 'exit')]);
  assert.equal(code, 0);
  await untilGone(Number(String(printed).split(/\s/)[1]));
});

test('`GitSpawner.close` waits until a running git has ended, and the process goes on', async () => {
  const use =
    "process.stdout.write((await output.next()).value); await spawner.close(); console.log('closed');";
  const parent = startParent(commandFor(standInForGit('exec /bin/sleep 60')), use);
  const [printed, [code]] = await Promise.all([Array.fromAsync(parent.stdout), once(parent, 'exit')]);
  const [ids, last] = Buffer.concat(printed).toString().split('\n');
  assert.deepEqual([code, last], [0, 'closed']);
  await untilGone(...(ids ?? '').split(' ').map(Number));
});
