import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type Reply, type TestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import { type Script, startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
const model = await startScriptedModel(writeObligingly);
const waits: number[] = [];
const environment = {
  GIT_REPOS: root,
  GIT_PRIVATE: 'acme/secret=ann',
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  WRITERS: '2',
};
makeClone(root, 'acme/secret', 'feat: hide something (#1)');
const app = await buildTestApp({ environment, frozen: true, waits });
await app.signUp('ann');
await app.signUp('bob');

const minute = 60_000;

/** Makes a new pull request for each test. */
let made = 0;
function makePullRequest(): string {
  made += 1;
  makeClone(root, `acme/rocket-${made}`, `feat: launch number ${made} (#1)`);
  return `rocket-${made}`;
}

function moveHead(repo: string): void {
  const folder = join(root, 'acme', repo);
  writeFileSync(join(folder, 'readme.txt'), 'Something else is said.\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--amend', '--message', 'feat: launch it once more (#1)');
}

interface Wish {
  language?: string;
  regenerate?: boolean;
  by?: string;
  on?: TestApp;
}

async function ask(
  repo: string,
  { by = 'ann', on = app, language = 'en', ...more }: Wish = {},
): Promise<Reply> {
  const body = { language, ...more };
  return on.call('POST', `/repos/acme/${repo}/pulls/1/article`, { token: on.tokenFor(by), body });
}

/** Plays a script during a request; returns the response and the number of model calls. */
async function during(script: Script, work: () => Promise<Reply>): Promise<[Reply, number]> {
  model.play(script);
  waits.length = 0;
  const before = model.heard.length;
  try {
    return [await work(), model.heard.length - before];
  } finally {
    model.play(writeObligingly);
  }
}

const contentOf = (reply: Reply, language = 'en') => reply.body.data.contents[language];
const overloaded: Script = [{ error: { status: 503, code: 'overloaded' } }];

test('a model writes an article, a second model checks it, and the tokens of both are counted and shown', async () => {
  const [reply, calls] = await during(writeObligingly, () => ask(makePullRequest()));
  assert.equal(reply.status, 201, reply.text);
  const { writer, verification, usage, mainChanges, aiGeneratedTitle } = contentOf(reply);
  assert.equal(writer.kind, 'ai');
  assert.equal(writer.provider, 'compatible');
  assert.equal(writer.model, 'scripted');
  assert.match(writer.promptVersion, /^[0-9a-f]{12}$/);
  assert.equal(aiGeneratedTitle, 'A line that was not there before');
  assert.equal(mainChanges[0].description, 'One of the lines that are there now says `This`.');
  assert.deepEqual(mainChanges[0].hunk.lines, [
    { kind: 'added', oldLine: null, newLine: 1, text: `This is acme/rocket-${made}.` },
  ]);
  assert.deepEqual(verification, { claims: 2, verified: 2, repaired: 0, dropped: 0, judged: 2, unjudged: 0 });
  assert.equal(calls, 2);
  assert.ok(usage.inputTokens > 1_000 && usage.outputTokens === 400, JSON.stringify(usage));
  const [{ tokens } = { tokens: 0 }] = await app.database.query<{ tokens: number }>(
    sql`SELECT count AS tokens FROM daily_counts WHERE kind = 'tokens'`,
  );
  assert.equal(tokens, usage.inputTokens + usage.outputTokens);
  const left = await app.database.query(sql`SELECT 1 FROM ai_answers`);
  assert.equal(left.length, 0, 'answers are kept no longer than their job');
});

test('an article by a model is kept for all users until the diff changes', async () => {
  const repo = makePullRequest();
  assert.equal((await ask(repo)).status, 201);
  const [again, calls] = await during(writeObligingly, () => ask(repo, { by: 'bob' }));
  assert.deepEqual([again.status, calls], [200, 0]);
  app.advance(6 * minute);
  moveHead(repo);
  const [moved] = await during(writeObligingly, () => ask(repo));
  assert.equal(moved.status, 201);
  assert.equal(contentOf(moved).writer.kind, 'ai');
});

test('an article whose diff moves during writing is published for the requested diff and marked as outdated', async () => {
  const repo = makePullRequest();
  const path = `/repos/acme/${repo}/pulls/1`;
  let hasMoved = false;
  const push: Script = async (request) => {
    if (!hasMoved) {
      hasMoved = true;
      moveHead(repo);
      app.advance(6 * minute);
      await app.call('POST', `${path}/ingest`, { token: app.tokenFor('bob') });
    }
    return writeObligingly(request);
  };
  const logged = app.logLines().length;
  const [reply, calls] = await during(push, () => ask(repo));
  assert.equal(reply.status, 201, reply.text);
  assert.equal(calls, 2);
  const { stale, headSha, mainChanges } = contentOf(reply);
  assert.equal(stale, true);
  assert.match(mainChanges[0].hunk.lines[0].text, /This is acme/);
  assert.notEqual(headSha, (await app.call('GET', path)).body.data.headSha);
  const errors = app.logLines().slice(logged);
  assert.deepEqual(
    errors.filter(({ level }) => Number(level) >= 50),
    [],
  );
  const [again] = await during(writeObligingly, () => ask(repo));
  assert.deepEqual([again.status, contentOf(again).stale], [201, false]);
});

test('an article about an older diff does not replace one about a newer diff that finished first', async () => {
  const repo = makePullRequest();
  let newer: Promise<Reply> | null = null;
  const overtake: Script = async (request) => {
    if (!newer) {
      moveHead(repo);
      app.advance(6 * minute);
      newer = ask(repo, { by: 'bob' });
      await newer;
    }
    return writeObligingly(request);
  };
  const [reply] = await during(overtake, () => ask(repo));
  const published = contentOf((await newer) ?? reply);
  assert.deepEqual([reply.status, contentOf(reply).headSha], [201, published.headSha]);
  assert.equal(contentOf(reply).stale, false);
});

test('impossible token counts from a model are replaced by estimates', async () => {
  for (const usage of [
    { input: -5_000, output: -1 },
    { input: 1e300, output: 1e300 },
  ]) {
    const script: Script = (request) => ({ ...writeObligingly(request), usage });
    const [reply, calls] = await during(script, () => ask(makePullRequest()));
    assert.deepEqual([reply.status, calls], [201, 2], reply.text);
    const { inputTokens, outputTokens } = contentOf(reply).usage;
    for (const tokens of [inputTokens, outputTokens]) assert.ok(tokens > 50 && tokens < 100_000);
  }
});

test('an article in another language is made from the existing one, without sending the diff again', async () => {
  const repo = makePullRequest();
  await ask(repo);
  const [reply] = await during(writeObligingly, () => ask(repo, { language: 'fr' }));
  assert.equal(reply.status, 201, reply.text);
  assert.equal(
    contentOf(reply, 'fr').mainChanges[0].description,
    'Une des lignes qui sont là maintenant dit `This`.',
  );
  assert.deepEqual(
    contentOf(reply, 'fr').mainChanges[0].evidence,
    contentOf(reply, 'en').mainChanges[0].evidence,
  );
  assert.deepEqual(
    model.heard.slice(-2).map((request) => questionIn(request).asked),
    ['said again', 'verdicts'],
  );
});

test('only languages that can be checked are accepted, and /meta lists them and the model', async () => {
  const { writer, languages } = (await app.call('GET', '/meta')).body.data;
  assert.equal(writer, 'compatible/scripted');
  assert.ok(languages.includes('fr') && languages.includes('ja') && !languages.includes('eo'));
  const refused = await ask(makePullRequest(), { language: 'eo' });
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'LANGUAGE_UNAVAILABLE']);
});

test('a private repository is not sent to a model unless AI_PRIVATE is set', async () => {
  const [reply, calls] = await during(writeObligingly, () => ask('secret'));
  assert.equal(reply.status, 201, reply.text);
  assert.deepEqual(contentOf(reply).writer, { kind: 'offline', because: 'private' });
  assert.equal(calls, 0);
  const french = await ask('secret', { language: 'fr' });
  assert.deepEqual([french.status, french.body.error.code], [409, 'LANGUAGE_UNAVAILABLE']);
  const open = await buildTestApp({ environment: { ...environment, AI_PRIVATE: 'true' }, frozen: true });
  await open.signUp('ann');
  const shown = await ask('secret', { on: open });
  assert.equal(contentOf(shown).writer.kind, 'ai');
});

test('after a model failure an offline article stands in, and the model is retried after growing pauses', async () => {
  const repo = makePullRequest();
  const [first, calls] = await during(overloaded, () => ask(repo));
  assert.deepEqual([first.status, calls, waits], [201, 3, [2_000, 8_000]], first.text);
  assert.deepEqual(contentOf(first).writer, { kind: 'offline', standsIn: true, because: 'failed' });
  for (const [pause, tries] of [
    [10, 2],
    [60, 3],
    [360, 4],
    [360, 5],
  ] as const) {
    app.advance(pause * minute - 1);
    const [early, none] = await during(overloaded, () => ask(repo));
    assert.deepEqual([early.status, none], [200, 0]);
    app.advance(1);
    const [due, some] = await during(overloaded, () => ask(repo));
    // The breaker opens after five failures; the test only needs the attempt.
    assert.equal(due.status, 201, `try ${tries}`);
    assert.ok(some <= 3);
    assert.equal(contentOf(due).writer.standsIn, true);
  }
  app.advance(360 * minute);
  const [well] = await during(writeObligingly, () => ask(repo));
  assert.deepEqual([well.status, contentOf(well).writer.kind], [201, 'ai']);
});

test("a language without an offline writer gets the model's failure, and a new request retries at once", async () => {
  const repo = makePullRequest();
  const limited: Script = [{ error: { status: 429, code: 'rate_limit', headers: { 'retry-after': '90' } } }];
  const [reply, calls] = await during(limited, () => ask(repo, { language: 'fr' }));
  assert.deepEqual([reply.status, reply.body.error.code, calls], [503, 'UNAVAILABLE', 1]);
  assert.equal(reply.headers.get('retry-after'), '90');
  const [well] = await during(writeObligingly, () => ask(repo, { language: 'fr' }));
  assert.equal(well.status, 201);
});

test('an article by a model is never replaced by an offline one', async () => {
  const repo = makePullRequest();
  const before = await ask(repo);
  const [failed] = await during([{ error: { status: 400, code: 'invalid' } }], () =>
    ask(repo, { regenerate: true }),
  );
  assert.deepEqual([failed.status, failed.body.error.code], [502, 'AI_ERROR']);
  assert.match(failed.body.error.details[0].problem, /^rejected: /);
  const after = await app.call('GET', `/repos/acme/${repo}/pulls/1/article`);
  assert.deepEqual(contentOf(after), contentOf(before));
  const [rewritten] = await during(writeObligingly, () => ask(repo, { regenerate: true }));
  assert.deepEqual([rewritten.status, contentOf(rewritten).writer.kind], [201, 'ai']);
});

test('a pull request without lines to cite is written without a model', async () => {
  const repo = makePullRequest();
  const folder = join(root, 'acme', repo);
  git(folder, 'mv', 'readme.txt', 'README.txt');
  git(folder, 'commit', '--quiet', '--message', 'feat: shout it (#2)');
  const wish = { token: app.tokenFor('ann'), body: { language: 'en' } };
  const [reply, calls] = await during(writeObligingly, () =>
    app.call('POST', `/repos/acme/${repo}/pulls/2/article`, wish),
  );
  assert.equal(reply.status, 201, reply.text);
  assert.deepEqual([contentOf(reply).writer, calls], [{ kind: 'offline' }, 0]);
});

test('a trivial change is written without a model in English, and with one in French', async () => {
  const repo = makePullRequest();
  const folder = join(root, 'acme', repo);
  writeFileSync(join(folder, 'package.json'), '{\n  "name": "rocket",\n  "version": "1.0.0"\n}\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'feat: package it (#2)');
  writeFileSync(join(folder, 'package.json'), '{\n  "name": "rocket",\n  "version": "1.1.0"\n}\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'chore: 1.1.0 (#3)');
  const wish = (language: string) => ({ token: app.tokenFor('ann'), body: { language } });
  const path = `/repos/acme/${repo}/pulls/3/article`;
  const [english, none] = await during(writeObligingly, () => app.call('POST', path, wish('en')));
  assert.deepEqual([contentOf(english).writer, none], [{ kind: 'offline', because: 'trivial' }, 0]);
  const [french, some] = await during(writeObligingly, () => app.call('POST', path, wish('fr')));
  assert.equal(french.status, 201, french.text);
  assert.ok(contentOf(french, 'fr').writer.kind === 'ai' && some > 0);
});

test('a pull request that does not fit the model is written offline, with that reason', async () => {
  const narrow = await buildTestApp({
    environment: { ...environment, AI_CONTEXT_TOKENS: '4000' },
    frozen: true,
  });
  await narrow.signUp('ann');
  const [reply, calls] = await during(writeObligingly, () => ask(makePullRequest(), { on: narrow }));
  assert.equal(reply.status, 201, reply.text);
  assert.deepEqual([contentOf(reply).writer, calls], [{ kind: 'offline', because: 'tooLarge' }, 0]);
});

test('an article that was read stays read if the model that should rewrite it fails', async () => {
  const repo = makePullRequest();
  const database = await freshDatabase();
  const without = await buildTestApp({ environment: { GIT_REPOS: root }, database, frozen: true });
  const token = await without.signUp('ann');
  await without.call('PATCH', '/users/me', { token, body: { language: 'en' } });
  await without.call('POST', '/users/me', { token, body: { owner: 'acme', repo } });
  const first = await ask(repo, { on: without });
  await without.call('POST', `/articles/${first.body.data.id}/language/en/read`, { token });
  await without.close();
  const on = await buildTestApp({ environment, database, frozen: true, waits });
  const [second] = await during(overloaded, () => ask(repo, { on, regenerate: true }));
  assert.deepEqual(contentOf(second).writer, { kind: 'offline', standsIn: true, because: 'failed' });
  const { body } = await on.call('GET', '/users/me/feed', { token: on.tokenFor('ann') });
  assert.deepEqual([body.data.items[0].read, body.data.unread, body.data.changed], ['yes', 0, 0]);
  const page = await on.call('GET', `/r/acme/${repo}/1?language=en`, { token: on.tokenFor('ann') });
  assert.doesNotMatch(page.text, /class="since"/);
});
