import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { standInCertificate } from './github/stand-in.ts';
import { serveGit } from './serve-git.ts';

interface HttpsGitServer {
  /** The host name for settings, with its port. */
  host: string;
  calls: string[];
  /** Responds instead of git while set. */
  answer: ((request: IncomingMessage, response: ServerResponse, pass: () => void) => void) | null;
}

/** Serves the clones of a folder over TLS, as owner/name.git. */
export async function startHttpsGit(root: string): Promise<HttpsGitServer> {
  const certified = {
    key: readFileSync(standInCertificate.replace('.pem', '.key')),
    cert: readFileSync(standInCertificate),
  };
  const git: HttpsGitServer = { host: '', calls: [], answer: null };
  const server = createServer(certified, (request, response) => {
    const path = request.url ?? '';
    git.calls.push(`${request.method} ${path}`);
    const [, fullName = '', rest = ''] = /^\/([\w-]+\/[\w-]+)\.git(\/.*)$/.exec(path) ?? [];
    const pass = () => void serveGit(join(root, fullName, '.git'), rest, request, response);
    if (git.answer) git.answer(request, response, pass);
    else pass();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  git.host = `localhost:${(server.address() as AddressInfo).port}`;
  return git;
}
