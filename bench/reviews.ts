import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { buildGitHubApp } from '../test/github/build-github-app.ts';
import { pull, repository, type StandInPull, shaOf } from '../test/github/state.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { median } from './reading-in-turns.ts';

// Fetches pull requests without a review, with a usual one and with one of 1,000 comments, in turn, and reads their
// articles and reviews as a signed-in viewer, whom no cache serves. Prints medians, the ratio to those without a
// review, the CPU time of the main thread and the longest wait of its event loop during a request. The stand-in of
// GitHub runs in the same process, so that fetching 1,000 comments includes making and checking them.
// Usage: node bench/reviews.ts [--rounds 15]

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const rounds = Number(values.rounds);

const files = Array.from({ length: 30 }, (_, index) => `src/part-${index}.ts`);
const linesOf = (file: number, changed: number): string[] =>
  Array.from({ length: 120 }, (_, line) =>
    line % 9 === changed % 9
      ? `  if (part${line} > limit${file}) throw new TooLarge('${file}.${line}', limit${file}); // ${changed}`
      : `  const value${line} = await read${file}(part${line}, { retries: ${line} });`,
  );
const diff = files
  .map((name, file) => {
    const lines = linesOf(file, 8).map((line) => `+${line}\n`);
    return `diff --git a/${name} b/${name}\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,120 @@\n${lines.join('')}`;
  })
  .join('');
const words =
  'Should this not stop before it has read everything, as `retries` says? I think a limit is needed. ';

function reviewed(threads: number): Pick<StandInPull, 'reviews' | 'reviewComments' | 'comments'> {
  const createdAt = '2026-03-01T11:00:00Z';
  const reviewComments = Array.from({ length: threads * 3 }, (_, index) => {
    const thread = Math.floor(index / 3);
    const line = 10 + (thread % 100);
    const before = linesOf(thread % 30, 7).slice(0, line);
    const hunk = `@@ -0,0 +1,120 @@\n${before.map((text) => `+${text}`).join('\n')}`;
    const reply = index % 3 > 0 && { replyTo: 1_000 + thread * 3 };
    const author = index % 3 === 1 ? 'octocat' : 'rin';
    const place = { path: files[thread % 30] ?? '', line, commit: shaOf('first'), hunk, createdAt };
    return { id: 1_000 + index, author, body: words.repeat(3), ...place, ...reply };
  });
  const comments = Array.from({ length: Math.round(threads / 10) }, () => ({
    author: 'kim',
    body: words,
    createdAt,
  }));
  const reviews =
    threads === 0 ? [] : [{ id: 1, author: 'rin', body: '', state: 'APPROVED', submittedAt: createdAt }];
  return { reviewComments, comments, reviews };
}

const kinds = { none: 0, usual: 4, thousand: 323 };

test('the bench', async () => {
  const { app, github, join } = await buildGitHubApp({ database: { PULLQUOTE_DATA: temporaryFolder() } });
  const rocket = repository(71, 'acme/rocket');
  github.state.repositories.push(rocket);
  const token = await join('ann');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: '*/*' };
  const spend = async (method: string, path: string, body?: object): Promise<number> => {
    const start = performance.now();
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${app.url}${path}`, sent);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
    return performance.now() - start;
  };
  const ingests = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let round = 1; round <= rounds + 2; round += 1)
    for (const [place, [kind, threads]] of Object.entries(kinds).entries()) {
      const number = round * 10 + place;
      rocket.pulls.push({
        ...pull(number, kind),
        diff,
        files: files.map((filename) => ({ filename, status: 'added', additions: 120, deletions: 0 })),
        ...reviewed(threads),
      });
      const ms = await spend('POST', `/repos/acme/rocket/pulls/${number}/ingest`);
      if (round > 2) ingests.get(kind)?.push(ms);
    }
  const alone = ingests.get('none') ?? [];
  const table: object[] = [...ingests].map(([kind, all]) => {
    const ratio = median(all.map((ms, round) => ms / (alone[round] ?? 1)));
    return { what: `ingest, ${kind}`, ms: Math.round(median(all)), ratio: ratio.toFixed(2) };
  });
  for (const place of Object.keys(kinds).keys())
    await spend('POST', `/repos/acme/rocket/pulls/${10 + place}/article`, { language: 'en' });
  for (const path of ['/r/acme/rocket/NO', '/r/acme/rocket/NO/review', '/repos/acme/rocket/pulls/NO/review'])
    for (const place of [0, 2]) {
      const spent: Record<'ms' | 'cpu' | 'wait', number>[] = [];
      for (let round = -5; round < rounds; round += 1) {
        const delay = monitorEventLoopDelay({ resolution: 1 });
        delay.enable();
        const cpu = process.threadCpuUsage();
        const ms = await spend('GET', path.replace('NO', String(10 + place)));
        const { user, system } = process.threadCpuUsage(cpu);
        delay.disable();
        if (round >= 0) spent.push({ ms, cpu: (user + system) / 1_000, wait: delay.max / 1e6 });
      }
      const of = (what: 'ms' | 'cpu' | 'wait') => Math.round(median(spent.map((one) => one[what])));
      const what = `${path}, ${Object.keys(kinds)[place]}`;
      table.push({ what, ms: of('ms'), 'cpu ms': of('cpu'), 'longest wait ms': of('wait') });
    }
  console.table(table);
  await app.close();
});
