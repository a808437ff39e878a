import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { runServer, service } from './run-server.ts';
import type { Read, Reading } from './send-reads.ts';

// Shared by benchmarks of reads: articles to read, and clients that read from several servers in turns.

export const connections = 64;
export const turnMs = 200;

/** Only on the first core, if there is another one for the clients. */
export const core = availableParallelism() > 1 ? { core: 0 } : {};

export const median = (numbers: number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

export async function readInTurns(servers: string[][], turns: number): Promise<Read[]> {
  const child = fork(new URL('./send-reads.ts', import.meta.url));
  const reading: Reading = { servers, connections, turns, turnMs };
  child.send(reading);
  const [result] = await once(child, 'message');
  return result;
}

/** Signs a user up, and returns how they call a service with these settings. */
async function createSession(environment: Record<string, string>, url: string) {
  const token = mintLocalToken(loadSecretKeys(parseConfig(environment)), {
    name: 'bench',
    singleUse: false,
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return JSON.parse(await response.text());
  };
  await call('POST', '/auth/signup', {});
  return call;
}

/** Requests articles about all pull requests of the samples, in both languages, each liked. Returns one of them. */
export async function writeAndLike(environment: Record<string, string>): Promise<string> {
  const { url, stop } = await runServer(service, { environment });
  const call = await createSession(environment, url);
  const pulls = '/repos/harborline/parcel/pulls';
  const listed = await call('GET', `${pulls}?limit=100`);
  let article = '';
  for (const { prNumber } of listed.data.items) {
    for (const language of ['en', 'ja']) {
      const written = await call('POST', `${pulls}/${prNumber}/article`, { language });
      await call('POST', `/articles/${written.data.id}/language/${language}/like`, {});
      if (prNumber === 13) article = written.data.id;
    }
  }
  await stop();
  return article;
}
