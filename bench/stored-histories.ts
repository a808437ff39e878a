import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys, prepareDataFolder } from '../src/data-folder.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { sql } from '../src/db/sql.ts';
import { askGit } from '../test/clone-oracle.ts';
import { startPostgres } from '../test/postgres.ts';
import { RealHistory } from './real-history.ts';
import { runServer, service } from './run-server.ts';

// Lets real pull requests of real clones be merged, rebased and stacked at random, and their default branches be rewritten.
// After every step each pull request is ingested and its article asked for, through a service that has seen all that went
// before. What it then stores is held against git; what it tells, against a service that sees the clone for the first time,
// wherever either has changed since they were last held against each other. Ends with 1 if anything differs. Usage: node bench/stored-histories.ts MIRROR … [--histories N] [--steps N]

const { values, positionals: mirrors } = parseArgs({
  allowPositionals: true,
  options: { histories: { type: 'string', default: '50' }, steps: { type: 'string', default: '5' } },
});

interface Told {
  headSha: string;
  baseSha: string;
  stale: boolean;
}

interface Service {
  call: (method: string, path: string, body?: object) => Promise<string>;
  forget: () => Promise<void>;
  stop: () => Promise<void>;
}

async function startService(databaseUrl: string, root: string, folder: string): Promise<Service> {
  const environment = {
    DATABASE_URL: databaseUrl,
    PULLQUOTE_DATA: folder,
    GIT_REPOS: root,
    LOG_LEVEL: 'fatal',
  };
  const config = parseConfig(environment);
  prepareDataFolder(config.dataFolder);
  const expiresAt = new Date(Date.now() + 24 * 60 * 60 * 1000);
  const token = mintLocalToken(loadSecretKeys(config), { name: 'ann', expiresAt, singleUse: false });
  const { url, stop } = await runServer(service, { environment });
  const database = await openPostgres(databaseUrl);
  const call: Service['call'] = async (method, path, body) => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${text}`);
    return text;
  };
  await call('POST', '/auth/signup');
  return {
    call,
    async forget() {
      await database.query(sql`DELETE FROM repositories`);
    },
    async stop() {
      await stop();
      await database.close();
    },
  };
}

/** The article as a service has it written now, without what depends on when that was. */
async function articleBy({ call }: Service, path: string): Promise<Told> {
  for (;;) {
    const { data } = JSON.parse(await call('POST', `${path}/article`, { language: 'en' }));
    // What is not written within a minute is a job, which asking again joins.
    if (!data.contents) continue;
    const { summaryGeneratedAt, ...told } = data.contents.en;
    return told;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const root = join(folder, 'repos');
const server = await startPostgres();
const databaseOf = async (name: string): Promise<string> => {
  const url = new URL(server.url);
  const database = await openPostgres(url.href);
  await database.runScript(`CREATE DATABASE ${name}`);
  await database.close();
  url.pathname = `/${name}`;
  return url.href;
};
mkdirSync(root, { recursive: true });
const old = await startService(await databaseOf('old'), root, join(folder, 'old'));
const fresh = await startService(await databaseOf('fresh'), root, join(folder, 'fresh'));

let checks = 0;
const wrong: string[] = [];
const check = (isRight: boolean, what: string): void => {
  checks += 1;
  if (isRight) return;
  wrong.push(what);
  console.log(what);
};

/** What git said and the service told when the latter was last found to be what is written anew, by pull request. */
const compared = new Map<string, unknown>();

async function checkAll(history: RealHistory, path: string, when: string): Promise<void> {
  await fresh.forget();
  for (const number of history.numbers()) {
    const pull = `${path}/pulls/${number}`;
    const byGit = askGit(history.folder, number);
    const { headSha, baseSha, diff, files } = byGit;
    const { data } = JSON.parse(await old.call('POST', `${pull}/ingest`));
    const names = data.files.map(({ fileName }: { fileName: string }) => fileName);
    check(data.headSha === headSha && data.baseSha === baseSha, `${when}: #${number} has another range`);
    check(isDeepStrictEqual(names, files), `${when}: #${number} lists other files`);
    check((await old.call('GET', `${pull}/diff`)) === diff, `${when}: #${number} has another diff`);
    const told = await articleBy(old, pull);
    const { headSha: head, baseSha: base, stale } = told;
    check(
      head === headSha && base === baseSha && !stale,
      `${when}: the article about #${number} is outdated`,
    );
    const state = { byGit, ref: history.head(number), told };
    if (isDeepStrictEqual(compared.get(pull), state)) continue;
    const isRight = isDeepStrictEqual(told, await articleBy(fresh, pull));
    check(isRight, `${when}: the article about #${number} is not what is written anew`);
    if (isRight) compared.set(pull, state);
  }
}

try {
  for (let seed = 1; seed <= Number(values.histories); seed += 1) {
    const mirror = mirrors[seed % mirrors.length] ?? '';
    const clone = join(root, 'real', `history${seed}.git`);
    const history = new RealHistory(mirror, clone, seed);
    const name = basename(mirror) === 'repo' ? basename(dirname(mirror)) : basename(mirror);
    for (let step = 0; step <= Number(values.steps); step += 1) {
      const happened = step === 0 ? 'begin' : history.step();
      await checkAll(
        history,
        `/repos/real/history${seed}`,
        `${name}, history ${seed}, step ${step} (${happened})`,
      );
    }
    rmSync(clone, { recursive: true, force: true });
  }
} finally {
  await old.stop();
  await fresh.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  `${values.histories} histories of ${values.steps} steps over ${mirrors.length} clones: ${wrong.length} of ${checks} wrong`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
