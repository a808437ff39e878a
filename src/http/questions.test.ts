import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, type Reply } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { makeLargePullRequest } from '../../test/make-large-pull-request.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: launch on time (#1)\n\nThe old clock was five seconds late.');
makeClone(root, 'acme/secret', 'feat: hide a treasure (#1)');
const environment = { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann+bob' };
const app = await buildTestApp({ environment, frozen: true });
for (const name of ['ann', 'bob', 'eve']) await app.signUp(name);

const ask = (by: string, path: string, question: string, language = 'en'): Promise<Reply> =>
  app.call('POST', `/repos/acme/${path}/questions`, {
    token: app.tokenFor(by),
    body: { question, language },
  });
const list = async (by: string, path: string): Promise<Reply> =>
  app.call('GET', `/repos/acme/${path}/questions`, { token: app.tokenFor(by) });
const idsFor = async (by: string, path: string): Promise<string[]> =>
  (await list(by, path)).body.data.items.map(({ id }: { id: string }) => id);
const change = (by: string, method: 'PATCH' | 'DELETE', id: string, body?: object): Promise<Reply> =>
  app.call(method, `/questions/${id}`, { token: app.tokenFor(by), ...(body && { body }) });

test('a question finds matching lines and words, and the same question returns the stored answer', async () => {
  const first = await ask('ann', 'rocket/pulls/1', 'What says that this is a rocket?');
  assert.equal(first.status, 201, first.text);
  const { found, statements, writer, prNumbers, shared, own, stale, verification } = first.body.data;
  assert.deepEqual(
    { found, writer, prNumbers, shared, own, stale },
    { found: true, writer: { kind: 'offline' }, prNumbers: [1], shared: true, own: true, stale: false },
  );
  assert.equal(statements[0].text, 'Added in `readme.txt`: `This is acme/rocket.`');
  assert.deepEqual(statements[0].evidence, [
    { fileName: 'readme.txt', startLine: 1, endLine: 1, side: 'new', hostUrl: null },
  ]);
  assert.equal(verification.verified, statements.length);
  const again = await ask('bob', 'rocket/pulls/1', '  what says that this is a ROCKET');
  assert.equal(again.status, 200, again.text);
  assert.equal(again.body.data.id, first.body.data.id);
  assert.equal(again.body.data.own, false);
  const words = await ask('bob', 'rocket/pulls/1', 'Was the clock late?', 'ja');
  assert.match(words.body.data.statements[0].text, /「The old clock was five seconds late\.」/);
});

test('a question without a match says what was searched', async () => {
  const { body } = await ask('ann', 'rocket/pulls/1', 'Does it use quaternions?');
  assert.equal(body.data.found, false);
  assert.match(body.data.statements[0].text, /^Nothing found\. Searched: 1 changed lines in `readme\.txt`/);
});

test('in a pull request of megabytes, a question reads only part of it, chosen by the words in its files', async () => {
  const clone = makeClone(root, 'acme/large', 'feat: begin (#1)');
  makeLargePullRequest(clone, 2, 600);
  const known = await ask('ann', 'large/pulls/2', 'Which file has count599of7?');
  assert.match(known.body.data.statements[0].text, /part-599\.ts/);
  const unknown = await ask('ann', 'large/pulls/2', 'Does it use quaternions?');
  assert.equal(unknown.body.data.found, false);
  const [, lines] = /Searched: (\d+) changed lines/.exec(unknown.body.data.statements[0].text) ?? [];
  const { additions } = (await app.call('GET', '/repos/acme/large/pulls/2')).body.data;
  assert.ok(Number(lines) > 10_000 && Number(lines) < additions * 0.8, `${lines} of ${additions}`);
});

test('a question about a repository is answered from pull requests whose articles contain its words', async () => {
  const nothing = await ask('ann', 'rocket', 'Who launches the rocket?');
  assert.equal(nothing.status, 201, nothing.text);
  assert.equal(nothing.body.data.found, false);
  await app.call('POST', '/repos/acme/rocket/pulls/1/article', { token: app.tokenFor('ann') });
  const { status, body, text } = await ask('ann', 'rocket', 'Who launches the rocket?');
  assert.equal(status, 201, text);
  assert.equal(body.data.prNumber, null);
  assert.deepEqual(body.data.prNumbers, [1]);
  for (const { evidence, prNumber } of body.data.statements) {
    assert.equal(prNumber, 1);
    for (const one of evidence) assert.equal(one.prNumber, 1);
  }
  assert.equal((await list('bob', 'rocket')).body.data.items.length, 2);
});

test('an answer about a private repository is visible to its requester, and to other members once shared', async () => {
  const { status, body, text } = await ask('ann', 'secret/pulls/1', 'Where is acme?');
  assert.equal(status, 201, text);
  const { id, shared } = body.data;
  assert.equal(shared, false);
  const other = await ask('bob', 'secret/pulls/1', 'Where is acme?');
  assert.equal(other.status, 201);
  assert.notEqual(other.body.data.id, id);
  assert.deepEqual(await idsFor('bob', 'secret/pulls/1'), [other.body.data.id]);
  assert.equal((await list('bob', 'secret/pulls/1')).body.data.pagination.totalItems, 1);
  assert.equal((await change('bob', 'PATCH', id, { shared: true })).status, 404);
  assert.equal((await change('ann', 'PATCH', id, { shared: true })).body.data.shared, true);
  assert.deepEqual(new Set(await idsFor('bob', 'secret/pulls/1')), new Set([id, other.body.data.id]));
  assert.equal((await change('bob', 'DELETE', id)).status, 403);
  for (const path of ['secret/pulls/1', 'secret']) {
    assert.equal((await list('eve', path)).status, 404);
    assert.equal((await ask('eve', path, 'Where is acme?')).status, 404);
  }
  assert.equal((await change('eve', 'DELETE', id)).status, 404);
  assert.equal((await change('ann', 'DELETE', id)).status, 200);
  assert.equal((await change('ann', 'DELETE', id)).status, 404);
});

test('after a push, the same question gets a new answer, and the old one is outdated', async () => {
  const before = await ask('ann', 'rocket/pulls/1', 'Is this acme?');
  const folder = join(root, 'acme', 'rocket');
  writeFileSync(join(folder, 'readme.txt'), 'This is acme no more.\n');
  git(folder, 'commit', '--quiet', '--all', '--amend', '--no-edit');
  app.advance(6 * 60_000);
  const after = await ask('ann', 'rocket/pulls/1', 'Is this acme?');
  assert.equal(after.status, 201, after.text);
  assert.notEqual(after.body.data.id, before.body.data.id);
  const { items } = (await list('ann', 'rocket/pulls/1')).body.data;
  const staleOf = (id: string) => items.find((one: { id: string }) => one.id === id).stale;
  assert.deepEqual([staleOf(before.body.data.id), staleOf(after.body.data.id)], [true, false]);
});

test('an empty question, one over 500 characters and unknown fields are 400', async () => {
  for (const body of [
    {},
    { question: ' \u200b ' },
    { question: 'x'.repeat(501) },
    // A character that is 18 characters when normalized.
    { question: '\ufdfa'.repeat(28) },
    { question: 'x', other: 1 },
  ]) {
    const reply = await app.call('POST', '/repos/acme/rocket/pulls/1/questions', {
      token: app.tokenFor('ann'),
      body,
    });
    assert.equal(reply.status, 400, JSON.stringify(body));
  }
  assert.equal(
    (await app.call('POST', '/repos/acme/rocket/pulls/1/questions', { body: { question: 'x' } })).status,
    401,
  );
  assert.equal((await ask('ann', 'rocket/pulls/9', 'x')).status, 404);
  assert.equal((await ask('ann', 'rocket/pulls/1', 'x', 'fr')).body.error.code, 'LANGUAGE_UNAVAILABLE');
});

test('deleting an account deletes its answers', async () => {
  await ask('eve', 'rocket/pulls/1', 'Is it mine?');
  const mine = await idsFor('eve', 'rocket/pulls/1');
  await app.call('DELETE', '/users/me', { token: app.tokenFor('eve') });
  const left = await idsFor('ann', 'rocket/pulls/1');
  assert.equal(left.length, mine.length - 1);
});

test('a "why" question is answered with the author\'s sentences that give the reason, not with parts of code comments', async () => {
  const clone = makeClone(root, 'acme/upload');
  writeFileSync(join(clone, 'save.go'), 'package save\n\nfunc Save(dir string) error {\n\treturn nil\n}\n');
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', 'feat: save files (#2)');
  writeFileSync(
    join(clone, 'save.go'),
    [
      'package save\n\nfunc Save(dir string) error {',
      '\t// Only chmod a folder that was created here, since the call is',
      '\t// skipped by some systems, and chmod of a foreign folder fails',
      '\tif _, err := os.Stat(dir); err == nil {\n\t\treturn nil // chmod skipped\n\t}',
      '\treturn os.Chmod(dir, 0o750)\n}\n',
    ].join('\n'),
  );
  const message = [
    'fix(save): chmod is skipped for a folder that exists (#3)',
    'Saving into `/tmp` failed with "operation not permitted".',
    'Now chmod is skipped where the folder was there before. Its owner chose the mode, and nobody else may change it, since the kernel refuses that.',
    'A folder that is created gets its mode as before.',
  ].join('\n\n');
  git(clone, 'commit', '--quiet', '--all', '--message', message);
  const { body } = await ask('ann', 'upload/pulls/3', 'Why was chmod skipped?');
  const said: string[] = body.data.statements.map(({ text }: { text: string }) => text);
  assert.match(said[0] ?? '', /Now chmod is skipped where the folder was there before\./, said.join('\n'));
  assert.match(said[1] ?? '', /Its owner chose the mode, .* since the kernel refuses that\./);
  assert.equal(
    said.filter((text) => /exists|since the call|foreign folder/.test(text)).length,
    0,
    said.join('\n'),
  );
  const title = (await ask('ann', 'upload/pulls/3', 'Is a folder that exists skipped?')).body.data.statements;
  assert.ok(
    title.filter(({ text }: { text: string }) => /a folder that exists/.test(text)).length <= 1,
    JSON.stringify(title),
  );
});
