import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeChangedMethods, outlinesOfMethods } from '../../../test/make-changed-methods.ts';
import { git, gitInTurn, makeClone } from '../../../test/make-clone.ts';
import { serveGit } from '../../../test/serve-git.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { RunInThread } from '../../actions/articles/thread-tasks.ts';
import { collectDiff } from '../../actions/pull-requests/collect-diff.ts';
import { runHere } from '../../cli/explain/write-about.ts';
import { takeExclusiveLock } from '../../db/local-server/server-folder.ts';
import { Failure } from '../../domain/errors.ts';
import { type DiffReader, MovedMeanwhile, type WantedText } from '../code-host.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import { createFetchByGit, TemporaryFolders } from './fetch-by-git.ts';

/** A history whose second commit exceeds the limit and whose last one is refs/pull/1/head. */
const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket');
const commit = ['commit', '--quiet', '--message'];
writeFileSync(join(clone, 'large'), randomBytes(400_000));
gitInTurn(clone, [
  ['add', '.'],
  [...commit, 'Add'],
]);
writeFileSync(join(clone, 'readme.txt'), 'This is told.\n');
gitInTurn(clone, [
  ['rm', '--quiet', 'large'],
  [...commit, 'Remove'],
  ['add', '.'],
  [...commit, 'Tell'],
  ['update-ref', 'refs/pull/1/head', 'HEAD'],
]);
const [head = '', parent = '', , first = ''] = git(clone, 'log', '--format=%H').trim().split('\n');

/** A change whose methods only whole files show. */
const methods = makeChangedMethods(root, 'acme/orbit');

const server = createServer((request, response) => {
  const [, name = '', rest = ''] = /^\/(acme\/\w+)\.git(.*)$/.exec(request.url ?? '') ?? [];
  void serveGit(join(root, name, '.git'), rest, request, response, { isOld: name === 'acme/rocket' });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const fetched = join(temporaryFolder(), 'fetched');
const folders = new TemporaryFolders(fetched, takeExclusiveLock);
const spawner = new GitSpawner();
after(async () => {
  server.close();
  await spawner.close();
  await folders.close();
});

/** Folders of fetches that are still on disk. */
const left = (): string[] =>
  readdirSync(fetched).flatMap((own) =>
    readdirSync(join(fetched, own)).filter((name) => name.startsWith('fetch-')),
  );

const fetch = (name: string, base: string, to: string, given: { mostBytes?: number; signal?: AbortSignal }) =>
  createFetchByGit({
    searchPath: process.env.PATH ?? '',
    folders,
    id: 'example',
    name: 'Example',
    web: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    gitUser: 'example',
    mostBytes: given.mostBytes ?? 1_000_000,
    spawner,
    network: async () => ({ environment: {}, configuration: {}, certificates: null }),
    clock: () => new Date(),
  })(
    { owner: 'acme', name, base, head: to, refs: ['refs/pull/1/head'] },
    { isService: false, token: null, signal: given.signal ?? new AbortController().signal },
  );

const read = async (base: string, to: string, mostBytes: number): Promise<string> => {
  const { diff } = fetch('rocket', base, to, { mostBytes });
  return Buffer.concat(await Array.fromAsync(diff(async () => {}))).toString();
};

test('a base that no ref names is found in the history of the fetched refs', async () => {
  assert.match(await read(parent, head, 1_000_000), /^\+This is told\.$/m);
});

test('a commit that is gone raises `MovedMeanwhile`, even when the history is larger than the limit', async () => {
  await assert.rejects(read(parent, 'b'.repeat(40), 200_000), MovedMeanwhile);
  await assert.rejects(read('b'.repeat(40), head, 1_000_000), MovedMeanwhile);
});

test('a history larger than the limit fails with HOST_ERROR', async () => {
  await assert.rejects(read(first, head, 200_000), (error: unknown) => {
    assert.ok(error instanceof Failure);
    assert.deepEqual([error.code, /history/.test(error.message)], ['HOST_ERROR', true]);
    return true;
  });
});

/** A fault while a pull request is read, and its outcome: outlines or an error code. */
interface Trouble {
  head?: string;
  lastQuestion?: () => Promise<void>;
  endsIn?: 'splitDiff' | 'outlineDiff';
  isAbortedBeforeTexts?: boolean;
  outcome: unknown;
}

const refused = async () => {
  throw new Failure('HOST_ERROR', 'It is no longer shown.');
};

const troubles: Record<string, Trouble> = {
  'without a fault, files come from the same fetch as the diff': { outcome: outlinesOfMethods },
  'a commit that is gone fails with UNAVAILABLE': { head: 'b'.repeat(40), outcome: 'UNAVAILABLE' },
  'a refused last question fails with HOST_ERROR': { lastQuestion: refused, outcome: 'HOST_ERROR' },
  'a thread that ends within the diff fails with UNREADABLE': { endsIn: 'splitDiff', outcome: 'UNREADABLE' },
  'a thread that ends within the files gives no outlines': { endsIn: 'outlineDiff', outcome: [] },
  'an abort before the files gives no outlines': { isAbortedBeforeTexts: true, outcome: [] },
};

for (const [what, { outcome, ...trouble }] of Object.entries(troubles)) {
  test(`${what}, and the fetched folder is deleted`, async () => {
    const gone = new AbortController();
    const { diff, ...files } = fetch('orbit', methods.base, trouble.head ?? methods.head, gone);
    const lying: string[][] = [];
    const onHost = {
      ...files,
      diff: (reader?: DiffReader) => diff(trouble.lastQuestion ?? (async () => {}), reader),
      async *fileTexts(wanted: WantedText[]) {
        lying.push(left());
        if (trouble.isAbortedBeforeTexts) gone.abort();
        yield* files.fileTexts(wanted);
      },
    };
    const run = runHere();
    const runInThread: RunInThread = (name, input, parent) =>
      run(name, input, parent).finally(() => {
        if (name === trouble.endsIn) throw new Failure('UNREADABLE', 'The thread has ended.');
      });
    const options = { maxBytes: 1_000_000, releaseSlotWhile: <Done>(work: () => Promise<Done>) => work() };
    const read = await collectDiff(runInThread, onHost, options).then(
      (collected) => collected.read.outlines.map(({ definitions: _, ...outline }) => outline),
      (error: unknown) => (error instanceof Failure ? error.code : error),
    );
    assert.deepEqual(read, outcome);
    assert.deepEqual(left(), []);
    assert.equal(lying.flat().length, typeof outcome === 'string' ? 0 : 1);
  });
}
