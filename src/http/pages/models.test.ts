import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { writeObligingly } from '../../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: launch (#1)');
const model = await startScriptedModel(writeObligingly);
model.listed.openai = ['gpt-5-mini', 'gpt-5', 'text-embedding-3-large', 'whisper-1'];
model.listed.compatible = ['small:4b', 'large:70b'];
const app = await buildTestApp({ environment: { GIT_REPOS: root, OPERATORS: 'ann' }, waits: [] });
const cookies = new Map<string, string>();
for (const name of ['ann', 'bob']) {
  const token = await app.signUp(name);
  await app.call('PATCH', '/users/me', { token, body: { language: 'en' } });
  const { accessToken } = (await app.call('POST', '/auth/session', { token })).body.data;
  cookies.set(name, `pullquote_session=${accessToken}`);
}
const path = '/settings/model';
const apiKey = 'sk-planted-and-secret-0123456789';

const visit = (by = 'ann', query = '') =>
  app.call('GET', `${path}${query}`, { headers: { cookie: cookies.get(by) ?? '', accept: 'text/html' } });

const send = (form: string, fields: Record<string, string>, { by = 'ann', origin = app.url } = {}) =>
  app.call('POST', `${path}/${form}`, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: cookies.get(by) ?? '',
      accept: 'text/html',
      origin,
    },
  });

const hidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? assert.fail(`no ${name} in ${page}`);

const optionsIn = (page: string, name: string) =>
  Array.from(
    /<select id="(\w+)"[\s\S]*?<\/select>/g[Symbol.matchAll](page),
    ([select, id]) =>
      [id, Array.from(select.matchAll(/<option value="([^"]*)"/g), ([, value]) => value)] as const,
  ).find(([id]) => id === name)?.[1];

const source = async () =>
  (await app.call('GET', '/service/model', { token: app.tokenFor('ann') })).body.data.source;

test('connecting lists the models of the provider, the suggested ones first, and the page never has the key', async () => {
  const connected = await send('connect', { provider: 'openai', apiKey, baseUrl: model.url });
  assert.deepEqual([connected.status, connected.headers.get('location')], [303, path]);
  const { text } = await visit();
  assert.deepEqual(optionsIn(text, 'writer'), ['gpt-5', 'gpt-5-mini']);
  assert.deepEqual(optionsIn(text, 'reader'), ['gpt-5-mini', 'gpt-5', '']);
  assert.ok(!text.includes(apiKey));
  assert.equal(await source(), 'none');
});

test('a refused key is reported beside its provider and nothing is kept', async () => {
  await send('drop', { draft: hidden((await visit()).text, 'draft') });
  const refused = await send('connect', { provider: 'openai', apiKey: 'sk-wrong', baseUrl: model.url });
  assert.equal(refused.headers.get('location'), `${path}?provider=openai&problem=wrongKey`);
  const { text } = await visit('ann', '?provider=openai&problem=wrongKey');
  assert.match(text, /<details class="card" open><summary><span><b>OpenAI[\s\S]{0,200}rejects the key/);
  assert.doesNotMatch(text, /name="draft"/);
});

test('the models are used once; the same forms sent again change nothing', async () => {
  await send('connect', { provider: 'compatible', baseUrl: model.url });
  const draft = hidden((await visit()).text, 'draft');
  const chosen = { draft, writer: 'large:70b', reader: '' };
  assert.equal((await send('use', chosen)).status, 303);
  const page = (await visit()).text;
  assert.match(page, /<bdi>large:70b<\/bdi> writes, no second model checks it/);
  const revision = hidden(page, 'revision');
  const limits = { revision, tokensPerDay: '5000', tokensPerMonth: '', articlesPerDay: '3' };
  assert.equal((await send('limits', limits)).status, 303);
  const { limits: set } = (await app.call('GET', '/service/model', { token: app.tokenFor('ann') })).body.data;
  assert.deepEqual([set.tokensPerDay, set.tokensPerMonth, set.articlesPerDay], [5000, null, 3]);
  for (const [form, fields] of [
    ['limits', { ...limits, articlesPerDay: '9' }],
    ['off', { revision }],
    ['use', { ...chosen, writer: 'small:4b' }],
  ] as const)
    assert.equal((await send(form, fields)).status, 400, form);
  assert.match((await visit()).text, /<bdi>large:70b<\/bdi> writes/);
  const now = hidden((await visit()).text, 'revision');
  assert.equal((await send('off', { revision: now })).status, 303);
  assert.equal(await source(), 'none');
  assert.equal((await send('use', chosen)).status, 400);
  assert.equal(await source(), 'none');
});

test('forms from other sites are refused, and other users get the page of an unknown address', async () => {
  await send('connect', { provider: 'compatible', baseUrl: model.url });
  const draft = hidden((await visit()).text, 'draft');
  const forms = {
    connect: { provider: 'compatible', baseUrl: model.url },
    drop: { draft },
    use: { draft, writer: 'large:70b', reader: '' },
    test: { draft, writer: 'large:70b', reader: '' },
    preview: { draft, writer: 'large:70b', reader: '', pull: 'acme/rocket#1' },
    limits: { revision: '1', articlesPerDay: '9' },
    off: { revision: '1' },
  };
  assert.equal((await visit('bob')).status, 404);
  assert.doesNotMatch(
    (await app.call('GET', '/settings', { headers: { cookie: cookies.get('bob') ?? '' } })).text,
    /settings\/model/,
  );
  for (const [form, fields] of Object.entries(forms)) {
    assert.equal((await send(form, fields, { by: 'bob' })).status, 404, form);
    assert.equal((await send(form, fields, { origin: 'https://elsewhere.example' })).status, 403, form);
  }
  assert.equal(await source(), 'none');
  assert.equal(hidden((await visit()).text, 'draft'), draft);
});

test('where the environment sets the model, the page says so and offers no connection', async () => {
  const environment = {
    GIT_REPOS: root,
    OPERATORS: 'ann',
    AI_MODEL: 'compatible/large:70b',
    AI_BASE_URL: model.url,
  };
  const fixed = await buildTestApp({ environment, waits: [] });
  const token = await fixed.signUp('ann');
  await fixed.call('PATCH', '/users/me', { token, body: { language: 'en' } });
  const { accessToken } = (await fixed.call('POST', '/auth/session', { token })).body.data;
  const headers = { cookie: `pullquote_session=${accessToken}`, accept: 'text/html' };
  const { text } = await fixed.call('GET', path, { headers });
  assert.match(text, /Set by environment variables/);
  assert.doesNotMatch(text, /model\/(?:connect|use|off)"/);
  const raw = new URLSearchParams({ provider: 'compatible', baseUrl: model.url }).toString();
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded', origin: fixed.url };
  const refused = await fixed.call('POST', `${path}/connect`, { raw, headers: form });
  assert.equal(refused.status, 409);
  await fixed.close();
});
