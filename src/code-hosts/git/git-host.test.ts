import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { git, makeClone, makeMirror } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import { isolatedGitFolder, runGit } from '../git-runner/run-git.ts';
import { findClone, listClones, localId, readPrivacy } from './find-clone.ts';
import { suggestPullRequest } from './git-host.ts';
import { openGitHost } from './open-git-host.ts';
import { PullRequestIndexes } from './pull-request-index.ts';

const spawner = new GitSpawner();

const runner = () => ({
  path: process.env.PATH ?? '',
  isolatedFolders: join(temporaryFolder(), 'isolated'),
  spawner,
});

async function readLog(root: string, owner: string, name: string): Promise<string> {
  const clone = await findClone(root, owner, name);
  assert.ok(clone, `${owner}/${name} is found`);
  return runGit(runner(), clone, ['log', '-p', '--no-ext-diff', '--no-textconv', '--all']);
}

test('`localId` is the first 53 bits of SHA-256 over the lower-cased name', () => {
  // The expected ids come from sha256sum.
  assert.equal(localId('abc'), 6_560_798_095_827_001);
  assert.equal(localId('acme/rocket'), 7_404_599_115_440_641);
  assert.equal(localId('ACME/Rocket'), 7_404_599_115_440_641);
});

test('`findClone` finds clones, mirrors and links, whatever the case of the name', async () => {
  const root = temporaryFolder();
  const elsewhere = makeClone(temporaryFolder(), 'far/away');
  makeClone(root, 'Acme/Rocket');
  makeMirror(root, 'acme2/pond', elsewhere);
  mkdirSync(join(root, 'links'));
  symlinkSync(elsewhere, join(root, 'links', 'clone'));
  for (const [owner, name, expected] of [
    ['acme', 'rocket', 'Acme/Rocket'],
    ['ACME2', 'POND', 'acme2/pond'],
    ['links', 'clone', 'links/clone'],
  ] as const) {
    const clone = await findClone(root, owner, name);
    assert.equal(`${clone?.owner}/${clone?.name}`, expected);
    assert.match(await runGit(runner(), clone ?? assert.fail(), ['log', '--format=%s', '--all']), /Begin/);
  }
});

test('`findClone` returns null for names that leave the folder and for folders that are not clones', async () => {
  const outside = temporaryFolder();
  makeClone(outside, 'secret/repo');
  const root = join(outside, 'repos');
  makeClone(root, 'acme/rocket');
  mkdirSync(join(root, 'acme', 'empty'));
  writeFileSync(join(root, 'acme', 'file'), 'text');
  for (const [owner, name] of [
    ['..', 'secret'],
    ['.', 'acme'],
    ['acme', '..'],
    ['../secret', 'repo'],
    ['acme/../../secret', 'repo'],
    ['acme', 'empty'],
    ['acme', 'file'],
    ['acme', '.git'],
    ['', ''],
  ] as const) {
    assert.equal(await findClone(root, owner, name), null, `${owner}/${name}`);
  }
});

test('a clone that borrows objects, has a .git file or links outside is skipped, with one notice to the operator per clone', async () => {
  const root = temporaryFolder();
  const source = makeClone(root, 'acme/rocket');
  git('.', 'clone', '--quiet', '--shared', source, join(root, 'acme', 'borrower'));
  mkdirSync(join(root, 'acme', 'pointer'));
  writeFileSync(join(root, 'acme', 'pointer', '.git'), `gitdir: ${join(source, '.git')}\n`);
  assert.equal(await findClone(root, 'acme', 'borrower'), null);
  assert.equal(await findClone(root, 'acme', 'pointer'), null);
  const announced: string[] = [];
  const settings = { gitRepos: root, gitPrivate: [], gitWebUrl: undefined, dataFolder: temporaryFolder() };
  const host = await openGitHost(settings, {
    searchPath: process.env.PATH ?? '',
    secretKeys: [{ version: 1, secret: Buffer.alloc(32) }],
    clock: () => new Date(),
    announce: (sentence) => announced.push(sentence),
  });
  const late = makeClone(root, 'acme/late');
  symlinkSync(source, join(late, '.git/refs/heads/out'));
  const caller = { identity: null, token: null, signal: AbortSignal.timeout(60_000) };
  for (const name of ['borrower', 'late', 'late', 'borrower'])
    assert.equal(await host.findRepository('acme', name, caller), null);
  await host.close?.();
  assert.match(
    announced[0] ?? '',
    /^The clone acme\/borrower in \S+ is skipped: it borrows .*\. In it, run git repack -ad, then remove objects\/info\/alternates\.$/,
  );
  assert.match(
    announced.slice(1).join('\n'),
    /^The clone acme\/late in \S+ is skipped: .*links .* point outside.*$/,
  );
});

test('a clone with a link out of its git folder, or a pipe, is skipped wherever git would read it', async () => {
  const root = temporaryFolder();
  const secret = join(makeClone(root, 'acme/secret', 'Hide it (#1)'), '.git');
  const loose = git(secret, 'rev-parse', 'HEAD').trim();
  const fanOut = `objects/${loose.slice(0, 2)}`;
  const packed = makeMirror(root, 'acme/packed', secret);
  git(packed, 'gc', '--quiet');
  const [pack = ''] = readdirSync(join(packed, 'objects/pack')).filter((name) => name.endsWith('.pack'));
  const plants: Record<string, (clone: string) => void> = {
    'pack folder': (clone) => link(clone, 'objects/pack', join(packed, 'objects/pack')),
    'single pack': (clone) => link(clone, `objects/pack/${pack}`, join(packed, 'objects/pack', pack)),
    'fan-out folder': (clone) => link(clone, fanOut, join(secret, fanOut)),
    'single object': (clone) => {
      mkdirSync(join(clone, fanOut), { recursive: true });
      link(clone, `${fanOut}/${loose.slice(2)}`, join(secret, fanOut, loose.slice(2)));
    },
    'commit graph': (clone) =>
      link(clone, 'objects/info/commit-graph', join(packed, 'objects/info/commit-graph')),
    'object info': (clone) => link(clone, 'objects/info', join(packed, 'objects/info')),
    'packed refs': (clone) => link(clone, 'packed-refs', join(packed, 'packed-refs')),
    'loose ref': (clone) => link(clone, 'refs/heads/other', join(secret, 'refs/heads/main')),
    'folder of refs': (clone) => link(clone, 'refs/pull', join(secret, 'refs/heads')),
    'shallow file': (clone) => link(clone, 'shallow', join(secret, 'HEAD')),
    'way through another link': (clone) => {
      mkdirSync(join(clone, 'aside'));
      link(clone, 'aside/main', join(secret, 'refs/heads/main'));
      link(clone, 'refs/aside', join(clone, 'aside'));
    },
    'link to nothing': (clone) => symlinkSync(join(root, 'none'), join(clone, 'refs/heads/none')),
    'link to all of itself': (clone) => link(clone, 'refs/all', clone),
    'pipe that git would wait for': (clone) => execFileSync('mkfifo', [join(clone, 'refs/heads/pipe')]),
  };
  const source = makeClone(temporaryFolder(), 'acme/open', 'Show it (#1)');
  for (const [index, [what, plant]] of Object.entries(plants).entries()) {
    const clone = makeMirror(root, `acme/open${index}`, source);
    assert.ok(await findClone(root, 'acme', `open${index}`), what);
    plant(clone);
    assert.equal(await findClone(root, 'acme', `open${index}`), null, what);
  }
  const listed = await Array.fromAsync(listClones(root), ({ name }) => name);
  assert.deepEqual(listed, ['packed', 'secret']);
});

function link(clone: string, path: string, target: string): void {
  assert.ok(existsSync(target), target);
  rmSync(join(clone, path), { recursive: true, force: true });
  symlinkSync(target, join(clone, path));
}

test('a clone with links inside its git folder, or with links that git never reads, is read', async () => {
  const root = temporaryFolder();
  const clone = join(makeClone(root, 'acme/rocket'), '.git');
  symlinkSync('main', join(clone, 'refs/heads/also'));
  symlinkSync('heads', join(clone, 'refs/branches'));
  symlinkSync(join(root, 'script'), join(clone, 'post-update'));
  assert.match(await readLog(root, 'acme', 'rocket'), /Begin/);
});

test('a clone reads no objects through commondir or http-alternates', async () => {
  const root = temporaryFolder();
  const secret = makeClone(root, 'acme/secret', 'Hide it (#1)');
  const clone = join(makeClone(root, 'acme/rocket'), '.git');
  writeFileSync(join(clone, 'commondir'), join(secret, '.git'));
  writeFileSync(join(clone, 'objects/info/http-alternates'), `${join(secret, '.git/objects')}\n`);
  const found = (await findClone(root, 'acme', 'rocket')) ?? assert.fail();
  assert.match(await readLog(root, 'acme', 'rocket'), /Begin/);
  const head = git(secret, 'rev-parse', 'HEAD').trim();
  await assert.rejects(runGit(runner(), found, ['cat-file', '-p', head]));
});

test('every folder that a private name matches in any case is private, also through a link', async () => {
  const root = temporaryFolder();
  const folders = [
    makeClone(root, 'acme/secret'),
    makeMirror(root, 'ACME/Secret', makeClone(root, 'acme/open')),
  ];
  const visibleTo = readPrivacy(root, [{ fullName: 'acme/secret', visibleTo: ['rin'] }]);
  mkdirSync(join(root, 'links'));
  for (const [index, folder] of folders.entries()) {
    symlinkSync(folder, join(root, 'links', `${index}`));
    const clone = (await findClone(root, 'links', `${index}`)) ?? assert.fail();
    assert.deepEqual(await visibleTo(clone), new Set([localId('rin')]), folder);
  }
  assert.equal(await visibleTo((await findClone(root, 'acme', 'open')) ?? assert.fail()), null);
});

test('programs, hooks, filters and includes that a clone configures are neither run nor followed', async () => {
  const root = temporaryFolder();
  const canary = join(temporaryFolder(), 'executed');
  const clone = makeClone(root, 'evil/repo');
  writeFileSync(join(clone, '.gitattributes'), '* diff=evil filter=evil\n');
  writeFileSync(join(clone, 'payload.txt'), 'one\n');
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', 'Add a payload (#2)');

  const program = join(clone, 'run.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${canary}\ncat\n`);
  chmodSync(program, 0o755);
  const fifo = join(clone, 'fifo');
  git(clone, 'config', 'core.pager', program);
  appendFileSync(
    join(clone, '.git', 'config'),
    [
      `[diff]\n\texternal = ${program}`,
      `[diff "evil"]\n\ttextconv = ${program}\n\tcommand = ${program}`,
      `[filter "evil"]\n\tsmudge = ${program}\n\tclean = ${program}\n\trequired = true`,
      `[core]\n\tfsmonitor = ${program}\n\tsshCommand = ${program}\n\thooksPath = ${clone}\n\tgitProxy = ${program}`,
      `[remote "origin"]\n\turl = ext::${program}\n\tuploadpack = ${program}\n\tpromisor = true\n\tpartialclonefilter = blob:none`,
      `[alias]\n\tlog = !${program}`,
      `[include]\n\tpath = ${fifo}`,
      '',
    ].join('\n'),
  );
  execFileSync('mkfifo', [fifo]);
  for (const hook of ['post-checkout', 'reference-transaction', 'pre-auto-gc', 'fsmonitor-watchman']) {
    symlinkSync(program, join(clone, '.git', 'hooks', hook));
  }
  writeFileSync(join(clone, '.git', 'info', 'attributes'), '* diff=evil\n');

  const log = await readLog(root, 'evil', 'repo');
  assert.match(log, /\+one/);
  const found = (await findClone(root, 'evil', 'repo')) ?? assert.fail();
  await assert.rejects(
    runGit(runner(), found, ['cat-file', '-p', '1234567890123456789012345678901234567890']),
  );
  assert.equal(existsSync(canary), false);
});

test('`runGit` fails with an error that names the clone on a timeout, too much output or a bad command, and says when git is missing', async () => {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket');
  const clone = (await findClone(root, 'acme', 'rocket')) ?? assert.fail();
  const expected = { code: 'HOST_ERROR', message: /acme\/rocket/ };
  await assert.rejects(runGit(runner(), clone, ['log', '--all'], { maxBytes: 10 }), expected);
  await assert.rejects(runGit(runner(), clone, ['no-such-command']), expected);
  const absent = runGit({ ...runner(), path: '/nonexistent' }, clone, ['log']);
  await assert.rejects(absent, { code: 'HOST_ERROR', message: /git cannot be run\. Install git/ });
  const path = temporaryFolder();
  writeFileSync(join(path, 'git'), '#!/bin/sh\nexec /bin/sleep 60\n', { mode: 0o755 });
  const slow = runGit({ ...runner(), path }, clone, ['log'], { timeoutMs: 50 });
  await assert.rejects(slow, { code: 'HOST_TIMEOUT', message: /acme\/rocket took longer than 0.05 s/ });
});

test('a HEAD or shallow file that becomes a pipe after the lookup fails with HOST_ERROR instead of blocking', async () => {
  const root = temporaryFolder();
  for (const name of ['HEAD', 'shallow']) {
    const folder = makeClone(root, `acme/${name}`);
    const clone = (await findClone(root, 'acme', name)) ?? assert.fail();
    rmSync(join(folder, '.git', name), { force: true });
    execFileSync('mkfifo', [join(folder, '.git', name)]);
    await assert.rejects(new PullRequestIndexes(runner()).read(clone), {
      code: 'HOST_ERROR',
      message: new RegExp(`acme/${name} could not be read`),
    });
  }
});

test('an index that cannot be saved is computed again and leaves no temporary file', async () => {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket');
  const clone = (await findClone(root, 'acme', 'rocket')) ?? assert.fail();
  const git = runner();
  // A folder in place of the file makes writing fail, as on a full disk.
  mkdirSync(join(isolatedGitFolder(git, clone), 'dated-merges.json', 'full'), { recursive: true });
  for (let round = 0; round < 2; round += 1) {
    const index = (await new PullRequestIndexes(git).read(clone)) ?? assert.fail();
    assert.deepEqual([...index.merged.keys()], [1]);
  }
  const left = readdirSync(isolatedGitFolder(git, clone)).sort();
  assert.deepEqual(left, ['HEAD', 'dated-merges.json', 'objects', 'packed-refs', 'refs', 'shallow']);
});

test('`PullRequestIndexes.read` sees a new commit or ref, with HEAD on a branch or detached', async () => {
  const root = temporaryFolder();
  const folder = makeClone(root, 'acme/rocket');
  const clone = (await findClone(root, 'acme', 'rocket')) ?? assert.fail();
  const indexes = new PullRequestIndexes(runner());
  assert.deepEqual([...((await indexes.read(clone))?.merged.keys() ?? [])], [1]);
  for (const number of [2, 3]) {
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', `More (#${number})`);
    const tip = git(folder, 'rev-parse', 'HEAD').trim();
    const index = await indexes.read(clone);
    assert.equal(index?.tip, tip);
    assert.equal(index?.merged.get(number)?.sha, tip);
    git(folder, 'checkout', '--quiet', '--detach');
  }
  git(folder, 'update-ref', 'refs/pull/4/head', 'HEAD~1');
  git(folder, 'update-ref', 'refs/pull/4/merge', 'HEAD');
  const { heads, open } = (await indexes.read(clone)) ?? assert.fail();
  assert.deepEqual([...heads], [[4, git(folder, 'rev-parse', 'HEAD~1').trim()]]);
  assert.deepEqual([...open], [4]);
  git(folder, 'checkout', '--quiet', '--orphan', 'unborn');
  assert.equal(await indexes.read(clone), null);
});

test('`suggestPullRequest` returns a merged pull request of a visible clone, or null', async () => {
  const root = temporaryFolder();
  makeClone(root, 'a/none', 'Begin');
  makeClone(root, 'b/hidden', 'Something secret (#5)');
  const shown = makeClone(root, 'c/shown', 'Merge pull request #7 from c/branch');
  git('.', 'init', '--quiet', join(root, 'a', 'empty'));
  const suggest = (folder: string) =>
    suggestPullRequest(folder, new PullRequestIndexes(runner()), async ({ owner }) => owner !== 'b');
  assert.deepEqual(await suggest(root), { owner: 'c', name: 'shown', number: 7 });
  git(shown, 'update-ref', 'refs/pull/3/head', 'HEAD');
  assert.equal(await suggest(root), null, 'with refs at hand, a number without one is not ours');
  assert.equal(await suggest(temporaryFolder()), null);
});
