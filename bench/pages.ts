import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { makeClone } from '../test/make-clone.ts';
import { makeLargePullRequest } from '../test/make-large-pull-request.ts';
import { makeBenchFolder } from './local-server.ts';
import { runServer, service } from './run-server.ts';

// How long the pages of an article and of the start take to be answered, one after the other, from memory and made anew,
// for the show-piece of the samples and for a pull request of 3,000 files; against the same article as JSON.
// Usage: node bench/pages.ts [--times 40]

const { values } = parseArgs({ options: { times: { type: 'string', default: '40' } } });
const times = Number(values.times);
const folder = makeBenchFolder();

const median = (numbers: number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

async function time(url: string): Promise<{ ms: number; body: Buffer }> {
  const taken: number[] = [];
  let body = Buffer.alloc(0);
  // The first loads what is only loaded when it is needed.
  for (let turn = -3; turn < times; turn += 1) {
    const start = performance.now();
    const response = await fetch(url, {
      headers: { 'accept-language': 'en', 'accept-encoding': 'identity' },
    });
    body = Buffer.from(await response.arrayBuffer());
    if (turn >= 0) taken.push(performance.now() - start);
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}.`);
  }
  return { ms: median(taken), body };
}

const compressed = (body: Buffer) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;

async function write(environment: Record<string, string>, article: string): Promise<void> {
  const token = mintLocalToken(loadSecretKeys(parseConfig(environment)), {
    name: 'bench',
    singleUse: false,
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  const running = await runServer(service, { environment });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await fetch(`${running.url}/auth/signup`, { method: 'POST', headers });
  for (const language of ['en', 'ja']) {
    const body = JSON.stringify({ language });
    const written = await fetch(`${running.url}${article}`, { method: 'POST', headers, body });
    if (!written.ok) throw new Error(await written.text());
  }
  await running.stop();
}

async function measure(name: string, environment: Record<string, string>, place: string): Promise<object[]> {
  const article = `/repos/${place.replace(/\/(\d+)$/, '/pulls/$1')}/article`;
  await write(environment, article);
  const results: object[] = [];
  for (const [kept, cache] of [
    ['from memory', '64'],
    ['made anew', '0'],
  ] as const) {
    const running = await runServer(service, { environment: { ...environment, CACHE_MIB: cache } });
    const json = await time(`${running.url}${article}?language=en`);
    for (const path of [`/r/${place}`, `/r/${place}/map.svg`, '/']) {
      const page = await time(`${running.url}${path}`);
      results.push({
        what: `${name}, ${kept}: ${path}`,
        ms: page.ms.toFixed(2),
        'as JSON, ms': json.ms.toFixed(2),
        ratio: (page.ms / json.ms).toFixed(2),
        bytes: page.body.length,
        'with Brotli': compressed(page.body),
      });
    }
    await running.stop();
  }
  return results;
}

const large = join(folder, 'clones');
makeLargePullRequest(makeClone(large, 'acme/large'), 2, 3_000, 4);
const results = [
  ...(await measure('show-piece', { PULLQUOTE_DATA: join(folder, 'samples') }, 'harborline/parcel/13')),
  ...(await measure(
    '3,000 files',
    { PULLQUOTE_DATA: join(folder, 'large'), GIT_REPOS: large },
    'acme/large/2',
  )),
];
rmSync(folder, { recursive: true, force: true });
console.log(`one request after the other, medians of ${times}`);
console.table(results);
