import assert from 'node:assert/strict';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { type Question, questionsAbout } from '../../test/leak-questions.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { onlyTo, scriptHost } from '../../test/script-host.ts';
import { rowsToRun } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const root = temporaryFolder();
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'vault/secret=keeper' },
  frozen: true,
});
const script = scriptHost(app);

/** Keeper may see everything at all times; former could, once; outsider could see what was public, once. */
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

/** A repository with words of its own that those given have read, liked, and made a favorite of. */
async function prepare(repo: string, whom: readonly Viewer[]): Promise<Prepared> {
  const canary = `canary-of-${repo}`;
  const clone = makeClone(root, `zoo/${repo}`, 'Begin');
  writeFileSync(
    join(clone, `${canary}.ts`),
    `export const ${canary.replaceAll('-', '_')} = '${canary}';\n// ${canary}\n`,
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

/** Whether a viewer who asks this is told words of a repository, or that it is there. */
async function isTold(
  viewer: Viewer,
  { method, path, body, accept }: Question,
  { repo, canary }: Pick<Prepared, 'repo' | 'canary'>,
): Promise<boolean> {
  const headers = accept === undefined ? {} : { accept };
  const { text } = await app.call(method, path, { token: tokenOf(viewer), body, headers });
  probes += 1;
  // What stands in the address that was asked for may be repeated.
  const said = text.replaceAll(path, '').replaceAll(encodeURIComponent(path), '');
  // Who watches a repository is told under which name they do, also when they may not see it any more.
  const isOwnWatch = viewer === 'keeper' && path === '/users/me/watches';
  return said.includes(canary) || (!isOwnWatch && text.includes(`"repo":"${repo}"`));
}

interface Questions {
  gets: Question[];
  writes: Question[];
}

const everything = (prepared: Prepared): Questions =>
  questionsAbout(app.server, { owner: 'zoo', file: `${prepared.canary}.ts`, ...prepared });

/** Which routes show a private repository, the first tests see; the others see what it takes to become one. */
function oneOfEachKind(prepared: Prepared): Questions {
  const { gets, writes } = everything(prepared);
  const kindOf = ({ method, path, accept = '' }: Question) => `${method} ${path.split(/[/?]/)[1]} ${accept}`;
  return { gets: rowsToRun(gets, kindOf), writes: rowsToRun(writes, kindOf) };
}

/** Asks as every viewer at the same time, because answers are looked up together and kept. */
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

test('a repository that was never public shows to nobody but those whom the host shows it', async () => {
  decisions.set('private', onlyTo('keeper'));
  const prepared = await prepare('private', ['keeper']);
  await ask(everything(prepared), prepared, ['keeper']);
});

test('a repository that turned private shows nothing of what everybody has read, liked and kept', async () => {
  const prepared = await prepare('flipped', signedUp);
  assert.equal((await get('flipped')).status, 200);
  decisions.set('flipped', onlyTo('keeper'));
  app.advance(6 * minute);
  assert.equal((await get('flipped')).status, 404, 'somebody notices');
  app.advance(second);
  await app.call('POST', '/repos/zoo/flipped/pulls/1/ingest', { token: tokenOf('keeper') });
  await ask(everything(prepared), prepared, ['keeper']);
});

test('one that turns private while it is ingested, and is kept in memory, is out of sight with the ingest', async () => {
  const prepared = await prepare('ingested', signedUp);
  await Promise.all(
    viewers.map((viewer) => app.call('GET', `/articles/${prepared.articleId}`, { token: tokenOf(viewer) })),
  );
  script.beforePullRequest = async () => {
    script.beforePullRequest = async () => {};
    decisions.set('ingested', onlyTo('keeper'));
    app.advance(second);
    // A viewer who asks now is told that it is private, and stores that before the ingest ends, which saw it public.
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

test('who lost access sees nothing more, although somebody else reads on', async () => {
  decisions.set('ended', onlyTo('keeper', 'former'));
  const prepared = await prepare('ended', ['keeper', 'former']);
  assert.equal((await get('ended', 'former')).status, 200);
  decisions.set('ended', onlyTo('keeper'));
  for (let read = 0; read < 4; read += 1) {
    app.advance(2 * minute);
    assert.equal((await get('ended', 'keeper')).status, 200);
  }
  // Lists go by what was known a day ago, until the host is asked.
  assert.equal((await get('ended', 'former')).status, 404);
  await ask(oneOfEachKind(prepared), prepared, ['keeper']);
});

test('a grant that nobody has confirmed for a day shows in no list', async () => {
  decisions.set('aged', onlyTo('keeper', 'former'));
  const prepared = await prepare('aged', ['keeper', 'former']);
  const lists = ['/articles?limit=100', '/users/me/liked-articles', '/users/me/favorite-repositories'];
  const askAll = () => Promise.all(lists.map((path) => isTold('former', { method: 'GET', path }, prepared)));
  assert.deepEqual(await askAll(), [true, true, true]);
  app.advance(25 * hour);
  assert.deepEqual(await askAll(), [false, false, false]);
});

test('what a folder shows to everybody, or to some, stays in lists while the service runs, and leaves them with the folder', async () => {
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

test('while its host is silent for more than an hour, nobody sees anything of a repository, public or private', async () => {
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

test('a repository that is gone from its host shows nothing any more', async () => {
  decisions.set('gone', onlyTo('keeper'));
  const prepared = await prepare('gone', ['keeper']);
  renameSync(join(root, 'zoo/gone'), join(temporaryFolder(), 'gone'));
  app.advance(6 * minute);
  assert.equal((await get('gone', 'keeper')).status, 404);
  await ask(oneOfEachKind(prepared), prepared, []);
});

test('clones that link into a private one are as private as it is, or are none', async () => {
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
