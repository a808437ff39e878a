import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/build-app.ts';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { pull, repository } from '../../../test/github/state.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { sql } from '../../db/sql.ts';
import type { FileOutline } from '../../reading/facts.ts';

const steps = (limit: number): string =>
  [
    'class Rocket:',
    '    def launch_all(self, crew):',
    ...Array.from({ length: 20 }, (_, step) => `        crew.step(${step})`),
    `        crew.wait(${limit})`,
    ...Array.from({ length: 20 }, (_, step) => `        crew.after(${step})`),
    '',
  ].join('\n');
const [before, after] = [steps(1), steps(99)];

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket');
const commit = (text: string, subject: string) => {
  writeFileSync(join(clone, 'rocket.py'), text);
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', subject);
};
commit(before, 'feat: launch (#2)');
commit(after, 'fix: wait longer (#3)');
/** The hunk header omits the method, as on hosts that do not know the language. */
const diff = git(clone, 'diff', 'HEAD~1', 'HEAD').replace(/^(@@ .* @@).*$/m, '$1');
assert.doesNotMatch(diff, /launch_all/);

async function articleAbout(app: TestApp, number: number, token: string): Promise<string> {
  const path = `/repos/acme/rocket/pulls/${number}`;
  const { status, text } = await app.call('POST', `${path}/article`, { token, body: { language: 'en' } });
  assert.ok(status === 200 || status === 201, text);
  return text;
}

/** Outlines are compared without their definitions, which only questions use. */
const outlinesIn = async ({ database }: TestApp): Promise<unknown> =>
  (
    await database.query<{ outlines: FileOutline[] }>(sql`
    SELECT outlines FROM pull_request_contents JOIN pull_requests ON id = pull_request_id
    ORDER BY number DESC LIMIT 1`)
  )[0]?.outlines.map(({ definitions: _, ...outline }) => outline);

const names = [
  { name: 'Rocket', isFunction: false, side: 'new', startLine: 1, endLine: 43 },
  { name: 'Rocket.launch_all', isFunction: true, side: 'new', startLine: 2, endLine: 43 },
];
const outline = {
  fileName: 'rocket.py',
  ranges: names,
  names: [{ side: 'new', public: ['Rocket', 'Rocket.launch_all'], hidden: [] }],
};

test('an article about a clone names the method that its hunk header omits', async () => {
  const app = await buildTestApp({ environment: { GIT_REPOS: root } });
  const text = await articleAbout(app, 3, await app.signUp('ann'));
  assert.match(text, /Rocket\.launch_all/);
  assert.deepEqual(await outlinesIn(app), [outline]);
});

const { app, github, join: signUp } = await buildGitHubApp();
const rocket = repository(71, 'acme/rocket');
github.state.repositories.push(rocket);

/** A pull request whose diff GitHub prints; `texts` are the whole files it can return. */
function offer(number: number, texts: Record<string, string>): void {
  const files = [{ filename: 'rocket.py', status: 'modified', additions: 1, deletions: 1 }];
  const offered = { ...pull(number, `canary ${number}`, { diff }), files };
  rocket.pulls.push(offered);
  for (const [path, text] of Object.entries(texts))
    rocket.texts = { ...rocket.texts, [`${offered.head.sha}:${path}`]: text };
}

const questions = (): number => github.takeCalls().filter((call) => call === 'POST /api/graphql').length;

test('an article about a GitHub pull request names the method that its hunk header omits, with one extra GraphQL call', async () => {
  const ann = await signUp('ann');
  offer(1, { 'rocket.py': after });
  github.takeCalls();
  assert.match(await articleAbout(app, 1, ann), /Rocket\.launch_all/);
  assert.equal(questions(), 3, 'one for the issues that it closes, one for its review, and one for files');
  assert.deepEqual(await outlinesIn(app), [outline]);
});

test('an article is still written when the host refuses to return files or returns different ones', async () => {
  const bea = await signUp('bea');
  offer(2, { 'rocket.py': 'def launch_all():\n    pass\n' });
  assert.doesNotMatch(await articleAbout(app, 2, bea), /launch_all/);
  // The first GraphQL calls ask for linked issues and for the review.
  let asked = 0;
  const stop = github.script(/graphql$/, (response, pass) => {
    asked += 1;
    if (asked <= 2) return pass();
    response.writeHead(502, { 'content-type': 'text/plain' }).end('Bad gateway');
  });
  offer(3, { 'rocket.py': after });
  assert.doesNotMatch(await articleAbout(app, 3, bea), /launch_all/);
  assert.deepEqual(await outlinesIn(app), []);
  assert.equal(asked, 3, 'files are asked for once');
  stop();
});

test("files are not requested when little of the token's rate limit remains", async () => {
  const cem = await signUp('cem');
  offer(4, { 'rocket.py': after });
  const stop = github.script(/graphql$/, (response, pass) => {
    response.setHeader('x-ratelimit-limit', '5000');
    response.setHeader('x-ratelimit-remaining', '400');
    return pass();
  });
  github.takeCalls();
  assert.doesNotMatch(await articleAbout(app, 4, cem), /launch_all/);
  assert.equal(questions(), 2, 'for the issues that it closes and for its review');
  stop();
});

test('files are not requested for a session without a GitHub token', async () => {
  offer(5, { 'rocket.py': after });
  const session = await app.call('POST', '/auth/session', { token: await signUp('dee') });
  github.takeCalls();
  assert.doesNotMatch(await articleAbout(app, 5, session.body.data.accessToken), /launch_all/);
  assert.equal(questions(), 0);
});

test('files of a pull request that GitHub does not print come from the git fetch, without a GraphQL call or a token', async () => {
  rocket.gitFolder = join(clone, '.git');
  const [head = '', base = ''] = git(clone, 'log', '--format=%H').split('\n');
  const range = { base: { ref: 'main', sha: base }, head: { ref: 'topic', sha: head }, mergeBase: base };
  rocket.pulls.push(pull(6, 'canary 6', { ...range, diff: null }));
  const session = await app.call('POST', '/auth/session', { token: await signUp('eve') });
  github.takeCalls();
  assert.match(await articleAbout(app, 6, session.body.data.accessToken), /Rocket\.launch_all/);
  assert.equal(questions(), 0);
  assert.deepEqual(await outlinesIn(app), [outline]);
});
