import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/odd', 'Begin');
const app = await buildTestApp({ environment: { GIT_REPOS: root } });

test('a diff with a NUL character gets an article without NUL in both languages', async () => {
  const token = await app.signUp('ann');
  // Git treats a file as text if its first 8,000 bytes have no NUL.
  const filler = Array.from({ length: 400 }, (_, line) => `// Line ${line} says nothing in particular.`);
  const commitMark = (mark: string, message: string) => {
    writeFileSync(join(clone, 'gate.ts'), [...filler, `export const mark = '${mark}';`, ''].join('\n'));
    git(clone, 'add', '.');
    git(clone, 'commit', '--quiet', '--message', message);
  };
  commitMark('open\0sesame', 'Add a gate');
  commitMark('shut\0sesame', 'fix: shut the gate (#2)');
  for (const language of ['en', 'ja']) {
    const path = '/repos/acme/odd/pulls/2/article';
    const written = await app.call('POST', path, { token, body: { language } });
    assert.equal(written.status, 201, written.text);
    const text = JSON.stringify(written.body.data.contents[language]);
    assert.doesNotMatch(text, /\\u0000/);
  }
});
