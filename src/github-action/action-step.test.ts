import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { standInCertificate, startGitHub } from '../../test/github/stand-in.ts';
import { account, pull, repository } from '../../test/github/state.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { projectFolder, runToEnd } from '../../test/start-service.ts';
import { runsWholeTables } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { cutAtSection, marker, origin, safeComment } from './action-step.ts';

// Both actions run as in a release tag: a bundle beside package.json and prompts/, without node_modules.
const tag = temporaryFolder();
const bundled = await runToEnd({ command: [process.execPath, 'scripts/bundle.ts', 'action', tag] });
assert.equal(bundled.code, 0, bundled.stderr);
for (const name of ['package.json', 'prompts', 'action.yml', 'comment'])
  await cp(join(projectFolder, name), join(tag, name), { recursive: true });

// The events are recorded deliveries of GitHub.
const recorded = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@octokit/webhooks-examples')), 'utf8'),
);
const example = (name: string) =>
  structuredClone(recorded.find((one: { name: string }) => one.name === name).examples[0]);

/** Runs an action as a runner does: the event is in a file and the inputs are in the environment. */
async function runAction(
  folder: string,
  event: object,
  given: { cwd: string; inputs?: Record<string, string>; environment?: Record<string, string> } & Record<
    string,
    unknown
  >,
) {
  const { cwd, inputs = {}, apiUrl = '', environment = {} } = given;
  const { runs, inputs: known } = parse(readFileSync(join(tag, folder, 'action.yml'), 'utf8'));
  assert.equal(runs.using, 'node24');
  const files = temporaryFolder();
  const path = (name: string) => join(files, name);
  writeFileSync(path('event.json'), JSON.stringify(event));
  const asInputs = Object.keys(known).map((name) => [
    `INPUT_${name.toUpperCase()}`,
    inputs[name] ?? String(known[name].default ?? '').replace(/^\$.*/, ''),
  ]);
  const { code, stdout, stderr } = await runToEnd({
    command: [process.execPath, join(tag, folder, runs.main)],
    cwd,
    environment: {
      XDG_CACHE_HOME: path('cache'),
      NODE_COMPILE_CACHE: join(tag, 'compiled'),
      GITHUB_EVENT_PATH: path('event.json'),
      GITHUB_STEP_SUMMARY: path('summary.md'),
      GITHUB_OUTPUT: path('output'),
      GITHUB_API_URL: String(apiUrl),
      RUNNER_TEMP: files,
      ...Object.fromEntries(asInputs),
      ...environment,
    },
  });
  const read = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '');
  return { code, stdout, stderr, summary: read('summary.md'), output: read('output') };
}

const source = (retries: number) =>
  `export function launch(target: string): number {\n  return fire(target, ${retries});\n}\n`;
const clone = makeClone(temporaryFolder(), 'acme/rocket');
const commit = (branch: string, files: Record<string, string>) => {
  git(clone, 'checkout', '--quiet', '-B', branch, 'main');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(clone, name, '..'), { recursive: true });
    writeFileSync(join(clone, name), content);
  }
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', `work on ${branch}`);
};
commit('main', { 'launch.ts': source(1) });
commit('topic', { 'launch.ts': source(3) });
const manyFiles = runsWholeTables ? 3_000 : 300;
const many = Array.from({ length: manyFiles }, (_, index) => [
  `parts/${index % 30}/part-${index}.ts`,
  `export const part${index} = ${index};\n`,
]);
commit('many', Object.fromEntries(many));
git(clone, 'checkout', '--quiet', 'main');

function pullRequest(branch: string, changed: object = {}) {
  const event = example('pull_request');
  const { base, head } = event.pull_request;
  base.sha = git(clone, 'rev-parse', 'main').trim();
  head.sha = git(clone, 'rev-parse', branch).trim();
  Object.assign(
    event.pull_request,
    { title: 'fix: launch again where it fails', body: 'Once was not enough.' },
    changed,
  );
  return event;
}

test('the action writes the article of a pull request to the run summary and output, from the checkout alone', async () => {
  const event = pullRequest('topic');
  const { code, stdout, stderr, summary, output } = await runAction('', event, { cwd: clone });
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
  assert.match(summary, /^# Fix: launch again where it fails\n/);
  assert.ok(summary.includes(`](${event.pull_request.html_url})`));
  assert.ok(summary.includes(`${event.pull_request.html_url}/files#diff-`), 'hunks lead to their lines');
  assert.match(summary, /^- {2}return fire\(target, 1\);\n\+ {2}return fire\(target, 3\);$/m);
  assert.match(summary, /`launch\.ts` › `launch`/, 'names are read');
  const [, file = ''] = /^article=(.+)\n$/.exec(output) ?? [];
  assert.equal(readFileSync(file, 'utf8'), summary);
});

test('the article has the review that the token may read, and none of another head or without a token', async () => {
  const github = await startGitHub();
  const event = pullRequest('topic');
  const { head, user, number } = event.pull_request;
  const { owner, name } = event.repository;
  github.state.accounts.push(account(1_001, 'ann', 'ghp_tokenOfann'));
  const comments = [
    'rin: Does `launch` not break everybody who counts on a single try?',
    `${user.login}: They see it in the result, because \u001b[31mit counts the tries.`,
  ].map((said, at) => ({
    author: said.split(':', 1)[0] ?? '',
    body: said.replace(/^[^:]*: /, ''),
    createdAt: `2026-03-01T10:0${at}:00Z`,
  }));
  const made = pull(number, 'topic', {
    author: user.login,
    comments,
    head: { ref: head.ref, sha: head.sha },
  });
  github.state.repositories.push(repository(71, `${owner.login}/${name}`, { pulls: [made] }));
  const explain = (token: string) =>
    runAction('', event, {
      cwd: clone,
      inputs: { 'github-token': token },
      environment: { GITHUB_SERVER_URL: github.url, NODE_EXTRA_CA_CERTS: standInCertificate },
    });
  const seen = await explain('ghp_tokenOfann');
  assert.deepEqual([seen.code, seen.stdout], [0, '']);
  assert.match(
    seen.summary,
    /^## From the review\n\n> Does `launch` not break .*> They see it in the result/ms,
  );
  assert.ok(!seen.summary.includes('\u001b'));
  const [refused, unset] = await Promise.all([explain('ghp_tokenOfnobody'), explain('')]);
  assert.match(refused.stdout, /^The review cannot be read with github-token\./);
  assert.equal(unset.stdout, '');
  made.head.sha = 'f'.repeat(40);
  for (const { code, summary } of [refused, unset, await explain('ghp_tokenOfann')]) {
    assert.equal(code, 0);
    assert.doesNotMatch(summary, /From the review/);
  }
});

test('a fork gets an article without a model, a draft is skipped, a large diff fits the summary, and a shallow clone, another event or a wrong input fails with a message', async () => {
  const hostile = 'x"; touch owned; $(touch owned) `touch owned`';
  const fork = pullRequest('topic', {
    title: `${hostile}\n::error::owned`,
    body: null,
    user: null,
    labels: [{ name: hostile }],
  });
  Object.assign(fork.pull_request.head, { ref: hostile, repo: null });
  const shallow = join(temporaryFolder(), 'shallow');
  git('.', 'clone', '--quiet', '--depth=1', '--branch=topic', `file://${clone}`, shallow);
  const draft = pullRequest('topic', { draft: true });
  const ofFork = {
    language: 'fr',
    'ai-model': 'anthropic/claude-sonnet-4-5',
    'ai-base-url': 'https://gateway.example/v1',
  };
  const [forked, passedOver, large, cut, pushed, wrong] = await Promise.all([
    runAction('', fork, { cwd: clone, inputs: ofFork }),
    runAction('', draft, { cwd: clone }),
    runAction('', pullRequest('many', { draft: true }), {
      cwd: clone,
      inputs: { drafts: 'true', language: 'ja' },
    }),
    runAction('', pullRequest('topic'), { cwd: shallow }),
    runAction('', example('push'), { cwd: clone }),
    runAction('', draft, { cwd: clone, inputs: { drafts: 'true', language: 'fr' } }),
  ]);
  assert.equal(forked.code, 0, forked.stdout);
  assert.match(
    forked.stdout,
    /^This run has no key for ai-model: the article is written without a model\.\n$/,
  );
  assert.match(forked.summary, /touch owned/);
  assert.ok(!readdirSync(clone).includes('owned'));
  assert.deepEqual([passedOver.code, passedOver.summary], [0, '']);
  assert.match(passedOver.stdout, /^This pull request is a draft/);
  assert.equal(large.code, 0, large.stdout);
  assert.match(large.summary, /^## 変更内容$/m);
  assert.match(
    large.summary,
    new RegExp(`${manyFiles.toLocaleString('en')} ?ファイル|${manyFiles} ?ファイル`),
  );
  assert.ok(Buffer.byteLength(large.summary) <= 900_000);
  assert.equal(cut.code, 1);
  assert.match(cut.stdout, /^::error title=Pullquote::.*fetch-depth: 0/);
  assert.match(pushed.stdout, /^::error .*in a workflow with on: pull_request\.\n$/);
  assert.match(wrong.stdout, /^::error .*The input language must be en or ja without ai-model\.\n$/);
});

test('`cutAtSection` cuts at the end of a section with a note, and ignores headings in code', () => {
  const section = (index: number) =>
    `## Section ${index}\n\nWörter und 言葉.\n\n\`\`\`\`md\n## no heading\n\`\`\`\n\n\`\`\`\`\n\n`;
  const whole = `# Title\n\n${Array.from({ length: 20 }, (_, index) => section(index)).join('')}`;
  const note = '*cut*';
  assert.equal(cutAtSection(whole, Buffer.byteLength(whole), note), whole);
  for (let most = 40; most < Buffer.byteLength(whole); most += 7) {
    const cut = cutAtSection(whole, most, note);
    assert.ok(Buffer.byteLength(cut) <= most);
    assert.ok(cut.endsWith('\n\n*cut*\n'));
    const kept = cut.slice(0, -note.length - 3);
    assert.ok(whole.startsWith(kept) && /^# Title$|````$/.test(kept), kept);
  }
  assert.equal(
    cutAtSection(`${'a'.repeat(100)}\n\n${'b'.repeat(100)}`, 150, note),
    `${'a'.repeat(100)}\n\n*cut*\n`,
  );
});

const hostileArticle = [
  '# Title @octocat #1 GH-12 acme/rocket#3',
  'See https://github.com/other/repo/issues/9 and [it](https://www.github.com/o/r/pull/2).',
  '&commat;octocat &#64;octocat &#x40;octocat &COMMAT;octocat o/r&num;3 _GH-4_ GH\\-5 &\u200bcommat;octocat',
  'https://github.com:443/o/r/issues/9 www.github.com/o/r/issues/9 https://GitHub.com./o/r/pull/9',
  '[a](//github.com/o/r/issues/9) [b](/o/r/issues/9) [c](\\/o\\/r/pull/9) [d](\n      /o/r/discussions/9)',
  '[e](https:\\/\\/github\\.com\\/o\\-p\\/r\\/issues\\/9) [f](https&colon;//github&period;com/o/r/issues/9)',
  '![x](https://tracker.example/p.png) <img src=x onerror=alert(1)> </details> <!-- a -->',
  '```\n@team/inside #5\n```\n/merge now',
  `${marker} #99`,
].join('\n\n');

test('`safeComment` passes no mention, issue reference, image, command or HTML, and stays below the size limit', () => {
  const whole = safeComment(`${hostileArticle}\u202e\u0000`);
  const beginning = `${marker}\n${origin}\n\n`;
  assert.ok(whole.startsWith(beginning), 'before all that strangers wrote, it says that they did');
  const body = whole.slice(beginning.length);
  assert.doesNotMatch(body, /@[\w-]|#\d|GH-\d|<[a-z/!?]|!\[|\/\/(?:www\.)?github\.com|^\/|\u202e/im);
  assert.doesNotMatch(body, /&#?\w+;|GH\\?-\d|(?<!redirect\.)github\\?\.com|[(\s]\\?\/+o\b/i);
  assert.ok(!body.includes('\u0000'));
  const ofCode = '```go\nimport "github.com/o/r" // https://github.com/o/r, f(&self), a && b, ?x=1&y=2\n```';
  assert.ok(safeComment(ofCode).endsWith(ofCode), 'what does nothing stays as it is');
  assert.match(body.replaceAll('\u200b', ''), /^# Title @octocat #1 GH-12 acme\/rocket#3\n/);
  assert.ok(safeComment('## A\n\n@a '.repeat(60_000)).length < 65_536);
});

test('the action writes with the model when it has a key, and without it when the model fails', async () => {
  const model = await startScriptedModel((request) =>
    request.body.model === 'obliging'
      ? writeObligingly(request)
      : { error: { status: 401, code: 'authentication_error' } },
  );
  const write = (name: string) => {
    const inputs = { 'ai-model': name, 'ai-api-key': 'its-key', 'ai-base-url': model.url };
    return runAction('', pullRequest('topic'), { cwd: clone, inputs });
  };
  const [written, failed] = await Promise.all([write('anthropic/obliging'), write('compatible/refusing')]);
  assert.deepEqual([written.code, written.stdout, written.stderr], [0, '', '']);
  assert.match(written.summary, /^# A line that was not there before\n/);
  assert.match(written.summary, /^\+ {2}return fire\(target, 3\);$/m, 'with the lines that show it');
  assert.equal(failed.code, 0, failed.stderr);
  const keys = model.heard.map(({ headers }) => headers['x-api-key'] ?? headers.authorization);
  assert.deepEqual([...new Set(keys)].sort(), ['Bearer its-key', 'its-key']);
  assert.match(failed.stderr, /^compatible\/refusing .*The following was written without a model\.\n$/);
  assert.match(failed.summary, /^# Fix: launch again where it fails\n/);
});

interface Posted {
  method: string;
  path: string;
  body: string;
}

/** A stand-in for the GitHub API of pull requests and comments. */
async function startApi(head: { sha: string; number: number }, login: string | null) {
  const comments = [
    { id: 1, body: `${marker}\nby a stranger`, user: { login: 'stranger', type: 'User' } },
    { id: 3, body: `${marker}\nby another bot`, user: { login: 'other[bot]', type: 'Bot' } },
  ];
  const own = { login: login ?? 'github-actions[bot]', type: 'Bot' };
  if (login) comments.push({ id: 2, body: `${marker}\nan earlier one`, user: own });
  const written: Posted[] = [];
  const server = createServer(async (request, response) => {
    const [path = '', query] = (request.url ?? '').split('?');
    const body = JSON.parse((await text(request)) || '{}').body ?? '';
    const answer = (value: unknown) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    assert.equal(request.headers.authorization, 'Bearer its-token');
    if (path === '/graphql')
      return login === null ? response.writeHead(403).end() : answer({ data: { viewer: { login } } });
    if (request.method !== 'GET') written.push({ method: request.method ?? '', path, body });
    if (path.endsWith('/pulls')) {
      assert.equal(new URLSearchParams(query).get('head'), 'stranger:fix#1&state=all');
      return answer([
        { number: 9, head: { sha: '0'.repeat(40) } },
        { number: head.number, head: { sha: head.sha } },
      ]);
    }
    if (request.method === 'GET') return answer(comments);
    if (request.method === 'POST') comments.push({ id: 2, body, user: own });
    else for (const one of comments) if (path.endsWith(`/${one.id}`)) one.body = body;
    return answer({ id: 2 });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { apiUrl: `http://127.0.0.1:${port}`, written };
}

test('the comment action posts one comment and edits it later, only below the pull request with the head of the run', async () => {
  const event = example('workflow_run');
  const { repository, workflow_run } = event;
  Object.assign(workflow_run, {
    event: 'pull_request',
    conclusion: 'success',
    head_branch: 'fix#1&state=all',
  });
  workflow_run.head_repository.owner.login = 'stranger';
  const head = { sha: workflow_run.head_sha, number: 7 };
  const { apiUrl, written } = await startApi(head, null);
  const ofApp = await startApi(head, 'an-app[bot]');
  const folder = temporaryFolder();
  const article = join(folder, 'article.md');
  const comment = async (told: object = {}, file = article, api = apiUrl) => {
    const changed = { repository, workflow_run: { ...workflow_run, ...told } };
    const inputs = { article: file, 'github-token': 'its-token' };
    const { code, stdout } = await runAction('comment', changed, { cwd: folder, inputs, apiUrl: api });
    return { code, stdout };
  };
  writeFileSync(article, hostileArticle);
  assert.deepEqual(await comment(), { code: 0, stdout: '' });
  assert.deepEqual(await comment(), { code: 0, stdout: '' });
  writeFileSync(article, 'Another one.');
  assert.deepEqual(await comment(), { code: 0, stdout: '' });
  const at = `/repos/${repository.owner.login}/${repository.name}/issues`;
  assert.deepEqual(written, [
    { method: 'POST', path: `${at}/7/comments`, body: safeComment(hostileArticle) },
    { method: 'PATCH', path: `${at}/comments/2`, body: safeComment('Another one.') },
  ]);
  await comment({}, article, ofApp.apiUrl);
  assert.deepEqual(
    ofApp.written.map(({ method, path }) => [method, path]),
    [['PATCH', `${at}/comments/2`]],
    'what was written by the name that the token has is its own',
  );
  const link = join(folder, 'link.md');
  symlinkSync(article, link);
  const [moved, failed, missing, linked] = await Promise.all([
    comment({ head_sha: 'f'.repeat(40) }),
    comment({ conclusion: 'failure' }),
    comment({}, join(folder, 'none.md')),
    comment({}, link),
  ]);
  assert.deepEqual([moved.code, failed.code, missing.code, linked.code], [0, 0, 1, 1]);
  assert.match(moved.stdout, /^No open pull request/);
  assert.match(missing.stdout, /^::error .*Download the artifact/);
  assert.equal(written.length, 2);
});

test('each action.yml describes exactly the inputs that its action reads', () => {
  for (const [file, entry] of [
    ['action.yml', '{config,github-action/explain-pull-request}.ts'],
    ['comment/action.yml', 'github-action/comment-on-pull-request.ts'],
  ] as const) {
    const sources = globSync(`src/${entry}`, { cwd: projectFolder }).map((path) =>
      readFileSync(join(projectFolder, path), 'utf8'),
    );
    const read = new Set(
      [...sources.join('').matchAll(/actionInput\('([\w-]+)'\)/g)].map(([, name]) => name),
    );
    assert.deepEqual(
      Object.keys(parse(readFileSync(join(projectFolder, file), 'utf8')).inputs).sort(),
      [...read].sort(),
    );
  }
});
