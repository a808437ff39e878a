// What GitHub costs: large pull requests by way of git, and answers that are meant to hurt. Run with node bench/github.ts;
// it stands in for GitHub itself. Memory is that of the service, in a process of its own, over what it took before.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeLargeRepository } from '../test/github/make-large-repository.ts';
import { standInCertificate, startGitHub } from '../test/github/stand-in.ts';
import { account, pull, repository } from '../test/github/state.ts';
import { startService } from '../test/start-service.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const mebibyte = 1024 * 1024;
const files = 3_500;
const token = 'ghp_bench';
const json = { 'content-type': 'application/json' };

test('the bench', async () => {
  const github = await startGitHub();
  const { gitFolder, base, head, diff } = makeLargeRepository(files);
  const range = { base: { ref: 'main', sha: base }, head: { ref: 'topic', sha: head }, mergeBase: base };
  const large = pull(1, 'large', { ...range, changedFiles: files, diff: null });
  const others = [2, 3, 4, 5, 6].map((number) => pull(number, `words ${number}`));
  github.state.accounts.push(account(1, 'bench', token));
  github.state.repositories.push(repository(71, 'acme/rocket', { gitFolder, pulls: [large, ...others] }));

  const dataFolder = temporaryFolder();
  const service = await startService({
    environment: {
      CODE_HOST: 'github',
      GITHUB_URL: github.url,
      NODE_EXTRA_CA_CERTS: standInCertificate,
      PULLQUOTE_DATA: dataFolder,
    },
  });
  const call = (method: string, path: string) =>
    fetch(`${service.url}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
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
        return readdirSync(fetched).length;
      } catch {
        return 0;
      }
    })();
    console.log(
      `${name}: ${status}, ${seconds.toFixed(1)} s, ${(most - before).toFixed(0)} MiB more memory, ` +
        `${(disk / mebibyte).toFixed(1)} MiB on disk, ${left} folders left`,
    );
  }

  await call('POST', '/auth/signup');
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
    ['nothing', () => {}],
  ];
  for (const [index, [name, answer]] of hostile.entries()) {
    const stop = github.script(/^\/repos\/acme\/rocket\/pulls\/\d+$/, answer);
    await measure(name, index + 3);
    stop();
  }
  await service.stop();
});
