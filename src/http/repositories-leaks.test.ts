import assert from 'node:assert/strict';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { type Question, questionsAbout } from '../../test/leak-questions.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { makeParagraphs } from '../../test/make-paragraphs.ts';
import { onlyTo, scriptHost } from '../../test/script-host.ts';
import { rowsToRun } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { json, sql } from '../db/sql.ts';
import { digestPeriods, lastPeriod } from '../domain/digests.ts';
import type { Discussion } from '../domain/reviews.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const root = temporaryFolder();
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'vault/secret=keeper' },
  frozen: true,
});
const script = scriptHost(app);

/** Keeper always has access, former had access once, and outsider saw what was public once. */
const signedUp = ['keeper', 'former', 'outsider'] as const;
const viewers = [...signedUp, 'stranger', 'anonymous'] as const;
type Viewer = (typeof viewers)[number];
for (const name of signedUp) await app.signUp(name);
const tokenOf = (viewer: Viewer) => (viewer === 'anonymous' ? undefined : app.tokenFor(viewer));

const decisions = new Map<string, typeof script.decide>();
script.decide = async (found, viewer) => (decisions.get(found.name) ?? (async () => found))(found, viewer);
const down = async () => Promise.reject(new Error('no answer'));

let probes = 0;
let leaks = 0;
after(() => console.log(`leak matrix: ${leaks} leaks in ${probes} probes`));

interface Prepared {
  repo: string;
  canary: string;
  articleId: string;
  jobId: string;
  answerId: string;
}

const guardOf = (canary: string): string => `if (${canary.replaceAll('-', '_')} === '') throw new Error();`;

/** A comment with unique words, which the end of the pull request took over. */
function discussionOf(canary: string): Discussion {
  const said = { author: 'rin', isBot: false, isCut: false, createdAt: '2026-03-01T10:00:00Z', anchor: null };
  const words = `Should we not check ${canary} before?\n\n\`\`\`suggestion\n${guardOf(canary)}\n\`\`\``;
  const thread = {
    ...{ path: `${canary}.ts`, side: 'new' as const, sha: 'first', startLine: 2, line: 2 },
    hunk: `@@ -0,0 +1,2 @@\n+export const ${canary.replaceAll('-', '_')} = '${canary}';\n+oldLine(${canary.length});`,
    behind: [],
    ...{ isResolved: null, resolvedBy: null, isOutdated: null },
    comments: [{ ...said, body: words }],
  };
  return { reviews: [], threads: [thread], comments: [], pushes: [], references: [], hasMore: false };
}

/** Makes a repository with unique words, whose article some viewers have read, liked and followed. */
async function prepare(repo: string, whom: readonly Viewer[]): Promise<Prepared> {
  const canary = `canary-of-${repo}`;
  const clone = makeClone(root, `zoo/${repo}`, 'Begin');
  writeFileSync(
    join(clone, `${canary}.ts`),
    `export const ${canary.replaceAll('-', '_')} = '${canary}';\n// ${canary}\n${guardOf(canary)}\n`,
  );
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', `feat: tell of ${canary} (#1)\n\nBecause of ${canary}.`);
  const path = `/repos/zoo/${repo}/pulls/1`;
  const prepared = { repo, canary, articleId: '', jobId: '', answerId: '' };
  for (const viewer of whom) {
    const token = tokenOf(viewer);
    const asked = { token, body: { language: 'en' }, headers: { prefer: 'respond-async' } };
    const job = await app.call('POST', `${path}/article`, asked);
    if (job.status === 202) prepared.jobId = job.body.data.id;
    const article = await app.call('POST', `${path}/article`, { token, body: { language: 'en' } });
    assert.ok(article.status < 300, article.text);
    prepared.articleId = article.body.data.id;
    const periodEnds = digestPeriods.map((period) => ({ period, end: lastPeriod(period, app.now()).to }));
    await makeParagraphs(app, { articleId: prepared.articleId, words: canary, periodEnds });
    await app.database.run(sql`
      UPDATE pull_request_contents SET discussion = ${json(discussionOf(canary))}
      WHERE pull_request_id = ${article.body.data.pullRequestId}`);
    const favorite = await app.call('POST', '/users/me', { token, body: { owner: 'zoo', repo } });
    const watch = `/users/me/favorite-repositories/${favorite.body.data.id}/watch`;
    if (viewer === 'keeper') await app.call('PUT', watch, { token, body: { language: 'en' } });
    await app.call('POST', `/articles/${prepared.articleId}/language/en/like`, { token });
    for (const about of ['/questions', '/pulls/1/questions']) {
      const question = { question: `What is ${canary}?`, language: 'en' };
      const answer = await app.call('POST', `/repos/zoo/${repo}${about}`, { token, body: question });
      assert.ok(answer.status < 300, answer.text);
      prepared.answerId = answer.body.data.id;
      await app.call('PATCH', `/questions/${prepared.answerId}`, { token, body: { shared: true } });
    }
  }
  return prepared;
}

/** Whether a response shows words or the existence of a repository. */
async function isTold(
  viewer: Viewer,
  { method, path, body, accept }: Question,
  { repo, canary }: Pick<Prepared, 'repo' | 'canary'>,
): Promise<boolean> {
  const headers = accept === undefined ? {} : { accept };
  const { text } = await app.call(method, path, { token: tokenOf(viewer), body, headers });
  probes += 1;
  // A response may repeat the requested address.
  const said = text.replaceAll(path, '').replaceAll(encodeURIComponent(path), '');
  // A follower sees the name they followed, even without access.
  const isOwnWatch = viewer === 'keeper' && path === '/users/me/watches';
  return said.includes(canary) || (!isOwnWatch && text.includes(`"repo":"${repo}"`));
}

interface Questions {
  gets: Question[];
  writes: Question[];
}

const everything = (prepared: Prepared): Questions =>
  questionsAbout(app.server, { owner: 'zoo', file: `${prepared.canary}.ts`, ...prepared });

/** One question of each kind: the first two tests ask every route, the others only test the transition. */
function oneOfEachKind(prepared: Prepared): Questions {
  const { gets, writes } = everything(prepared);
  const kindOf = ({ method, path, accept = '' }: Question) => `${method} ${path.split(/[/?]/)[1]} ${accept}`;
  return { gets: rowsToRun(gets, kindOf), writes: rowsToRun(writes, kindOf) };
}

/** Asks as every viewer at once, because simultaneous requests share lookups and caches. */
async function ask(
  { gets, writes }: Questions,
  prepared: Prepared,
  maySee: readonly Viewer[],
): Promise<void> {
  const leaked: string[] = [];
  const askAs = async (viewer: Viewer): Promise<void> => {
    const isAllowed = maySee.includes(viewer);
    let answers = 0;
    for (const question of isAllowed ? gets : [...gets, ...writes]) {
      if (!(await isTold(viewer, question, prepared))) continue;
      answers += 1;
      if (!isAllowed) leaked.push(`${viewer}: ${question.method} ${question.path} ${question.accept ?? ''}`);
    }
    if (isAllowed) assert.ok(answers >= 5, `${viewer} sees what they may, in ${answers} answers`);
  };
  await Promise.all(viewers.map(askAs));
  leaks += leaked.length;
  assert.deepEqual(leaked, []);
}

const get = (repo: string, viewer: Viewer = 'anonymous') =>
  app.call('GET', `/repos/zoo/${repo}/pulls/1`, { token: tokenOf(viewer) });

test('a repository that was never public is visible only to viewers whom the host shows it to', async () => {
  decisions.set('private', onlyTo('keeper'));
  const prepared = await prepare('private', ['keeper']);
  const shown = await app.call('GET', `/articles/${prepared.articleId}`, { token: tokenOf('keeper') });
  assert.match(shown.text, /Should we not check canary-of-private/, 'with what its review led to');
  for (const path of ['/digest?language=en', '/digest?period=daily&language=en&owner=zoo&repo=private'])
    assert.match(
      (await app.call('GET', path, { token: tokenOf('keeper') })).text,
      /"title":"canary-of-private","paragraph":\[\{[^}]*It tells of canary-of-private/,
    );
  await ask(everything(prepared), prepared, ['keeper']);
});

test('a repository that turned private shows former readers no word of it, on any route', async () => {
  const prepared = await prepare('flipped', signedUp);
  assert.equal((await get('flipped')).status, 200);
  decisions.set('flipped', onlyTo('keeper'));
  app.advance(6 * minute);
  assert.equal((await get('flipped')).status, 404, 'somebody notices');
  app.advance(second);
  await app.call('POST', '/repos/zoo/flipped/pulls/1/ingest', { token: tokenOf('keeper') });
  await ask(everything(prepared), prepared, ['keeper']);
});

test('a repository that turns private during an ingest is hidden when the ingest ends', async () => {
  const prepared = await prepare('ingested', signedUp);
  await Promise.all(
    viewers.map((viewer) => app.call('GET', `/articles/${prepared.articleId}`, { token: tokenOf(viewer) })),
  );
  script.beforePullRequest = async () => {
    script.beforePullRequest = async () => {};
    decisions.set('ingested', onlyTo('keeper'));
    app.advance(second);
    // Another viewer learns that it is private and stores that before the ingest, which saw it public, ends.
    await app.call('POST', '/users/me', {
      token: tokenOf('keeper'),
      body: { owner: 'zoo', repo: 'ingested' },
    });
  };
  const late = await app.call('POST', '/repos/zoo/ingested/pulls/1/ingest', { token: tokenOf('outsider') });
  assert.equal(late.status, 404);
  const read = async () => (await app.call('GET', `/articles/${prepared.articleId}`)).status;
  await waitUntil('memory has heard of it', async () => (await read()) === 404);
  await ask(oneOfEachKind(prepared), prepared, ['keeper']);
});

test('a user who lost access sees no more of the repository while another user keeps reading', async () => {
  decisions.set('ended', onlyTo('keeper', 'former'));
  const prepared = await prepare('ended', ['keeper', 'former']);
  assert.equal((await get('ended', 'former')).status, 200);
  decisions.set('ended', onlyTo('keeper'));
  for (let read = 0; read < 4; read += 1) {
    app.advance(2 * minute);
    assert.equal((await get('ended', 'keeper')).status, 200);
  }
  // Lists use day-old access checks until the host is asked.
  assert.equal((await get('ended', 'former')).status, 404);
  await ask(oneOfEachKind(prepared), prepared, ['keeper']);
});

test('a grant that was not confirmed for a day shows in no list', async () => {
  decisions.set('aged', onlyTo('keeper', 'former'));
  const prepared = await prepare('aged', ['keeper', 'former']);
  const lists = ['/articles?limit=100', '/users/me/liked-articles', '/users/me/favorite-repositories'];
  const askAll = () => Promise.all(lists.map((path) => isTold('former', { method: 'GET', path }, prepared)));
  assert.deepEqual(await askAll(), [true, true, true]);
  app.advance(25 * hour);
  assert.deepEqual(await askAll(), [false, false, false]);
});

test('clones stay in lists while their folder exists, public or private, and leave lists when it is gone', async () => {
  decisions.set('kept-private', onlyTo('keeper'));
  const prepared = [await prepare('kept', ['keeper']), await prepare('kept-private', ['keeper'])];
  const lists = ['/articles?limit=100', '/users/me/liked-articles', '/users/me/favorite-repositories', '/'];
  const askAll = (one: Prepared) =>
    Promise.all(lists.map((path) => isTold('keeper', { method: 'GET', path }, one)));
  const after = async (hours: number, shown: boolean) => {
    app.advance(hours * hour);
    await app.lists.run();
    for (const one of prepared)
      assert.deepEqual(
        await askAll(one),
        lists.map(() => shown),
      );
  };
  await after(30, true);
  await after(11, true);
  await after(11, true);
  for (const { repo } of prepared) renameSync(join(root, 'zoo', repo), join(temporaryFolder(), repo));
  await after(13, false);
});

test('when its host is silent for over an hour, a repository is hidden from every viewer', async () => {
  decisions.set('silent', onlyTo('keeper'));
  const prepared = [await prepare('silent', ['keeper']), await prepare('silent-public', signedUp)];
  for (const { repo } of prepared) decisions.set(repo, down);
  app.advance(6 * minute);
  for (const { repo } of prepared) {
    assert.equal((await get(repo, 'keeper')).status, 200, 'what is known holds for an hour');
  }
  app.advance(61 * minute);
  for (const one of prepared) await ask(oneOfEachKind(one), one, []);
});

test('a repository that is gone from its host is hidden from every viewer', async () => {
  decisions.set('gone', onlyTo('keeper'));
  const prepared = await prepare('gone', ['keeper']);
  renameSync(join(root, 'zoo/gone'), join(temporaryFolder(), 'gone'));
  app.advance(6 * minute);
  assert.equal((await get('gone', 'keeper')).status, 404);
  await ask(oneOfEachKind(prepared), prepared, []);
});

test('a clone that links into a private one shows none of its words to others', async () => {
  const words = { repo: 'secret', canary: 'canary-of-secret' };
  const secret = makeClone(root, 'vault/secret', `feat: tell of ${words.canary} (#1)`);
  git(secret, 'update-ref', 'refs/pull/2/head', 'HEAD');
  git(secret, 'gc', '--quiet');
  symlinkSync(secret, join(root, 'zoo', 'whole'));
  symlinkSync(join(secret, '.git'), join(root, 'zoo', 'inner.git'));
  const parts = ['objects', 'objects/pack', 'refs', 'packed-refs', 'HEAD'];
  const nameOf = (part: string) => `part-${part.replaceAll('/', '-')}`;
  for (const part of parts) {
    const clone = makeClone(root, `zoo/${nameOf(part)}`, 'Begin (#1)');
    const place = join(clone, '.git', part);
    rmSync(place, { recursive: true, force: true });
    symlinkSync(join(secret, '.git', part), place);
  }
  const names = ['whole', 'inner', ...parts.map(nameOf)];
  const told: string[] = [];
  for (const name of names) {
    const path = `/repos/zoo/${name}/pulls`;
    const questions = [
      { method: 'GET', path },
      { method: 'POST', path: `${path}/1/ingest` },
      { method: 'POST', path: `${path}/2/ingest` },
      { method: 'GET', path: `${path}/1` },
      { method: 'GET', path: `${path}/2/diff` },
      { method: 'POST', path: `${path}/1/article` },
    ];
    const askAs = async (viewer: Viewer): Promise<void> => {
      for (const question of questions) {
        if (await isTold(viewer, question, words))
          told.push(`${viewer}: ${question.method} ${question.path}`);
      }
    };
    await Promise.all(viewers.filter((viewer) => viewer !== 'keeper').map(askAs));
  }
  leaks += told.length;
  assert.deepEqual(told, []);
  assert.ok(await isTold('keeper', { method: 'GET', path: '/repos/vault/secret/pulls' }, words));
});
