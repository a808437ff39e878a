import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { type ScriptedAnswer, standInCertificate } from '../github/stand-in.ts';
import { serveGit } from '../serve-git.ts';
import { answerApplications } from './answer-applications.ts';
import { accountOf, createAnswers, maySeeCode, tokenOf } from './answers.ts';
import type { GitLabState } from './state.ts';

/**
 * A GitLab that says what a test tells it to, over TLS, in the form in which GitLab itself says it. Each answer is held against what
 * 19.5 describes (`description.ts`), and who sees what against its rules for the features of a project.
 */
export interface GitLabStandIn {
  url: string;
  port: number;
  state: GitLabState;
  /** Every request since the last call of this, as method and path with its query; those of the API without /api/v4. */
  takeCalls: () => string[];
  /** Every token that was presented. */
  tokensSeen: Set<string>;
  /** Answers requests whose path matches in another way, for as long as it is not taken back. */
  script: (path: RegExp, answer: ScriptedAnswer) => () => void;
}

/** By the clock of the service under test, where that is not the usual one; below a path, where it is not alone on its server. */
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
  const answerTo = createAnswers(state, (host) => `https://${host}${below}/api/v4`);
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
      if (await answerApplications({ state, path, now }, request, response)) return;
      answerTo(path, request, response);
    };
    const scripted = [...scripts].findLast((one) => one.path.test(path));
    const answered = scripted ? scripted.answer(response, pass, request) : pass();
    // A status that GitLab never sends, so that no test takes a mistake of the stand-in for an answer.
    Promise.resolve(answered).catch((error) => {
      console.error(error);
      response.writeHead(599).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Benchmarks have no tests whose end would close it: it keeps no process from ending that has nothing more to ask.
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
