import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { diffOf } from '../../test/diff-of.ts';
import { onlyInFull } from '../../test/tables.ts';
import { waitUntil } from '../../test/wait-until.ts';
import type { DiffSource, PullRequestPayload } from '../actions/articles/read-for-writing.ts';
import { type Thread, ThreadPool } from './thread-pool.ts';

const threads = new ThreadPool({ most: 1, limits: { workMs: 120_000, memoryBytes: 1024 ** 3 } });
after(() => threads.close());

const payload: PullRequestPayload = {
  title: 'feat: limit the rate',
  body: 'One client could starve all the others that asked at the same time.',
  author: 'ann',
  repository: 'some/where',
  isClone: false,
  labels: [],
  commits: [],
  linkedIssues: [],
  changedFiles: 1,
  additions: 3,
  deletions: 0,
  unread: [],
  unreadTotal: 0,
  outlines: [],
};

/** A diff source that gives the diff part by part and records the progress steps. */
function diffFeedOf(...parts: (string | Buffer)[]): DiffSource & { steps: string[] } {
  const left = parts.map((part) => zstdCompressSync(part));
  const steps: string[] = [];
  return {
    steps,
    nextPart: async () => left.shift() ?? null,
    onProgress: async ({ step }) => void steps.push(step),
  };
}

const { bytes } = diffOf(
  'src/limit.ts',
  '\n+export function limitRate(most: number) {\n+  return most;\n+}\n',
  { status: 'added' },
);
const writeGood = () => threads.run('writeOffline', payload, diffFeedOf(bytes));

test('`writeOffline` runs in a thread, writes both languages, quotes the author and reports its steps', async () => {
  const feed = diffFeedOf(bytes);
  const { en, ja } = await threads.run('writeOffline', payload, feed);
  assert.deepEqual([en.title, ja.title], ['feat: limit the rate', '公開関数 `limitRate` を追加']);
  for (const { mainChanges, authorWords } of [en, ja]) {
    assert.equal(mainChanges[0]?.hunk?.lines.length, 3);
    assert.match(authorWords?.markdown ?? '', /One client could starve all the others/);
  }
  assert.deepEqual(feed.steps, ['reading', 'writing', 'checking claims']);
});

test('a diff that cannot be read rejects its own run only, and the next article is written', async () => {
  const broken = { ...diffFeedOf(), nextPart: async () => Buffer.from('no such thing') };
  await assert.rejects(threads.run('writeOffline', payload, broken));
  assert.equal((await writeGood()).en.coverage.filesRead, 1);
});

test('an error thrown by the diff source rejects the run with the same error', async () => {
  const problem = new Error('the diff was replaced');
  const feed = { ...diffFeedOf(), nextPart: () => Promise.reject(problem) };
  assert.equal(await threads.run('writeOffline', payload, feed).catch((error) => error), problem);
});

test('an aborted run rejects with AbortError, and its thread is replaced for the next runs', async () => {
  const unwanted = new AbortController();
  const feed = { ...diffFeedOf(bytes), onProgress: async () => unwanted.abort() };
  await assert.rejects(threads.run('writeOffline', payload, feed, unwanted.signal), { name: 'AbortError' });
  const [one, other] = await Promise.all([writeGood(), writeGood()]);
  assert.deepEqual(one, other);
});

test('a thread that was idle for `restMs` ends, and the next run starts another one', async () => {
  const sharedIdle: Thread[] = [];
  const limits = { workMs: 120_000, memoryBytes: 1024 ** 3, restMs: 1 };
  const resting = new ThreadPool({ most: 1, limits, sharedIdle });
  await resting.run('writeOffline', payload, diffFeedOf(bytes));
  const [first] = sharedIdle;
  await waitUntil('the idle thread ends', () => first?.isEnded === true);
  assert.equal((await resting.run('writeOffline', payload, diffFeedOf(bytes))).en.coverage.filesRead, 1);
  await Promise.all(sharedIdle.map((thread) => thread.end()));
});

test('after `close`, running and queued work is rejected, and new work is UNAVAILABLE', async () => {
  const closing = new ThreadPool({ most: 1, limits: { workMs: 120_000, memoryBytes: 1024 ** 3 } });
  const begun = Promise.withResolvers<void>();
  const unending = {
    ...diffFeedOf(),
    nextPart: () => {
      begun.resolve();
      return new Promise<never>(() => {});
    },
  };
  const busy = closing.run('writeOffline', payload, unending);
  const waiting = diffFeedOf(bytes);
  const queued = [1, 2].map(() => closing.run('writeOffline', payload, waiting));
  const all = Promise.allSettled([busy, ...queued]);
  await begun.promise;
  await closing.close();
  assert.deepEqual(
    (await all).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  await assert.rejects(closing.run('writeOffline', payload, waiting), { code: 'UNAVAILABLE' });
  assert.deepEqual(waiting.steps, []);
});

test('a diff with NUL, lone surrogates, bidi marks, invalid UTF-8 and a line of a megabyte still gives an article', async () => {
  const hostile = [
    'a\0b',
    '\ud800 lone',
    '\u202eturned\u202c around',
    '“a “quotation” in a quotation”',
    'x'.repeat(1_000_000),
    '`'.repeat(50),
  ].map(
    (text, index) =>
      diffOf(`src/odd${index}.ts`, `\n-const odd = '${text}';\n+const even = '${text}!';\n`).bytes,
  );
  const invalid = Buffer.from(diffOf('src/latin.ts', '\n-const a = 1;\n').bytes);
  invalid[invalid.length - 3] = 0xff;
  const { en } = await threads.run(
    'writeOffline',
    { ...payload, title: 'odd \ud800\0 \u202e title', changedFiles: 7 },
    diffFeedOf(Buffer.concat([...hostile, invalid])),
  );
  assert.ok(en.mainChanges.length > 0);
  assert.ok([...en.title].length <= 80);
});

test('6,000 files in twenty parts are all read', onlyInFull, async () => {
  const parts = Array.from({ length: 20 }, (_, part) =>
    Buffer.concat(
      Array.from(
        { length: 300 },
        (_, file) => diffOf(`src/part${part}/file${file}.ts`, '\n-const odd = 1;\n+const odd = 2;\n').bytes,
      ),
    ),
  );
  const feed = diffFeedOf(...parts);
  const { en } = await threads.run('writeOffline', { ...payload, changedFiles: 6_000 }, feed);
  assert.equal(en.coverage.filesTotal, 6_000);
  assert.equal(en.coverage.filesRead, 6_000);
});
