import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { pull, repository, shaOf } from '../../../test/github/state.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../db/sql.ts';
import type { Discussion } from '../../domain/reviews.ts';

const second = 1_000;
const minute = 60 * second;
const { app, github, join } = await buildGitHubApp({ environment: { RATE_LIMIT: '10000' } });

const rocket = repository(71, 'Acme/Rocket');
const day = '2026-03-02T10:00:00Z';
const discussed = pull(7, 'canary', {
  files: 40,
  comments: [{ author: null, body: 'Why?', createdAt: day }],
  reviews: [
    { author: 'rin', body: 'Good.', state: 'APPROVED', submittedAt: '2026-03-03T10:00:00Z' },
    { id: 2, author: 'ann', body: 'Not said yet.', state: 'PENDING', submittedAt: null, visibleTo: 'ann' },
  ],
  reviewComments: [
    { author: 'rin', body: 'Here?', createdAt: '2026-03-04T10:00:00Z', path: 'src/file-3.ts', line: 1 },
    { reviewId: 2, author: 'ann', body: 'Nor this.', createdAt: day, path: 'src/file-4.ts', line: 1 },
  ],
  closingIssues: [
    { number: 3, title: 'It lacks words', body: 'They are missing.', repositoryId: 71 },
    { number: 4, title: 'A secret', body: 'Of another place.', repositoryId: 99, visibleTo: 'ann' },
  ],
});
rocket.pulls.push(discussed);
github.state.repositories.push(rocket);
const ann = await join('ann');
const bea = await join('bea');
assert.deepEqual(github.takeCalls(), ['GET /user', 'GET /user']);
await app.call('POST', '/users/me', { token: ann, body: { owner: 'acme', repo: 'rocket' } });
// An Enterprise Server is checked hourly for anonymous access, and github.com never.
assert.deepEqual(github.takeCalls(), ['GET /repos/acme/rocket', 'GET /repositories/71']);

const path = '/repos/acme/rocket/pulls/7';
const ingest = (token: string) => app.call('POST', `${path}/ingest`, { token });
const one = '/repos/Acme/Rocket/pulls/7';

test('a first ingest of 40 files takes eleven calls, an article right after it none, and an unchanged article later one call', async () => {
  const first = await ingest(ann);
  assert.equal(first.status, 201, first.text);
  assert.deepEqual(
    github.takeCalls().sort(),
    [
      `GET /repos/Acme/Rocket/compare/${discussed.base.sha}...${discussed.head.sha}?per_page=1&page=2`,
      'GET /repos/Acme/Rocket/issues/7/comments?per_page=100&page=1',
      `GET ${one}`,
      `GET ${one}`,
      `GET ${one}/comments?per_page=100&page=1`,
      `GET ${one}/commits?per_page=100&page=1`,
      `GET ${one}/reviews?per_page=100&page=1`,
      'GET /repos/acme/rocket/pulls/7',
      'POST /api/graphql',
      // This call reads what is hidden, and the state of threads.
      'POST /api/graphql',
      // This call reads the files that define the public API.
      'POST /api/graphql',
    ].sort(),
  );
  const { data } = first.body;
  assert.deepEqual([data.owner, data.repo, data.host, data.changedFiles], ['Acme', 'Rocket', 'github', 40]);
  assert.deepEqual(
    data.comments.map(({ kind, author, body, path, line }: Record<string, unknown>) => [
      kind,
      author,
      body,
      path,
      line,
    ]),
    [
      ['comment', 'ghost', 'Why?', undefined, undefined],
      ['review', 'rin', 'Good.', undefined, undefined],
      ['reviewComment', 'rin', 'Here?', 'src/file-3.ts', 1],
    ],
  );
  assert.deepEqual(data.linkedIssues, [{ number: 3, title: 'It lacks words', body: 'They are missing.' }]);
  assert.equal((await app.call('GET', `${path}/diff`)).text, discussed.diff);

  const write = () => app.call('POST', `${path}/article`, { token: ann, body: { language: 'en' } });
  const article = await write();
  assert.equal(article.status, 201, article.text);
  assert.deepEqual(github.takeCalls(), []);
  app.advance(6 * minute);
  await app.call('GET', '/users/me', { token: ann });
  github.takeCalls();
  assert.equal((await write()).status, 200);
  assert.deepEqual(github.takeCalls(), ['GET /repos/acme/rocket/pulls/7']);

  // A star on the repository changes the ETag but not the pull request.
  const stop = github.script(/\/pulls\/7$/, (_response, pass, request) => {
    delete request.headers['if-none-match'];
    return pass();
  });
  app.advance(6 * minute);
  await app.call('GET', '/users/me', { token: ann });
  github.takeCalls();
  assert.equal((await write()).status, 200);
  stop();
  assert.deepEqual(github.takeCalls(), ['GET /repos/acme/rocket/pulls/7']);
});

test('100 reads of a public article within five minutes take one call', async () => {
  const { id } = (await app.call('GET', `${path}/article`)).body.data;
  github.takeCalls();
  app.advance(6 * minute);
  for (let read = 0; read < 100; read += 1) {
    const { status } = await app.call('GET', read % 2 ? `/articles/${id}` : `${path}/article`);
    assert.equal(status, 200);
    app.advance(2_900);
  }
  assert.deepEqual(github.takeCalls(), ['GET /repositories/71']);
});

test('100 concurrent ingests of one pull request take at most 20 calls', async () => {
  rocket.pulls.push(pull(8, 'crowd'));
  await app.call('GET', '/users/me', { token: ann });
  github.takeCalls();
  let arrived = 0;
  const allArrived = Promise.withResolvers<void>();
  const count = () => {
    arrived += 1;
    if (arrived === 100) allArrived.resolve();
  };
  app.server.server.on('request', count);
  const stop = github.script(/\/pulls\/8\/commits/, async (_response, pass) => {
    await allArrived.promise;
    await pass();
  });
  const replies = await Promise.all(
    Array.from({ length: 100 }, () => app.call('POST', '/repos/acme/rocket/pulls/8/ingest', { token: ann })),
  );
  app.server.server.off('request', count);
  stop();
  assert.ok(replies.every(({ status }) => status === 200 || status === 201));
  const calls = github.takeCalls();
  console.log(`a hundred ingests at the same time: ${calls.length} calls`);
  assert.ok(calls.length <= 20, 'those who come after it was read share another read');
});

test("a shared read that fails on GitHub fails for all its users, and one refused for a user's token is repeated for the others", async () => {
  rocket.pulls.push(pull(25, 'shared'));
  const tokens = await Promise.all(Array.from({ length: 12 }, (_, index) => join(`reader${index}`)));
  github.takeCalls();
  const calls: string[] = [];
  const countOf = (wanted: RegExp) => {
    calls.push(...github.takeCalls());
    return calls.filter((call) => wanted.test(call)).length;
  };
  const ingestAll = async (fail: (token: string) => number | null) => {
    calls.length = 0;
    const stop = github.script(/\/pulls\/25\/commits/, async (response, pass, request) => {
      await waitUntil(
        'all were shown it',
        () => countOf(/GET \/repos\/acme\/rocket\/pulls\/25$/) >= tokens.length,
      );
      // This request is answered after the database reads of the last user.
      await app.call('GET', '/healthz');
      const status = fail(request.headers.authorization ?? '');
      if (status === null) return pass();
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"no"}');
    });
    const replies = await Promise.all(
      tokens.map((token) => app.call('POST', '/repos/acme/rocket/pulls/25/ingest', { token })),
    );
    stop();
    return replies.map(({ status }) => status);
  };
  assert.deepEqual([...new Set(await ingestAll(() => 500))], [502]);
  const reads = countOf(/\/commits/);
  assert.ok(reads <= 2, `${reads} reads for ${tokens.length} users`);

  let refused = '';
  const statuses = await ingestAll((token) => {
    refused ||= token;
    return token === refused ? 401 : null;
  });
  assert.equal(statuses.filter((status) => status === 409).length, 1, statuses.join());
  assert.equal(statuses.filter((status) => status < 300).length, 11, statuses.join());
});

test('a user to whom GitHub shows a private pull request joins a running ingest and gets a grant, and another user gets 404', async () => {
  const secret = repository(73, 'acme/secret', {
    visibility: 'private',
    visibleTo: new Set(['ann', 'bea']),
    pulls: [pull(1, 'joined')],
  });
  github.state.repositories.push(secret);
  const eve = await join('eve');
  const held = Promise.withResolvers<void>();
  const isRead = Promise.withResolvers<void>();
  const stop = github.script(/\/secret\/pulls\/1\/commits/, async (_response, pass) => {
    isRead.resolve();
    await held.promise;
    await pass();
  });
  const ask = (token: string) => app.call('POST', '/repos/acme/secret/pulls/1/ingest', { token });
  const first = ask(ann);
  await isRead.promise;
  github.takeCalls();
  const second = ask(bea);
  assert.equal((await ask(eve)).status, 404);
  const calls: string[] = [];
  const countOf = (wanted: string) =>
    calls.filter((call) => call === `GET /repos/acme/secret${wanted}`).length;
  await waitUntil('GitHub was asked for both', () => {
    calls.push(...github.takeCalls());
    return countOf('/pulls/1') === 2 && countOf('') === 1;
  });
  held.resolve();
  stop();
  assert.deepEqual([(await first).status, (await second).status], [201, 200]);
  calls.push(...github.takeCalls());
  assert.equal(countOf('/pulls/1/commits?per_page=100&page=1'), 0, 'it was read before, and not again');
  const read = async (token: string) =>
    (await app.call('GET', '/repos/acme/secret/pulls/1', { token })).status;
  assert.deepEqual([await read(ann), await read(bea), await read(eve)], [200, 200, 404]);
});

test('a pull request whose head moves during an ingest is read again, and its stored head, title and diff match', async () => {
  const moving = pull(9, 'before');
  rocket.pulls.push(moving);
  const stop = github.script(/\/pulls\/9$/, async (_response, pass, request) => {
    if (request.headers.accept?.includes('diff')) {
      stop();
      Object.assign(moving, pull(9, 'after'), { updatedAt: '2026-03-05T10:00:00Z' });
    }
    await pass();
  });
  const { status, body } = await app.call('POST', '/repos/acme/rocket/pulls/9/ingest', { token: bea });
  assert.equal(status, 201);
  assert.deepEqual([body.data.headSha, body.data.title], [moving.head.sha, 'feat: tell of after']);
  assert.match((await app.call('GET', '/repos/acme/rocket/pulls/9/diff')).text, /'after'/);
});

test('a pull request with a new base gets a new diff and a new article', async () => {
  const aimed = pull(10, 'old base');
  rocket.pulls.push(aimed);
  const write = () =>
    app.call('POST', '/repos/acme/rocket/pulls/10/article', { token: ann, body: { language: 'en' } });
  const before = await write();
  assert.equal(before.status, 201, before.text);
  const { diff, files } = pull(10, 'new base', { files: 2 });
  Object.assign(aimed, {
    base: { ref: 'release', sha: shaOf('release') },
    mergeBase: shaOf('older'),
    diff,
    files,
    updatedAt: '2026-03-06T10:00:00Z',
  });
  app.advance(6 * minute);
  const after = await write();
  assert.equal(after.status, 201, after.text);
  assert.equal(after.body.data.contents.en.baseSha, shaOf('older'));
  const tellsOf = ({ text }: { text: string }) =>
    ['file-0.ts', 'file-1.ts'].filter((name) => text.includes(name));
  assert.deepEqual([tellsOf(before), tellsOf(after)], [['file-0.ts'], ['file-0.ts', 'file-1.ts']]);
  const stored = (await app.call('GET', '/repos/acme/rocket/pulls/10')).body.data;
  assert.deepEqual([stored.baseRef, stored.baseSha], ['release', shaOf('older')]);
  assert.match((await app.call('GET', '/repos/acme/rocket/pulls/10/diff')).text, /'new base'/);
});

test('an ingest without a token takes linked issues from the description, without GraphQL, and reads all 250 comments', async () => {
  rocket.pulls.push(
    pull(11, 'pages', {
      body: 'Closes #5.',
      comments: Array.from({ length: 250 }, (_, index) => ({
        author: 'rin',
        body: `comment ${index}`,
        createdAt: day,
      })),
    }),
  );
  const session = await app.call('POST', '/auth/session', { token: ann });
  const token = session.body.data.accessToken;
  github.takeCalls();
  const { status, body, text } = await app.call('POST', '/repos/acme/rocket/pulls/11/ingest', { token });
  assert.equal(status, 201, text);
  assert.equal(body.data.comments.length, 250);
  assert.deepEqual(body.data.linkedIssues, [{ number: 5, title: '', body: null }]);
  const calls = github.takeCalls();
  assert.equal(calls.filter((call) => call.includes('/issues/11/comments')).length, 3);
  assert.ok(!calls.includes('POST /api/graphql'));
});

test('a pull request that reverts others is stored with their titles and descriptions', async () => {
  rocket.pulls.push(
    pull(21, 'oil', { title: 'Oil twice', body: 'Hinges squeak.' }),
    pull(22, 'no-oil', {
      title: 'Revert "Oil twice"',
      body: 'Reverts acme/rocket#21\nReverts acme/rocket#9999',
    }),
  );
  const session = await app.call('POST', '/auth/session', { token: ann });
  const token = session.body.data.accessToken;
  const { body, text } = await app.call('POST', '/repos/acme/rocket/pulls/22/ingest', { token });
  assert.deepEqual(
    body.data?.linkedIssues,
    [{ number: 21, title: 'Oil twice', body: 'Hinges squeak.' }],
    text,
  );
});

test('a comment that was edited, hidden or deleted leaves the stored discussion with the next fetch, and an anonymous fetch keeps it', async () => {
  const said = (body: string) => ({ author: 'rin', body, createdAt: day });
  const offered = pull(18, 'told', { comments: ['first', 'second', 'third', 'stays'].map(said) });
  rocket.pulls.push(offered);
  const stored = async (token: string) => {
    const address = '/repos/acme/rocket/pulls/18';
    app.advance(minute);
    const { status, body, text } = await app.call('POST', `${address}/ingest`, { token });
    assert.ok(status < 300, text);
    const discussion = await app.database.value<Discussion>(sql`
      SELECT discussion FROM pull_request_contents WHERE pull_request_id = ${body.data.id}`);
    return discussion?.comments.map((comment) => comment.body);
  };
  assert.deepEqual(await stored(ann), ['first', 'second', 'third', 'stays']);
  const [edited = assert.fail(), hidden = assert.fail()] = offered.comments;
  edited.body = 'first, edited';
  hidden.isHidden = true;
  offered.comments.splice(2, 1);
  const session = (await app.call('POST', '/auth/session', { token: ann })).body.data.accessToken;
  offered.updatedAt = '2026-03-05T10:00:00Z';
  assert.deepEqual(await stored(session), ['first', 'second', 'third', 'stays']);
  assert.deepEqual(await stored(ann), ['first, edited', 'stays']);
});

test('a pull request without an author or a description is stored with the author "ghost"', async () => {
  rocket.pulls.push(pull(12, 'ghostly', { body: null }));
  const stop = github.script(/\/pulls\/12$/, async (response, pass, request) => {
    if (request.headers.accept?.includes('diff')) return pass();
    // GitHub sends null for a deleted author, although its API description excludes that.
    const { end } = response;
    const authorless = (text: string) => JSON.stringify({ ...JSON.parse(text), user: null });
    Object.assign(response, {
      end: (text?: string) => end.call(response, text && authorless(text), 'utf8'),
    });
    await pass();
  });
  const { status, body, text } = await app.call('POST', '/repos/acme/rocket/pulls/12/ingest', { token: ann });
  stop();
  assert.equal(status, 201, text);
  assert.deepEqual([body.data.authorLogin, body.data.body], ['ghost', null]);
});

test('an unknown pull request, and an unknown, gone or blocked repository, gives 404 in two calls', async () => {
  github.takeCalls();
  const statusOf = async (asked: string) => {
    const { status, body } = await app.call('POST', asked, { token: ann });
    return [status, body.error.code, github.takeCalls().length];
  };
  assert.deepEqual(await statusOf('/repos/acme/rocket/pulls/404/ingest'), [404, 'PULL_REQUEST_NOT_FOUND', 2]);
  assert.deepEqual(await statusOf('/repos/acme/nothing/pulls/1/ingest'), [404, 'REPOSITORY_NOT_FOUND', 2]);
  for (const status of [410, 451]) {
    const stop = github.script(
      /^\/repos\/acme\/gone/,
      (response) =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"Gone"}'),
    );
    assert.deepEqual(await statusOf('/repos/acme/gone/pulls/1/ingest'), [404, 'REPOSITORY_NOT_FOUND', 2]);
    stop();
  }
});

test('hidden reviews give HOST_TOKEN_INVALID, a missing comparison UNREADABLE, and a server error HOST_ERROR, which aborts the other requests', async () => {
  rocket.pulls.push(pull(13, 'hidden'), pull(14, 'apart'), pull(15, 'failing'));
  const ask = (number: number) =>
    app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token: ann });
  const answer = async (path: RegExp, status: number, number: number) => {
    const stop = github.script(
      path,
      (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
    );
    const reply = await ask(number);
    stop();
    assert.equal(await (await ask(number)).status, 201);
    return [reply.status, reply.body.error.code];
  };
  assert.deepEqual(await answer(/\/pulls\/13\/reviews/, 404, 13), [409, 'HOST_TOKEN_INVALID']);
  assert.deepEqual(await answer(/\/compare\//, 404, 14), [422, 'UNREADABLE']);
  const isGivenUp = Promise.withResolvers<void>();
  const stop = github.script(/\/pulls\/15\/comments/, (response) => {
    response.on('close', isGivenUp.resolve);
    stop();
  });
  assert.deepEqual(await answer(/\/pulls\/15\/reviews/, 500, 15), [502, 'HOST_ERROR']);
  await isGivenUp.promise;
});

test('all 120 linked issues are read, and comments up to half a megabyte', async () => {
  const issue = (number: number) => ({ number, title: `Issue ${number}`, body: 'Why.', repositoryId: 71 });
  rocket.pulls.push(
    pull(16, 'issues', { closingIssues: Array.from({ length: 120 }, (_, index) => issue(index + 1)) }),
    pull(17, 'wordy', {
      comments: Array.from({ length: 70 }, () => ({
        author: 'rin',
        body: 'é'.repeat(80_000),
        createdAt: day,
      })),
    }),
  );
  const ask = async (number: number) => {
    const reply = await app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token: ann });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.data;
  };
  assert.equal((await ask(16)).linkedIssues.length, 120);
  github.takeCalls();
  const { comments } = await ask(17);
  assert.deepEqual([...new Set(comments.map(({ body }: { body: string }) => body.length))], [65_536]);
  assert.equal(comments.length, 4);
  const asked = github.takeCalls().filter((call) => call.includes('/issues/17/comments'));
  assert.deepEqual(asked.slice(0, 2), [
    'GET /repos/Acme/Rocket/issues/17/comments?per_page=100&page=1',
    'GET /repos/Acme/Rocket/issues/17/comments?per_page=10&page=1',
  ]);
});

test('a date outside 1970 to 9999 is clamped, and its pull request is stored and listed', async () => {
  const odd = repository(790, 'acme/odd');
  const said = (createdAt: string) => ({ author: 'rin', body: `At ${createdAt}`, createdAt });
  const [zero, before, after] = [
    '0000-01-01T00:00:00Z',
    '0000-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
  ];
  odd.pulls.push(
    pull(1, 'zero', { createdAt: zero, comments: [said(before), said(day)] }),
    pull(2, 'before', { createdAt: before, state: 'closed', mergedAt: zero }),
    pull(3, 'after', { createdAt: after, state: 'closed', mergedAt: after }),
    pull(4, 'usual', { createdAt: day }),
  );
  github.state.repositories.push(odd);
  const earliest = '1970-01-01T00:00:00.000Z';
  const latest = '9999-12-31T23:59:59.999Z';
  const usual = new Date(day).toISOString();
  for (const [number, createdAt, mergedAt] of [
    [1, earliest, null],
    [2, earliest, earliest],
    [3, latest, latest],
    [4, usual, null],
  ] as const) {
    const address = `/repos/acme/odd/pulls/${number}`;
    const ingested = await app.call('POST', `${address}/ingest`, { token: ann });
    assert.equal(ingested.status, 201, ingested.text);
    const { data } = (await app.call('GET', address)).body;
    assert.deepEqual([data.hostPrCreatedAt, data.mergedAt], [createdAt, mergedAt]);
    if (number !== 1) continue;
    assert.deepEqual(
      data.comments.map((comment: { createdAt: string }) => comment.createdAt),
      [earliest, usual],
    );
  }
  const listed = await app.call('GET', '/repos/acme/odd/pulls', { token: ann });
  assert.equal(listed.body.data.items.length, 4);
});

test('a pull request list starts at any offset in at most two calls, or in six when its descriptions are very long', async () => {
  const long = repository(72, 'acme/long');
  for (let number = 1; number <= 230; number += 1) {
    long.pulls.push(pull(number, `words ${number}`, number % 2 ? {} : { state: 'closed', mergedAt: day }));
  }
  github.state.repositories.push(long);
  const list = async (query: string) => {
    github.takeCalls();
    const { status, body, text } = await app.call('GET', `/repos/acme/long/pulls?${query}`, { token: ann });
    assert.equal(status, 200, text);
    const calls = github.takeCalls().filter((call) => call.includes('/pulls?')).length;
    const numbers = body.data.items.map(({ prNumber }: { prNumber: number }) => prNumber);
    return [numbers[0], numbers.at(-1), numbers.length, body.data.pagination.totalItems, calls];
  };
  assert.deepEqual(await list('limit=20'), [230, 211, 20, null, 1]);
  assert.deepEqual(await list('limit=20&offset=40'), [190, 171, 20, null, 1]);
  assert.deepEqual(await list('limit=30&offset=95'), [135, 106, 30, null, 2]);
  assert.deepEqual(await list('limit=50&offset=201'), [29, 1, 29, null, 1]);
  assert.deepEqual(await list('limit=50&offset=1000'), [undefined, undefined, 0, null, 1]);
  assert.deepEqual(await list('limit=10&state=open'), [229, 211, 10, null, 1]);
  // Descriptions this long make a usual page exceed the size limit of a response.
  for (const one of long.pulls) one.body = 'x'.repeat(200_000);
  assert.deepEqual(await list('limit=50&offset=50'), [180, 131, 50, null, 6]);
});

test('a renamed repository is found by its old name on ingest and keeps its stored pull request', async () => {
  const { id } = (await app.call('GET', path)).body.data;
  rocket.name = 'Spaceship';
  rocket.formerNames.push('acme/rocket');
  app.advance(second);
  const { status, body } = await ingest(ann);
  assert.deepEqual([status, body.data.id, body.data.repo], [200, id, 'Spaceship']);
  assert.equal((await app.call('GET', '/repos/acme/spaceship/pulls/7')).body.data.id, id);
  assert.equal((await app.call('GET', path)).status, 404);
});
