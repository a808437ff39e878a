import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { serveGit } from '../serve-git.ts';
import { sendApps } from './answer-apps.ts';
import { createResponder } from './answers.ts';
import { describe } from './describe.ts';
import type { GitHubState } from './state.ts';

/**
 * A scripted GitHub over TLS, with responses in GitHub's form. Each response is checked against the descriptions of github.com
 * and Enterprise Server 3.19 (`description.json`), and each query against the GraphQL schema of July 2026 (`check-query.ts`).
 */
export interface GitHubStandIn {
  url: string;
  port: number;
  state: GitHubState;
  /** Every request since the last call, as method, path and query. */
  takeCalls: () => string[];
  /** Responds differently to requests with a matching path, until undone. */
  script: (path: RegExp, answer: ScriptedAnswer) => () => void;
  /** The number of opened connections. */
  connections: () => number;
}

/** Responds, or calls `pass` for the usual response. */
export type ScriptedAnswer = (
  response: ServerResponse,
  pass: () => Promise<void>,
  request: IncomingMessage,
) => void | Promise<void>;

const certificates = join(import.meta.dirname, '../certificates');

/** The value of the setting that trusts the stand-in's certificate. */
export const standInCertificate = join(certificates, 'github.pem');

/** The clock of the service under test, if not the usual one. */
export async function startGitHub(now: () => number = Date.now): Promise<GitHubStandIn> {
  const state: GitHubState = { accounts: [], repositories: [], apps: [] };
  const calls: string[] = [];
  const scripts = new Set<{ path: RegExp; answer: ScriptedAnswer }>();
  let connections = 0;
  const respondTo = createResponder(state, describe, (host) =>
    host.startsWith('api.') ? `https://${host}` : `https://${host}/api/v3`,
  );
  const certified = {
    key: readFileSync(join(certificates, 'github.key')),
    cert: readFileSync(standInCertificate),
  };
  const server = createServer(certified, (request, response) => {
    const path = (request.url ?? '').replace(/^\/api\/v3(?=\/)/, '');
    calls.push(`${request.method} ${path}`);
    const pass = async (): Promise<void> => {
      const [, fullName = '', rest] = /^\/([^/]+\/[^/]+)\.git(\/.*)$/.exec(path) ?? [];
      const served = state.repositories.find(({ owner, name }) => `${owner}/${name}` === fullName);
      if (rest && served?.gitFolder && mayFetch(state, served, request))
        return serveGit(served.gitFolder, rest, request, response);
      if (await sendApps({ state, describe, now }, request, response)) return;
      await respondTo(path, request, response);
    };
    const scripted = [...scripts].findLast((one) => one.path.test(path));
    const answered = scripted ? scripted.answer(response, pass, request) : pass();
    // A status that GitHub never sends, so that no test mistakes a bug of the stand-in for a response.
    Promise.resolve(answered).catch((error) => {
      console.error(error);
      response.writeHead(599).end();
    });
  });
  server.on('connection', () => {
    connections += 1;
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
    url: `https://localhost:${port}`,
    port,
    state,
    takeCalls: () => calls.splice(0),
    script(path, answer) {
      const scripted = { path, answer };
      scripts.add(scripted);
      return () => void scripts.delete(scripted);
    },
    connections: () => connections,
  };
}

function mayFetch(
  { accounts }: GitHubState,
  { visibility, visibleTo }: GitHubState['repositories'][number],
  { headers }: IncomingMessage,
): boolean {
  const given = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const token = Buffer.from(given, 'base64').toString().replace('x-access-token:', '');
  const login = accounts.find(({ tokens }) => tokens.has(token))?.login;
  return visibility === 'public' || (login !== undefined && visibleTo.has(login));
}
