import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { makeChangedMethods } from '../make-changed-methods.ts';
import { git, gitInTurn, makeClone } from '../make-clone.ts';
import { serveGit } from '../serve-git.ts';
import type { Account, Change, Repository } from './payloads.ts';

export const annsToken = 'ex_ann';

/** A clone whose pull request 1 begins at a commit without a ref. */
function makePull(root: string, name: string): { gitFolder: string; base: string; head: string } {
  const folder = makeClone(root, `acme/${name}`, 'Begin');
  const base = git(folder, 'rev-parse', 'HEAD').trim();
  writeFileSync(join(folder, 'told.txt'), `This is told of ${name}.\n`);
  const commit = ['commit', '--quiet', '--allow-empty', '--message'];
  gitInTurn(folder, [
    ['rm', '--quiet', 'readme.txt'],
    ['add', '.'],
    [...commit, 'feat: begin'],
    ['update-ref', 'refs/pull/1/head', 'HEAD'],
    ['reset', '--quiet', '--hard', base],
    [...commit, 'Go on elsewhere'],
  ]);
  const head = git(folder, 'rev-parse', 'refs/pull/1/head').trim();
  return { gitFolder: join(folder, '.git'), base, head };
}

/**
 * An example host with public acme/rocket and acme/orbit, and a private acme/secret that ann may see, each with pull request
 * 1. It can be installed below a folder, and its git serves only commits with a ref.
 */
export async function startExample(root: string): Promise<string> {
  const served = ['rocket', 'secret', 'orbit'].map((name, place) => {
    const made = name === 'orbit' ? makeChangedMethods(root, `acme/${name}`) : makePull(root, name);
    const { gitFolder, base: mergeBase, head } = made;
    const at = '2026-03-01T10:00:00Z';
    const title = 'feat: begin';
    const change: Change = { number: 1, title, author: 'rin', createdAt: at, updatedAt: at, mergeBase, head };
    const repository: Repository = { id: 71 + place, owner: 'acme', name, isPrivate: name === 'secret' };
    return { repository, change, gitFolder };
  });

  const respondTo = (path: string, isAnn: boolean): unknown => {
    if (path === '/user') return isAnn ? ({ id: 1, login: 'ann' } satisfies Account) : null;
    const [, named = '', rest = ''] = /^\/repositories\/(\d+|[^/]+\/[^/]+)(\/.*)?$/.exec(path) ?? [];
    const found = served.find(({ repository: { id, owner, name } }) =>
      [String(id), `${owner}/${name}`].includes(named.toLowerCase()),
    );
    if (!found || (found.repository.isPrivate && !isAnn)) return null;
    if (rest === '') return found.repository;
    if (rest === '/changes/1') return found.change;
    const page = /^\/changes\?limit=\d+&page=(\d+)$/.exec(rest)?.[1];
    return page === undefined ? null : page === '1' ? [found.change] : [];
  };

  const server = createServer((request, response) => {
    const [, name, rest = ''] = /^\/forge\/acme\/(\w+)\.git(\/.*)$/.exec(request.url ?? '') ?? [];
    const repository = served.find((one) => one.repository.name === name);
    if (repository) return void serveGit(repository.gitFolder, rest, request, response, { isOld: true });
    const { authorization } = request.headers;
    const isAnn = authorization === `Bearer ${annsToken}`;
    const answer = respondTo((request.url ?? '').replace(/^\/forge\/api/, ''), isAnn);
    const status = authorization && !isAnn ? 401 : answer === null ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/forge`;
}
