import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/build-app.ts';
import { buildGiteaApp } from '../../../test/gitea/build-gitea-app.ts';
import * as giteaRepository from '../../../test/gitea/make-repository.ts';
import * as onGitea from '../../../test/gitea/state.ts';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import * as onGitHub from '../../../test/github/state.ts';
import { buildGitLabApp } from '../../../test/gitlab/build-gitlab-app.ts';
import { project } from '../../../test/gitlab/state.ts';
import { makeHistory } from '../../../test/make-history.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

interface Vault {
  app: TestApp;
  tokenOf: (login: string) => Promise<string>;
}

const members = new Set(['ann', 'bea']);

/** Services with a private repository acme/vault, visible to its members. */
const hosts: Record<string, () => Promise<Vault>> = {
  async git() {
    const root = temporaryFolder();
    makeHistory(root, 'acme/vault', 1);
    const app = await buildTestApp({
      environment: { GIT_REPOS: root, GIT_PRIVATE: `acme/vault=${[...members].join('+')}` },
    });
    return { app, tokenOf: app.signUp };
  },
  async github() {
    const { app, github, join } = await buildGitHubApp();
    const pulls = [onGitHub.pull(1, 'canary')];
    github.state.repositories.push(
      onGitHub.repository(71, 'acme/vault', { pulls, visibility: 'private', visibleTo: members }),
    );
    return { app, tokenOf: join };
  },
  async gitlab() {
    const { app, gitlab, join } = await buildGitLabApp();
    gitlab.state.projects.push(
      project(71, 'acme/vault', [{ iid: 1, words: 'canary' }], {
        visibility: 'private',
        members: new Map([...members].map((login) => [login, 'reporter'])),
      }),
    );
    return { app, tokenOf: join };
  },
  async gitea() {
    const { app, gitea, join } = await buildGiteaApp();
    const pulls = [onGitea.pull(1, 'canary')];
    gitea.state.repositories.push(
      giteaRepository.repository(71, 'acme/vault', { pulls, isPrivate: true, visibleTo: members }),
    );
    return { app, tokenOf: join };
  },
};

for (const [kind, open] of Object.entries(hosts))
  test(`a private article on ${kind} opens for a member on their first visit, and is 404 for others`, async () => {
    const { app, tokenOf } = await open();
    const [ann, bea, cid] = [await tokenOf('ann'), await tokenOf('bea'), await tokenOf('cid')];
    const look = (token?: string, path = '/r/acme/vault/1') =>
      app.call('GET', path, {
        token,
        headers: { accept: 'text/html', 'accept-language': 'en' },
      });
    const body = { language: 'en' };
    const written = await app.call('POST', '/repos/acme/vault/pulls/1/article', { token: ann, body });
    assert.equal(written.status, 201, written.text);
    const { status, text } = await look(bea);
    assert.equal(status, 200);
    assert.ok(text.includes(written.body.data.id), 'the article itself');
    const saved = '/r/acme/vault/1.html';
    assert.equal((await look(bea, saved)).headers.get('content-disposition')?.startsWith('attachment'), true);
    for (const [stranger, path] of [[cid], [undefined], [cid, saved], [undefined, saved]] as const) {
      const hidden = await look(stranger, path);
      assert.equal(hidden.status, 404);
      assert.equal(hidden.headers.get('content-disposition'), null);
      assert.doesNotMatch(hidden.text, new RegExp(written.body.data.id));
    }
  });
