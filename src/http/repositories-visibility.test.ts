import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { addressesOf } from '../../test/leak-questions.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

/** Words that occur only in these repositories, and so reveal access to one. */
const canaries = { open: 'canary-open', hidden: 'canary-hidden', flipped: 'canary-flipped' };

const root = temporaryFolder();
for (const [name, canary] of Object.entries(canaries))
  makeClone(root, `zoo/${canary}-${name}`, `Tell of ${canary} (#1)`);

const database = await freshDatabase();
const hidden = `zoo/${canaries.hidden}-hidden=keeper`;
const flipped = `zoo/${canaries.flipped}-flipped=keeper`;
const start = (gitPrivate: string) =>
  buildTestApp({ database, environment: { GIT_REPOS: root, GIT_PRIVATE: gitPrivate } });

/** An article and a job about a repository. */
interface Writings {
  articleId: string;
  jobId: string;
}

async function seed(app: TestApp, token: string, names: string[]): Promise<void> {
  for (const repo of names) {
    const reply = await app.call('POST', `/repos/zoo/${repo}/pulls/1/ingest`, { token });
    assert.ok(reply.status < 300, reply.text);
    await app.call('POST', '/users/me', { token, body: { owner: 'zoo', repo } });
  }
}

/** Writes an article about a repository and follows its job to the end. */
async function write(app: TestApp, token: string, repo: string): Promise<Writings> {
  const asked = await app.call('POST', `/repos/zoo/${repo}/pulls/1/article`, {
    token,
    body: { language: 'en', regenerate: true },
    headers: { prefer: 'respond-async' },
  });
  const jobId: string = asked.body.data.id;
  await app.call('GET', `/jobs/${jobId}/events`, { token });
  const { data } = (await app.call('GET', `/jobs/${jobId}`, { token })).body;
  return { articleId: data.article.id, jobId };
}

const repositories = Object.entries(canaries).map(([name, canary]) => ({
  repo: `${canary}-${name}`,
  canary,
}));

const names = repositories.map(({ repo }) => repo);
const before = await start(hidden);
await seed(before, await before.signUp('keeper'), names);
const shown = [`${canaries.open}-open`, `${canaries.flipped}-flipped`];
await seed(before, await before.signUp('visitor'), shown);
await before.close();
const app = await start(`${hidden},${flipped}`);

test('no GET route shows words of a private repository to viewers without a grant, also after it turned private', async () => {
  const viewers = { keeper: app.tokenFor('keeper'), visitor: app.tokenFor('visitor'), anonymous: undefined };
  await seed(app, viewers.keeper, names);
  let checked = 0;
  let seenByKeeper = 0;
  for (const { repo, canary } of repositories) {
    const written = await write(app, viewers.keeper, repo);
    const like = `/articles/${written.articleId}/language/en/like`;
    assert.equal((await app.call('POST', like, { token: viewers.keeper })).status, 201);
    for (const address of addressesOf(app.server, { owner: 'zoo', repo, ...written })) {
      for (const [viewer, token] of Object.entries(viewers)) {
        const { text, status } = await app.call('GET', address, { token });
        // A response may repeat the requested name; other words come from the repository.
        const told = text.replaceAll(`zoo/${repo}#1`, '').replaceAll(`zoo/${repo}`, '');
        const forbidden = Object.values(canaries).filter(
          (word) => word !== canaries.open && viewer !== 'keeper' && told.includes(word),
        );
        assert.deepEqual(forbidden, [], `${viewer} GET ${address} (${status})`);
        if (viewer === 'keeper' && told.includes(canary)) seenByKeeper += 1;
        checked += 1;
      }
    }
  }
  assert.ok(checked > 60, 'the router was asked for its routes');
  assert.ok(seenByKeeper >= repositories.length * 8, 'who may see it does');
});

test('simultaneous requests with and without a grant get 200 and 404 each', async () => {
  const keeper = app.tokenFor('keeper');
  const secret = `${canaries.hidden}-hidden`;
  const { articleId } = await write(app, keeper, secret);
  const viewers = [keeper, app.tokenFor('visitor'), undefined];
  const asked = Array.from({ length: 90 }, (_, index) => viewers[index % viewers.length]);
  const replies = await Promise.all(
    asked.map((token) => app.call('GET', `/articles/${articleId}`, { token })),
  );
  for (const [index, { status, text }] of replies.entries()) {
    const mayTell = asked[index] === keeper;
    assert.equal(status, mayTell ? 200 : 404);
    assert.equal(text.includes(canaries.hidden), mayTell);
  }
});
