import { spawnSync } from 'node:child_process';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { pino } from 'pino';

// How much of src one article takes: the files and functions that run from the POST until the article is there, in the main
// thread and in worker threads, as V8 counts them. Run with node bench/path-of-article.ts [--list].

const source = pathToFileURL(join(import.meta.dirname, '../src/')).href;
const channel = new BroadcastChannel('coverage of threads');
type Ran = [file: string, name: string, at: number][];

async function startCoverage(): Promise<() => Promise<Ran>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result.flatMap(({ url, functions }) =>
      functions.flatMap(
        ({ functionName, ranges: [range] }): Ran =>
          // What begins with the file is the module itself: loading it is not running anything of it.
          url.startsWith(source) && range && range.count > 0 && range.startOffset > 0
            ? [[url.slice(source.length), functionName, range.startOffset]]
            : [],
      ),
    );
  };
}

if (!isMainThread) {
  const take = await startCoverage();
  channel.onmessage = async () => channel.postMessage(await take());
  // The channel keeps no thread alive.
  (channel as unknown as { unref: () => void }).unref();
} else if (process.execArgv.includes('--import')) await measure();
else {
  // Threads inherit the options of the process, so that each loads this file before its own.
  const file = fileURLToPath(import.meta.url);
  const options = ['--import', file, file, ...process.argv.slice(2)];
  process.exitCode = spawnSync(process.execPath, options, { stdio: 'inherit' }).status ?? 1;
}

async function measure(): Promise<void> {
  const [{ buildApp }, { mintLocalToken }, { parseConfig }, { loadSecretKeys }, { makeBenchFolder }] =
    await Promise.all([
      import('../src/app.ts'),
      import('../src/code-hosts/git/local-token.ts'),
      import('../src/config.ts'),
      import('../src/data-folder.ts'),
      import('./local-server.ts'),
    ]);
  const config = parseConfig({ PORT: '0', RATE_LIMIT: '0', PULLQUOTE_DATA: join(makeBenchFolder(), 'data') });
  const log = pino({ level: 'error' });
  const app = await buildApp(config, { log, clock: () => new Date(), command: 'serve', announce: () => {} });
  const url = await app.server.listen({ host: config.listen, port: 0 });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = mintLocalToken(loadSecretKeys(config), { name: 'bench', singleUse: false, expiresAt });
  const headers = { authorization: `Bearer ${token}`, prefer: 'wait=60' };
  await fetch(new URL('/auth/signup', url), { method: 'POST', headers });
  await wait(1_000);

  const ran: Ran = [];
  channel.onmessage = ({ data }: MessageEvent) => void ran.push(...data);
  const take = await startCoverage();
  const path = '/repos/harborline/parcel/pulls/10/article';
  const answer = await fetch(new URL(path, url), { method: 'POST', headers });
  console.log(answer.status, (await answer.text()).slice(0, 100));
  ran.push(...(await take()));
  channel.postMessage('take');
  await wait(1_000);
  channel.close();
  await app.close();
  const functions = new Set(ran.map((one) => one.join(' ')));
  const files = new Map<string, number>();
  for (const one of functions)
    files.set(one.split(' ')[0] ?? '', (files.get(one.split(' ')[0] ?? '') ?? 0) + 1);
  if (process.argv.includes('--list')) console.table([...files].sort());
  console.log(`${files.size} files, ${functions.size} functions`);
}
