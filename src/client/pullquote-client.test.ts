import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { followJob, PullquoteClient, PullquoteError, type Schemas } from './pullquote-client.ts';

const names = ['comet', 'rocket', 'shuttle'];
const root = temporaryFolder();
for (const name of names) makeClone(root, `acme/${name}`, 'feat: begin (#1)');
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
/** A service without writers, so its jobs stay queued until a test cancels them. */
const idle = await buildTestApp({ environment: { GIT_REPOS: root, WRITERS: '0' } });

const articlePath = '/repos/{owner}/{repo}/pulls/{number}/article';
const pathOf = (repo: string) => ({ path: { owner: 'acme', repo, number: 1 } });

function portOf(server: Server): number {
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return address.port;
}

async function failsWith(call: Promise<unknown>, known: Partial<PullquoteError>): Promise<PullquoteError> {
  const error = await call.then(
    () => assert.fail('did not fail'),
    (thrown) => thrown,
  );
  assert.ok(error instanceof PullquoteError, String(error));
  assert.partialDeepStrictEqual({ ...error }, known);
  assert.match(String(error), /^PullquoteError: .*\.$/);
  return error;
}

test('the bundled client is smaller than 5 kB', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('pullquote-client.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const bytes = outputFiles[0]?.contents.length ?? Number.POSITIVE_INFINITY;
  assert.ok(bytes < 5_000, `${bytes} bytes`);
});

test('the client waits for articles and answers, lists page by page, reads Markdown, and returns null for an unchanged article', async () => {
  const asked: string[] = [];
  const fetchNoted = (request: Request) => {
    asked.push(`${request.method} ${new URL(request.url).search}`);
    return fetch(request);
  };
  const client = new PullquoteClient({ url: `${app.url}/`, token: app.tokenFor('ann'), fetch: fetchNoted });
  assert.equal((await client.post('/auth/signup', { body: { language: 'en' } })).language, 'en');
  const states: string[] = [];
  const written: Schemas['PullRequestArticle'][] = [];
  for (const repo of names)
    written.push(
      await client.writeArticle(
        { owner: 'acme', repo, number: 1, host: 'git' },
        { onProgress: ({ state }) => states.push(state) },
      ),
    );
  assert.equal(states.filter((state) => state === 'done').length, names.length);
  const again = await client.writeArticle({ owner: 'acme', repo: 'comet', number: 1 });
  assert.deepEqual(again, written[0]);

  asked.length = 0;
  const listed: string[] = [];
  const params = { query: { language: 'en', limit: 2 } };
  for await (const { repo } of client.list('/articles', { params })) listed.push(repo);
  assert.deepEqual(listed.sort(), names);
  assert.deepEqual(asked, ['GET ?limit=2&offset=0&language=en', 'GET ?limit=2&offset=2&language=en']);
  for await (const { repo } of client.list('/articles')) {
    assert.ok(names.includes(repo));
    break;
  }
  assert.equal(asked.length, 3);
  for await (const { state } of client.list('/repos/{owner}/{repo}/pulls', {
    params: { path: { owner: 'acme', repo: 'comet' }, query: { limit: 1 } },
  }))
    assert.equal(state, 'merged');

  const subject = { owner: 'acme', repo: 'comet', question: 'What is acme/comet?' };
  const answer = await client.ask({ ...subject, number: 1 });
  assert.deepEqual([answer.prNumber, answer.found], [1, true]);
  assert.equal((await client.ask({ ...subject, number: 1 })).id, answer.id);
  assert.equal((await client.ask(subject)).prNumber, null);

  const markdown = await client.text(articlePath, { params: pathOf('rocket') });
  assert.match(markdown, /^# /);
  const read = await client.getIfChanged(null, articlePath, { params: pathOf('rocket') });
  assert.equal(read?.data.repo, 'rocket');
  assert.equal(await client.getIfChanged(read?.etag ?? '', articlePath, { params: pathOf('rocket') }), null);
});

test("a failed call rejects with a `PullquoteError` that has the service's code or NO_ANSWER; an aborted call rejects with its reason", async () => {
  const { url } = app;
  const token = await app.signUp('bob');
  const bob = new PullquoteClient({ url, token });
  const twice = await failsWith(bob.post('/auth/signup'), { code: 'ALREADY_SIGNED_UP', status: 409 });
  assert.match(twice.requestId ?? '', /^[0-9a-f-]{36}$/);
  const wrong = { params: { query: { limit: 0 } } };
  const { details } = await failsWith(bob.get('/articles', wrong), { code: 'INVALID_REQUEST', status: 400 });
  assert.deepEqual(
    details.map(({ field }) => field),
    ['limit'],
  );
  await failsWith(new PullquoteClient({ url }).get('/users/me'), { code: 'UNAUTHORIZED', status: 401 });
  for (const address of ['', 'localhost:8080', 'ftp://127.0.0.1', 'https://'])
    assert.throws(
      () => new PullquoteClient({ url: address }),
      /^TypeError: url must be where the service answers/,
    );
  const nowhere = new PullquoteClient({ url: 'http://127.0.0.1:1' });
  await failsWith(nowhere.get('/meta'), { code: 'NO_ANSWER', status: null, retryAfter: null });

  const behind = (answer: () => Response) =>
    new PullquoteClient({ url, fetch: async () => answer() }).get('/meta');
  const headers = { 'retry-after': '7', 'content-type': 'text/html' };
  const other = { code: 'NO_ANSWER', requestId: null } as const;
  await failsWith(
    behind(() => new Response('<html>', { headers })),
    { ...other, status: null },
  );
  await failsWith(
    behind(() => new Response('down', { status: 502, headers })),
    { ...other, retryAfter: 7 },
  );
  await failsWith(
    behind(() => Response.json({ error: 'odd' }, { status: 429, headers: { 'retry-after': 'later' } })),
    { ...other, status: 429, retryAfter: null },
  );

  const elsewhere = createHttpServer((_request, response) =>
    response.writeHead(307, { location: `${url}/auth/host-token` }).end(),
  ).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const redirected = new PullquoteClient({ url: `http://127.0.0.1:${portOf(elsewhere)}`, token });
  const hostToken = { body: { accessToken: 'of-the-host' } };
  await failsWith(redirected.post('/auth/host-token', hostToken), { ...other, status: null });
  elsewhere.close();

  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const leaving = new AbortController();
  silent.once('connection', () => leaving.abort(new Error('enough')));
  const waiting = new PullquoteClient({ url: `http://127.0.0.1:${portOf(silent)}` });
  await assert.rejects(waiting.get('/meta', { signal: leaving.signal }), /^Error: enough$/);
  silent.close();
});

/** A job, with a client whose responses the test can replace. */
async function follow(repo: string, respondTo: (path: string, request: Request) => Promise<Response>) {
  const token = await idle.signUp(`follower-of-${repo}`);
  const straight = new PullquoteClient({ url: idle.url, token });
  const headers = { prefer: 'respond-async' };
  const job = await straight.post(articlePath, { params: pathOf(repo), headers });
  assert.ok(job.kind === 'job');
  const client = new PullquoteClient({
    url: idle.url,
    token,
    retryMs: 1,
    fetch: (request) => respondTo(request.url.endsWith('/events') ? 'events' : 'job', request),
  });
  return { client, job, cancel: () => straight.delete('/jobs/{id}', { params: { path: { id: job.id } } }) };
}

/** A response that breaks off after its first event was read. */
async function breakOff(request: Request): Promise<Response> {
  const { body, headers } = await fetch(request);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const cut = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (/\ndata: .*\n\n/.test(text)) {
          controller.error(new Error('cut'));
          await reader?.cancel();
          return;
        }
        const { value = '' } = (await reader?.read()) ?? {};
        text += value;
        controller.enqueue(new TextEncoder().encode(value));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(cut, { headers });
}

test('following a job resumes from the last event after each interruption, until the job is cancelled', async () => {
  const busy = { status: 503, headers: { 'retry-after': '0' } };
  const seen: (string | null)[] = [];
  const answers = {
    events: [
      () => Promise.reject(new TypeError('fetch failed')),
      breakOff,
      async () => new Response('busy', busy),
      async (request: Request) => {
        await followed.cancel();
        return fetch(request);
      },
    ],
    job: [fetch, async () => new Response('busy', busy), fetch],
  };
  const followed = await follow('comet', async (path, request) => {
    if (path === 'events') seen.push(request.headers.get('last-event-id'));
    const answer = answers[path === 'events' ? 'events' : 'job'].shift() ?? fetch;
    return answer(request);
  });
  const states: string[] = [];
  await failsWith(followed.client.finish(followed.job, { onProgress: ({ state }) => states.push(state) }), {
    code: 'ARTICLE_NOT_FOUND',
    status: null,
  });
  assert.deepEqual(states, ['queued', 'queued', 'queued', 'cancelled']);
  assert.deepEqual(seen.slice(0, 2), ['', '']);
  assert.ok(seen[2] !== '' && seen[2] === seen[3], 'only what is newer is asked for');
  assert.deepEqual([answers.events.length, answers.job.length], [0, 0]);
  await failsWith(followed.client.finish(await followed.cancel()), { code: 'ARTICLE_NOT_FOUND' });
});

test('`finish` gives up after five failed calls or when its signal aborts, and leaves the job as it is', async () => {
  let calls = 0;
  const away = await follow('rocket', async () => {
    calls += 1;
    throw new TypeError('fetch failed');
  });
  await failsWith(away.client.finish(away.job), { code: 'NO_ANSWER' });
  assert.equal(calls, 5);
  const leaving = new AbortController();
  const given = await follow('shuttle', (_path, request) => fetch(request));
  const onProgress = () => leaving.abort(new Error('enough'));
  const waiting = given.client.finish(given.job, { signal: leaving.signal, onProgress });
  await assert.rejects(waiting, /^Error: enough$/);
  assert.equal((await given.cancel()).state, 'cancelled');

  const { signal } = new AbortController();
  const states = ['queued', 'running', 'running', 'done'] as const;
  const jobs = states.map((state) => Promise.resolve({ ...given.job, state })).values();
  const seen = followJob(
    async () => jobs.next().value ?? assert.fail('asked for more'),
    async () => undefined,
    0,
    signal,
  );
  assert.deepEqual(
    (await Array.fromAsync(seen)).map(({ state }) => state),
    states,
  );
  assert.equal(getEventListeners(signal, 'abort').length, 0, 'no wait leaves its listener behind');
});
