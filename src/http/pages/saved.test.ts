import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { byRules, tellByHand } from '../../../test/doors/articles-by-hand.ts';
import { makeDoors } from '../../../test/doors/make-doors.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const root = temporaryFolder();
makeDoors(root);
const wide = makeClone(root, 'acme/wide');
for (const name of ['first', 'second', 'third', 'small'])
  writeFileSync(join(wide, `${name}.txt`), `${name} line\n`.repeat(name === 'small' ? 3 : 1_600));
git(wide, 'add', '--all');
git(wide, 'commit', '--quiet', '--message', 'Add lists (#2)');
const publicUrl = 'http://127.0.0.1:1';
const app = await buildTestApp({ environment: { GIT_REPOS: root, PUBLIC_URL: publicUrl } });
const token = await app.signUp('rin-the-reader');

before(async () => {
  for (const name of ['doors', 'wide']) {
    const path = `/repos/acme/${name}/pulls/2/article`;
    const { body, status, text } = await app.call('POST', path, { token, body: { language: 'en' } });
    assert.equal(status, 201, text);
    if (name === 'doors') await tellByHand(app, { articleId: body.data.id, languageCode: 'en' }, byRules());
    await app.call('POST', `/articles/${body.data.id}/language/en/like`, { token });
  }
});

const save = (name: string, viewer?: string) =>
  app.call('GET', `/r/acme/${name}/2.html?language=en`, {
    token: viewer,
    headers: { 'accept-language': viewer ? 'ja' : 'en', accept: 'text/html' },
  });

test('a saved article is one file with its styles, evidence and diff that loads nothing and is the same for every reader', async () => {
  const { status, headers, text } = await save('doors');
  assert.equal(status, 200, text);
  assert.equal(headers.get('content-disposition'), 'attachment; filename="acme-doors-2.html"');
  assert.equal((await save('doors', token)).text, text);
  assert.doesNotMatch(
    text,
    /<script|<link|<img|<form|<button|\ssrc=|url\(["']?(?!#)|@import|rin-the-reader|♥/,
  );
  assert.match(text, /<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
  assert.match(text, /<style>@layer[\s\S]*<\/style>/);
  assert.match(text, /<div class="evidence"[\s\S]*?<details><summary>/);
  const targets = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id);
  assert.ok(targets.includes('file-1') && targets.includes('diff'));
  for (const id of targets) assert.ok(text.includes(` id="${id}"`), id);
  for (const [, address = ''] of text.matchAll(/ href="([^#"][^"]*)"/g))
    assert.match(address, /^https?:\/\//);
  assert.ok(text.includes(`Saved from ${publicUrl}/r/acme/doors/2?language=en`));
});

test('a saved article leaves out files that would make it large, and says how many', async () => {
  const { text } = await save('wide');
  const sections = text.split('<section class="changed"').slice(1);
  assert.equal(sections.length, 3);
  assert.ok(sections.some((one) => one.includes('small line')));
  assert.match(text, /1 file left out to keep this copy small/);
});
