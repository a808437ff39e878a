import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { git, makeClone } from '../../../test/make-clone.ts';
import { openClones } from '../../../test/open-clones.ts';
import { nobody } from '../../../test/read-from-host.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const root = temporaryFolder();
const host = openClones(root);

test('`readRange` reads the newest 5,000 of 5,010 commits and returns the total', async () => {
  const folder = makeClone(root, 'acme/long');
  git(folder, 'tag', 'v1');
  const count = 5_010;
  const stream = Array.from({ length: count }, (_, index) => {
    const subject = `Step ${index}`;
    const begins = index === 0 ? 'from refs/tags/v1\n' : '';
    return `commit refs/heads/main\ncommitter R <r@example.org> ${1_700_000_000 + index} +0000\ndata ${subject.length}\n${subject}\n${begins}\n`;
  }).join('');
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { input: stream });
  const repository = await host.findRepository('acme', 'long', nobody);
  assert.ok(repository);
  const range = await host.readRange(repository, { from: 'v1', to: 'main' }, nobody);
  assert.deepEqual([range?.total, range?.read, range?.behind], [count, 5_000, 0]);
  const subjects = range?.changes.map(({ commits: [commit] }) => commit?.subject);
  assert.deepEqual([subjects?.length, subjects?.[0], subjects?.at(-1)], [5_000, 'Step 5009', 'Step 10']);
});

test('`findNewcomers` marks no author as new after more than 5,000 commits', async () => {
  const folder = join(root, 'acme/long');
  git(folder, 'tag', 'many', 'main');
  git(folder, 'commit', '--quiet', '--allow-empty', '--author', 'New <new@example.org>', '-m', 'First');
  const repository = await host.findRepository('acme', 'long', nobody);
  assert.ok(repository && host.findNewcomers);
  const [few, many, main] = ['v1', 'many', 'main'].map((name) =>
    git(folder, 'rev-parse', `${name}^{commit}`).trim(),
  );
  const newAfter = (fromSha = '') => host.findNewcomers?.(repository, { fromSha, toSha: main ?? '' }, nobody);
  assert.ok((await newAfter(few))?.has('New'));
  assert.deepEqual(await newAfter(many), new Set());
});

test('while ranges of a clone are counted, other ranges of it are not', async () => {
  const repository = await host.findRepository('acme', 'long', nobody);
  assert.ok(repository && host.readRanges);
  const last = [{ from: 'many', to: 'main' }];
  const ranges = [last, [{ from: 'v1', to: 'main' }]];
  const read = await Promise.all(ranges.map((some) => host.readRanges?.(repository, some, nobody)));
  assert.equal(read.filter((one) => one?.[0]).length, 1);
});

test('a changelog counts by its first 256 KiB', async () => {
  const folder = makeClone(root, 'acme/listed');
  git(folder, 'tag', 'v1');
  const filler = 'Talk.\n'.repeat(50_000);
  const text = `## Added\n- One (#21)\n\n${filler}\n## Fixed\n- Two (#22)\n`;
  writeFileSync(join(folder, 'CHANGELOG.md'), text);
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'One (#21)');
  git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Two (#22)');
  const repository = await host.findRepository('acme', 'listed', nobody);
  assert.ok(repository);
  const range = await host.readRange(repository, { from: 'v1', to: 'main' }, nobody);
  assert.deepEqual([...(range?.headings ?? [])], [[21, 'Added']]);
});

test('bots among the merges of a period are found for 2,000 merges at a time, the newest first', async () => {
  const folder = makeClone(root, 'acme/busy');
  const stream = Array.from({ length: 2_010 }, (_, index) => {
    const subject = `Step (#${index + 11})`;
    const author = `author robot[bot] <r@example.org> ${1_700_000_000 + index} +0000\n`;
    const begins = index === 0 ? 'from refs/heads/main^0\n' : '';
    return `commit refs/heads/main\n${author}committer R <r@example.org> ${1_700_000_000 + index} +0000\ndata ${subject.length}\n${subject}\n${begins}\n`;
  }).join('');
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { input: stream });
  const repository = await host.findRepository('acme', 'busy', nobody);
  assert.ok(repository);
  const merges = await host.mergedWithin?.(repository, {
    from: new Date(0),
    to: new Date(1_750_000_000_000),
  });
  const bots = await merges?.findBots();
  assert.deepEqual([bots?.size, bots?.has(20), bots?.has(21)], [2_000, false, true]);
  assert.equal((await merges?.findBots())?.size, 2_010);
});
