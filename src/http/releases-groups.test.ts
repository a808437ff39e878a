import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';

const root = temporaryFolder();
const folder = makeClone(root, 'acme/engine');
let seconds = Math.floor(Date.now() / 1000);

function commit(
  message: string,
  { by = 'Ann', file = `src/part-${seconds}.ts`, text = `${seconds}\n` } = {},
) {
  seconds += 1;
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  git(folder, 'add', '.');
  const email = `${by.toLowerCase().replace(/\W/g, '')}@people.example`;
  git(folder, 'commit', '--quiet', '--author', `${by} <${email}>`, '--message', message);
}

commit('Begin (#1)', { by: 'Ann' });
git(folder, 'tag', 'v1.0.0');
commit('feat: fuel (#2)');
commit('Gauge (#3)', { by: 'Cal' });
commit('Ada (#4)');
commit('valve: close it (#5)');
commit('valve: open it (#6)');
commit('build(deps): bump pump from 1.0 to 1.1 (#7)');
commit('Bump hose (#8)', { by: 'dependabot[bot]' });
commit('Explain fuel (#9)', { file: 'docs/fuel.md' });
commit('Less power (#10)');
commit('Something (#11)');
commit('By hand', { by: 'Dee' });
commit('deps: bump rope from 2 to 3');
git(folder, 'tag', 'v1.1.0');
const changelog = [
  '# v1.1.0',
  '## Bugfixes',
  '- Gauge, see #3',
  '## Syntaxes',
  '- Ada (#4)',
  '## Breaking changes',
  '- Less power (#10)',
];
commit('Write the changelog (#12)', { file: 'CHANGELOG.md', text: `${changelog.join('\n')}\n` });
const environment = { GIT_REPOS: root, GIT_WEB_URL: 'https://host.example' };
const app = await buildTestApp({ environment });

const path = '/repos/acme/engine/release?from=v1.0.0&to=v1.1.0';
const english = { headers: { 'accept-language': 'en' } };

test('a release is grouped by prefixes, shared areas, files and the headings of the changelog, with bots and dependencies last', async () => {
  const { body } = await app.call('GET', path);
  const groups = body.data.groups.map(
    ({ breaking, changeType, heading, automatic, items }: Record<string, unknown>) => [
      breaking ? 'breaking' : automatic ? 'automatic' : (heading ?? changeType),
      (items as { prNumber: number }[]).map(({ prNumber }) => prNumber),
    ],
  );
  assert.deepEqual(groups, [
    ['breaking', [10]],
    ['FEAT', [2]],
    ['FIX', [3]],
    ['valve', [6, 5]],
    ['Syntaxes', [4]],
    ['DOCS', [9]],
    [null, [11]],
    ['automatic', [8, 7]],
  ]);
  assert.deepEqual(
    body.data.withoutPullRequest.items.map(({ subject, automatic }: Record<string, unknown>) => [
      subject,
      automatic,
    ]),
    [
      ['deps: bump rope from 2 to 3', true],
      ['By hand', false],
    ],
  );
});

test('contributors are listed without bots, and only authors without an earlier commit are new', async () => {
  const { body } = await app.call('GET', path);
  assert.deepEqual(body.data.contributors, [
    { login: 'Ann', isNew: false },
    { login: 'Dee', isNew: true },
    { login: 'Cal', isNew: true },
  ]);
  assert.equal(body.data.compareUrl, 'https://host.example/acme/engine/compare/v1.0.0...v1.1.0');
});

test('the page and the notes have the same groups in the same order, the contributors and the full changelog', async () => {
  const page = await app.call('GET', '/r/acme/engine/release?from=v1.0.0&to=v1.1.0&language=en');
  const notes = await app.call('GET', path, { headers: { ...english.headers, accept: 'text/markdown' } });
  const onPage = Array.from(page.text.matchAll(/<h2>(?:<bdi>)?([^<]+)/g), ([, name]) => name);
  const inNotes = Array.from(notes.text.matchAll(/^## (.+)$/gm), ([, name]) => name);
  assert.deepEqual(inNotes, [
    'Breaking',
    'New',
    'Fixed',
    'valve',
    'Syntaxes',
    'Documentation',
    'Other',
    'Commits without a pull request',
    'Contributors',
  ]);
  assert.deepEqual(onPage.slice(0, inNotes.length), inNotes);
  const url = 'https://host.example/acme/engine/compare/v1.0.0...v1.1.0';
  assert.ok(page.text.includes(`href="${url}"`));
  assert.ok(notes.text.endsWith(`**Full changelog**: ${url}\n`));
  assert.match(page.text, /<summary>3 dependency and bot updates<\/summary>/);
  assert.match(notes.text, /\n\*\*3 dependency and bot updates\*\*: #8, #7, `\w{10}`\n/);
  assert.match(notes.text, /\nAnn\n\nFirst contribution: Dee, Cal\n\n\*\*Full/);
});

test('all rows of a release page have a title, an author and a number, with or without an article or a pull request', async () => {
  const token = await app.signUp('ann');
  const asked = { token, body: { language: 'en' } };
  assert.equal((await app.call('POST', '/repos/acme/engine/pulls/2/article', asked)).status, 201);
  const { text } = await app.call('GET', '/r/acme/engine/release?from=v1.0.0&to=v1.1.0&language=en');
  const rows =
    text
      .match(/<ul class="changes">.*?<\/ul>/gs)
      ?.join('')
      .split('<li>')
      .slice(1) ?? [];
  assert.equal(rows.length, 12);
  for (const row of rows)
    assert.match(
      row,
      /^<h3>.+?<\/h3> <span class="meta"><a class="author".+?<\/a> <(?:span>#\d+<\/span|code>\w{10}<\/code)><\/span>/,
    );
  assert.match(text, /<h3><a href="https:\/\/host\.example\/acme\/engine\/pull\/3">/);
  assert.match(text, /<h3><a href="\/r\/acme\/engine\/2\?language=en">/);
});

test('the list of releases shows dates and the counts of the release pages for all rows, 20 per page', async () => {
  for (let minor = 2; minor < 25; minor += 1) {
    commit(`feat: part ${minor} (#${minor + 20})`);
    git(folder, 'tag', `v1.${minor}.0`);
  }
  /** Counting can take longer than a page waits for it. */
  const readCounted = async (path: string) => {
    let text = '';
    await waitUntil('pull requests are counted', async () => {
      ({ text } = await app.call('GET', path));
      return !text.includes('http-equiv="refresh" content="3;');
    });
    return text;
  };
  const text = await readCounted('/r/acme/engine?tab=releases&language=en');
  const rows = text.match(/<li><a href="[^"]+release\?.*?<\/li>/g) ?? [];
  assert.equal(rows.length, 20);
  for (const row of rows) assert.match(row, /<time datetime=.+? pull requests?<\/span>/);
  assert.match(text, /<a rel="next" href="[^"]+offset=20">/);
  const older = await readCounted('/r/acme/engine?tab=releases&language=en&offset=20');
  assert.match(older, /<bdi>v1\.1\.0<\/bdi>.+?<span>10 pull requests<\/span> <a class="breaking-count"/);
  assert.match(older, /<li><bdi>v1\.0\.0<\/bdi> <span><time .+?First version/);
  const within = await readCounted('/r/acme/engine?tab=releases&language=en&offset=39');
  assert.deepEqual(within.match(/<bdi>v1\.\d+\.0<\/bdi>/g), older.match(/<bdi>v1\.\d+\.0<\/bdi>/g));
  const missing = await app.call('GET', '/repos/acme/engine/release?from=v9&to=v1.1.0');
  assert.match(missing.body.error.message, /Available: (?:\S+, ){9}\S+, and 15 more\./);
});
