// What GitHub costs: large pull requests by way of git, answers that are meant to hurt, and one that takes longer than any request
// waits, which takes over a minute. Run with node bench/github.ts;
// it stands in for GitHub itself. Memory is that of the service, in a process of its own, over what it took before.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeLargeRepository } from '../test/make-large-repository.ts';
import { standInCertificate, startGitHub } from '../test/github/stand-in.ts';
import { account, pull, repository } from '../test/github/state.ts';
import { startService } from '../test/start-service.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const mebibyte = 1024 * 1024;
const files = 3_500;
const token = 'ghp_bench';
const other = 'ghp_other';
const json = { 'content-type': 'application/json' };

test('the bench', async () => {
  const github = await startGitHub();
  const { gitFolder, base, head, diff } = makeLargeRepository(files);
  const range = { base: { ref: 'main', sha: base }, head: { ref: 'topic', sha: head }, mergeBase: base };
  const large = pull(1, 'large', { ...range, changedFiles: files, diff: null });
  const others = [2, 3, 4, 5, 6, 7].map((number) => pull(number, `words ${number}`));
  const awaited = { ...large, number: 8 };
  github.state.accounts.push(account(1, 'bench', token), account(2, 'other', other));
  github.state.repositories.push(
    repository(71, 'acme/rocket', { gitFolder, pulls: [large, ...others, awaited] }),
  );

  const dataFolder = temporaryFolder();
  const service = await startService({
    environment: {
      CODE_HOST: 'github',
      GITHUB_URL: github.url,
      NODE_EXTRA_CA_CERTS: standInCertificate,
      PULLQUOTE_DATA: dataFolder,
    },
  });
  const call = (method: string, path: string, as = token) =>
    fetch(`${service.url}${path}`, { method, headers: { authorization: `Bearer ${as}` } });
  const memory = (): number => {
    const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8');
    return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024) / mebibyte;
  };
  const fetched = join(dataFolder, 'fetched');
  const onDisk = (): number => {
    try {
      const entries = readdirSync(fetched, { recursive: true, withFileTypes: true });
      return entries.reduce(
        (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
        0,
      );
    } catch {
      // Nothing there, or no longer.
      return 0;
    }
  };

  async function measure(name: string, number: number): Promise<void> {
    const before = memory();
    let most = before;
    let disk = 0;
    const watch = setInterval(() => {
      most = Math.max(most, memory());
      disk = Math.max(disk, onDisk());
    }, 20);
    const begun = performance.now();
    const { status } = await call('POST', `/repos/acme/rocket/pulls/${number}/ingest`);
    const seconds = (performance.now() - begun) / 1_000;
    clearInterval(watch);
    const left = (() => {
      try {
        const names = readdirSync(fetched, { recursive: true }).map(String);
        return names.filter((name) => name.includes('place-')).length;
      } catch {
        return 0;
      }
    })();
    console.log(
      `${name}: ${status}, ${seconds.toFixed(1)} s, ${(most - before).toFixed(0)} MiB more memory, ` +
        `${(disk / mebibyte).toFixed(1)} MiB on disk, ${left} folders left`,
    );
  }

  for (const as of [token, other]) await call('POST', '/auth/signup', as);
  // What is loaded with the first ingest is no part of what the others cost.
  await measure('a small one, first', 2);
  await measure(`${files} files by git (${(diff.length / mebibyte).toFixed(1)} MiB of diff)`, 1);

  const bomb = gzipSync(Buffer.alloc(512 * mebibyte, ' '));
  const hostile: [string, Parameters<typeof github.script>[1]][] = [
    [
      'a bomb of 512 MiB',
      (response) => void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
    ],
    [
      'without an end',
      (response) => {
        const more = () => void (response.destroyed || response.write(Buffer.alloc(mebibyte, ' '), more));
        response.writeHead(200, json);
        more();
      },
    ],
    [
      'a drop at a time',
      (response) => {
        const drip = setInterval(() => response.write(' '), 200);
        response.writeHead(200, json).on('close', () => clearInterval(drip));
      },
    ],
    ['a million values', (response) => void response.writeHead(200, json).end(`[${'{},'.repeat(1e6)}{}]`)],
    ['nothing', () => {}],
  ];
  for (const [index, [name, answer]] of hostile.entries()) {
    const stop = github.script(/^\/repos\/acme\/rocket\/pulls\/\d+$/, answer);
    await measure(name, index + 3);
    stop();
  }

  // Past the half minute for which GitHub is left alone after it answered nothing.
  await new Promise((resolve) => setTimeout(resolve, 31_000));
  const held = Promise.withResolvers<void>();
  const release = github.script(/\.git\//, async (_response, pass) => {
    await held.promise;
    await pass();
  });
  github.takeCalls();
  const begun = performance.now();
  const told = await call('POST', '/repos/acme/rocket/pulls/8/ingest');
  const waited = ((performance.now() - begun) / 1_000).toFixed(1);
  const joined = call('POST', '/repos/acme/rocket/pulls/8/ingest', other);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  held.resolve();
  const { status } = await joined;
  release();
  const fetches = github.takeCalls().filter((asked) => asked.includes('/info/refs')).length;
  console.log(
    `longer than anybody waits: ${told.status} after ${waited} s, Retry-After ${told.headers.get('retry-after')}; ` +
      `another viewer joins: ${status}; fetched with git ${fetches / 2} time`,
  );
  await service.stop();
});
