import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, test } from 'node:test';
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { buildTestApp } from '../../test/build-app.ts';
import { serveBeside } from '../../test/serve-beside.ts';
import { program, projectFolder } from '../../test/start-service.ts';
import { Failure } from '../domain/errors.ts';
import { sentTokens } from '../mcp/tool.ts';

const app = await buildTestApp();
const token = await app.signUp('ann');
const pull = '/repos/harborline/parcel/pulls/10';
const wholeName = 'harborline/parcel#10';

const overHttp = (): Transport =>
  new StreamableHTTPClientTransport(new URL('/mcp', app.url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });

const onStdio = (): Transport =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['--liftoff-only', program, 'mcp', '--server', app.url],
    env: { PATH: process.env.PATH ?? '', PULLQUOTE_TOKEN: token },
    cwd: projectFolder,
    stderr: 'ignore',
  });

/** Starting a process can take long on a busy machine. */
const patient = { timeout: 280_000 };

const older: ClientOptions = { supportedProtocolVersions: ['2024-11-05'] };
const current: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

async function connect(transport: Transport, options: ClientOptions): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(transport, patient);
  after(() => client.close());
  return client;
}

/** Each tool with its input; the sentence is known beforehand. */
const questionsAbout = (sentence: string): [tool: string, input: object][] => [
  ['explain_pull_request', { pullRequest: wholeName, language: 'en' }],
  ['search_articles', { query: 'repo:harborline/parcel recipient', detail: 'full' }],
  ['get_article', { pullRequest: wholeName, section: 'changes' }],
  ['get_article', { pullRequest: wholeName, detail: 'full' }],
  ['get_evidence', { pullRequest: wholeName, sentence }],
  ['ask_about_pull_request', { pullRequest: wholeName, question: 'Whose calendar counts?', language: 'en' }],
  ['list_ranking', { period: 'all', repository: 'harborline/parcel', limit: 1 }],
  ['list_my_feed', { unread: true, detail: 'full' }],
  [
    'what_changed',
    { repository: 'harborline/parcel', path: 'src/estimate', since: '2020-01-01', detail: 'full' },
  ],
];

async function askEverything(client: Client, sentence: string): Promise<object[]> {
  const { tools } = await client.listTools(undefined, patient);
  assert.ok(sentTokens({ tools }) < 6_000, `${sentTokens({ tools })} tokens`);
  // A client that knows the schema of a tool checks each result against it.
  const answers: object[] = [tools.map(({ name, outputSchema }) => [name, outputSchema?.type])];
  for (const [name, input] of questionsAbout(sentence)) {
    const { content, structuredContent, isError } = await client.callTool(
      { name, arguments: { ...input } },
      patient,
    );
    answers.push({ name, content, structuredContent, isError: isError ?? false });
  }
  const { resources } = await client.listResources(undefined, patient);
  const { resourceTemplates } = await client.listResourceTemplates(undefined, patient);
  const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' }, patient);
  return [...answers, resources, resourceTemplates, contents];
}

test('every MCP tool and resource responds equally to protocols 2024-11-05 and 2026-07-28, over HTTP and stdio', async () => {
  await app.call('POST', '/users/me', { token, body: { owner: 'harborline', repo: 'parcel' } });
  const { data } = (await app.call('POST', `${pull}/article`, { token, body: { language: 'en' } })).body;
  await app.call('POST', `/articles/${data.id}/language/en/like`, { token });
  const sentence = 'change-1';
  const { fileName } = data.contents.en.mainChanges[0];
  const clients = await Promise.all([
    connect(overHttp(), older),
    connect(overHttp(), current),
    connect(onStdio(), older),
    connect(onStdio(), current),
  ]);
  assert.deepEqual(
    clients.map((client) => client.getNegotiatedProtocolVersion()),
    ['2024-11-05', '2026-07-28', '2024-11-05', '2026-07-28'],
  );
  const [first = [], ...others] = await Promise.all(clients.map((client) => askEverything(client, sentence)));
  for (const other of others) assert.deepEqual(other, first);
  const told = JSON.stringify(first);
  assert.equal(told.match(/"isError":true/g), null, told);
  assert.equal(told.match(/"notice":"Based on pull requests/g)?.length, questionsAbout('').length);
  for (const text of [
    // A sentence with its id, found by search, liked, unread, changed in the folder, and with its evidence.
    `[${sentence}]`,
    '"matches":[{"text":"',
    '"isSearch":true',
    '"rank":1',
    '"likes":1',
    '"read":"no"',
    '"sentences":[{"text":"',
    `"file":"${fileName}"`,
    '"code":"',
    `pullquote://articles/${data.id}/en`,
    '"mimeType":"text/markdown"',
  ])
    assert.ok(told.includes(text), `${text} in ${told}`);

  const page = await app.call('GET', `/r/harborline/parcel/10?language=en`);
  assert.match(
    page.text,
    /<link rel="alternate" type="text\/markdown" href="\/r\/harborline\/parcel\/10\.md\?language=en">/,
  );
  const twin = await app.call('GET', '/r/harborline/parcel/10.md?language=en');
  assert.equal(twin.headers.get('content-type'), 'text/markdown; charset=utf-8');
  const asMarkdown = { headers: { accept: 'text/markdown' } };
  assert.equal(twin.text, (await app.call('GET', `${pull}/article?language=en`, asMarkdown)).text);
  assert.equal((await app.call('GET', '/r/harborline/parcel/999.md')).status, 404);
  const { text } = await app.call('GET', '/llms.txt');
  assert.match(
    text,
    /^# Pullquote\n\n> .*\n[\s\S]*\/mcp\)[\s\S]*\]\(\/r\/harborline\/parcel\/10\.md\?language=en\)/,
  );
});

test('quoted sentences are marked with the place they are quoted from, in articles and search results', async () => {
  const about = { token, body: { language: 'en' } };
  const { data } = (await app.call('POST', '/repos/harborline/parcel/pulls/1/article', about)).body;
  const client = await connect(overHttp(), current);
  const ask = async (name: string, input: object) =>
    JSON.stringify(await client.callTool({ name, arguments: { ...input } }, patient));
  const mark = '(quoted, in a commit message) ';
  const text = 'Support keeps copying histories out of the JSON by hand';
  assert.ok(data.contents.en.authorWords.markdown.startsWith(text));
  const asData = new RegExp(`"text":"${text}[^"]*","basis":"words","source":"commit"`);
  const read = await ask('get_article', { pullRequest: data.id, section: 'background' });
  assert.ok(read.includes(`- [words] ${mark}${text}`), read);
  assert.match(read, asData);
  const query = 'repo:harborline/parcel "copying histories"';
  const found = await ask('search_articles', { query, detail: 'full' });
  assert.ok(found.includes(`> ${mark}${text}`), found);
  assert.match(found, asData);
});

test('`what_changed` includes pull requests without an article, and matches a folder only by its whole path', async () => {
  // A pull request that is stored but has no article.
  await app.call('POST', '/repos/harborline/parcel/pulls/3/ingest', { token });
  const client = await connect(overHttp(), current);
  const ask = async (path: string) => {
    const input = { repository: 'harborline/parcel', path, since: '2020-01-01' };
    const { structuredContent } = await client.callTool({ name: 'what_changed', arguments: input }, patient);
    const { items, unwritten, isComplete } = JSON.parse(JSON.stringify(structuredContent));
    assert.equal(isComplete, true);
    return [...items.map(({ pullRequest }: { pullRequest: string }) => pullRequest), ...unwritten].toSorted();
  };
  const all = ['harborline/parcel#1', wholeName, 'harborline/parcel#3'];
  for (const root of ['.', './', '/']) assert.deepEqual(await ask(root), all, root);
  const files: string[] = (
    await app.call('GET', '/repos/harborline/parcel/pulls/3/files', { token })
  ).body.data.items.map(({ fileName }: { fileName: string }) => fileName);
  const [file = ''] = files.filter((one) => one.split('/').length > 2);
  const folder = file.split('/').slice(0, -1).join('/');
  for (const path of [file, folder, `./${folder}/`, file.split('/').at(-1) ?? ''])
    assert.ok((await ask(path)).includes('harborline/parcel#3'), path);
  const innerFolder = folder.split('/').at(-1) ?? '';
  assert.deepEqual(await ask(innerFolder), [], `${innerFolder} is no folder of the root`);
});

test('a failed tool call gives the retry delay and the request id', async () => {
  const headers = { 'retry-after': '37' };
  const database = Object.assign(Object.create(app.database), {
    query: () => Promise.reject(new Failure('HOST_RATE_LIMITED', 'Try again later.', { headers })),
  });
  const server = await serveBeside(app, { database });
  const payload = callOf('list_ranking', {});
  const answer = await server.inject({ method: 'POST', url: '/mcp', payload });
  const { content } = answer.json().result;
  const id = answer.headers['x-request-id'];
  assert.equal(
    content[0].text,
    `HOST_RATE_LIMITED: Try again later.\nRetry-After: 37 seconds\nRequest id: ${id}`,
  );
});

interface Sent {
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
}

/** Sends a message as it is, because JSON-RPC responses do not have the form of the API. */
async function send({ body, raw, headers = {} }: Sent) {
  const response = await fetch(new URL('/mcp', app.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: raw ?? JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? null : JSON.parse(text),
  };
}

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const callOf = (name: string, input: unknown) => message('tools/call', { name, arguments: input });

test('invalid params give a JSON-RPC error that names the parameter', async () => {
  for (const [method, params, says] of [
    ['tools/call', { name: { toString: 1 } }, 'params.name: expected string, received object'],
    [
      'tools/call',
      { name: 'get_article', arguments: [] },
      'params.arguments: expected record, received array',
    ],
    ['initialize', { protocolVersion: 7 }, 'params.protocolVersion: expected string, received number'],
    ['tools/list', { cursor: null }, 'params.cursor: expected string, received null'],
    ['resources/list', { cursor: null }, 'params.cursor: expected string, received null'],
    ['resources/templates/list', { cursor: 7 }, 'params.cursor: expected string, received number'],
    ['resources/read', {}, 'params.uri: expected string, received undefined'],
  ] as const) {
    const { status, body, text } = await send({ body: message(method, params) });
    assert.deepEqual([status, body.id, body.error?.code], [200, 1, -32602], text);
    assert.ok(body.error.message.startsWith(`The params of ${method} are not valid: ${says}`), text);
    assert.doesNotMatch(body.error.message, /[[{\n]/);
  }
});

test('invalid messages to /mcp get a sentence as error, and requests from other origins or host names are refused', async () => {
  const bearer = { authorization: `Bearer ${token}` };
  const refused: [sent: Sent, status: number, says: RegExp][] = [
    [{ body: [message('tools/list')] }, 400, /must be an object/],
    [{ body: callOf('search_articles', { query: 'x'.repeat(70_000) }) }, 413, /64 KiB/],
    [{ raw: '{' }, 400, /not valid JSON/],
    [{ raw: 'x', headers: { 'content-type': 'text/plain' } }, 415, /application\/json/],
    [{ body: callOf('list_my_feed', {}) }, 401, /[Ss]ign in|token/],
    [
      { body: message('tools/list'), headers: { authorization: 'Bearer pq_nothing' } },
      401,
      /invalid, expired/,
    ],
    [{ body: message('tools/list'), headers: { origin: 'https://evil.example' } }, 403, /web origin/],
    [{ body: message('tools/list'), headers: { ...bearer, origin: 'null' } }, 403, /web origin/],
  ];
  for (const [sent, status, says] of refused) {
    const answer = await send(sent);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.body.error.message, says);
    const challenge = answer.headers.get('www-authenticate');
    if (status === 401) assert.match(challenge ?? '', /^Bearer .*resource_metadata="http:[^"]+\/mcp"$/);
  }
  const opened = await app.call('POST', '/auth/session', { token, body: { cookie: true } });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const withCookie = (origin?: string) =>
    send({ body: callOf('list_my_feed', {}), headers: { cookie, ...(origin !== undefined && { origin }) } });
  assert.equal((await withCookie('https://evil.example')).status, 403);
  assert.equal((await withCookie()).status, 403, 'a page need not say whose it is');
  assert.equal((await withCookie(app.url)).body.result.isError, undefined);

  // DNS rebinding: another name leads to this machine. `fetch` would overwrite the Host header.
  const underName = async (name: string): Promise<number> => {
    const body = JSON.stringify(message('tools/list'));
    const host = `${name}:${new URL(app.url).port}`;
    const headers = { 'content-type': 'application/json', host, origin: `http://${host}` };
    const asked = request(new URL('/mcp', app.url), { method: 'POST', headers }).end(body);
    const [answer] = await once(asked, 'response');
    answer.resume();
    return answer.statusCode;
  };
  for (const [name, status] of [
    ['evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost', 200],
    ['[::1]', 200],
    ['192.0.2.7', 200],
  ] as const)
    assert.equal(await underName(name), status, name);

  const told = async (name: string, input: unknown, headers = bearer) =>
    (await send({ body: callOf(name, input), headers })).body.result;
  const stranger = { authorization: `Bearer ${app.tokenFor('nobody')}` };
  const failing: [result: Awaited<ReturnType<typeof told>>, says: RegExp][] = [
    [await told('get_article', { pullRequest: 7 }), /^INVALID_REQUEST: [\s\S]*pullRequest must be text/],
    [
      await told('get_article', { pullRequest: wholeName, sections: 'all' }),
      /sections is not allowed here; allowed: pullRequest, host, section/,
    ],
    [
      await told('get_article', { pullRequest: 'acme/absent#1' }),
      /^ARTICLE_NOT_FOUND: .* call explain_pull_request/,
    ],
    [
      await told('get_article', { pullRequest: 'what?' }),
      /pullRequest is not a pull request or repository on a code host/,
    ],
    [await told('get_article', { pullRequest: wholeName, cursor: '7-999' }), /without the cursor/],
    [
      await told('get_evidence', { pullRequest: wholeName, sentence: 'It flies.' }),
      /^NOT_FOUND: .* does not contain this sentence/,
    ],
    [await told('search_articles', { query: 'type:NOTHING' }), /query contains type:NOTHING/i],
    [
      await told('what_changed', { repository: 'acme/absent', path: 'a', since: '2026-01-01' }),
      /^REPOSITORY_NOT_FOUND/,
    ],
    [
      await told('what_changed', { repository: 'harborline/parcel', path: 'a', since: 'yesterday!' }),
      /since must be an ISO 8601 date/,
    ],
    ...(await Promise.all(
      ['0000-01-01', '0001-01-01T00:00:00+01:00', '9999-12-31T23:00:00-02:00'].map(
        async (since): Promise<[result: Awaited<ReturnType<typeof told>>, says: RegExp]> => [
          await told('what_changed', { repository: 'harborline/parcel', path: 'a', since }),
          /since must be an ISO 8601 date/,
        ],
      ),
    )),
    [
      await told('ask_about_pull_request', { pullRequest: wholeName, question: ' ' }),
      /^INVALID_REQUEST: .*\n?.*question/,
    ],
    [await told('list_ranking', { limit: 101 }), /limit must be a whole number from 1 to 100/],
    [await told('list_my_feed', {}, stranger), /^USER_NOT_FOUND/],
    [
      await told('explain_pull_request', { pullRequest: 'harborline/parcel' }),
      /not a pull request; add the number/,
    ],
  ];
  for (const [{ isError, content }, says] of failing) {
    assert.equal(isError, true, content[0].text);
    assert.match(content[0].text, says);
    assert.match(content[0].text, /\nRequest id: [\w-]+$/);
  }
  const wrong = async (method: string, params?: object) =>
    (await send({ body: message(method, params) })).body.error;
  assert.match((await wrong('tools/call', { name: 'nothing' })).message, /no tool/);
  assert.match(
    (await wrong('resources/read', { uri: 'pullquote://articles/1/en' })).message,
    /Resource URIs have the form/,
  );
  assert.match((await wrong('resources/list', { cursor: 'x' })).message, /not a cursor/);
  assert.equal((await wrong('nothing/at-all')).code, -32601);
  assert.equal((await send({ body: { jsonrpc: '2.0', method: 'notifications/initialized' } })).status, 202);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
  const listening = message('subscriptions/listen', { _meta, notifications: {} });
  assert.match((await send({ body: listening, headers })).text, /limit reached/, 'no stream stays open');
  const { status, body } = await app.call('GET', '/mcp');
  assert.deepEqual([status, body.error.message], [405, 'This path supports only POST.']);
  const metadata = await app.call('GET', '/.well-known/oauth-protected-resource/mcp');
  assert.deepEqual(metadata.body.resource, `${app.url}/mcp`);
});
