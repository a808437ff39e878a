import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFolder, openDatabase, rowsIn, writeTo } from '../../test/backups.ts';
import { buildTestApp, freshDatabase } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { type Script, startScriptedModel } from '../../test/model/scripted-model.ts';
import { program, runToEnd } from '../../test/start-service.ts';
import { runsWholeTables } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { describeTables } from '../db/backup.ts';
import { Sql, sql } from '../db/sql.ts';
import { providers } from '../domain/model-providers.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: launch (#1)');
const model = await startScriptedModel();
for (const provider of providers) model.listed[provider] = ['large-2', 'small-2'];
const database = await freshDatabase();
const environment = {
  GIT_REPOS: root,
  OPERATORS: 'ann,cleo',
  WRITERS: '1',
  METRICS_TOKEN: 'a-token-of-the-operator',
};
const app = await buildTestApp({ database, environment, waits: [], logLevel: 'trace' });
const tokens: Record<string, string> = {};
const cookies: Record<string, string> = {};
for (const name of ['ann', 'bob', 'cleo']) {
  const token = await app.signUp(name);
  const { accessToken } = (await app.call('POST', '/auth/session', { token })).body.data;
  tokens[name] = token;
  cookies[name] = `pullquote_session=${accessToken}`;
}
await app.call('POST', '/repos/acme/rocket/pulls/1/article', {
  token: tokens.ann,
  body: { language: 'en' },
});

const pages = [
  '/',
  '/settings',
  '/settings/model',
  '/settings/model?provider=openai&problem=wrongKey',
  '/new',
  '/repositories',
  '/add',
  '/my/digest',
  '/favorites',
  '/r/acme/rocket',
  '/r/acme/rocket/1',
  '/r/acme/rocket/1/checked',
];
const operations = [
  '/meta',
  '/users/me',
  '/auth/identity',
  '/auth/sessions',
  '/service/model',
  '/articles',
  '/repos/acme/rocket/pulls/1',
  '/repos/acme/rocket/pulls/1/article',
  '/added-repositories',
  '/docs/json',
];
const tables = (await describeTables(app.database)).map(({ name }) => name);
const keys: string[] = [];
let reads = 0;

function refuse(where: string, text: string): void {
  reads += 1;
  for (const key of keys) assert.ok(!text.includes(key.slice(0, 40)), `${where} has a key in clear`);
}

const rowsOf = (table: string) =>
  app.database.values<string>(
    sql`SELECT row_to_json(found)::text FROM ${new Sql([`"${table}"`], [])} AS found`,
  );

/** Reads every place where a key could be. */
async function readAll(jobs: string[]): Promise<void> {
  for (const table of tables) refuse(table, (await rowsOf(table)).join('\n'));
  for (const by of runsWholeTables ? ['ann', 'bob'] : ['ann']) {
    const query = jobs.flatMap((job) => [
      `/settings/model?job=${job}`,
      `/settings/model?job=${job}&side=present`,
    ]);
    for (const page of [...pages, ...query])
      refuse(page, (await app.call('GET', page, { headers: { cookie: cookies[by] ?? '' } })).text);
    for (const path of [...operations, ...jobs.map((job) => `/jobs/${job}`)])
      refuse(path, (await app.call('GET', path, { token: tokens[by] })).text);
    for (const name of ['get_article', 'list_repositories', 'search']) {
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: { pullRequest: 'acme/rocket#1', question: 'sk' } },
      };
      const headers = { accept: 'application/json, text/event-stream' };
      refuse(
        `MCP ${name}`,
        (await app.call('POST', '/mcp', { token: tokens[by], headers, body: call })).text,
      );
    }
  }
  refuse('metrics', (await app.call('GET', '/metrics', { token: environment.METRICS_TOKEN })).text);
  refuse('the log', JSON.stringify(app.logLines()));
}

const form = (name: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.call('POST', `/settings/model/${name}`, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: cookies.ann ?? '',
      origin: app.url,
      ...headers,
    },
  });

const hidden = async (name: string, by = 'ann'): Promise<string> => {
  const { text } = await app.call('GET', '/settings/model', { headers: { cookie: cookies[by] ?? '' } });
  return new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? assert.fail(`no ${name}`);
};

async function over(job: string): Promise<void> {
  await waitUntil('the job is over', async () => {
    const { state } = (await app.call('GET', `/jobs/${job}`, { token: tokens.ann })).body.data;
    return state !== 'queued' && state !== 'running';
  });
}

/** A provider that repeats the key in its error, as some do. */
const repeating =
  (key: string): Script =>
  () => ({ error: { status: 401, code: 'invalid_api_key', message: `Incorrect API key provided: ${key}` } });

const rounds = runsWholeTables ? 16 : 1;

test('no page, response, table, log, metric, command or backup has a key in clear while models are connected, tried and used', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const provider = providers[round % providers.length] ?? 'openai';
    const key = `sk-marker-${round}-${crypto.randomUUID()}-secret`;
    keys.push(key);
    const writer = { provider, model: 'large-2', baseUrl: model.url, apiKey: key };
    const jobs: string[] = [];
    const begin = async (what: string, body: object) => {
      const { body: begun, text } = await app.call('POST', `/service/model/${what}`, {
        token: tokens.ann,
        body,
      });
      refuse(what, text);
      jobs.push(begun.data.id);
      return begun.data.id as string;
    };
    for (const body of [
      { writer: { ...writer, provider: 'nonsense' } },
      { writer: { ...writer, baseUrl: `http://${key}@x` } },
      { writer: { ...writer, model: key.repeat(4) } },
    ])
      refuse('PUT', (await app.call('PUT', '/service/model', { token: tokens.ann, body })).text);
    refuse('form', (await form('connect', { provider, apiKey: `${key}\u00e9`, baseUrl: model.url })).text);

    model.play(repeating(key));
    await over(await begin('test', { writer }));
    const isAsked = Promise.withResolvers<void>();
    model.play(() => {
      isAsked.resolve();
      return { silent: true };
    });
    const running = await begin('test', { writer });
    await isAsked.promise;
    await readAll(jobs);
    await app.call('DELETE', `/jobs/${running}`, { token: tokens.ann });

    model.play(repeating(key));
    const pull = { owner: 'acme', repo: 'rocket', number: 1, language: 'en' };
    await over(await begin('preview', { ...pull, writer }));
    model.play(writeObligingly);
    await over(await begin('preview', { ...pull, writer }));
    await form('connect', { provider, apiKey: key, baseUrl: model.url });
    await readAll(jobs);

    await form('use', { draft: await hidden('draft'), writer: 'large-2', reader: 'small-2' });
    const asked = { token: tokens.ann, body: { language: 'fr', regenerate: true } };
    await app.call('POST', '/repos/acme/rocket/pulls/1/article', asked);
    assert.ok(JSON.stringify(model.heard.at(-1)?.headers).includes(key), 'the key is used');
    await readAll(jobs);
    if (round === rounds - 1) {
      for (const command of runsWholeTables ? ['doctor', 'settings'] : ['settings']) {
        const { stdout, stderr } = await runToEnd({
          command: [process.execPath, program, command],
          environment: { ...database, ...environment },
        });
        assert.notEqual(stdout, '');
        refuse(command, stdout + stderr);
      }
      const folder = newFolder();
      await writeTo(await openDatabase(database), folder);
      for (const [table, rows] of Object.entries(rowsIn(folder))) refuse(`backup ${table}`, rows.join('\n'));
    }
    await form('off', { revision: await hidden('revision') });
    await readAll(jobs);
  }
  if (runsWholeTables) assert.ok(reads >= 5_000, `${reads} reads`);
});

const attempts = runsWholeTables ? 14 : 1;

test('users who are not operators, other origins and forms sent again change nothing', async () => {
  const key = `sk-marker-${crypto.randomUUID()}`;
  const connection = { provider: 'openai', apiKey: key, baseUrl: model.url };
  await form('connect', connection);
  const used = { draft: await hidden('draft'), writer: 'large-2', reader: '' };
  await form('use', used);
  const first = { revision: await hidden('revision') };
  const limits = { tokensPerDay: '7', tokensPerMonth: '', articlesPerDay: '7' };
  await form('limits', { ...first, ...limits });
  await form('connect', connection);
  const draft = await hidden('draft');
  const revision = await hidden('revision');
  const state = async () =>
    JSON.stringify([
      await rowsOf('model_settings'),
      await rowsOf('model_drafts'),
      await app.database.count(sql`SELECT count(*) FROM jobs`),
    ]);
  const before = await state();
  const chosen = { draft, writer: 'small-2', reader: '', pull: 'acme/rocket#1' };
  const forms: [name: string, fields: Record<string, string>][] = [
    ['connect', { ...connection, apiKey: 'sk-of-an-attacker' }],
    ['drop', { draft }],
    ['use', chosen],
    ['test', chosen],
    ['preview', chosen],
    ['limits', { revision, ...limits, private: 'yes' }],
    ['off', { revision }],
  ];
  const again: typeof forms = [
    ['use', used],
    ['off', first],
    ['limits', { ...first, ...limits, private: 'yes' }],
    ['drop', { draft: used.draft }],
  ];
  const writer = { provider: 'openai', model: 'small-2', apiKey: key, baseUrl: model.url };
  const pull = { owner: 'acme', repo: 'rocket', number: 1 };
  const operations: [method: string, path: string, body?: object][] = [
    ['PUT', '/service/model', { writer }],
    ['DELETE', '/service/model'],
    ['POST', '/service/model/test', { writer }],
    ['POST', '/service/model/preview', { ...pull, writer }],
  ];
  let refused = 0;
  const expect = (what: string, status: number, statuses: number[]) => {
    assert.ok(statuses.includes(status), `${what} answers ${status}`);
    refused += 1;
  };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    for (const [name, fields] of forms) {
      expect(name, (await form(name, fields, { cookie: cookies.bob ?? '' })).status, [404]);
      expect(name, (await form(name, fields, { cookie: '' })).status, [303]);
      for (const origin of ['https://elsewhere.example', 'null', `${app.url}.example`])
        expect(name, (await form(name, fields, { origin })).status, [403]);
    }
    for (const [name, fields] of again) expect(name, (await form(name, fields)).status, [400]);
    // Another operator has no part in this one's connection.
    for (const name of ['use', 'test', 'drop'])
      expect(
        name,
        (await form(name, name === 'drop' ? { draft } : chosen, { cookie: cookies.cleo ?? '' })).status,
        [400],
      );
    for (const [method, path, body] of operations) {
      const sent = body ? { body } : {};
      expect(path, (await app.call(method, path, { token: tokens.bob, ...sent })).status, [404]);
      expect(path, (await app.call(method, path, sent)).status, [401]);
      const headers = { cookie: cookies.ann ?? '', origin: 'https://elsewhere.example' };
      expect(path, (await app.call(method, path, { headers, ...sent })).status, [403]);
    }
  }
  assert.equal(await state(), before);
  if (runsWholeTables) assert.ok(refused >= 500, `${refused} attempts`);
});
