import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/long', 'Begin');
const app = await buildTestApp({ environment: { GIT_REPOS: root } });

async function writeAbout(files: Record<string, string>, message: string, number: number) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(clone, path, '..'), { recursive: true });
    writeFileSync(join(clone, path), text);
  }
  writeFileSync(join(root, 'message.txt'), `${message}\n`);
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--file', join(root, 'message.txt'));
  const token = await app.signUp(`reader-${number}`);
  const path = `/repos/acme/long/pulls/${number}/article`;
  const written = await app.call('POST', path, { token, body: { language: 'en' } });
  assert.equal(written.status, 201, written.text);
  return written.body.data.contents.en;
}

test('a description is read up to 20,000 characters, and the article says that the rest was not read', async () => {
  const filler = 'Nothing of this matters to anybody. '.repeat(1_000);
  const message = `feat: count the rows (#2)\n\nRows are counted once a day.\n\n${filler}\n\nThe last word is xylophone.`;
  const article = await writeAbout({ 'src/rows.ts': 'export const rows = 1;\n' }, message, 2);
  assert.deepEqual(article.coverage.skipped, [
    { fileName: 'description', reason: 'what is beyond its first 20,000 characters is not read' },
  ]);
  assert.equal(article.coverage.skippedTotal, 1);
  assert.equal(article.coverage.filesRead, 1);
  assert.doesNotMatch(JSON.stringify(article), /xylophone/);
  const shown = await app.call('GET', '/repos/acme/long/pulls/2/article', {
    headers: { accept: 'text/markdown' },
  });
  assert.match(shown.text, /1 not read, or not to the end/);
});

test('the same edit in 600 files is counted over all of them', async () => {
  const modules = (name: string) =>
    Object.fromEntries(
      Array.from({ length: 600 }, (_, nth) => [
        `src/module-${nth}.ts`,
        `import { ${name} } from './core';\nexport const part${nth} = () => ${name}(${nth});\n`,
      ]),
    );
  await writeAbout(modules('loadUser'), 'feat: add modules (#4)', 4);
  const { mainChanges, also } = await writeAbout(modules('fetchUser'), 'refactor: rename loadUser (#5)', 5);
  const diff = git(clone, 'show', '--format=', 'HEAD');
  assert.equal(diff.match(/^\+.*\bfetchUser\b/gm)?.length, 1_200);
  const [{ statements }] = mainChanges;
  assert.equal(statements[0].text, 'The same edit in 600 files: `loadUser` → `fetchUser`.');
  assert.deepEqual(also, [], 'the same files are not told of again');
});
