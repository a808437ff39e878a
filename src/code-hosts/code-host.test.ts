import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { example } from '../../test/example-host/definition.ts';
import { startExample, annsToken as tokenOnExample } from '../../test/example-host/stand-in.ts';
import { repository as giteaRepository } from '../../test/gitea/make-repository.ts';
import { openGitea } from '../../test/gitea/open-gitea.ts';
import { startGitea } from '../../test/gitea/stand-in.ts';
import { account as giteaAccount, pull as giteaPull, tokenOf } from '../../test/gitea/state.ts';
import { standInCertificate, startGitHub } from '../../test/github/stand-in.ts';
import { account, pull, repository } from '../../test/github/state.ts';
import { startGitLab } from '../../test/gitlab/stand-in.ts';
import * as lab from '../../test/gitlab/state.ts';
import { makeChangedMethods, outlinesOfMethods } from '../../test/make-changed-methods.ts';
import { makeClone } from '../../test/make-clone.ts';
import { nobody } from '../../test/read-from-host.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { collectDiff } from '../actions/pull-requests/collect-diff.ts';
import { runHere } from '../cli/explain/write-about.ts';
import { takeExclusiveLock } from '../db/local-server/server-folder.ts';
import { parseSecretKeys } from '../domain/secrets.ts';
import { createEgressClient, networkForGit } from '../egress/egress-client.ts';
import type { Caller, CodeHost } from './code-host.ts';
import { createGitHost } from './git/git-host.ts';
import { mintLocalToken } from './git/local-token.ts';
import { openGitHubHost } from './github/github-host.ts';
import { openGitLabHost } from './gitlab/gitlab-host.ts';

/**
 * A host with a public repository acme/rocket and a private acme/secret that ann may see, each with pull request 1, and a public
 * acme/orbit whose pull request 1 is the same on every host.
 */
interface Prepared {
  host: CodeHost;
  annsToken: string;
}

const root = temporaryFolder();
const orbit = makeChangedMethods(root, 'acme/orbit');

const secretKeys = parseSecretKeys(`1:${'k'.repeat(43)}`) ?? assert.fail();

function prepareGit(): Prepared {
  for (const name of ['rocket', 'secret']) makeClone(root, `acme/${name}`, 'feat: begin (#1)');
  const host = createGitHost({
    root,
    git: { path: process.env.PATH ?? '', isolatedFolders: join(temporaryFolder(), 'isolated') },
    webUrl: null,
    privateRepositories: [{ fullName: 'acme/secret', visibleTo: ['ann'] }],
    secretKeys,
    clock: () => new Date(),
  });
  const expiresAt = new Date(Date.now() + 60_000);
  return { host, annsToken: mintLocalToken(secretKeys, { name: 'ann', expiresAt, singleUse: false }) };
}

async function prepareGitHub(): Promise<Prepared> {
  const { url, state } = await startGitHub();
  const pulls = () => [pull(1, 'begin', { title: 'feat: begin' })];
  state.accounts.push(account(1, 'ann', 'ghp_ann'));
  state.repositories.push(
    repository(71, 'acme/rocket', { pulls: pulls() }),
    repository(72, 'acme/secret', {
      visibility: 'private',
      visibleTo: new Set(['ann']),
      pulls: pulls(),
      gitFolder: orbit.gitFolder,
    }),
    repository(73, 'acme/orbit', {
      texts: orbit.texts,
      gitFolder: orbit.gitFolder,
      pulls: [
        pull(1, 'orbit', {
          base: { ref: 'main', sha: orbit.base },
          head: { ref: 'topic', sha: orbit.head },
          mergeBase: orbit.base,
          diff: orbit.diff,
        }),
      ],
    }),
  );
  const host = await openGitHubHost(
    {
      githubUrl: new URL(url),
      githubToken: undefined,
      githubClientId: undefined,
      githubClientSecret: undefined,
      githubScopes: '',
      githubWebhookSecrets: [],
      dataFolder: temporaryFolder(),
      maxDiffBytes: 1,
      gitCloneBytes: 1_000_000,
    },
    {
      searchPath: process.env.PATH ?? '',
      clock: () => new Date(),
      connect: (rules) => createEgressClient({ extraCaFile: standInCertificate }, rules),
      networkForGit: (rules) => networkForGit({ extraCaFile: standInCertificate }, rules),
      takeLock: takeExclusiveLock,
    },
  );
  return { host, annsToken: 'ghp_ann' };
}

async function prepareGitLab(): Promise<Prepared> {
  const { url, state } = await startGitLab({ below: '/gitlab' });
  const changes = [{ iid: 1, words: 'begin', title: 'feat: begin' }];
  state.accounts.push(lab.account(1, 'ann', 'glpat-tokenOfAnn'));
  state.projects.push(
    lab.project(71, 'acme/rocket', changes),
    lab.project(72, 'acme/secret', changes, {
      visibility: 'private',
      members: new Map([['ann', 'reporter']]),
      gitFolder: orbit.gitFolder,
    }),
    lab.project(73, 'acme/orbit', [{ iid: 1, words: 'orbit', baseSha: orbit.base, headSha: orbit.head }], {
      gitFolder: orbit.gitFolder,
    }),
  );
  const network = { extraCaFile: standInCertificate };
  const host = await openGitLabHost(
    {
      gitlabUrl: new URL(url),
      gitlabToken: undefined,
      gitlabClientId: undefined,
      gitlabClientSecret: undefined,
      gitlabScopes: '',
      gitlabWebhookSecrets: [],
      dataFolder: temporaryFolder(),
      maxDiffBytes: 1_000_000,
      gitCloneBytes: 1_000_000,
    },
    {
      searchPath: process.env.PATH ?? '',
      clock: () => new Date(),
      connect: (rules) => createEgressClient(network, rules),
      networkForGit: (rules) => networkForGit(network, rules),
      takeLock: takeExclusiveLock,
    },
  );
  return { host, annsToken: 'glpat-tokenOfAnn' };
}

async function prepareGitea(): Promise<Prepared> {
  const { url, state } = await startGitea();
  const pulls = [giteaPull(1, 'begin', { title: 'feat: begin' })];
  state.accounts.push(giteaAccount(1, 'ann', tokenOf('ann')));
  state.repositories.push(
    giteaRepository(71, 'acme/rocket', { pulls }),
    giteaRepository(72, 'acme/secret', {
      isPrivate: true,
      visibleTo: new Set(['ann']),
      pulls,
      gitFolder: orbit.gitFolder,
    }),
    giteaRepository(73, 'acme/orbit', {
      gitFolder: orbit.gitFolder,
      pulls: [giteaPull(1, 'orbit', { mergeBase: orbit.base, head: orbit.head })],
    }),
  );
  return { host: await openGitea(url), annsToken: tokenOf('ann') };
}

/** The example host that ARCHITECTURE.md shows to people who add a host. */
async function prepareExample(): Promise<Prepared> {
  const exampleUrl = new URL(await startExample(temporaryFolder()));
  const host = await example.open(
    { exampleUrl, dataFolder: temporaryFolder(), maxDiffBytes: 1024 * 1024, gitCloneBytes: 1024 * 1024 },
    {
      searchPath: process.env.PATH ?? '',
      clock: () => new Date(),
      connect: (rules) => createEgressClient({}, rules),
      networkForGit: (rules) => networkForGit({}, rules),
      takeLock: takeExclusiveLock,
      secretKeys,
      announce: assert.fail,
      listAddedClones: async () => [],
    },
  );
  return { host, annsToken: tokenOnExample };
}

for (const prepare of [prepareGit, prepareGitHub, prepareGitLab, prepareGitea, prepareExample]) {
  const { host, annsToken } = await prepare();
  after(() => host.close());
  const ann: Caller = {
    ...nobody,
    identity: (await host.identify(annsToken))?.identity ?? assert.fail('ann is not known'),
    token: annsToken,
  };
  const page = { state: 'all', limit: 20, offset: 0 } as const;

  test(`${host.id}: a token identifies its owner, and an unknown token identifies no account`, async () => {
    assert.deepEqual([ann.identity?.host, ann.identity?.hostUsername], [host.id, 'ann']);
    assert.ok(host.recognizes(annsToken));
    assert.ok(!host.recognizes('pq_session'));
    assert.equal(await host.identify(`${annsToken}x`), null);
  });

  test(`${host.id}: a public repository is found anonymously in any case and by id, with the spelling of its host`, async () => {
    const found = (await host.findRepository('ACME', 'rocKET', nobody)) ?? assert.fail();
    assert.deepEqual([found.owner, found.name, found.isPrivate], ['acme', 'rocket', false]);
    assert.deepEqual(await host.findRepositoryById(found, nobody), found);
    assert.equal(await host.findRepository('acme', 'nothing', ann), null);
  });

  test(`${host.id}: a private repository is found with the token of its member and never anonymously, by name, id or pull request`, async () => {
    const found = (await host.findRepository('acme', 'secret', ann)) ?? assert.fail();
    assert.equal(found.isPrivate, true);
    assert.equal(await host.findRepository('acme', 'secret', nobody), null);
    assert.equal(await host.findRepositoryById(found, nobody), null);
    assert.equal(await host.findPullRequest('acme', 'secret', 1, nobody), null);
    assert.deepEqual((await host.findPullRequest('acme', 'secret', 1, ann))?.repository, found);
  });

  test(`${host.id}: a pull request comes with its repository, title and diff, and an unknown number gives null`, async () => {
    const { repository: shown, pullRequest } =
      (await host.findPullRequest('acme', 'rocket', 1, nobody)) ?? assert.fail();
    assert.equal(shown.name, 'rocket');
    const read = (await pullRequest?.read()) ?? assert.fail();
    assert.deepEqual([read.number, read.title, read.version], [1, 'feat: begin', pullRequest?.version]);
    assert.match(read.headSha, /^[0-9a-f]{40}$/);
    const diff = Buffer.concat(await Array.fromAsync(read.diff())).toString();
    assert.match(diff, /^diff --git /);
    assert.match(diff, /^\+\w/m);
    const { pullRequest: absent } =
      (await host.findPullRequest('acme', 'rocket', 9, nobody)) ?? assert.fail();
    assert.equal(absent, null);
    assert.equal(await host.findPullRequest('acme', 'nothing', 1, nobody), null);
  });

  test(`${host.id}: whole files give the same outlines as on every other host`, async () => {
    const found = await host.findPullRequest('acme', 'orbit', 1, ann);
    const onHost = (await found?.pullRequest?.read()) ?? assert.fail();
    const { read } = await collectDiff(runHere(), onHost, {
      maxBytes: 1_000_000,
      releaseSlotWhile: (work) => work(),
    });
    assert.deepEqual(
      read.outlines.map(({ definitions: _, ...outline }) => outline),
      outlinesOfMethods,
    );
  });

  test(`${host.id}: all files of a pull request are searched on both sides, and those of a private repository only with the token of a member`, async () => {
    // Its server gives out only the commits that refs name.
    if (host.id === 'example') return;
    const shown = (await host.findRepository('acme', 'orbit', ann)) ?? assert.fail();
    const found = await host.findPullRequest('acme', 'orbit', 1, ann);
    const { baseSha: base, headSha: head } = (await found?.pullRequest?.read()) ?? assert.fail();
    const range = { base, head };
    const tree = (await host.openTree?.(shown, range, nobody)) ?? assert.fail('no tree');
    const changed = await tree.changedPaths();
    assert.ok(changed.length > 0);
    for (const side of ['old', 'new'] as const) {
      const [file] = await tree.read(side, changed);
      const line = file?.text.split('\n').find((text) => text.trim().length > 5) ?? assert.fail();
      const { hits, isPartial } = await tree.find(side, [line]);
      assert.ok(hits.some(({ path, text }) => path === file?.path && text === line) && !isPartial);
    }
    await tree.close();
    if (host.isLocal) return;
    const secret = (await host.findRepository('acme', 'secret', ann)) ?? assert.fail();
    assert.equal(await host.openTree?.(secret, range, nobody), null);
    assert.equal(await host.openTree?.({ ...shown, isPrivate: true }, range, ann), null);
    const own = (await host.openTree?.(secret, range, ann)) ?? assert.fail();
    assert.deepEqual(await own.changedPaths(), changed);
    await own.close();
  });

  test(`${host.id}: pull requests of a private repository are listed for its member, and a page past the end is empty`, async () => {
    const shown = (await host.findRepository('acme', 'secret', ann)) ?? assert.fail();
    const { items } = await host.listPullRequests(shown, page, ann);
    assert.deepEqual(
      items.map(({ number, title }) => [number, title]),
      [[1, 'feat: begin']],
    );
    assert.deepEqual((await host.listPullRequests(shown, { ...page, offset: 20 }, ann)).items, []);
  });

  test(`${host.id}: an aborted call is rejected`, async () => {
    const gone = { ...nobody, signal: AbortSignal.abort() };
    const shown = (await host.findRepository('acme', 'rocket', nobody)) ?? assert.fail();
    await assert.rejects(host.listPullRequests(shown, page, gone));
    await assert.rejects(host.findPullRequest('acme', 'rocket', 1, gone));
  });
}
