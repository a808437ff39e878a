import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { serveBeside } from '../../../test/serve-beside.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { highlightCode } from '../../actions/pull-requests/highlight-code.ts';
import { ThreadPool } from '../../threads/thread-pool.ts';
import { PublicCache } from '../cache/public-cache.ts';
import { Highlighter } from './highlight.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/code');
mkdirSync(join(clone, 'src'));
/** The highlighter needs seconds for 40 such lines. */
const hostileLine = 'a'.repeat(480);
const hostileLines = Array.from({ length: 120 }, (_, index) =>
  index % 10 === 0 ? `return ${index};` : hostileLine,
);
writeFileSync(join(clone, 'src/hostile.c'), `${hostileLines.join('\n')}\n`);
const kindLines = Array.from({ length: 120 }, (_, index) => `int one${index}() { return ${index}; }`);
writeFileSync(join(clone, 'src/kind.c'), `${kindLines.join('\n')}\n`);
git(clone, 'add', '--all');
git(clone, 'commit', '--quiet', '--message', 'feat: code (#2)');
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const token = await app.signUp('ann');
const written = await app.call('POST', '/repos/acme/code/pulls/2/article', {
  token,
  body: { language: 'en' },
});
assert.equal(written.status, 201, written.text);

const linesAt = (line: number, file = 'src/hostile.c') =>
  `/r/acme/code/2/lines?file=${encodeURIComponent(file)}&side=new&line=${line}&direction=below`;
const open = async (path: string): Promise<string> => {
  const { status, text } = await app.call('GET', path, { headers: { accept: 'text/html' } });
  assert.equal(status, 200, text);
  return text;
};
const keywords = (page: string): number => page.match(/<span class="k">/g)?.length ?? 0;

test('code that takes too long to highlight is shown plain and not retried, and other code is highlighted', async () => {
  const shown = await open(linesAt(1));
  assert.match(
    shown,
    /return 10;/,
    'a grammar would colour this, and only from outside can it be ended before',
  );
  assert.equal(keywords(await open(linesAt(1, 'src/kind.c'))), 40, 'other code is coloured afterwards');

  const threads = new ThreadPool({ most: 1, limits: { workMs: 50, memoryBytes: 1024 ** 3 } });
  let jobs = 0;
  const highlighter = new Highlighter((...task) => {
    jobs += 1;
    return threads.run(...task);
  });
  const server = await serveBeside(app, { highlighter });
  const addresses = [1, 20, 60].map((line) => linesAt(line));
  for (let round = 0; round < 2; round += 1) {
    // Ten simultaneous requests for the same lines.
    const crowd = addresses.flatMap((url) =>
      Array.from({ length: 10 }, () => server.inject({ url, headers: { accept: 'text/html' } })),
    );
    for (const { body } of await Promise.all(crowd)) assert.ok(body.includes(hostileLine));
  }
  assert.equal(jobs, addresses.length);
  await threads.close();
});

test('when too many pages wait for highlighting, a page comes plain and uncached', async () => {
  const gate = Promise.withResolvers<void>();
  const jobs: string[] = [];
  const highlighter = new Highlighter((_name, input) => {
    const blocks = input as Parameters<typeof highlightCode>[0];
    jobs.push(...blocks.flatMap(({ texts }) => texts.slice(0, 1)));
    return gate.promise.then(() => highlightCode(blocks, {})) as never;
  });
  const server = await serveBeside(app, { highlighter, cache: new PublicCache(1024 * 1024) });
  const show = async (url: string) => (await server.inject({ url, headers: { accept: 'text/html' } })).body;
  const waiting = Array.from({ length: 8 }, (_, index) => show(linesAt(index + 1, 'src/kind.c')));
  while (jobs.length < waiting.length) await new Promise(setImmediate);
  const article = '/r/acme/code/2?language=en';
  assert.equal(keywords(await show(article)), 0);
  gate.resolve();
  for (const page of await Promise.all(waiting)) assert.ok(keywords(page) > 0);
  assert.ok(keywords(await show(article)) > 0);
  const count = jobs.length;
  await show(linesAt(8, 'src/kind.c'));
  assert.equal(jobs.length, count, 'the same lines are coloured once');
});
