import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { tellByHand } from '../../../test/doors/articles-by-hand.ts';
import { change, statement } from '../../../test/doors/stated-parts.ts';
import { git } from '../../../test/make-clone.ts';
import { makeLongFile, tellOfLongFile } from '../../../test/make-long-file.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const root = temporaryFolder();
for (const name of ['acme/long', 'acme/secret', 'acme/cited']) makeLongFile(root, name);
makeLongFile(root, 'acme/moves', { isOpen: true });
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });
const ann = await app.signUp('ann');
for (const name of ['acme/long', 'acme/secret']) await tellOfLongFile(app, name, ann);

const open = (path: string, token?: string) =>
  app.call('GET', path, { token, headers: { accept: 'text/html' } });
const lineNumbers = (page: string) =>
  [...page.matchAll(/data-line="(\d+)"/g)].map(([, line]) => Number(line));

/** The link to the lines above or below. */
function further(page: string, direction: 'above' | 'below'): string {
  const links = [...page.matchAll(/<a class="gap" href="([^"]+)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  return links.find((link) => link.includes(`direction=${direction}`)) ?? '';
}

const beside = (query: Record<string, string | number>, repository = 'acme/long') => {
  const given = { file: 'src/long.ts', side: 'new', line: '60', direction: 'below', ...query };
  const named = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]);
  return `/r/${repository}/2/lines?${new URLSearchParams(named)}`;
};

test('a hunk links to the lines above and below it in the diff, 40 at a time', async () => {
  const { text } = await open('/r/acme/long/2?language=en');
  assert.match(text, /59 more lines above<\/a>/);
  assert.match(text, /68 more lines below<\/a>/);
  const above = await open(further(text, 'above'));
  assert.equal(above.status, 200);
  assert.deepEqual(
    lineNumbers(above.text),
    Array.from({ length: 40 }, (_, index) => 20 + index),
  );
  assert.match(above.text, /19 more lines above<\/a>[\s\S]*data-line="20"/);
  assert.match(above.text, /<a href="\/r\/acme\/long\/2\?language=en">Back to the article<\/a>/);
  assert.match(above.text, /<meta name="robots" content="noindex">/);
  const top = await open(further(above.text, 'above'));
  assert.deepEqual(
    lineNumbers(top.text),
    Array.from({ length: 19 }, (_, index) => 1 + index),
  );
  assert.equal(further(top.text, 'above'), '');
  const below = await open(further(text, 'below'));
  assert.deepEqual(
    lineNumbers(below.text),
    Array.from({ length: 40 }, (_, index) => 63 + index),
  );
  assert.match(below.text, /data-line="102"[\s\S]*28 more lines below<\/a>/);
});

test('lines outside every hunk are 404, and invalid parameters are 400', async () => {
  for (const query of [
    { line: 131 },
    { line: 130 },
    { line: 60, side: 'old' },
    { file: 'src/none.ts' },
    { file: '../../etc/passwd' },
  ])
    assert.equal((await open(beside(query))).status, 404, JSON.stringify(query));
  for (const query of [{ line: 0 }, { direction: 'aside' }, { side: 'both' }, { indent: 5_000 }])
    assert.equal((await open(beside(query))).status, 400, JSON.stringify(query));
});

test('lines and diff of a private repository look absent to viewers without access', async () => {
  const bob = await app.signUp('bob');
  for (const path of [beside({}, 'acme/secret'), '/r/acme/secret/2/diff']) {
    assert.match((await open(path, ann)).text, /at61/);
    for (const token of [undefined, bob]) {
      const { status, text } = await open(path, token);
      assert.equal(status, 404);
      assert.doesNotMatch(text, /at61|class="line/);
    }
    const absent = await open(path.replace('secret', 'absent'));
    const hidden = await open(path);
    assert.equal(hidden.text.replaceAll('secret', 'absent'), absent.text, 'hidden and absent look the same');
  }
  assert.equal((await open('/r/acme/secret/2/diff?page=2', ann)).status, 404);
});

test('an outdated article links to no further lines, because they would be of another diff', async () => {
  await tellOfLongFile(app, 'acme/moves', ann);
  assert.match((await open('/r/acme/moves/2?language=en')).text, /more lines above/);
  const clone = join(root, 'acme/moves');
  git(clone, 'switch', '--quiet', 'long');
  writeFileSync(join(clone, 'src/long.ts'), 'export const short = true;\n');
  git(clone, 'commit', '--quiet', '--all', '--message', 'feat: short');
  git(clone, 'update-ref', 'refs/pull/2/head', 'HEAD');
  await app.call('POST', '/repos/acme/moves/pulls/2/ingest', { token: ann });
  let text = '';
  await waitUntil('the page tells of the new diff', async () => {
    ({ text } = await open('/r/acme/moves/2?language=en'));
    return !text.includes('more lines above');
  });
  assert.doesNotMatch(text, /<details><summary>/);
  assert.match(text, /<p class="cite">.*?long\.ts/, 'it names them');
  assert.equal((await open(beside({}, 'acme/moves'))).status, 404);
});

test('an article page has 24 of the cited lines and links to the rest', async () => {
  const articleId = await tellOfLongFile(app, 'acme/cited', ann);
  const cited = statement('It is long.', [['src/long.ts', 'new', 1, 60]]);
  const evidence = cited.evidence.map((one) => ({ ...one, hostUrl: null }));
  await tellByHand(
    app,
    { articleId, languageCode: 'en' },
    { mainChanges: [change('src/long.ts', [{ ...cited, evidence }])] },
  );
  const { text } = await open('/r/acme/cited/2?language=en');
  const item = text.slice(text.indexOf('It is long.'));
  const sheet = /<details><summary><b>long\.ts<\/b>([\s\S]*?)<\/details>/.exec(item)?.[1] ?? '';
  assert.equal(sheet.match(/<div class="line /g)?.length, 24 + 2, 'and two lines behind them');
  assert.match(sheet, /<a href="\/r\/acme\/cited\/2\/diff\?language=en#file-1"[^>]*>36 more lines</);
});
