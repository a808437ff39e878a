import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { explainPullRequest } from '../src/actions/articles/explain-pull-request.ts';
import { besidePatch, readPatch } from '../src/cli/explain/patch.ts';
import { runHere } from '../src/cli/explain/write-about.ts';
import { githubLinesUrl, type HostPullRequest } from '../src/code-hosts/code-host.ts';
import { findOwnClone, readNumber } from '../src/code-hosts/git/own-clone.ts';
import { GitSpawner } from '../src/code-hosts/git-runner/git-spawner.ts';
import { programSearchPath } from '../src/config.ts';
import type { PublishedContent } from '../src/db/articles.ts';
import { sql } from '../src/db/sql.ts';
import { makeBenchFolder, openDatabase } from './local-server.ts';
import { mergedPullRequests } from './mirrors.ts';

// Explains merged pull requests of mirrors by their numbers, and counts those about which the service writes another article; then
// the same as piped diffs, and counts which of those differ in stops, hunks and captions, and why. Of some, the time and the
// memory that the program takes against `git diff`. Run with node bench/explain.ts MIRROR… [--count 100] [--timed 10].

const { values, positionals: mirrors } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '100' }, timed: { type: 'string', default: '10' } },
});
const folder = makeBenchFolder();
const maxDiffBytes = 128 * 1024 * 1024;
const spawner = new GitSpawner();
const git = { path: programSearchPath(), isolatedFolders: join(folder, 'git'), spawner };
const run = runHere();

const write = (pullRequest: HostPullRequest): Promise<PublishedContent> =>
  explainPullRequest(run, pullRequest, {
    host: 'git',
    owner: 'some',
    repo: 'mirror',
    languageCode: 'en',
    maxDiffBytes,
    linesUrl: githubLinesUrl,
    now: new Date(0),
    wanted: null,
  });

/** What the service has written about some pull requests, by their numbers. */
async function writeByService(
  mirror: string,
  data: string,
  numbers: number[],
): Promise<Map<number, PublishedContent>> {
  const repositories = join(data, 'repos');
  mkdirSync(join(repositories, 'some'), { recursive: true });
  symlinkSync(mirror, join(repositories, 'some/mirror.git'));
  const environment = {
    PATH: programSearchPath(),
    PULLQUOTE_DATA: join(data, 'data'),
    GIT_REPOS: repositories,
    LOG_LEVEL: 'error',
  };
  const importing = ['bin/pullquote.cjs', 'import', 'some/mirror', '--numbers', numbers.join(',')];
  spawnSync(process.execPath, importing, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
  const database = await openDatabase(environment);
  const rows = await database.query<{ number: number; body: PublishedContent }>(sql`
    SELECT pull_requests.number, contents.body FROM article_contents AS contents
    JOIN articles ON articles.id = contents.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id`);
  await database.close();
  return new Map(rows.map(({ number, body }) => [Number(number), body]));
}

/** Without what is another at each time of writing, in the form in which it is stored. */
const comparable = (content: PublishedContent): object => {
  const { summaryGeneratedAt: _, ...rest } = JSON.parse(JSON.stringify(content));
  return rest;
};
const stopsOf = ({ mainChanges }: PublishedContent) => mainChanges.map(({ fileName }) => fileName);
const linesOf = ({ mainChanges }: PublishedContent) =>
  mainChanges.map(({ hunk }) => hunk && { fileName: hunk.fileName, lines: hunk.lines });
const captionsOf = ({ mainChanges }: PublishedContent) => mainChanges.map(({ description }) => description);
/** Without whole files, as a patch alone is read. */
const withoutFiles = ({ fileTexts: _, ...pullRequest }: HostPullRequest): HostPullRequest => pullRequest;

const same = { service: 0, stops: 0, hunks: 0, captions: 0, patchAlone: 0, within: 0 };
let [compared, unwritten, empty] = [0, 0, 0];
const patches: string[] = [];

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function compare(mirror: string, place: number): Promise<void> {
  const found = new Map<number, string>();
  for (const { title, sha } of mergedPullRequests(mirror)) {
    const number = Number(/\(#(\d+)\)$|^Merge pull request #(\d+)/.exec(title)?.slice(1).find(Boolean));
    if (found.size < Number(values.count)) found.set(number, sha);
  }
  const served = await writeByService(mirror, join(folder, String(place)), [...found.keys()]);
  const clone = await findOwnClone(git, mirror);
  if (!clone) throw new Error(`${mirror} is no repository.`);
  const named = { ...clone, owner: 'some', name: 'mirror' };
  for (const number of found.keys()) {
    const theirs = served.get(number);
    const change = theirs && (await readNumber(git, named, number).catch(() => null));
    if (!change || !theirs) {
      unwritten += 1;
      continue;
    }
    compared += 1;
    const { pullRequest } = change;
    const ours = await write(pullRequest);
    if (isDeepStrictEqual(comparable(ours), comparable(theirs))) same.service += 1;
    else console.log(`another article: ${mirror} ${number}`);
    const printed = Buffer.concat(await Array.fromAsync(pullRequest.diff()));
    if (printed.length === 0) {
      empty += 1;
      continue;
    }
    // With the words of the pull request, so that only the lack of its files shows.
    const { title, body, authorLogin, commits, linkedIssues, headSha, baseSha } = pullRequest;
    const words = { title, body, authorLogin, commits, linkedIssues, headSha, baseSha };
    const piped = await write({ ...(await readPatch(once(printed))), ...words });
    const { textsOf } = besidePatch(async () => git, mirror);
    const within = await write({ ...(await readPatch(once(printed), textsOf)), ...words });
    if (isDeepStrictEqual(comparable(within), comparable(ours))) same.within += 1;
    else console.log(`another article within the repository: ${mirror} ${number}`);
    if (isDeepStrictEqual(stopsOf(piped), stopsOf(ours))) same.stops += 1;
    if (isDeepStrictEqual(linesOf(piped), linesOf(ours))) same.hunks += 1;
    if (isDeepStrictEqual(captionsOf(piped), captionsOf(ours))) same.captions += 1;
    if (isDeepStrictEqual(comparable(piped), comparable(await write(withoutFiles(pullRequest)))))
      same.patchAlone += 1;
    if (patches.length < Number(values.timed) * (place + 1)) patches.push(`${mirror} ${baseSha} ${headSha}`);
  }
}

/** How long a program takes, by the clock and the processor, and the most memory that it held. */
function measure(program: string, parameters: string[], input?: Buffer) {
  const told = join(folder, 'told');
  const script = `process.on('exit',()=>require('fs').writeFileSync(${JSON.stringify(told)},JSON.stringify(process.resourceUsage())))`;
  const preload = join(folder, 'tell.cjs');
  writeFileSync(preload, script);
  const began = performance.now();
  const { stdout } = spawnSync(
    program,
    program === process.execPath ? ['--require', preload, ...parameters] : parameters,
    {
      input,
      maxBuffer: 2 ** 30,
      env: { PATH: programSearchPath(), HOME: folder },
    },
  );
  const ms = performance.now() - began;
  const usage = program === process.execPath ? JSON.parse(execFileSync('cat', [told]).toString()) : null;
  return {
    stdout,
    ms,
    cpuMs: usage ? (usage.userCPUTime + usage.systemCPUTime) / 1_000 : 0,
    megabytes: usage ? usage.maxRSS / 1_000 : 0,
  };
}

const median = (numbers: number[]): string =>
  (numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0).toFixed(0);

for (const [place, mirror] of mirrors.entries()) await compare(resolve(mirror), place);
await spawner.close();
console.log(
  `${compared} pull requests by number (${unwritten} more that the service has not written about, or cannot read), ${empty} of them without a diff`,
);
const piped = compared - empty;
const row = (count: number, of = piped) => ({ same: count, others: of - count });
console.table({
  'by number: the article of the service': row(same.service, compared),
  'piped within the repository: the same article': row(same.within),
  'piped outside: the same stops': row(same.stops),
  'piped outside: the same hunks': row(same.hunks),
  'piped outside: the same captions': row(same.captions),
  'piped outside: the article without names from whole files': row(same.patchAlone),
});
const timed = patches.map((patch) => {
  const [mirror = '', base = '', head = ''] = patch.split(' ');
  const diff = measure('git', ['-C', mirror, 'diff', base, head]);
  const told = measure(process.execPath, ['bin/pullquote.cjs', 'explain', '-'], diff.stdout);
  return { git: diff.ms, explain: told.ms, cpu: told.cpuMs, megabytes: told.megabytes };
});
console.log(
  `of ${timed.length} piped: git diff ${median(timed.map((one) => one.git))} ms, pullquote explain ${median(timed.map((one) => one.explain))} ms by the clock and ` +
    `${median(timed.map((one) => one.cpu))} ms of the processor (medians), at most ${Math.max(...timed.map((one) => one.cpu)).toFixed(0)} ms; ` +
    `${Math.max(...timed.map((one) => one.megabytes)).toFixed(0)} MB at the peak`,
);
rmSync(folder, { recursive: true, force: true });
