import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type Reply } from '../../test/build-app.ts';
import { type Question, questionsAbout } from '../../test/leak-questions.ts';
import { git, makeClone, makeMirror } from '../../test/make-clone.ts';
import { makeHistory } from '../../test/make-history.ts';
import { rowsToRun } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readFactsOfClone } from '../cli/facts.ts';
import { parseConfig } from '../config.ts';

const allowed = temporaryFolder();
const elsewhere = temporaryFolder();
const repos = temporaryFolder();
makeClone(repos, 'vault/secret');
/** No server listens here: a connection attempt fails differently from a refusal. */
const host = 'localhost:9';
const comet = makeHistory(allowed, 'code/comet', 2);
git(comet, 'remote', 'add', 'origin', 'git@github.com:acme/comet.git');
const covert = makeClone(allowed, 'code/covert', 'feat: telltale (#1)');
const far = makeClone(elsewhere, 'acme/far');
const database = await freshDatabase();
const environment = {
  GIT_REPOS: repos,
  GIT_PRIVATE: 'vault/secret=ann',
  GIT_ROOTS: `${allowed},${repos}`,
  GIT_CLONE: 'true',
  GIT_CLONE_HOSTS: host,
  OPERATORS: 'olga',
};
const app = await buildTestApp({ database, environment });
const olga = await app.signUp('olga');
const ann = await app.signUp('ann');
const link = await app.call('POST', '/auth/session', { token: app.tokenFor('starter', { singleUse: true }) });
const starter: string = link.body.data.accessToken;
await app.call('POST', '/auth/signup', { token: starter });

const add = (location: string, more: object = {}, token = olga): Promise<Reply> =>
  app.call('POST', '/added-repositories', { token, body: { location, ...more } });
const remove = (id: string, token = olga) => app.call('DELETE', `/added-repositories/${id}`, { token });
const listed = async (token = olga): Promise<string[]> =>
  (await app.call('GET', '/added-repositories', { token })).body.data.items.map(
    ({ owner, repo }: { owner: string; repo: string }) => `${owner}/${repo}`,
  );
const pulls = (fullName: string) => app.call('GET', `/repos/${fullName}/pulls?state=closed`, { token: ann });

test('a clone added by path is named after its origin, listed and readable, and removing it keeps its folder', async () => {
  const added = await add(`${comet}/`);
  assert.deepEqual([added.status, added.body.data.owner, added.body.data.isReady], [201, 'acme', true]);
  assert.equal((await add(comet)).status, 200);
  assert.equal(
    (await add(`~/${relative(homedir(), comet)}`)).status,
    200,
    'in the home folder of the service',
  );
  assert.deepEqual(await listed(starter), ['acme/comet']);
  assert.match(
    (await app.call('GET', '/repositories', { headers: { accept: 'text/html' } })).text,
    /acme\/comet/,
  );
  assert.equal((await pulls('acme/comet')).body.data.items.length, 3);
  const article = await app.call('POST', '/repos/acme/comet/pulls/2/article', {
    token: ann,
    body: { language: 'en' },
  });
  assert.ok(article.status < 300, article.text);
  assert.equal((await remove(added.body.data.id)).status, 200);
  assert.equal((await pulls('acme/comet')).status, 404);
  assert.equal((await app.call('GET', '/repos/acme/comet/pulls/2/article')).status, 404);
  assert.ok(existsSync(join(comet, '.git', 'HEAD')));
});

test('`pullquote facts` reads an added clone, public or private, until it is removed', async () => {
  const added = await add(comet, { private: true });
  const config = parseConfig({ ...database, ...environment });
  const { facts } = await readFactsOfClone('acme', 'comet', 2, config);
  assert.ok(facts.files.length > 0);
  assert.equal((await remove(added.body.data.id)).status, 200);
  await assert.rejects(
    readFactsOfClone('acme', 'comet', 2, config),
    /no readable clone acme\/comet in .*PULLQUOTE_DATA/,
  );
});

test('only users who signed in with the one-time link or are in OPERATORS may add, list or remove repositories', async () => {
  const { status, body } = await add(comet, {}, starter);
  assert.equal(status, 201);
  for (const refused of [
    await add(comet, {}, ann),
    await app.call('GET', '/added-repositories', { token: ann }),
    await remove(body.data.id, ann),
  ])
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'FORBIDDEN']);
  assert.equal((await app.call('POST', '/added-repositories', { body: { location: comet } })).status, 401);
  assert.equal((await remove(body.data.id, olga)).status, 200);
});

test('a private added repository is visible only to its operator, on every route, and a later one of that name gets none of its articles', async () => {
  const { body } = await add(covert, { private: true });
  assert.equal(body.data.isPrivate, true);
  const article = '/repos/code/covert/pulls/1/article';
  const asked = { token: olga, body: { language: 'en' } };
  const job = await app.call('POST', article, { ...asked, headers: { prefer: 'respond-async' } });
  const written = await app.call('POST', article, asked);
  assert.ok(written.status < 300, written.text);
  const place = { owner: 'code', repo: 'covert', articleId: written.body.data.id, jobId: job.body.data.id };
  const all = questionsAbout(app.server, place);
  const kindOf = ({ method, path, accept = '' }: Question) => `${method} ${path.split(/[/?]/)[1]} ${accept}`;
  const [gets, writes] = [rowsToRun(all.gets, kindOf), rowsToRun(all.writes, kindOf)];
  const isTold = async ({ method, path, body: sent, accept }: Question, token?: string) => {
    const { text } = await app.call(method, path, { token, body: sent, headers: accept ? { accept } : {} });
    const said = text.replaceAll(path, '').replaceAll(encodeURIComponent(path), '');
    return /telltale|"repo":"covert"/.test(said);
  };
  const answers = await Promise.all(gets.map((question) => isTold(question, olga)));
  assert.ok(answers.filter(Boolean).length >= 5, 'its operator sees it');
  for (const token of [undefined, starter]) {
    for (const question of [...gets, ...writes])
      assert.equal(await isTold(question, token), false, `${question.method} ${question.path}`);
    for (const path of ['/', '/repositories', '/add'])
      assert.doesNotMatch((await app.call('GET', path, { token })).text, /code\/covert/, path);
  }
  assert.deepEqual(await listed(starter), []);
  assert.equal((await remove(body.data.id, starter)).status, 404);
  assert.equal((await app.call('GET', article, { token: olga })).status, 200);
  assert.equal((await remove(body.data.id)).status, 200);
  const next = await add(comet, { name: 'code/covert' }, starter);
  assert.equal(next.status, 201);
  for (const token of [undefined, starter, olga]) {
    assert.equal((await app.call('GET', article, { token })).status, 404);
    assert.equal((await app.call('GET', `/articles/${place.articleId}`, { token })).status, 404);
  }
  assert.equal((await remove(next.body.data.id)).status, 200);
});

/** Locations that must be refused, with a part of the message. */
const attacks: [what: string, location: () => string, said: RegExp][] = [
  ['a folder elsewhere', () => far, /only inside/],
  ['a way out of the folder', () => `${allowed}/../${elsewhere.split('/').at(-1)}/acme/far`, /only inside/],
  ['a folder that only begins alike', () => `${allowed}-more/acme`, /only inside/],
  [
    'a link to a folder elsewhere',
    () => {
      symlinkSync(far, join(allowed, 'linked'));
      return join(allowed, 'linked');
    },
    /only inside/,
  ],
  [
    'a git folder elsewhere',
    () => {
      mkdirSync(join(allowed, 'acme/pointed'), { recursive: true });
      symlinkSync(join(far, '.git'), join(allowed, 'acme/pointed/.git'));
      return join(allowed, 'acme/pointed');
    },
    /only inside/,
  ],
  [
    'borrowed objects',
    () => {
      git('.', 'clone', '--quiet', '--shared', comet, join(allowed, 'acme/borrower'));
      return join(allowed, 'acme/borrower');
    },
    /borrows objects from another/,
  ],
  [
    'a worktree',
    () => {
      git(comet, 'worktree', 'add', '--quiet', '-b', 'side', join(allowed, 'acme/tree'));
      return join(allowed, 'acme/tree');
    },
    /worktree or a submodule/,
  ],
  [
    'the git folder of a submodule',
    () => {
      const folder = join(comet, '.git/modules/below');
      git('.', 'clone', '--quiet', '--bare', comet, folder);
      return folder;
    },
    /submodule/,
  ],
  [
    'a config file of 200 MB',
    () => {
      const folder = makeMirror(allowed, 'acme/large-config', comet);
      truncateSync(join(folder, 'config'), 200_000_000);
      return folder;
    },
    /config file of this clone is larger/,
  ],
  ['a folder without git', () => allowed, /not a git repository/],
  ['nothing', () => join(allowed, 'absent'), /does not exist/],
  ['a private clone of others', () => join(repos, 'vault/secret'), /GIT_PRIVATE does not list you/],
  ['a folder without an owner', () => makeClone(allowed, 'in a folder/x'), /Enter a name/],
  ['a foreign host', () => 'https://example.org/acme/rocket', /mirrored only from/],
  ['another port of the host', () => 'https://localhost:1/acme/rocket', /mirrored only from/],
  ['the host as a number', () => 'https://2130706433/acme/rocket', /mirrored only from/],
  ['a name in the address', () => `https://ann@${host}/acme/rocket`, /plain URL/],
  ['another host before @', () => `https://${host}@example.org/acme/rocket`, /plain URL/],
  ['plain http', () => `http://${host}/acme/rocket`, /Enter an https URL/],
  ['a file', () => 'file:///etc', /Enter an https URL/],
  ['ssh', () => 'ssh://git@localhost/acme/rocket', /Enter an https URL/],
  ['ssh in short', () => 'git@localhost:acme/rocket', /Enter an https URL/],
  ['a program', () => 'ext::sh -c touch% /tmp/owned', /Enter an https URL/],
  ['an option', () => '--upload-pack=touch /tmp/owned', /Enter an https URL/],
  ['a line break', () => `https://${host}/acme/rocket\nurl = ext::x`, /Enter an https URL/],
];

test('/add lists the clones inside GIT_ROOTS that are not added yet, three levels deep, and adds one by its button', async () => {
  const folder = temporaryFolder();
  const [near, deep, tooDeep] = ['near', 'a/b/deep', 'a/b/c/too-deep'].map((path) => join(folder, path));
  for (const path of [near, deep, tooDeep]) git('.', 'clone', '--quiet', comet, path ?? '');
  git(near ?? '', 'worktree', 'add', '--quiet', join(folder, 'tree'));
  const own = await buildTestApp({ environment: { GIT_ROOTS: folder, OPERATORS: 'olga' } });
  const token = await own.signUp('olga');
  const open = () => own.call('GET', '/add', { token });
  const listed = async () =>
    [...(await open()).text.matchAll(/name="location" value="([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(await listed(), [near, deep]);
  const opened = await own.call('POST', '/auth/session', {
    token: own.tokenFor('olga'),
    body: { cookie: true },
  });
  const body = new URLSearchParams({ location: deep ?? '', visibility: 'everybody' });
  const sent = await fetch(new URL('/add', own.url), {
    method: 'POST',
    headers: { cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '', origin: own.url },
    body,
    redirect: 'manual',
  });
  assert.match(sent.headers.get('location') ?? '', /^\/r\//);
  assert.deepEqual(await listed(), [near]);
});

test('a clone whose remote has no owner and name is named after its last two folders', async () => {
  const clone = makeClone(allowed, 'code/drifter');
  git(clone, 'remote', 'add', 'origin', '/srv/some mirror/repo');
  const { status, body } = await add(clone);
  assert.deepEqual([status, body.data.owner, body.data.repo], [201, 'code', 'drifter']);
  await remove(body.data.id);
});

test('paths outside GIT_ROOTS and addresses of other hosts are refused with a message that says why', async () => {
  for (const [what, location, said] of attacks) {
    const { status, body } = await add(location());
    assert.deepEqual([status, body.error?.code], [400, 'INVALID_REQUEST'], what);
    assert.match(body.error.message, said, what);
  }
  assert.deepEqual(await listed(), []);
});

test('a clone that is replaced by a link, or links out of its folder, is no longer readable', async () => {
  const { body } = await add(covert, { name: 'acme/moving' });
  assert.equal((await pulls('acme/moving')).status, 200);
  symlinkSync(join(elsewhere, 'any'), join(covert, '.git/refs/heads/out'));
  assert.equal((await pulls('acme/moving')).status, 404);
  rmSync(join(covert, '.git/refs/heads/out'));
  assert.equal((await pulls('acme/moving')).status, 200);
  renameSync(covert, join(elsewhere, 'moved'));
  symlinkSync(join(elsewhere, 'moved'), covert);
  assert.equal((await pulls('acme/moving')).status, 404);
  assert.equal((await remove(body.data.id)).status, 200);
});

test('a bare clone is added, and the programs in its git config are never run', async () => {
  const folder = makeMirror(allowed, 'acme/bare', comet);
  const proof = join(elsewhere, 'executed');
  for (const key of [
    'core.fsmonitor',
    'core.sshCommand',
    'core.pager',
    'uploadpack.packObjectsHook',
    'diff.external',
  ])
    git(folder, 'config', key, `touch ${proof}`);
  git(folder, 'config', 'include.path', join(elsewhere, 'more'));
  const { status, body } = await add(folder, { name: 'acme/bare' });
  assert.equal(status, 201);
  assert.equal(
    (await app.call('POST', '/repos/acme/bare/pulls/1/article', { token: olga, body: { language: 'en' } }))
      .status,
    201,
  );
  assert.equal(existsSync(proof), false);
  assert.equal((await remove(body.data.id)).status, 200);
});
