import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { repository as giteaRepository } from '../../../test/gitea/make-repository.ts';
import { startGitea } from '../../../test/gitea/stand-in.ts';
import { account as giteaAccount, pull as giteaPull, tokenOf } from '../../../test/gitea/state.ts';
import { reviewedBy } from '../../../test/github/reviewed-pull.ts';
import { standInCertificate, startGitHub } from '../../../test/github/stand-in.ts';
import { account, pull, repository } from '../../../test/github/state.ts';
import { startGitLab } from '../../../test/gitlab/stand-in.ts';
import * as lab from '../../../test/gitlab/state.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { questionIn, writeObligingly } from '../../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../../test/model/scripted-model.ts';
import { untilGone } from '../../../test/processes-gone.ts';
import { readFromHost } from '../../../test/read-from-host.ts';
import { launch, program } from '../../../test/start-service.ts';
import { runsWholeTables } from '../../../test/tables.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { openGitHost } from '../../code-hosts/git/open-git-host.ts';
import { GitSpawner } from '../../code-hosts/git-runner/git-spawner.ts';
import { parseConfig } from '../../config.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { parseTarget, webHosts } from './parse-target.ts';
import { besidePatch } from './patch.ts';
import { readHosted } from './read-hosted.ts';
import { readFromClone } from './read-target.ts';
import { requireExplainLanguage, writeAbout } from './write-about.ts';

const root = temporaryFolder();
const cache = temporaryFolder();
const clone = makeClone(root, 'acme/rocket');

const loud = '"\u001b]0;owned\u0007\u009b31m"';
const source = (retries: number, word: string): string =>
  `export function launch(target: string): number {\n  const name = ${word};\n  // 発射の前に、設定を読み込みます。これは一行がとても長いコメントです。\n  return fire(target, name, ${retries});\n}\n`;
const commit = (folder: string, message: string): void => {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', message);
};
writeFileSync(join(clone, 'launch.ts'), source(1, '"a"'));
commit(clone, 'Add a launch (#2)');
writeFileSync(join(clone, 'launch.ts'), source(3, '"a"'));
commit(clone, 'Launch again where it fails (#3)\n\nOnce was not enough.');
// The clone configures a diff program and a .env file. `explain` must ignore both: the clone may come from anyone.
git(clone, 'config', 'diff.external', `touch ${join(root, 'ran')}`);
writeFileSync(join(clone, '.git', 'info', 'exclude'), '.env\n');
writeFileSync(join(clone, '.env'), 'MAX_DIFF_MIB=nonsense\nGITHUB_URL=nonsense\nAI_MODEL=compatible/other\n');
git(clone, 'checkout', '--quiet', '-b', 'topic');
writeFileSync(join(clone, 'launch.ts'), source(5, loud));
commit(clone, 'fix: launch \u001b[31mfive\u009b1m times');
const worktree = join(root, 'beside');
git(clone, 'worktree', 'add', '--quiet', '-b', 'other', worktree, 'main');

async function run(
  command: string[],
  { cwd = clone, ...environment }: Record<string, string> & { cwd?: string } = {},
) {
  const { child, written } = launch({
    command,
    cwd,
    environment: { XDG_CACHE_HOME: cache, LANG: 'C.UTF-8', ...environment },
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, ...written };
}
const model = await startScriptedModel((request) =>
  request.body.model === 'obliging'
    ? writeObligingly(request)
    : { error: { status: 401, code: 'authentication_error' } },
);
const named = (name: string) => ({ AI_MODEL: `compatible/${name}`, AI_BASE_URL: model.url });
const openGit = async () => {
  const spawner = new GitSpawner();
  after(() => spawner.close());
  return { path: process.env.PATH ?? '', isolatedFolders: join(cache, 'git'), spawner };
};
const readClone = (cwd: string, target: Parameters<typeof readFromClone>[0]) =>
  readFromClone(target, openGit, cwd);
const explain = (parameters: string[], options = {}) =>
  run([process.execPath, program, 'explain', ...parameters], options);

test('`pullquote explain` without parameters explains the current branch in 20 ASCII columns, runs no program of the clone and calls no model', async () => {
  const { code, stdout, stderr } = await explain([], { COLUMNS: '20', LANG: 'C', ...named('obliging') });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^fix: launch five/);
  assert.match(stdout, /^ {4}"<U\+001B>\]0;owne$/m);
  assert.match(stdout, /^acme\/rocket \| Rin$/m);
  assert.match(stdout, /^ {2}\+ {3}return$\n^ {4}fire\(target,$/m);
  assert.doesNotMatch(stdout, /[^\n -~]/, 'neither colours, nor control characters, nor other letters');
  assert.ok(stdout.split('\n').every((line) => line.length <= 20));
  assert.deepEqual(readdirSync(root).sort(), ['acme', 'beside'], 'no program of the clone was run');
  assert.equal(model.heard.length, 0, 'nothing is sent to a model unless --ai is passed');
});

test('a pull request number in a worktree gives the same commits as the git host, and a range ends at its second side', async () => {
  const host = await openGitHost(
    { gitRepos: root, gitPrivate: [], gitWebUrl: undefined, dataFolder: temporaryFolder() },
    {
      searchPath: process.env.PATH ?? '',
      secretKeys: [{ version: 1, secret: Buffer.alloc(32) }],
      clock: () => new Date(),
      announce: () => {},
    },
  );
  git(clone, 'checkout', '--quiet', 'main');
  const served = await readFromHost(host, { owner: 'acme', name: 'rocket' }, 3);
  git(clone, 'checkout', '--quiet', 'topic');
  await host.close();
  const inWorktree = await readClone(worktree, { kind: 'number', number: 3 });
  const { number, state, pullRequest } = inWorktree;
  assert.deepEqual(
    [number, state, pullRequest.headSha, pullRequest.baseSha],
    [3, 'merged', served?.headSha, served?.baseSha],
  );
  const { aiGeneratedTitle, mainChanges, counts } = (await writeAbout(inWorktree, 'en', null)).content;
  assert.deepEqual([aiGeneratedTitle, counts.commits], ['Launch again where it fails', 0]);
  assert.equal(mainChanges[0]?.fileName, 'launch.ts');
  const range = await readClone(clone, { kind: 'branch', base: 'HEAD~1', head: 'HEAD' });
  assert.equal(range.pullRequest.headSha, git(clone, 'rev-parse', 'topic').trim());
  assert.equal((await writeAbout(range, 'ja', null)).content.languageCode, 'ja');
});

test('added code wraps between words; commits are counted where the pull ref exists, and left out after a squash without one', async () => {
  const mirror = makeClone(temporaryFolder(), 'acme/comet', 'Begin');
  const wide = 'export const limits = { attempts: 5, firstDelaySeconds: 10, longestDelaySeconds: 600 };\n';
  git(mirror, 'checkout', '--quiet', '-b', 'limits');
  writeFileSync(join(mirror, 'limits.ts'), wide);
  commit(mirror, 'Add limits');
  writeFileSync(join(mirror, 'more.ts'), 'export const more = 1;\n');
  commit(mirror, 'Add more');
  git(mirror, 'update-ref', 'refs/pull/7/head', 'limits');
  git(mirror, 'checkout', '--quiet', 'main');
  git(mirror, 'merge', '--quiet', '--squash', 'limits');
  commit(mirror, 'Limit attempts (#7)');
  const ordinary = join(temporaryFolder(), 'ordinary');
  git('.', 'clone', '--quiet', mirror, ordinary);
  const served = (await writeAbout(await readClone(mirror, { kind: 'number', number: 7 }), 'en', null))
    .content;
  assert.equal(served.counts.commits, 2);
  const there = await explain(['7'], { cwd: ordinary, COLUMNS: '60' });
  assert.match(there.stdout, /2 source$/m);
  const [code = ''] = /^ {2}\+ export[^+]+;$/m.exec(there.stdout) ?? [];
  assert.equal(code.replaceAll(/\s+/g, ' ').trim(), `+ ${wide.trim()}`);
});

test('`--html` writes one file that loads nothing, with the diff in it, prints it for -, and overwrites no file', async () => {
  const file = join(temporaryFolder(), 'article.html');
  const written = await explain(['topic', '--html', file]);
  assert.equal(written.code, 0, written.stderr);
  assert.match(written.stdout, /article\.html: \d+ KiB\.$/m);
  const page = readFileSync(file, 'utf8');
  assert.match(page, /^<!doctype html>[\s\S]*<section class="changed" id="file-1">[\s\S]*<\/html>\n$/);
  assert.doesNotMatch(page, /<script|<link|<form|<button|\ssrc=|url\(["']?(?!#)| href="\//);
  assert.equal((await explain(['topic', '--html', '-'])).stdout, page);
  writeFileSync(file, 'mine');
  const again = await explain(['topic', '--html', file]);
  assert.deepEqual([again.code, again.stdout, readFileSync(file, 'utf8')], [1, '', 'mine']);
  assert.match(again.stderr, /article\.html already exists\. Choose another name/);
  assert.equal((await explain(['topic', '--html', file, '--json'])).code, 2);
});

test('a missing number, branch, difference, history or repository is reported with its own message', async () => {
  const shallow = join(temporaryFolder(), 'shallow');
  git('.', 'clone', '--quiet', '--depth=1', '--no-single-branch', `file://${clone}`, shallow);
  const cloneOf = (host: string) => {
    const folder = makeClone(temporaryFolder(), 'acme/rocket');
    git(folder, 'remote', 'add', 'origin', `git@${host}:acme/engine.git`);
    return folder;
  };
  const [ofGitHub, ofAnother] = [cloneOf('github.com'), cloneOf('github.corp.example')];
  const number99 = { kind: 'number', number: 99 } as const;
  const branch = (base: string | null, head: string | null) => ({ kind: 'branch', base, head }) as const;
  const missing: [folder: string, target: Parameters<typeof readFromClone>[0], sentence: RegExp][] = [
    [
      ofGitHub,
      number99,
      /^Pull request 99 was not found in this clone: .*GitHub, run: pullquote explain acme\/engine#99$/,
    ],
    [
      ofAnother,
      number99,
      /^Pull request 99 was not found in this clone: .*not fetched\. .*: git fetch origin pull\/99\/head:refs\/remotes\/origin\/pull\/99$/,
    ],
    [clone, branch(null, 'nosuch'), /^This clone has no branch or commit nosuch\./],
    [
      clone,
      branch('topic', 'main'),
      /^There is nothing to explain between topic and main: .*run git add for new files/,
    ],
    [shallow, branch('origin/main', 'origin/topic'), /^This clone lacks the commit .*git fetch --unshallow/],
    [
      temporaryFolder(),
      branch(null, null),
      /^This folder is not in a git repository\..*git diff \| pullquote explain -/,
    ],
  ];
  for (const [folder, target, message] of missing)
    await assert.rejects(readClone(folder, target), { message });
});

test('`pullquote explain` includes uncommitted changes of a checkout, says so, runs no program of the clone, and leaves them out with --committed', async () => {
  const folder = makeClone(temporaryFolder(), 'acme/comet');
  const ran = join(folder, 'ran');
  writeFileSync(join(folder, '.gitattributes'), '*.ts filter=evil diff=evil\n');
  commit(folder, 'Begin again');
  git(folder, 'checkout', '--quiet', '-b', 'topic');
  for (const key of ['filter.evil.clean', 'diff.evil.textconv', 'diff.external', 'core.fsmonitor'])
    git(folder, 'config', key, `touch ${ran};cat`);
  const below = join(folder, 'below');
  git('.', 'clone', '--quiet', worktree, below);
  git(
    folder,
    '-c',
    'core.fsmonitor=',
    'update-index',
    '--add',
    '--cacheinfo',
    `160000,${git(below, 'rev-parse', 'HEAD').trim()},below`,
  );
  git(below, 'config', 'core.fsmonitor', `touch ${ran};cat`);
  git(folder, '-c', 'core.fsmonitor=', 'commit', '--quiet', '--message', 'Add below');
  const longLine = `export const added = [${Array.from({ length: 30 }, (_, number) => `'${number}'`).join(', ')}];`;
  const said =
    'Uncommitted changes are included, new files only after git add. To leave them all out, pass --committed.\n';
  const clean = await explain(['--brief'], { cwd: folder });
  assert.deepEqual([clean.stdout.split('\n')[0], clean.stderr], ['Add below', '']);
  writeFileSync(join(folder, 'added.ts'), `${longLine}\n`);
  git(folder, '-c', 'core.fsmonitor=', 'add', '--intent-to-add', 'added.ts');
  rmSync(ran, { force: true });
  const [both, japanese, committed] = await Promise.all([
    explain([], { cwd: folder }),
    explain(['--json', '--language', 'ja'], { cwd: folder }),
    explain(['--committed'], { cwd: folder }),
  ]);
  assert.deepEqual([both.code, both.stderr], [0, said]);
  assert.match(both.stdout, /^1 commit and uncommitted changes, main to topic$/m);
  assert.ok(both.stdout.includes(`\n  + ${longLine}\n`), 'piped lines are whole');
  assert.equal(
    JSON.parse(japanese.stdout).aiGeneratedTitle,
    'main から topic までのコミット 1 件と未コミットの変更',
  );
  assert.deepEqual([committed.code, committed.stderr], [0, '']);
  assert.match(committed.stdout, /^Add below$/m);
  assert.doesNotMatch(committed.stdout, /uncommitted|added/);
  git(folder, '-c', 'core.fsmonitor=', 'checkout', '--quiet', 'main');
  rmSync(ran, { force: true });
  const only = await explain(['--brief'], { cwd: folder });
  assert.match(only.stdout, /^Uncommitted changes on main$/m);
  assert.equal(existsSync(ran), false, 'no program of the clone was run');
});

test('a range without a title is named by its commits, and a brief article keeps the lead and counts the risks that it leaves out', async () => {
  const folder = makeClone(temporaryFolder(), 'acme/comet');
  const write = (name: string): void => {
    for (let number = 0; number < 8; number += 1)
      writeFileSync(
        join(folder, `${number}.ts`),
        `export function ${name}${number}(one: number): number {\n  return one * ${number};\n}\n`,
      );
  };
  write('fetch');
  commit(folder, 'Add names');
  git(folder, 'tag', 'v1.0');
  write('load');
  commit(folder, 'Rename all\n\nNobody understood the old names.');
  const one = await explain(['HEAD~1..HEAD', '--brief'], { cwd: folder });
  assert.match(one.stdout, /^Rename all\n[\s\S]*^Nobody understood the old names\.$/m);
  assert.match(one.stdout, /^⋯ and 3 more$/m);
  writeFileSync(join(folder, 'b.ts'), 'export const b = 1;\n');
  commit(folder, 'Add b');
  git(folder, 'tag', 'v1.1');
  const range = await explain(['v1.0...v1.1', '--brief'], { cwd: folder });
  assert.match(range.stdout, /^2 commits, v1\.0 to v1\.1$/m);
});

test('a piped diff is explained outside a repository, in brief or as Markdown, and a closed output is not an error', async () => {
  const patch = join(temporaryFolder(), 'patch');
  writeFileSync(patch, git(clone, 'format-patch', '--stdout', '-1', 'main'));
  writeFileSync(`${patch}.diff`, git(clone, 'diff', '--no-ext-diff', 'main~1', 'main'));
  const piped = (rest: string) =>
    run(['bash', '-o', 'pipefail', '-c', `"$0" "$1" explain - ${rest}`, process.execPath, program], {
      cwd: root,
      PATCH: patch,
    });
  const [bare, markdown, cut] = await Promise.all([
    piped('--brief < "$PATCH.diff"'),
    piped('--markdown < "$PATCH"'),
    piped('< "$PATCH" | true'),
  ]);
  assert.deepEqual([bare.code, bare.stderr], [0, '']);
  const counts = '1 file · +1 −1 · 1 source · 1 commit\n';
  assert.match(bare.stdout, /^The change\n- launch\.ts$/m, 'where nobody says what it is about');
  assert.ok(markdown.stdout.startsWith(`# Launch again where it fails\n\nRin Example\n\n${counts}`));
  assert.match(markdown.stdout, /^> Once was not enough\.$[\s\S]*^## The change$/m);
  assert.deepEqual([cut.code, cut.stdout, cut.stderr], [0, '', '']);
});

test('`besidePatch` reads the files that a diff was made from, and skips files that changed since or lie outside the diff', async () => {
  const file = join(worktree, 'launch.ts');
  writeFileSync(file, source(9, '"b"'));
  const files = parseDiff(Buffer.from(git(worktree, 'diff', '--no-ext-diff')));
  const { textsOf, close } = besidePatch(openGit, worktree);
  const read = async (...paths: string[]) =>
    Array.fromAsync(
      textsOf(files)?.(
        paths.flatMap((path) => [
          { path, side: 'old' as const },
          { path, side: 'new' as const },
        ]),
      ) ?? [],
    );
  const [old, fresh] = [
    { place: 0, text: source(3, '"a"') },
    { place: 1, text: source(9, '"b"') },
  ];
  assert.deepEqual(await read('launch.ts', 'readme.txt', '../acme/rocket/readme.txt'), [old, fresh]);
  writeFileSync(file, source(10, '"b"'));
  assert.deepEqual(await read('launch.ts'), [old], 'what has changed since is another file');
  await close();
  assert.equal(besidePatch(openGit, temporaryFolder()).textsOf(files), undefined);
});

test('a public pull request is explained without a token, a private one with a token, and a missing or rejected token is reported with its setting', async () => {
  const [github, gitlab, gitea] = await Promise.all([
    startGitHub(),
    startGitLab({ below: '/lab' }),
    startGitea({ folder: '/tea' }),
  ]);
  const secret = repository(72, 'acme/secret', { visibility: 'private', visibleTo: new Set(['ann']) });
  const open = repository(71, 'acme/open');
  for (const one of [secret, open]) one.pulls.push(pull(7, 'canary'));
  github.state.repositories.push(secret, open);
  github.state.accounts.push(account(1_001, 'ann', 'ghp_tokenOfann'));
  const change = [{ iid: 7, words: 'canary' }];
  const members = new Map([['ann', 'reporter']] as const);
  gitlab.state.projects.push(
    lab.project(71, 'acme/deep/open', change),
    lab.project(72, 'acme/secret', change, { visibility: 'private', members }),
  );
  gitlab.state.accounts.push(lab.account(1, 'ann', 'glpat-tokenOfann'));
  const hidden = { isPrivate: true, visibleTo: new Set(['ann']) };
  gitea.state.repositories.push(
    giteaRepository(72, 'acme/secret', { pulls: [giteaPull(7, 'canary')], ...hidden }),
  );
  gitea.state.accounts.push(giteaAccount(1, 'ann', tokenOf('ann')));
  const settings = {
    GITHUB_URL: github.url,
    GITLAB_URL: gitlab.url,
    GITEA_URL: gitea.url,
    NODE_EXTRA_CA_CERTS: standInCertificate,
  };
  const read = async ([given, host]: readonly string[], tokens = {}) => {
    const config = parseConfig({ ...settings, ...tokens });
    const target = parseTarget(given, webHosts(config), host);
    const found = await readHosted(target.kind === 'hosted' ? target : assert.fail(), () => cache, config);
    await found.close();
    return [found.owner, found.pullRequest.title, found.pullRequest.url];
  };
  const [onGitHub, onGitLab, onGitea] = [
    ['acme/secret#7'],
    ['acme/secret!7', 'gitlab'],
    ['acme/secret#7', 'gitea'],
  ] as const;
  const pages = {
    open: `${github.url}/acme/open/pull/7`,
    deep: `${gitlab.url}/acme/deep/open/-/merge_requests/7`,
  };
  const title = 'feat: tell of canary';
  assert.deepEqual(await read([`${pages.open}/files`]), ['acme', title, pages.open]);
  assert.deepEqual(await read([`${pages.deep}/diffs`]), ['acme/deep', title, pages.deep]);
  for (const [given, tokens] of [
    [onGitHub, { GITHUB_TOKEN: 'ghp_tokenOfann' }],
    [onGitLab, { GITLAB_TOKEN: 'glpat-tokenOfann' }],
    [onGitea, { GITEA_TOKEN: tokenOf('ann') }],
  ] as const)
    assert.equal((await read(given, tokens))[1], title);
  for (const [given, tokens, message] of [
    [
      onGitLab,
      {},
      /^GitLab shows no acme\/secret#7 without a token\. .*set GITLAB_TOKEN to a GitLab access token/,
    ],
    [
      onGitea,
      {},
      /^Gitea shows no acme\/secret#7 without a token\. .*set GITEA_TOKEN to a Gitea or Forgejo access token/,
    ],
    [
      onGitHub,
      { GITHUB_TOKEN: 'ghp_tokenOfNobody' },
      /^GitHub does not accept GITHUB_TOKEN(?!.*tokenOfNobody)/,
    ],
    [
      onGitLab,
      { GITLAB_TOKEN: 'glpat-tokenOfNobody' },
      /^GitLab does not accept GITLAB_TOKEN(?!.*tokenOfNobody)/,
    ],
  ] as const)
    await assert.rejects(read(given, tokens), { message });
  const closed = await explain([...onGitHub], settings);
  assert.deepEqual([closed.code, closed.stdout], [4, '']);
  assert.match(
    closed.stderr,
    /^GitHub shows no acme\/secret#7 without a token\. .*GITHUB_TOKEN.*gh auth token/,
  );
});

test('`pullquote explain` prints what the review of a pull request led to, without terminal escapes of a comment', async () => {
  const github = await startGitHub();
  const escapeCharacter = String.fromCharCode(27);
  const request = `Should this not reject large parts${escapeCharacter}[31m before it sends them?`;
  github.state.accounts.push(account(1_001, 'ann', 'ghp_tokenOfann'));
  github.state.repositories.push(
    repository(71, 'acme/open', { pulls: [pull(8, 'canary', reviewedBy(request))] }),
  );
  const settings = {
    GITHUB_URL: github.url,
    GITHUB_TOKEN: 'ghp_tokenOfann',
    NODE_EXTRA_CA_CERTS: standInCertificate,
  };
  const { code, stdout, stderr } = await explain(['acme/open#8', '--host', 'github'], settings);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /From the review\n\n {2}│ Should this not reject large parts.*?\n {2}— rin/s);
  assert.match(stdout, /As reviewed\n.*In the latest version\n/s);
  assert.ok(!stdout.includes(escapeCharacter));
});

test('`pullquote explain --ai` writes with the model of the environment, which is asked where to look, and falls back to rules with a message when that model fails', async () => {
  assert.throws(() => requireExplainLanguage('fr', false, { language: '--language', model: '--ai' }), {
    message: '--language must be en or ja without --ai.',
  });
  const ask = (parameters: string[], settings = {}) =>
    explain(['topic', '--json', '--ai', ...parameters], settings);
  const [unset, told, failed, lost] = await Promise.all([
    ask([]),
    ask(['--language', 'fr'], named('obliging')),
    ask([], named('refusing')),
    runsWholeTables ? ask(['--language', 'fr'], named('refusing')) : null,
  ]);
  assert.equal(unset.code, 2);
  assert.match(unset.stderr, /^--ai needs a model: set AI_MODEL /, 'and what lies in the clone names none');
  assert.deepEqual([told.code, told.stderr], [0, '']);
  const { writer, mainChanges, verification, usage } = JSON.parse(told.stdout);
  assert.deepEqual([writer.kind, writer.provider, writer.model], ['ai', 'compatible', 'obliging']);
  assert.match(mainChanges[0].description, /^Une des lignes/);
  assert.ok(mainChanges[0].hunk.lines.length > 0 && verification.judged > 0 && usage.inputTokens > 0);
  const asked = new Set(model.heard.map((request) => questionIn(request).asked));
  assert.deepEqual([...asked].sort(), ['article', 'looks', 'said again', 'verdicts']);
  const { writer: byRules, aiGeneratedTitle: ofAuthor } = JSON.parse(failed.stdout);
  assert.deepEqual([failed.code, byRules], [0, { kind: 'offline', because: 'failed' }]);
  assert.match(ofAuthor, /^fix: launch /);
  assert.match(failed.stderr, /^compatible\/refusing rejects the key\. .* written without a model\.\n$/);
  if (!lost) return;
  assert.deepEqual([lost.code, lost.stdout], [1, '']);
  assert.match(lost.stderr, /^compatible\/refusing rejects the key\./);
});

test('Ctrl-C ends `pullquote explain` by SIGINT and leaves neither git nor its helper running', async () => {
  const folder = temporaryFolder();
  const told = join(folder, 'told');
  const work = `echo $$ $PPID > ${told}.part; mv ${told}.part ${told}; exec sleep 600`;
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${work}\n`, { mode: 0o755 });
  const { child, written } = launch({
    command: [process.execPath, program, 'explain'],
    cwd: clone,
    environment: { XDG_CACHE_HOME: cache, PATH: `${folder}:${process.env.PATH}` },
  });
  await waitUntil('git runs', () => existsSync(told));
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  // Shells report a process that SIGINT ended as 130.
  assert.deepEqual(await ended, [null, 'SIGINT']);
  await untilGone(...readFileSync(told, 'utf8').trim().split(' ').map(Number));
  assert.deepEqual(written, { stdout: '', stderr: '' });
});

test('`pullquote explain` works without a writable cache folder, and asks to install git when it is missing', async () => {
  const nowhere = { XDG_CACHE_HOME: '/proc', TMPDIR: temporaryFolder() };
  const [unkept, without] = await Promise.all([
    explain(['topic', '--brief'], nowhere),
    explain(['topic', '--brief'], { PATH: temporaryFolder() }),
  ]);
  assert.deepEqual([unkept.code, unkept.stderr], [0, '']);
  assert.match(unkept.stdout, /^fix: launch /);
  assert.deepEqual(readdirSync(nowhere.TMPDIR), []);
  assert.deepEqual([without.code, without.stdout], [1, '']);
  assert.match(without.stderr, /^git cannot be run\. Install git/);
});
