import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildTestApp, type Reply } from '../../test/build-app.ts';
import { git, makeClone, makeMirror } from '../../test/make-clone.ts';
import { makeReleases } from '../../test/make-releases.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';

const root = temporaryFolder();
const rocket = makeReleases(root, 'acme/rocket');
makeMirror(root, 'acme/secret', rocket);
makeMirror(root, 'acme/unread', rocket);
makeMirror(root, 'acme/open', rocket);
git(`${root}/acme/open.git`, 'update-ref', 'refs/pull/8/merge', 'refs/pull/8/head');
git('.', 'clone', '--quiet', '--mirror', '--depth=3', `file://${rocket}`, `${root}/acme/shallow.git`);
const environment = { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', PUBLIC_URL: 'http://127.0.0.1:1' };
const app = await buildTestApp({ environment });
const token = await app.signUp('ann');
const other = await app.signUp('bea');
for (const [number, language] of [
  [2, 'en'],
  [3, 'ja'],
  [6, 'en'],
] as const) {
  const asked = { token, body: { language } };
  assert.equal((await app.call('POST', `/repos/acme/rocket/pulls/${number}/article`, asked)).status, 201);
}

interface Asked {
  repo?: string;
  token?: string | undefined;
  headers?: Record<string, string>;
}

const ask = (from: string, to: string, { repo = 'rocket', token: by, headers }: Asked = {}): Promise<Reply> =>
  app.call('GET', `/repos/acme/${repo}/release?${new URLSearchParams({ from, to })}`, {
    token: by,
    headers: { 'accept-language': 'en', ...headers },
  });

interface Item {
  prNumber: number;
  articleId?: string;
  languageCode?: string;
}
interface Group {
  breaking: boolean;
  changeType: string | null;
  items: Item[];
}

const groupsOf = ({ body }: Reply) =>
  body.data.groups.map(({ breaking, changeType, items }: Group) => [
    breaking ? 'breaking' : changeType,
    items.map(({ prNumber, articleId }) => (articleId ? prNumber : -prNumber)),
  ]);
const numbersOf = ({ body }: Reply): number[] =>
  body.data.groups.flatMap(({ items }: Group) => items.map(({ prNumber }) => prNumber)).sort();
const pairOf = ({ change, by, of }: Record<string, { prNumber: number | null }>) => [
  change?.prNumber,
  (by ?? of)?.prNumber,
];

test('a release lists each pull request once, breaking changes first, and reverted ones separately', async () => {
  const reply = await ask('v1', 'v2');
  assert.equal(reply.status, 200, reply.text);
  const { data } = reply.body;
  assert.deepEqual(groupsOf(reply), [
    ['breaking', [6]],
    ['FEAT', [2]],
    [null, [-7, 3]],
  ]);
  assert.deepEqual(data.reverted.map(pairOf), [[4, 5]]);
  assert.deepEqual(data.backported, []);
  // Commits that name an issue or follow a pull request belong to no pull request.
  const subjects = data.withoutPullRequest.items.map(({ subject }: { subject: string }) => subject);
  assert.deepEqual(subjects, ['Close a gap (#99)', 'Say more of engines (#2)', 'Tidy by hand']);
  assert.deepEqual(data.unwritten, [7]);
  assert.deepEqual(data.breaks, [{ prNumber: 6, sentence: 'tanks of the old kind do not fit any more.' }]);
  assert.deepEqual(data.commits, { total: 11, read: 11, behind: 0, shallow: false });
  assert.equal(data.toSha, git(rocket, 'rev-parse', 'v2^{commit}').trim());
  const inJapanese = await app.call('GET', '/repos/acme/rocket/release?from=v1&to=v2&language=ja');
  const languages = inJapanese.body.data.groups.flatMap(({ items }: Group) =>
    items.flatMap(({ languageCode }) => languageCode ?? []),
  );
  assert.deepEqual(languages.sort(), ['en', 'en', 'ja']);
});

test('a backport counts as its original change, and a pull request of another branch is listed as not writable', async () => {
  const branch = await ask('v1', 'v1.1');
  assert.deepEqual(numbersOf(branch), [2, 8]);
  assert.deepEqual(branch.body.data.backported.map(pairOf), [[null, 2]]);
  // The host reports a pull request of another branch as not merged, so it cannot be written about.
  assert.deepEqual(branch.body.data.unwritten, []);
  assert.deepEqual(
    branch.body.data.unwritable.map(({ prNumber }: Item) => prNumber),
    [8],
  );
  assert.match(branch.body.data.unwritable[0].problem, /merged into a branch other than the default branch/);
  const { text } = await app.call('GET', '/r/acme/rocket/release?from=v1&to=v1.1&language=en');
  assert.match(text, /1 merged into other branches/);
  assert.doesNotMatch(text, /No breaking changes found/, 'not before all are written about');
  const open = await ask('v1', 'v1.1', { repo: 'open' });
  assert.deepEqual(
    [open.body.data.unwritable, numbersOf(open)],
    [[], [2, 8]],
    'what is open can be written about',
  );
  const page = await app.call('GET', '/r/acme/open/release?from=v1&to=v1.1&language=en');
  assert.match(page.text, /href="\/r\/acme\/open\/8"/);
  const whole = await ask('v1', 'main');
  assert.deepEqual(whole.body.data.unwritable, []);
  assert.deepEqual(numbersOf(whole), [2, 3, 6, 7]);
  assert.deepEqual(whole.body.data.backported.map(pairOf).sort(), [
    [null, 2],
    [null, 7],
  ]);
  const { commits } = (await ask('v2', 'v1.1')).body.data;
  assert.deepEqual(commits, { total: 2, read: 2, behind: 11, shallow: false });
  const sha = git(rocket, 'rev-parse', 'v1').trim();
  assert.deepEqual(numbersOf(await ask(sha.slice(0, 9), '1.x')), [2, 8]);
});

test('release notes are Markdown in which titles of strangers are escaped', async () => {
  const notes = await ask('v1', 'v2', { headers: { accept: 'text/markdown', 'accept-language': 'en' } });
  assert.match(notes.headers.get('content-type') ?? '', /^text\/markdown/);
  assert.match(
    notes.text,
    /^# v2\n\nacme\/rocket · since v1\n\n## Breaking\n\n- \[[^\n]+\]\(http:\/\/127\.0\.0\.1:1\/r\/acme\/rocket\/6\?[^\n]+\) \(#6, Rin Example\)/,
  );
  assert.match(
    notes.text,
    /\(#6, Rin Example\) {2}\n {2}tanks of the old kind do not fit any more/,
    'what breaks',
  );
  assert.match(notes.text, /\n- Fix the \\<nozzle\\> \(#7, Rin Example\)\n/);
  assert.match(notes.text, /\n## Commits without a pull request\n\n- Close a gap \(`\w{10}`, Rin Example\)/);
  assert.match(
    notes.text,
    /Mend the valve \(#4\) {2}\n {2}Reverted by Revert "Mend the valve \(\\#4\)" \(#5\)/,
  );
});

test('the sentence about a breaking change is left out if it only repeats the title', async () => {
  const folder = makeClone(root, 'acme/signer');
  const commit = (code: string, message: string) => {
    writeFileSync(`${folder}/sign.ts`, code);
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '--message', message);
  };
  const sign = (parameters: string) =>
    `export function sign(${parameters}): string {\n  return hash(body);\n}\n`;
  commit(sign('body: string'), 'feat: sign (#2)');
  git(folder, 'tag', 'v1');
  commit(sign('body: string, id: string'), 'feat!: no replays (#3)');
  commit(`${sign('body: string, id: string')}run();\n`, 'feat!: run at once (#4)');
  commit(`${sign('body: string, id: string')}run(1);\n`, 'fix: run once (#5)\n\nBREAKING CHANGE: Run once.');
  git(folder, 'tag', 'v2');
  for (const number of [3, 4, 5]) {
    const asked = { token, body: { language: 'en' } };
    assert.equal((await app.call('POST', `/repos/acme/signer/pulls/${number}/article`, asked)).status, 201);
  }
  const { body } = await ask('v1', 'v2', { repo: 'signer' });
  assert.deepEqual(groupsOf({ body } as Reply), [['breaking', [5, 4, 3]]]);
  assert.deepEqual(body.data.breaks, [{ prNumber: 3, sentence: 'Required parameter `id` added to `sign`.' }]);
});

test('an unknown version is 404 with available ones, and an invalid name is 400', async () => {
  const missing = await ask('v9', 'v2');
  assert.equal(missing.status, 404);
  assert.match(
    missing.body.error.message,
    /^The repository has no tag, branch or commit v9\. Available: .*\bv3\b/,
  );
  assert.deepEqual(missing.body.error.details[0].field, 'from');
  for (const bad of [
    '--output=x',
    '-n',
    'v1..v2',
    'v1^',
    'v1~2',
    '@{u}',
    'a b',
    'a\0b',
    ':/x',
    '',
    'v1.lock',
    'x'.repeat(300),
    '@',
  ]) {
    const { status, body } = await ask(bad, 'v2');
    assert.equal(status, 400, bad);
    assert.equal(body.error.details[0].field, 'from');
    const page = await app.call(
      'GET',
      `/r/acme/rocket/release?${new URLSearchParams({ from: bad, to: 'v2' })}`,
    );
    assert.equal(page.status, 400, bad);
  }
  for (const query of ['', '?from=v1', '?to=v1', '?from=v1&to=v1', '?from=v1&to=v2&depth=1'])
    assert.equal((await app.call('GET', `/repos/acme/rocket/release${query}`)).status, 400, query);
  // A tree is not a commit.
  const { status } = await ask('v1', git(rocket, 'rev-parse', 'v2^{tree}').trim());
  assert.equal(status, 404);
});

test('a private release looks absent to others, and a public one is readable without stored data and follows its tags', async () => {
  const shown = await ask('v1', 'v2', { repo: 'secret', token });
  assert.deepEqual(numbersOf(shown), [2, 3, 6, 7]);
  assert.equal(shown.headers.get('cache-control'), 'private, no-cache');
  for (const as of [undefined, other]) {
    const [hidden, absent] = await Promise.all([
      ask('v1', 'v2', { repo: 'secret', token: as }),
      ask('v1', 'v2', { repo: 'absent', token: as }),
    ]);
    assert.equal(hidden.status, 404);
    const said = (text: string, name: string) =>
      text.replaceAll(name, 'x').replace(/"requestId":"[^"]+"/, '');
    assert.equal(said(hidden.text, 'secret'), said(absent.text, 'absent'));
    assert.equal((await app.call('GET', '/r/acme/secret/release?from=v1&to=v2', { token: as })).status, 404);
  }
  const unread = await ask('v1', 'v2', { repo: 'unread' });
  assert.deepEqual(
    numbersOf(unread),
    [2, 3, 6, 7],
    'what is public shows, also where nothing of it was read yet',
  );
  const first = await ask('v1', 'v2');
  const again = await ask('v1', 'v2', {
    headers: { 'accept-language': 'en', 'if-none-match': first.headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
  // A moved tag changes the release at once.
  git(rocket, 'tag', '--force', 'v0', 'v1');
  assert.deepEqual(numbersOf(await ask('v0', 'v1.1')), [2, 8]);
  git(rocket, 'tag', '--force', 'v0', '1.x~1');
  assert.deepEqual(numbersOf(await ask('v0', 'v1.1')), [8]);
});

test("a shallow clone's release says that its history is incomplete", async () => {
  const { status, body, text } = await ask('v2', 'main', { repo: 'shallow', token });
  assert.equal(status, 200, text);
  assert.equal(body.data.commits.shallow, true);
});

test('the release page shows the same data, offers to write missing articles, and is linked from the repository', async () => {
  const address = '/r/acme/rocket/release?from=v1&to=v2';
  const stranger = await app.call('GET', address);
  assert.equal(stranger.status, 200);
  assert.ok(stranger.text.indexOf('>Breaking<') < stranger.text.indexOf('>Other<'));
  assert.match(stranger.text, /1 of 4 has no article yet\. Breaking changes may be missing until/);
  assert.doesNotMatch(stranger.text, /No breaking changes found/);
  assert.doesNotMatch(stranger.text, /data-import/);
  assert.match(stranger.text, /Fix the &lt;nozzle&gt;/);
  assert.match(stranger.text, /class="standfirst"[^>]*><bdi>tanks of the old kind do not fit/);
  const page = await app.call('GET', address, { token });
  assert.match(
    page.text,
    /<form class="offer"[^>]*action="\/r\/acme\/rocket\/import">.*name="numbers" value="7"/s,
  );
  const backwards = await app.call('GET', '/r/acme/rocket/release?from=v2&to=v1');
  assert.match(backwards.text, /v2 comes after v1 and contains all of its commits/);
  assert.match(backwards.text, /No pull requests were merged between these versions\./);
  const unknown = await app.call('GET', '/r/acme/rocket/release?from=v1&to=v22');
  assert.equal(unknown.status, 404);
  assert.match(unknown.text, /role="alert">There is no tag, branch or commit “v22”\. Available: v2, /);
  const readReleases = async () => (await app.call('GET', '/r/acme/rocket?tab=releases', { token })).text;
  // Counting can take longer than a page waits for it.
  await waitUntil('pull requests are counted', async () =>
    /v2<\/bdi><\/a> <span><time [^>]+>[^<]+<\/time><\/span> <span>プルリクエスト 4 件<\/span> <a class="breaking-count"[^>]*>互換性に影響する変更 1 件/.test(
      await readReleases(),
    ),
  );
  assert.match(
    await readReleases(),
    /<form class="versions" action="\/r\/acme\/rocket\/release".*<option value="v3">/s,
  );
  assert.match((await app.call('GET', '/r/acme/rocket')).text, /href="\/r\/acme\/rocket\?tab=releases"/);
});

test('an article links to the narrowest known release that contains it, until the tag moves', async () => {
  const asked = { token, body: { language: 'en' } };
  assert.equal((await app.call('POST', '/repos/acme/rocket/pulls/3/article', asked)).status, 201);
  const link = (from: string, to: string) => `href="/r/acme/rocket/release?from=${from}&amp;to=${to}"`;
  /** Pages are cached until a notification arrives, and a release is stored only if its tags are listed in time. */
  const shows = (number: number, [from, to]: [string, string], isSo: (text: string) => boolean) =>
    waitUntil(`the page of #${number} shows it`, async () => {
      if (isSo((await app.call('GET', `/r/acme/rocket/${number}?language=en`)).text)) return true;
      assert.equal((await ask(from, to)).status, 200);
      return false;
    });
  for (const [from, to] of [
    ['v1', 'v1.1'],
    ['v1', 'v2'],
    ['v1', 'v3'],
    ['v1', 'main'],
    ['v3', 'v2'],
  ] as const)
    assert.equal((await ask(from, to)).status, 200);
  const alike = />Also in v2<\/h2>\s*<ul class="rows">(?:(?!<\/ul>)[\s\S])*rocket\/3\?language=en/;
  await shows(6, ['v1', 'v2'], (text) => alike.test(text) && text.includes(link('v1', 'v2')));
  await shows(2, ['v1', 'v1.1'], (text) => text.includes(link('v1', 'v1.1')) && !text.includes('Also in'));
  git(rocket, 'tag', '--force', 'v2', 'v2^{commit}~3');
  assert.deepEqual(numbersOf(await ask('v1', 'v2')), [2, 3]);
  await shows(6, ['v1', 'v2'], (text) => !text.includes(link('v1', 'v2')) && !text.includes('Also in'));
});

test('a release is readable if storing it fails, and the failure is logged', async () => {
  await app.database.runScript(`
    CREATE FUNCTION refuse_note() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$;
    CREATE TRIGGER refuse_note BEFORE INSERT ON release_changes FOR EACH ROW EXECUTE FUNCTION refuse_note();`);
  await waitUntil('it is logged that noting failed', async () => {
    assert.equal((await ask('v1', 'v3')).status, 200);
    return app.logLines().some(({ msg }) => msg === 'a release could not be stored');
  });
  await app.database.runScript('DROP TRIGGER refuse_note ON release_changes');
});
