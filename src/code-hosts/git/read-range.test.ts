import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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
