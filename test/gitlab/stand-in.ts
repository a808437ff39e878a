import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { type ScriptedAnswer, standInCertificate } from '../github/stand-in.ts';
import { serveGit } from '../serve-git.ts';
import { sendApplications } from './answer-applications.ts';
import { accountOf, createResponder, maySeeCode, tokenOf } from './answers.ts';
import type { GitLabState } from './state.ts';

/**
 * A scripted GitLab over TLS, with responses in GitLab's form. Each response is checked against the description of 19.5
 * (`description.ts`), and visibility follows GitLab's rules for project features.
 */
export interface GitLabStandIn {
  url: string;
  port: number;
  state: GitLabState;
  /** Every request since the last call, as method, path and query; API paths without /api/v4. */
  takeCalls: () => string[];
  /** Every token that was sent. */
  tokensSeen: Set<string>;
  /** Responds differently to requests with a matching path, until undone. */
  script: (path: RegExp, answer: ScriptedAnswer) => () => void;
}

/** The clock of the service under test, if not the usual one, and a path to install it below. */
export async function startGitLab({
  now = Date.now,
  below = '',
}: {
  now?: () => number;
  below?: string;
} = {}): Promise<GitLabStandIn> {
  const state: GitLabState = {
    accounts: [],
    projects: [],
    applications: [],
    narrowTokens: new Set(),
    ownAccountTokens: new Set(),
    isClosed: false,
    hasOldGit: false,
  };
  const calls: string[] = [];
  const tokensSeen = new Set<string>();
  const scripts = new Set<{ path: RegExp; answer: ScriptedAnswer }>();
  const respondTo = createResponder(state, (host) => `https://${host}${below}/api/v4`);
  const certified = {
    key: readFileSync(join(import.meta.dirname, '../certificates/github.key')),
    cert: readFileSync(standInCertificate),
  };
  const server = createServer(certified, (request, response) => {
    const url = request.url ?? '';
    const path = (url.startsWith(below) ? url.slice(below.length) : '/elsewhere').replace(
      /^\/api\/v4(?=\/)/,
      '',
    );
    calls.push(`${request.method} ${path}`);
    const token = tokenOf(request);
    if (token !== undefined) tokensSeen.add(token);
    const pass = async (): Promise<void> => {
      const [, fullPath = '', rest] = /^\/(.+)\.git(\/.*)$/.exec(path) ?? [];
      const fetched = state.projects.find(({ group, path: name }) => `${group}/${name}` === fullPath);
      if (rest && token !== undefined && state.narrowTokens.has(token)) {
        response
          .writeHead(401, { 'www-authenticate': 'Basic realm="GitLab"' })
          .end('HTTP Basic: Access denied');
        return;
      }
      if (rest && fetched && maySeeCode(fetched, accountOf(state, token)))
        return serveGit(fetched.gitFolder, rest, request, response, { isOld: state.hasOldGit });
      if (await sendApplications({ state, path, now }, request, response)) return;
      respondTo(path, request, response);
    };
    const scripted = [...scripts].findLast((one) => one.path.test(path));
    const answered = scripted ? scripted.answer(response, pass, request) : pass();
    // A status that GitLab never sends, so that no test mistakes a bug of the stand-in for a response.
    Promise.resolve(answered).catch((error) => {
      console.error(error);
      response.writeHead(599).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Benchmarks have no test to close it, so it must not keep an idle process alive.
  server.unref();
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}${below}`,
    port,
    state,
    takeCalls: () => calls.splice(0),
    tokensSeen,
    script(path, answer) {
      const scripted = { path, answer };
      scripts.add(scripted);
      return () => void scripts.delete(scripted);
    },
  };
}
