import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { merged, pull, repository, type StandInCommit, shaOf } from '../../../test/github/state.ts';

const { app, github, join } = await buildGitHubApp();
const commits: StandInCommit[] = [];
/** Adds a commit after the last one, or after `parents`. */
function commit(message: string, more: Partial<StandInCommit> = {}): string {
  const sha = shaOf(message);
  const parents = commits.at(-1) ? [commits.at(-1)?.sha ?? ''] : [];
  commits.push({ sha, parents, message, ...more });
  return sha;
}
const day = new Date('2026-03-02T10:00:00Z');
const merges = (number: number, mergeCommitSha: string, title: string, body = '') =>
  merged(number, day, { mergeCommitSha, title, body });

const begin = commit('Begin');
const rocket = repository(71, 'acme/rocket');
const squashed = commit('Engines (#2)');
const tank = commit('Tank', { parents: [begin] });
const join3 = commit('Merge pull request #3 from ann/fuel\n\nFuel', { parents: [squashed, tank] });
commit('See an issue (#50)');
commit('Talk of engines (#2)');
commit('Part of a rebase', { pulls: [4] });
const rebased = commit('Rest of a rebase', { pulls: [4, 9] });
commit('By hand');
const valve = commit('Valve (#6)');
const undone = commit(`Revert "Valve (#6)" (#7)\n\nReverts acme/rocket#6`);
const second = commit('Of another fork (#8)');
commit('Engines (#2)', { parents: [begin], sha: shaOf('picked') });
rocket.history = {
  refs: { v1: begin, 'release/v2': second, 'v1.1': shaOf('picked') },
  tags: ['v1.1', 'v1'],
  commits,
};
rocket.pulls.push(
  merges(2, squashed, 'Engines'),
  merges(3, join3, 'Fuel'),
  merges(4, rebased, 'In two steps'),
  merges(6, valve, 'Valve'),
  merges(7, undone, 'Revert "Valve (#6)"', 'Reverts acme/rocket#6'),
  // 8 was merged into another repository, and 9 was closed without a merge.
  merges(8, shaOf('elsewhere'), 'Something else'),
  pull(9, 'never', { state: 'closed' }),
);
github.state.repositories.push(rocket);
const ann = await join('ann');

const ask = (from: string, to: string) =>
  app.call('GET', `/repos/acme/rocket/release?${new URLSearchParams({ from, to })}`, { token: ann });
const numbersOf = (data: { groups: { items: { prNumber: number }[] }[] }): number[] =>
  data.groups.flatMap(({ items }) => items.map(({ prNumber }) => prNumber)).sort();

test('a release reads commits by page, and looks up the pull requests of a commit only when its message names none that brought it', async () => {
  github.takeCalls();
  const { status, body, text } = await ask('v1', 'release/v2');
  assert.equal(status, 200, text);
  assert.deepEqual(numbersOf(body.data), [2, 3, 4]);
  assert.deepEqual(
    body.data.reverted.map((pair: Record<string, { prNumber: number }>) => [
      pair.change?.prNumber,
      pair.by?.prNumber,
    ]),
    [[6, 7]],
  );
  const subjects = body.data.withoutPullRequest.items.map(({ subject }: { subject: string }) => subject);
  assert.deepEqual(subjects, [
    'Of another fork (#8)',
    'By hand',
    'Talk of engines (#2)',
    'See an issue (#50)',
  ]);
  assert.deepEqual([body.data.fromSha, body.data.toSha], [begin, second]);
  const calls = github.takeCalls();
  const of = (pattern: RegExp) => calls.filter((call) => pattern.test(call)).length;
  // Refs are compared once in each direction; the page is read by commit ids.
  assert.deepEqual(
    [of(/compare\/v1\.\.\.release%2Fv2/), of(/compare\/release%2Fv2\.\.\.v1/), of(/per_page=100&page=1$/)],
    [1, 1, 1],
  );
  assert.equal(of(/\/pulls\/\d+$/), 6);
  assert.equal(of(/\/commits\/\w+\/pulls$/), 6);
  const again = await ask('v1', 'release/v2');
  assert.deepEqual(again.body.data, body.data);
  assert.equal(
    github.takeCalls().length,
    4,
    'the same range again takes the ends and the repository, before and after',
  );
  await app.call('GET', '/repos/acme/rocket/release?from=v1&to=release/v2', { token: await join('bea') });
  assert.equal(counted(github.takeCalls(), /\/pulls\/\d+$/), 6, 'with other rights it is asked anew');
});

/** Requests the release of a repository whose commits all name a pull request, once per token at the same time. */
async function callsForMany(
  name: string,
  { isListed, tokens }: { isListed: boolean; tokens: (string | null)[] },
) {
  const fleet = repository(name.length, `acme/${name}`);
  const shas = Array.from({ length: 60 }, (_, place) => shaOf(`${name} ${place}`));
  const line = shas.map((sha, place) => ({
    sha,
    parents: shas.slice(Math.max(place - 1, 0), place),
    message: `Ship ${place} (#${place + 1})`,
  }));
  fleet.history = { refs: { v1: shas[0] ?? '', v2: shas.at(-1) ?? '' }, tags: [], commits: line };
  fleet.pulls.push(...shas.map((sha, place) => merges(place + 1, sha, `Ship ${place}`)));
  github.state.repositories.push(fleet);
  const restore = github.script(/\/pulls\?/, (response, pass) =>
    isListed ? pass() : void response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
  );
  // An ingest is needed first: anonymous requests never make the service call GitHub about an unknown repository.
  await app.call('POST', `/repos/acme/${name}/pulls/1/ingest`, { token: ann });
  github.takeCalls();
  const path = `/repos/acme/${name}/release?from=v1&to=v2`;
  const answers = await Promise.all(
    tokens.map((token) => app.call('GET', path, token === null ? {} : { token })),
  );
  restore();
  return { answers, calls: github.takeCalls() };
}
const counted = (calls: string[], pattern: RegExp) => calls.filter((call) => pattern.test(call)).length;

test('pull requests that commits name are found by list pages, and equal concurrent requests share their calls', async () => {
  const { answers, calls } = await callsForMany('fleet', { isListed: true, tokens: [ann, ann, ann] });
  for (const { body, text } of answers) assert.equal(numbersOf(body.data).length, 59, text);
  assert.deepEqual(
    [/\/pulls\?state=closed/, /\/pulls\/\d+$/, /per_page=100&page=1$/].map((pattern) =>
      counted(calls, pattern),
    ),
    [1, 0, 2],
  );
});

test('a caller without a token gets at most 15 pull requests looked up singly, and the response says how many commits were read', async () => {
  const asked = { isListed: false };
  const { answers: own } = await callsForMany('armada', { ...asked, tokens: [ann] });
  assert.equal(own[0]?.body.data.commits.read, 59);
  const { answers: strange, calls } = await callsForMany('flotilla', { ...asked, tokens: [null] });
  assert.equal(strange[0]?.status, 200, strange[0]?.text);
  const { data } = strange[0]?.body ?? {};
  assert.deepEqual([data.commits.total, data.commits.read, numbersOf(data).length], [59, 15, 15]);
  assert.equal(counted(calls, /\/pulls(\/\d+)?$/), 15);
});

test('a change that was picked onto another branch is listed there and marked as backported', async () => {
  const { body } = await ask('v1', 'v1.1');
  assert.deepEqual(numbersOf(body.data), [2]);
  assert.deepEqual(
    body.data.backported.map(({ of }: { of: { prNumber: number } }) => of.prNumber),
    [2],
  );
  assert.equal((await ask('release/v2', 'v1.1')).body.data.commits.behind, 11);
});

test('an unknown ref is named with suggestions, and a repository that turns private during the comparison gives 404', async () => {
  const missing = await ask('v1', 'v1.2');
  assert.equal(missing.status, 404);
  assert.match(missing.body.error.message, /no tag, branch or commit v1\.2\. Available: v1\.1, v1\./);
  assert.equal((await ask('v0', 'v1')).body.error.details[0].field, 'from');
  const orphan = commit('Pages', { parents: [] });
  const unrelated = await ask('v1', orphan);
  assert.equal(unrelated.status, 404);
  assert.match(unrelated.body.error.message, /no common history/);
  // An anonymous request for a repository that is not used here makes no call.
  github.takeCalls();
  const asStranger = await app.call('GET', '/repos/acme/rocket/release?from=v1&to=v1.1');
  assert.equal(asStranger.status, 404);
  assert.deepEqual(github.takeCalls(), []);
  let compared = 0;
  const restore = github.script(/\/compare\//, async (_response, pass) => {
    await pass();
    compared += 1;
    // A known range takes two comparisons before the last access check.
    if (compared === 2) rocket.visibility = 'private';
  });
  const hidden = await ask('v1', 'v1.1');
  restore();
  assert.equal(hidden.status, 404, hidden.text);
  assert.equal(hidden.body.error.code, 'REPOSITORY_NOT_FOUND');
  assert.doesNotMatch(hidden.text, /Engines/);
});

test('tags of a repository that turns private during the request are not suggested', async () => {
  const fleet = github.state.repositories.find(({ name }) => name === 'fleet');
  assert.ok(fleet?.history);
  fleet.history.tags = ['v1-secret'];
  const look = () => app.call('GET', '/r/acme/fleet/release');
  assert.match((await look()).text, /v1-secret/);
  const restore = github.script(/\/tags\?/, async (_response, pass) => {
    await pass();
    fleet.visibility = 'private';
  });
  assert.doesNotMatch((await look()).text, /v1-secret/);
  restore();
});
