import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import type { ScriptedAnswer } from '../github/stand-in.ts';
import { serveGit } from '../serve-git.ts';
import { sendOAuth } from './answer-oauth.ts';
import { createResponder, maySee, maySeeCode } from './answers.ts';
import type { GiteaState } from './state.ts';

/**
 * A scripted Gitea over TLS, with responses in Gitea's form. It was compared with a running Gitea 1.27.2, and each response is
 * checked against the description of 1.27.0 (`description.json`, which has 1.21.0 too).
 */
export interface GiteaStandIn {
  /** The address, with the folder that it is installed in. */
  url: string;
  state: GiteaState;
  /** Every request since the last call, as method, path and query below the address of the API. */
  takeCalls: () => string[];
  /** Every credential since the last call. */
  takeCredentials: () => string[];
  /** Responds differently to requests with a matching path, until undone. */
  script: (path: RegExp, answer: ScriptedAnswer) => () => void;
}

interface Options {
  /** The clock of the service under test, if not the usual one. */
  now?: () => number;
  /** The folder that it is installed in, such as /gitea. */
  folder?: string;
}

const certificates = join(import.meta.dirname, '../certificates');

export async function startGitea({ now = Date.now, folder = '' }: Options = {}): Promise<GiteaStandIn> {
  const state: GiteaState = {
    accounts: [],
    repositories: [],
    apps: [],
    requiresSignIn: false,
    isUpTo122: false,
    takesTokensInForms: true,
    hasOldGit: false,
    mostItems: 50,
  };
  const calls: string[] = [];
  const credentials: string[] = [];
  const scripts = new Set<{ path: RegExp; answer: ScriptedAnswer }>();
  const respondTo = createResponder(state, folder);
  const certified = {
    key: readFileSync(join(certificates, 'github.key')),
    cert: readFileSync(join(certificates, 'github.pem')),
  };
  const server = createServer(certified, (request, response) => {
    const { url = '', headers } = request;
    const path = url.startsWith(`${folder}/`) ? url.slice(folder.length) : '/outside';
    const named = path.replace(/^\/api\/v1(?=\/)/, '');
    calls.push(`${request.method} ${named}`);
    if (headers.authorization) credentials.push(headers.authorization);
    const pass = () => answer({ state, now, respondTo }, path, request, response);
    const scripted = [...scripts].findLast((one) => one.path.test(named));
    const answered = scripted ? scripted.answer(response, pass, request) : pass();
    // A status that Gitea never sends, so that no test mistakes a bug of the stand-in for a response.
    Promise.resolve(answered).catch((error) => {
      console.error(error);
      response.writeHead(599).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}${folder}`,
    state,
    takeCalls: () => calls.splice(0),
    takeCredentials: () => credentials.splice(0),
    script(path, answered) {
      const scripted = { path, answer: answered };
      scripts.add(scripted);
      return () => void scripts.delete(scripted);
    },
  };
}

interface Parts {
  state: GiteaState;
  now: () => number;
  respondTo: ReturnType<typeof createResponder>;
}

async function answer(
  parts: Parts,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { state, respondTo } = parts;
  const [, fullName, rest] = /^\/([^/]+\/[^/]+)\.git(\/.*)$/.exec(path) ?? [];
  if (rest !== undefined) {
    const served = state.repositories.find(({ owner, name }) => `${owner}/${name}` === fullName);
    const account = fetcherOf(state, request);
    const isOpen = account !== null || !state.requiresSignIn;
    if (served && isOpen && maySee(served, account) && maySeeCode(served, account))
      return serveGit(served.gitFolder, rest, request, response, { isOld: state.hasOldGit });
    response.writeHead(401, { 'www-authenticate': 'Basic realm="Gitea"' }).end('Unauthorized');
    return;
  }
  const reply = await sendOAuth(parts, path, request);
  if (!reply) return respondTo(path, request, response);
  const { status, headers, body } = reply;
  response.writeHead(status, { 'content-type': 'application/json;charset=utf-8', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function fetcherOf({ accounts }: GiteaState, { headers }: IncomingMessage) {
  const given = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const [, token = ''] = /^[^:]*:(.*)$/.exec(Buffer.from(given, 'base64').toString()) ?? [];
  return accounts.find(({ tokens }) => tokens.has(token)) ?? null;
}
