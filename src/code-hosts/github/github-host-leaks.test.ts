import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fewOf } from '../../../test/few-questions.ts';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { pull, repository, type StandInRepository } from '../../../test/github/state.ts';
import { type Question, questionsAbout } from '../../../test/leak-questions.ts';
import { makeLargeRepository } from '../../../test/make-large-repository.ts';
import { rowsToRun } from '../../../test/tables.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const second = 1_000;
const minute = 60 * second;
// The service token can read everything on GitHub, and must reveal only public repositories.
const { app, github, join } = await buildGitHubApp({ environment: { GITHUB_TOKEN: 'ghp_tokenOfservice' } });
await join('service');

/** Keeper always has access; former lost it; outsider could only see repositories while they were public. */
const signedUp = ['keeper', 'former', 'outsider'] as const;
const viewers = [...signedUp, 'stranger', 'anonymous'] as const;
type Viewer = (typeof viewers)[number];
// Guest has saved no token, so requests of the guest's session use the service token.
for (const login of [...signedUp, 'guest']) await join(login);
const ownToken = (viewer: Viewer) => (viewer === 'anonymous' ? undefined : `ghp_tokenOf${viewer}`);

/** Viewers who saved their token and use a session; the others send their token. */
const sessions = new Map<Viewer, string>();
for (const viewer of ['keeper', 'former'] as const) {
  const { body } = await app.call('POST', '/auth/session', { token: ownToken(viewer) });
  const token = body.data.accessToken;
  const saved = await app.call('POST', '/auth/host-token', {
    token,
    body: { accessToken: ownToken(viewer) },
  });
  assert.equal(saved.status, 200, saved.text);
  sessions.set(viewer, token);
}
const tokenOf = (viewer: Viewer) => sessions.get(viewer) ?? ownToken(viewer);

let probes = 0;
let leaks = 0;
after(() => console.log(`leak matrix of GitHub: ${leaks} leaks in ${probes} probes`));

interface Prepared {
  on: StandInRepository;
  owner: string;
  repo: string;
  canary: string;
  articleId: string;
  jobId: string;
}

let ids = 100;

/** A repository with a unique text, whose article the given viewers requested, liked and follow. */
async function prepare(
  repo: string,
  visibility: StandInRepository['visibility'],
  whom: readonly Viewer[],
): Promise<Prepared> {
  const canary = `canary-of-${repo}`;
  ids += 1;
  const on = repository(ids, `zoo/${repo}`, {
    visibility,
    visibleTo: new Set([...whom, 'service']),
    pulls: [pull(1, canary)],
  });
  github.state.repositories.push(on);
  const prepared: Prepared = { on, owner: 'zoo', repo, canary, articleId: '', jobId: '' };
  for (const viewer of whom) {
    const token = tokenOf(viewer);
    const asked = { token, body: { language: 'en' }, headers: { prefer: 'respond-async' } };
    const job = await app.call('POST', `/repos/zoo/${repo}/pulls/1/article`, asked);
    if (job.status === 202) prepared.jobId = job.body.data.id;
    const article = await app.call('POST', `/repos/zoo/${repo}/pulls/1/article`, {
      token,
      body: { language: 'en' },
    });
    assert.ok(article.status < 300, article.text);
    prepared.articleId = article.body.data.id;
    await app.call('POST', '/users/me', { token, body: { owner: 'zoo', repo } });
    await app.call('POST', `/articles/${prepared.articleId}/language/en/like`, { token });
  }
  return prepared;
}

/** Sends every request as every viewer at the same time, and looks for the text of the repository in the responses. */
async function ask(
  prepared: Prepared,
  maySee: readonly Viewer[],
  asking: readonly Viewer[] = viewers,
  choose: (questions: Question[]) => Question[] = fewOf,
): Promise<void> {
  const all = questionsAbout(app.server, prepared);
  const [gets, writes] = [choose(all.gets), choose(all.writes)];
  const leaked: string[] = [];
  const askAs = async (viewer: Viewer): Promise<void> => {
    const isAllowed = maySee.includes(viewer);
    let answers = 0;
    for (const { method, path, body, accept } of isAllowed ? gets : [...gets, ...writes]) {
      const headers = accept === undefined ? {} : { accept };
      const { text } = await app.call(method, path, { token: tokenOf(viewer), body, headers });
      probes += 1;
      // A response may repeat the requested path.
      if (!text.replaceAll(path, '').includes(prepared.canary)) continue;
      answers += 1;
      if (!isAllowed) leaked.push(`${viewer}: ${method} ${path} ${accept ?? ''}`);
    }
    if (isAllowed) assert.ok(answers >= 8, `${viewer} sees what they may, in ${answers} answers`);
  };
  await Promise.all(asking.map(askAs));
  leaks += leaked.length;
  assert.deepEqual(leaked, []);
}

const statusFor = async (repo: string, viewer: Viewer) =>
  (await app.call('GET', `/repos/zoo/${repo}/pulls/1`, { token: tokenOf(viewer) })).status;

for (const visibility of rowsToRun(['private', 'internal'] as const, () => 'not public')) {
  test(`a repository that is ${visibility} is shown only to users whom GitHub shows it, and the service token reveals it to nobody`, async () => {
    const prepared = await prepare(visibility, visibility, ['keeper']);
    await ask(prepared, ['keeper'], viewers, (questions) => questions);
  });
}

test('a repository that turns private during an ingest is hidden when the ingest ends', async () => {
  const prepared = await prepare('flipped', 'public', signedUp);
  prepared.on.pulls[0] = pull(1, prepared.canary, { updatedAt: '2026-04-01T10:00:00Z' });
  app.advance(second);
  const stop = github.script(/\/zoo\/flipped\/pulls\/1\/commits/, async (_response, pass) => {
    stop();
    Object.assign(prepared.on, { visibility: 'private', visibleTo: new Set(['keeper']) });
    app.advance(second);
    // Keeper's request stores that the repository is private before the ingest, which saw it public, ends.
    const body = { owner: 'zoo', repo: 'flipped' };
    await app.call('POST', '/users/me', { token: tokenOf('keeper'), body });
    await pass();
  });
  const late = await app.call('POST', '/repos/zoo/flipped/pulls/1/ingest', { token: tokenOf('outsider') });
  assert.equal(late.status, 404, late.text);
  const read = async () => (await app.call('GET', `/articles/${prepared.articleId}`)).status;
  await waitUntil('memory has heard of it', async () => (await read()) === 404);
  await ask(prepared, ['keeper']);
});

const byGit = makeLargeRepository(1);
const rangeByGit = {
  base: { ref: 'main', sha: byGit.base },
  head: { ref: 'topic', sha: byGit.head },
  mergeBase: byGit.base,
  diff: null,
};

/** Ways to read a pull request, with the request during which the repository changes. */
const readings = [
  { name: 'printed', late: /\/pulls\/1$/, ofDiff: true, pulled: {}, isStored: false, moves: false },
  { name: 'moved', late: /\/pulls\/1$/, ofDiff: true, pulled: {}, isStored: false, moves: true },
  { name: 'stored', late: /\/pulls\/1\/commits/, ofDiff: false, pulled: {}, isStored: true, moves: false },
  { name: 'by-git', late: /\.git\//, ofDiff: false, pulled: rangeByGit, isStored: false, moves: false },
];
const becoming: Record<string, (on: StandInRepository) => void> = {
  private: (on) => Object.assign(on, { visibility: 'private', visibleTo: new Set(['keeper', 'service']) }),
  another: (on) => Object.assign(on, { id: on.id + 10_000 }),
};

for (const { name, late, ofDiff, pulled, isStored, moves } of rowsToRun(
  readings,
  ({ moves }) => `${moves}`,
)) {
  test(`a repository that turns private or is replaced while it is read (${name}) is not stored as it was`, async () => {
    const session = await app.call('POST', '/auth/session', { token: 'ghp_tokenOfguest' });
    for (const [what, become] of Object.entries(becoming))
      for (const token of [tokenOf('keeper'), session.body.data.accessToken]) {
        ids += 1;
        const repo = `${name}-${ids}`;
        const first = pull(1, `early-${repo}`, { ...pulled, changedFiles: 1 });
        const on = repository(ids, `zoo/${repo}`, { pulls: [first], gitFolder: byGit.gitFolder });
        github.state.repositories.push(on);
        const ingest = (by: string | undefined) =>
          app.call('POST', `/repos/zoo/${repo}/pulls/1/ingest`, { token: by });
        if (isStored) {
          assert.equal((await ingest(token)).status, 201);
          on.pulls[0] = { ...first, updatedAt: '2026-04-01T10:00:00Z' };
          app.advance(second);
        }
        const stop = github.script(late, async (_response, pass, request) => {
          if (ofDiff && !request.headers.accept?.includes('diff')) return pass();
          stop();
          become(on);
          const { base, head, mergeBase, updatedAt } = on.pulls[0] ?? first;
          const kept = moves ? {} : { base, head, mergeBase, updatedAt };
          on.pulls[0] = pull(1, `late-${repo}`, { ...pulled, changedFiles: 1, ...kept });
          await pass();
        });
        const reply = await ingest(token);
        stop();
        const read = await Promise.all(
          ['', '/diff', '/files'].map((part) => app.call('GET', `/repos/zoo/${repo}/pulls/1${part}`)),
        );
        const seen = [reply, ...read].map(({ text }) => text).join('\n');
        assert.doesNotMatch(seen, /late-|, changed/, `${what} ${repo}`);
        assert.ok([404, 503].includes(reply.status), `${what} ${repo}: ${reply.text}`);
        if (what !== 'private') continue;
        app.advance(second);
        const again = await ingest(tokenOf('keeper'));
        assert.ok(again.status < 300, again.text);
        assert.equal(await statusFor(repo, 'anonymous'), 404);
      }
  });
}

test('a user who lost access stays without it while another user keeps reading', async () => {
  const prepared = await prepare('revoked', 'private', ['keeper', 'former']);
  prepared.on.visibleTo.delete('former');
  for (let read = 0; read < 4; read += 1) {
    app.advance(2 * minute);
    assert.equal(await statusFor('revoked', 'keeper'), 200);
  }
  assert.equal(await statusFor('revoked', 'former'), 404);
  await ask(prepared, ['keeper']);
});

test('a repository deleted on GitHub is shown to nobody', async () => {
  const prepared = [
    await prepare('deleted', 'private', ['keeper']),
    await prepare('removed', 'public', signedUp),
  ];
  for (const { on } of prepared) github.state.repositories.splice(github.state.repositories.indexOf(on), 1);
  app.advance(6 * minute);
  for (const { repo } of prepared) assert.equal(await statusFor(repo, 'keeper'), 404);
  for (const one of prepared) await ask(one, []);
});

test('a reused repository name reveals no content of the former repository and does not hide it', async () => {
  const prepared = await prepare('reused', 'private', ['keeper']);
  prepared.on.name = 'renamed';
  const newcomer = repository(99, 'zoo/reused', { pulls: [pull(1, 'newcomer')] });
  github.state.repositories.push(newcomer);
  app.advance(6 * minute);
  assert.equal(
    (await app.call('POST', '/repos/zoo/reused/pulls/1/ingest', { token: tokenOf('outsider') })).status,
    201,
  );
  await ask(
    prepared,
    [],
    viewers.filter((viewer) => viewer !== 'keeper'),
  );
  const article = await app.call('GET', `/articles/${prepared.articleId}`, { token: tokenOf('keeper') });
  assert.deepEqual([article.status, article.body.data.repo], [200, 'renamed']);
  assert.equal(await statusFor('renamed', 'keeper'), 200);
  await ask({ ...prepared, repo: 'renamed' }, ['keeper']);
  assert.equal(await statusFor('reused', 'anonymous'), 200);
});

test('a pending review and an issue of another repository, which only one user can see, are left out of the pull request and its article', async () => {
  const on = repository(98, 'zoo/said', { pulls: [pull(1, 'said')] });
  Object.assign(on.pulls[0] ?? {}, {
    reviews: [
      {
        id: 5,
        author: 'keeper',
        body: 'canary-pending',
        state: 'PENDING',
        submittedAt: null,
        visibleTo: 'keeper',
      },
    ],
    reviewComments: [
      {
        reviewId: 5,
        author: 'keeper',
        body: 'canary-pending',
        createdAt: '2026-04-01T10:00:00Z',
        path: 'a',
        line: 1,
      },
    ],
    closingIssues: [
      { number: 4, title: 'canary-foreign', body: 'canary-foreign', repositoryId: 1, visibleTo: 'keeper' },
    ],
  });
  github.state.repositories.push(on);
  const asked = { token: tokenOf('keeper'), body: { language: 'en' } };
  assert.equal((await app.call('POST', '/repos/zoo/said/pulls/1/article', asked)).status, 201);
  const texts = await Promise.all(
    ['', '/article', '/diff', '/files'].map(
      async (part) =>
        (await app.call('GET', `/repos/zoo/said/pulls/1${part}`, { token: tokenOf('keeper') })).text,
    ),
  );
  assert.doesNotMatch(texts.join('\n'), /canary-pending|canary-foreign/);
});

test('two tokens of one user are checked separately, even at the same time', async () => {
  await prepare('narrow', 'private', ['keeper']);
  const keeper = github.state.accounts.find(({ login }) => login === 'keeper') ?? assert.fail();
  keeper.tokens.add('ghp_narrow');
  const held = Promise.withResolvers<void>();
  const stop = github.script(/^\/repositories\//, async (response, pass, request) => {
    if (!request.headers.authorization?.includes('narrow')) return pass();
    await held.promise;
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"not for this token"}');
  });
  app.advance(6 * minute);
  const read = (token: string | undefined) => app.call('GET', '/repos/zoo/narrow/pulls/1', { token });
  github.takeCalls();
  const narrow = read('ghp_narrow');
  await waitUntil('the narrow one asks', () =>
    github.takeCalls().some((call) => call.includes('/repositories/')),
  );
  const wide = await read(tokenOf('keeper'));
  held.resolve();
  assert.equal(wide.status, 200);
  const asked = github.takeCalls().filter((call) => call.includes('/repositories/'));
  assert.equal(asked.length, 1, 'it was asked for by itself');
  await narrow;
  stop();
});

test('a repository that turns private while it is listed is not listed with the service token', async () => {
  const { on, canary } = await prepare('listed', 'public', ['keeper']);
  const { accessToken: token } = (await app.call('POST', '/auth/session', { token: 'ghp_tokenOfguest' })).body
    .data;
  const stop = github.script(/\/zoo\/listed\/pulls\?/, async (_response, pass) => {
    Object.assign(on, { visibility: 'private', visibleTo: new Set(['keeper', 'service']) });
    await pass();
  });
  const listed = await app.call('GET', '/repos/zoo/listed/pulls', { token });
  stop();
  assert.doesNotMatch(listed.text, new RegExp(canary));
});

test('a user with a grant and no token gets HOST_TOKEN_REQUIRED after five minutes, and a user without a grant gets NOT_FOUND', async () => {
  await prepare('granted', 'private', ['keeper']);
  const open = async (viewer: Viewer) => {
    await app.call('DELETE', '/auth/host-token', { token: ownToken(viewer) });
    return (await app.call('POST', '/auth/session', { token: ownToken(viewer) })).body.data.accessToken;
  };
  const [session, other] = [await open('keeper'), await open('outsider')];
  const ask = async (token: string, method: string, path: string, body?: object) => {
    const reply = await app.call(method, path, { token, body });
    return reply.body.error?.code ?? reply.status;
  };
  const path = '/repos/zoo/granted/pulls/1';
  assert.equal(await ask(session, 'GET', path), 200, 'its own grant is fresh');
  app.advance(6 * minute);
  const questions: [string, string, object?][] = [
    ['GET', path],
    ['GET', `${path}/diff`],
    ['GET', `${path}/article`],
    ['GET', '/repos/zoo/granted/pulls'],
    ['POST', `${path}/ingest`],
    ['POST', `${path}/article`, {}],
    ['POST', '/users/me', { owner: 'zoo', repo: 'granted' }],
  ];
  for (const [method, asked, body] of questions) {
    assert.equal(await ask(session, method, asked, body), 'HOST_TOKEN_REQUIRED', `${method} ${asked}`);
    assert.match(String(await ask(other, method, asked, body)), /NOT_FOUND$/, `${method} ${asked}`);
  }
  assert.equal(await ask(ownToken('keeper') ?? '', 'GET', path), 200);
  for (const viewer of sessions.keys()) {
    const body = { accessToken: ownToken(viewer) };
    await app.call('POST', '/auth/host-token', { token: ownToken(viewer), body });
  }
});

test('a GitHub that rejects the service token hides no public repository and does not stop the checks of users', async () => {
  const shown = await prepare('shown', 'public', ['keeper']);
  const lost = await prepare('lost', 'private', ['keeper', 'former']);
  lost.on.visibleTo.delete('former');
  const page = { 'content-type': 'text/html' };
  for (const status of [403, 401]) {
    const stop = github.script(/^\/repos/, (response, pass, request) =>
      request.headers.authorization?.includes('service')
        ? void response.writeHead(status, page).end('<p>Blocked</p>')
        : pass(),
    );
    app.advance(6 * minute);
    assert.equal(await statusFor(shown.repo, 'anonymous'), 200);
    assert.equal(await statusFor(lost.repo, 'former'), 404);
    assert.equal(await statusFor(lost.repo, 'keeper'), 200);
    stop();
    app.advance(10 * minute);
    assert.equal(await statusFor(shown.repo, 'anonymous'), 200);
    lost.on.visibleTo.add('former');
    assert.equal(
      (await app.call('POST', '/repos/zoo/lost/pulls/1/ingest', { token: tokenOf('former') })).status,
      200,
    );
    lost.on.visibleTo.delete('former');
  }
});

test('a rate limit or an outage keeps a grant, missing single sign-on gives 409, and 404 ends the grant', async () => {
  await prepare('held', 'private', ['keeper']);
  const answer = { status: 0, headers: {} as Record<string, string> };
  const stop = github.script(/^\/repositories\//, (response, pass) =>
    answer.status === 0
      ? pass()
      : void response.writeHead(answer.status, answer.headers).end('{"message":"no"}'),
  );
  const after = async (status: number, headers: Record<string, string> = {}) => {
    Object.assign(answer, { status, headers: { 'content-type': 'application/json', ...headers } });
    app.advance(6 * minute);
    const first = await statusFor('held', 'keeper');
    Object.assign(answer, { status: 0 });
    app.advance(2 * minute);
    return [first, await statusFor('held', 'keeper')];
  };
  assert.deepEqual(await after(429, { 'retry-after': '60' }), [200, 200]);
  assert.deepEqual(await after(503), [200, 200]);
  assert.deepEqual(await after(403, { 'x-github-sso': 'required' }), [409, 200]);
  assert.deepEqual(await after(404), [404, 404]);
  stop();
});
