import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Reply } from '../../../test/build-app.ts';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { dumpedTables, placesOfTokens } from '../../../test/github/find-tokens.ts';
import type { ScriptedAnswer } from '../../../test/github/stand-in.ts';
import { account, pull, repository } from '../../../test/github/state.ts';
import { makeLargeRepository } from '../../../test/make-large-repository.ts';

const second = 1_000;
const minute = 60 * second;
const { app, github, answers, join } = await buildGitHubApp({ logLevel: 'trace' });
const byGit = makeLargeRepository(1);
const rocket = repository(71, 'acme/rocket', { pulls: [pull(1, 'canary')], gitFolder: byGit.gitFolder });
github.state.repositories.push(rocket);
const ann = await join('ann');
const bea = await join('bea');

/** Where redirects would lead that must not be followed. */
let strayPackets = 0;
const elsewhere = createServer(() => {
  strayPackets += 1;
});
await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
after(() => elsewhere.close());
const { port: strayPort } = elsewhere.address() as { port: number };

const json = { 'content-type': 'application/json; charset=utf-8' };
const say =
  (status: number, message: string, headers: Record<string, string | number> = {}): ScriptedAnswer =>
  (response) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify({ message }));
const led = (location: string) => say(302, 'Found', { location });
const raw = (text: string | Buffer, headers: Record<string, string> = {}) => {
  return (response: ServerResponse) => void response.writeHead(200, { ...json, ...headers }).end(text);
};
const inSeconds = (seconds: number) => Math.floor((app.now().getTime() + seconds * second) / second);

type Spoil = (response: ServerResponse, text: string) => void;
const cutOff: Spoil = (response, text) => response.write(text.slice(0, 9), () => response.destroy());

/** Lets GitHub answer with the tag that is its own, and spoils what it says. */
const spoilt =
  (type: string | undefined, spoil: Spoil): ScriptedAnswer =>
  (response, pass) => {
    const { writeHead, end } = response;
    Object.assign(response, {
      writeHead: (status: number, { 'content-type': _, ...headers }: Record<string, string>) =>
        writeHead.call(response, status, { ...headers, ...(type && { 'content-type': type }) }),
      end: (text = '') => spoil(Object.assign(response, { end }), text),
    });
    return pass();
  };

/** What GitHub says, what the user gets for it, and how long they are told to wait. */
const table: [string, () => ScriptedAnswer, number, string, string | null][] = [
  [
    '403 for its hourly limit',
    () =>
      say(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': 0, 'x-ratelimit-reset': inSeconds(90) }),
    503,
    'HOST_RATE_LIMITED',
    '90',
  ],
  [
    '403 for a secondary limit',
    () => say(403, 'secondary', { 'retry-after': 30 }),
    503,
    'HOST_RATE_LIMITED',
    '30',
  ],
  [
    '403 for a secondary limit without a time',
    () => say(403, 'You have exceeded a secondary rate limit.'),
    503,
    'HOST_RATE_LIMITED',
    '60',
  ],
  ['503 with a time', () => say(503, 'Busy', { 'retry-after': 20 }), 503, 'HOST_RATE_LIMITED', '20'],
  ['429', () => say(429, 'Slow down', { 'retry-after': 7 }), 503, 'HOST_RATE_LIMITED', '7'],
  ['429 without a time', () => say(429, 'Slow down'), 503, 'HOST_RATE_LIMITED', '60'],
  [
    '403 for want of single sign-on',
    () => say(403, 'Resource protected by SAML', { 'x-github-sso': 'required; url=https://github.com/sso' }),
    409,
    'HOST_TOKEN_INVALID',
    null,
  ],
  [
    '403 for want of a permission',
    () => say(403, 'Resource not accessible'),
    409,
    'HOST_TOKEN_INVALID',
    null,
  ],
  ['401 for the token', () => say(401, 'Bad credentials'), 409, 'HOST_TOKEN_INVALID', null],
  ['500', () => say(500, 'Server Error'), 502, 'HOST_ERROR', null],
  ['502', () => say(502, 'Bad Gateway'), 502, 'HOST_ERROR', null],
  [
    '502 with what it was asked',
    () => (response, _pass, request) =>
      void response.writeHead(502, { 'content-type': 'text/plain' }).end(JSON.stringify(request.headers)),
    502,
    'HOST_ERROR',
    null,
  ],
  ['a page for people', () => raw('<html>', { 'content-type': 'text/html' }), 502, 'HOST_ERROR', null],
  ['half of some JSON', () => raw('{"number": 1, "ti'), 502, 'HOST_ERROR', null],
  ['wrong types', () => raw('{"number": "one"}'), 502, 'HOST_ERROR', null],
  ['a list in place of one', () => raw('[]'), 502, 'HOST_ERROR', null],
  [
    'a day that there is not',
    () =>
      spoilt('application/json', (response, text) =>
        response.end(text.replace('2026-03-01T10:00:00Z', '2026-99-99T10:00:00Z')),
      ),
    502,
    'HOST_ERROR',
    null,
  ],
  ['more values than are read', () => raw(`[${'{},'.repeat(1_000_000)}{}]`), 502, 'HOST_ERROR', null],
  [
    'and breaks off',
    () => (response) => {
      response.writeHead(200, { ...json, 'content-length': 1_000 });
      response.write('{"number"', () => response.destroy());
    },
    502,
    'HOST_ERROR',
    null,
  ],
  [
    'a bomb',
    () => raw(gzipSync(Buffer.alloc(256 * 1024 * 1024, ' ')), { 'content-encoding': 'gzip' }),
    502,
    'HOST_ERROR',
    null,
  ],
  [
    'without an end',
    () => (response) => {
      const more = () => void (response.destroyed || response.write(Buffer.alloc(1024 * 1024, ' '), more));
      response.writeHead(200, json);
      more();
    },
    502,
    'HOST_ERROR',
    null,
  ],
  ['a redirect elsewhere', () => led(`https://127.0.0.1:${strayPort}/`), 502, 'HOST_ERROR', null],
  ['a redirect to this machine', () => led(`http://localhost:${strayPort}/`), 502, 'HOST_ERROR', null],
  [
    'a redirect to where clouds keep secrets',
    () => led('http://169.254.169.254/latest'),
    502,
    'HOST_ERROR',
    null,
  ],
  ['a redirect to itself', () => led('/api/v3/repos/acme/rocket/pulls/1'), 502, 'HOST_ERROR', null],
];

const rows: string[] = [];
after(() => {
  const head = [
    '| GitHub answers | the user gets | Retry-After | calls | seconds |',
    '|---|---|---|---|---|',
  ];
  console.log([...head, ...rows].join('\n'));
});

const ingest = (token: string) => app.call('POST', '/repos/acme/rocket/pulls/1/ingest', { token });

const heard: string[] = [];

/** Asks, and notes what came of it, with the calls that are about it. */
async function noted(
  name: string,
  ask: () => Promise<Reply>,
  about = /./,
): Promise<{ reply: Reply; calls: string[] }> {
  const before = heard.push(...github.takeCalls());
  const begun = performance.now();
  const reply = await ask();
  const seconds = ((performance.now() - begun) / second).toFixed(1);
  heard.push(...github.takeCalls());
  const calls = heard.slice(before).filter((call) => about.test(call));
  const told = [reply.status, reply.body?.error?.code].filter(Boolean).join(' ');
  const retryAfter = reply.headers.get('retry-after') ?? '';
  rows.push(`| ${name} | ${told} | ${retryAfter} | ${calls.length} | ${seconds} |`);
  return { reply, calls };
}

for (const [name, answer, status, code, retryAfter] of table) {
  test(`when GitHub answers ${name}, the user gets ${status} ${code}, and nothing is stored`, async () => {
    // Past what was said before, the check of the token included.
    app.advance(2 * minute);
    await app.call('GET', '/users/me', { token: ann });
    const stop = github.script(/^\/repos\/acme\/rocket\/pulls\/1$/, answer());
    const { reply, calls } = await noted(name, () => ingest(ann));
    assert.deepEqual(
      [reply.status, reply.body.error.code, reply.headers.get('retry-after')],
      [status, code, retryAfter],
      reply.text,
    );
    if (name.includes('single sign-on')) assert.match(reply.body.error.message, /single sign-on/);
    assert.ok(calls.length <= 4, 'it is asked once, and follows three redirects at most');
    assert.equal((await app.call('GET', '/repos/acme/rocket/pulls/1')).status, 404);
    stop();
    if (retryAfter === null) return;
    assert.equal((await ingest(ann)).body.error.code, 'HOST_RATE_LIMITED');
    app.advance((Number(retryAfter) - 1) * second);
    assert.equal((await ingest(ann)).headers.get('retry-after'), '1');
    assert.deepEqual(github.takeCalls(), [], 'nothing leaves before the time');
  });
}

test('a connection that GitHub has closed meanwhile fails nobody: they are answered on another', async () => {
  let isFirst = true;
  const stop = github.script(/\/pulls\?/, (response, pass) => {
    if (!isFirst) return pass();
    isFirst = false;
    response.destroy();
  });
  const listed = await app.call('GET', '/repos/acme/rocket/pulls', { token: ann });
  stop();
  assert.equal(listed.status, 200, listed.text);
});

test('what GitHub answers as it should becomes what was asked for: printed, unchanged, in pages, elsewhere, by git, or absent', async () => {
  app.advance(2 * minute);
  await app.call('GET', '/users/me', { token: ann });
  const range = { base: { ref: 'main', sha: byGit.base }, head: { ref: 'topic', sha: byGit.head } };
  const said = { author: 'rin', body: 'Well.', createdAt: '2026-03-02T10:00:00Z' };
  rocket.pulls.push(
    pull(30, 'printed', { files: 40 }),
    pull(31, 'long', { comments: Array(250).fill(said) }),
    pull(32, 'by git', { ...range, mergeBase: byGit.base, diff: null }),
  );
  const moved = repository(76, 'acme/now', { formerNames: ['acme/before'], pulls: [pull(1, 'moved')] });
  github.state.repositories.push(moved);
  // A server of one's own is asked once an hour whether it shows anything without a token.
  await app.call('POST', '/users/me', { token: ann, body: { owner: 'acme', repo: 'rocket' } });
  const expected: [string, string, number, number][] = [
    ['200, with 40 files', '/repos/acme/rocket/pulls/30', 201, 9],
    ['304', '/repos/acme/rocket/pulls/30', 200, 1],
    ['200, of which one list in three pages', '/repos/acme/rocket/pulls/31', 201, 9 + 2],
    ['301', '/repos/acme/before/pulls/1', 201, 9 + 1],
    ['404 for a number', '/repos/acme/rocket/pulls/404', 404, 2],
    ['404 for a repository', '/repos/acme/nothing/pulls/1', 404, 2],
    ['406', '/repos/acme/rocket/pulls/32', 201, 9 + 4],
  ];
  for (const [name, path, status, most] of expected) {
    const ask = () => app.call('POST', `${path}/ingest`, { token: ann });
    const { reply, calls } = await noted(name, ask);
    assert.deepEqual([reply.status, calls.length], [status, most], `${name}: ${calls}`);
  }
  for (const status of [410, 451]) {
    const stop = github.script(/^\/repos\/acme\/gone/, say(status, 'Gone'));
    const ask = () => app.call('POST', '/repos/acme/gone/pulls/1/ingest', { token: ann });
    const { reply } = await noted(String(status), ask);
    assert.deepEqual([reply.status, reply.body.error.code], [404, 'REPOSITORY_NOT_FOUND']);
    stop();
  }
});

test('a token is refused where GitHub refuses it; who else turns us away on the way to it says nothing of it', async () => {
  const dora = await join('dora');
  const me = () => app.call('GET', '/users/me', { token: dora });
  const answered: [string, ScriptedAnswer, number][] = [
    ['a page that blocks, when asked for the user', say(403, 'Blocked by policy'), 502],
    ['401, when asked for the user', say(401, 'Bad credentials'), 401],
    ['that the account is suspended', say(403, 'Sorry. Your account was suspended.'), 401],
  ];
  for (const [name, answer, status] of answered) {
    app.advance(5 * minute + second);
    const stop = github.script(/^\/user$/, answer);
    const { reply } = await noted(name, me);
    assert.equal(reply.status, status, reply.text);
    stop();
    assert.equal((await me()).status, status === 401 ? 401 : 200, 'only what GitHub says is remembered');
  }
});

test('an error about one repository is no silence of GitHub: others are asked about', async () => {
  const others = [repository(77, 'acme/failing'), repository(78, 'acme/fine')];
  for (const on of others) {
    on.pulls.push(pull(1, on.name));
    github.state.repositories.push(on);
    const path = `/repos/acme/${on.name}/pulls/1/ingest`;
    assert.equal((await app.call('POST', path, { token: bea })).status, 201);
  }
  const stop = github.script(/^\/repositories\/77$/, say(500, 'Server Error'));
  app.advance(6 * minute);
  github.takeCalls();
  for (const { name } of others)
    assert.equal((await app.call('GET', `/repos/acme/${name}/pulls/1`)).status, 200);
  assert.deepEqual(github.takeCalls(), ['GET /repositories/77', 'GET /repositories/78']);
  stop();
});

const spoiled: [string, RegExp, ScriptedAnswer][] = [
  ['half', /\/pulls\/20$/, spoilt('application/json', (response, text) => response.end(text.slice(0, 99)))],
  ['other', /\/pulls\/21$/, spoilt('application/json', (response) => response.end('{"number":"one"}'))],
  ['cut', /\/pulls\/22$/, spoilt('application/json', cutOff)],
  ['cut text', /\/pulls\/23$/, spoilt('text/plain', cutOff)],
  ['cut and of no type', /\/pulls\/24$/, spoilt(undefined, cutOff)],
  ['bytes', /\/pulls\/25$/, spoilt('application/octet-stream', (response, text) => response.end(text))],
  ['a cut list', /\/pulls\/26\/commits/, spoilt('application/json', cutOff)],
  [
    'a list of others',
    /\/pulls\/27\/commits/,
    spoilt('application/json', (response) => response.end('[{}]')),
  ],
];

test('an answer that cannot be read is not remembered, whatever its tag: the next one counts', async () => {
  app.advance(2 * minute);
  for (const [index, [name, path, answer]] of spoiled.entries()) {
    const number = 20 + index;
    rocket.pulls.push(pull(number, name));
    const ask = () => app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token: ann });
    const stop = github.script(path, answer);
    const broken = await ask();
    stop();
    assert.deepEqual(
      [broken.status, broken.body.error?.code],
      [502, 'HOST_ERROR'],
      `${name}: ${broken.text}`,
    );
    const whole = await ask();
    assert.equal(whole.status, 201, `${name}: ${whole.text}`);
  }
});

test('what a server in private mode shows to nobody without a token is not public', async () => {
  github.state.repositories.push(repository(75, 'acme/closed', { pulls: [pull(1, 'closed')] }));
  const path = '/repos/acme/closed/pulls/1';
  assert.equal((await app.call('POST', `${path}/ingest`, { token: ann })).status, 201);
  const stop = github.script(/^\/repos/, (response, pass, request) =>
    request.headers.authorization ? pass() : say(401, 'Requires authentication')(response, pass, request),
  );
  app.advance(6 * minute);
  assert.equal((await app.call('GET', path)).status, 404);
  const { accessToken: token } = (await app.call('POST', '/auth/session', { token: ann })).body.data;
  assert.equal((await app.call('POST', `${path}/ingest`, { token })).status, 404);
  // Nor is it for the five minutes for which other viewers need not ask.
  app.advance(61 * minute);
  github.state.repositories.push(repository(79, 'acme/shut', { pulls: [pull(1, 'shut')] }));
  const shut = '/repos/acme/shut/pulls/1';
  assert.equal((await app.call('POST', `${shut}/ingest`, { token: ann })).status, 201);
  assert.deepEqual(
    [(await app.call('GET', shut)).status, (await app.call('GET', shut, { token: ann })).status],
    [404, 200],
  );
  stop();
});

test('a limit is that of one token: others go on', async () => {
  app.advance(2 * minute);
  for (const token of [ann, bea]) await app.call('GET', '/users/me', { token });
  const stop = github.script(/^\/repos\/acme\/rocket$/, (response, pass, request) =>
    request.headers.authorization?.includes(ann)
      ? say(429, 'Slow down', { 'retry-after': 60 })(response, pass, request)
      : pass(),
  );
  const favor = (token: string) =>
    app.call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
  assert.deepEqual([(await favor(ann)).status, (await favor(bea)).status], [503, 201]);
  stop();
});

test('a token is asked about once in five minutes, whatever it is; other shapes are never asked about', async () => {
  app.advance(6 * minute);
  github.takeCalls();
  const me = async (token: string) => (await app.call('GET', '/users/me', { token })).status;
  for (let time = 0; time < 3; time += 1) assert.equal(await me(ann), 200);
  for (let time = 0; time < 3; time += 1) assert.equal(await me('ghp_nobodys'), 401);
  assert.deepEqual(github.takeCalls(), ['GET /user', 'GET /user']);
  for (const shape of ['gho_x', 'ghu_x', 'ghs_x', 'ghr_x', 'ghp-x', 'pql_x.y', 'x', 'c0ffee'.padEnd(40, '0')])
    assert.equal(await me(shape), 401);
  assert.deepEqual(github.takeCalls(), []);
});

test('a token that was revoked is refused within five minutes, and one that was logged out until it opens a session', async () => {
  const cid = await join('cid');
  const me = async (token: string) => (await app.call('GET', '/users/me', { token })).status;
  assert.equal((await app.call('POST', '/auth/logout', { token: cid })).status, 200);
  assert.equal(await me(cid), 401);
  app.advance(400 * 24 * 60 * minute);
  await app.housekeeping.run();
  assert.equal(await me(cid), 401, 'nobody knows when it expires');
  assert.equal((await app.call('POST', '/auth/session', { token: cid })).status, 201);
  assert.equal(await me(cid), 200);
  for (const one of github.state.accounts) if (one.login === 'cid') one.tokens.clear();
  app.advance(5 * minute + second);
  assert.equal(await me(cid), 401);
});

test('who answers slowly what one user asks for, or drips, is given up there, and everybody else is answered at once', async () => {
  app.advance(2 * minute);
  for (const token of [ann, bea]) await app.call('GET', '/users/me', { token });
  rocket.pulls.push(pull(33, 'slow'), pull(34, 'compared'));
  const stops = [
    github.script(/^\/repos\/acme\/rocket\/pulls\/33$/, () => {}),
    github.script(/\/compare\//, () => {}),
    github.script(/^\/repos\/acme\/rocket\/pulls\/1$/, (response) => {
      const drip = setInterval(() => response.write(' '), 200);
      response.writeHead(200, json).on('close', () => clearInterval(drip));
    }),
  ];
  const ask = (number: number, token: string) => () =>
    app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token });
  const replies = await Promise.all([
    noted('nothing', ask(33, ann), /33/),
    noted('all but where the branches part', ask(34, ann), /34|compare/),
    noted('a drop at a time', ask(1, bea), /pulls.1$/),
  ]);
  for (const stop of stops) stop();
  assert.deepEqual(
    replies.map(({ reply }) => [reply.status, reply.body.error.code]),
    [
      [504, 'HOST_TIMEOUT'],
      [504, 'HOST_TIMEOUT'],
      [502, 'HOST_ERROR'],
    ],
  );
  assert.equal((await ask(33, bea)()).status, 201);
});

test('who does not answer at all is left alone for half a minute, in which nobody waits and readers read on', async () => {
  rocket.pulls.push(pull(2, 'read'));
  const path = '/repos/acme/rocket/pulls/2';
  assert.equal((await app.call('POST', `${path}/ingest`, { token: bea })).status, 201);
  github.state.accounts.push(account(2_000, 'dee', 'ghp_dee'));
  const me = async () => (await app.call('GET', '/users/me', { token: 'ghp_dee' })).status;
  const stop = github.script(/./, () => {});
  assert.equal(await me(), 504);
  stop();
  github.takeCalls();
  assert.equal(await me(), 504);
  app.advance(29 * second);
  assert.equal(await me(), 504);
  assert.equal((await app.call('GET', path)).status, 200);
  assert.deepEqual(github.takeCalls(), [], 'it is left alone');
  app.advance(2 * second);
  assert.equal(await me(), 404, 'not signed up');
});

test('nobody was called whom GitHub led us to', () => {
  assert.equal(strayPackets, 0);
});

test('after all this, tokens stand in no log, answer, table or file, the job’s included', async () => {
  assert.ok(app.logLines().length > 20);
  const job = await app.call('POST', '/repos/acme/rocket/pulls/30/article', {
    token: ann,
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  assert.equal(job.status, 202, job.text);
  const dumped = await dumpedTables(app);
  assert.match(dumped.get('public.writing_jobs') ?? '', /queued|running|done/);
  assert.deepEqual(await placesOfTokens(app, answers), []);
});
