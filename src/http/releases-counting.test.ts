import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
const folder = makeClone(root, 'acme/engine');
for (const number of [1, 2, 3]) {
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', `Part (#${number + 1})`);
  git(folder, 'tag', `v${number}`);
}

/** Counting hangs at the pipe, or fails without it. */
const programs = join(temporaryFolder(), 'programs');
const pipe = join(programs, 'pipe');
mkdirSync(programs);
const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const script = `#!/bin/sh
case "$*" in *merge-base*--octopus*) read -r line < '${pipe}' || exit 3 ;; esac
exec '${realGit}' "$@"
`;
writeFileSync(join(programs, 'git'), script, { mode: 0o755 });
process.env.PATH = [programs, process.env.PATH].join(delimiter);
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const address = '/r/acme/engine?tab=releases&language=en';

test('the list of releases is shown without counts if counting fails', async () => {
  const { status, text } = await app.call('GET', address);
  assert.equal(status, 200);
  assert.match(text, /<bdi>v3<\/bdi>/);
  assert.doesNotMatch(text, /http-equiv="refresh" content="3;/);
  assert.ok(app.logLines().some(({ msg }) => msg === 'the changes of releases could not be counted'));
});

test('a page whose count does not end loads again five times at most', async () => {
  execFileSync('mkfifo', [pipe]);
  const [first, fifth] = await Promise.all(
    ['', '&tries=5'].map((tries) => app.call('GET', `${address}${tries}`)),
  );
  assert.match(
    first?.text ?? '',
    /http-equiv="refresh" content="3; url=\/r\/acme\/engine\?tab=releases&amp;language=en&amp;tries=1"/,
  );
  assert.match(fifth?.text ?? '', /<bdi>v3<\/bdi>/);
  assert.doesNotMatch(fifth?.text ?? '', /http-equiv="refresh" content="3;/);
  writeFileSync(pipe, 'go\n');
  rmSync(pipe);
});
