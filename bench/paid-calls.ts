import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { loadSecretKeys, prepareDataFolder } from '../src/data-folder.ts';
import { makeClone } from '../test/make-clone.ts';
import { questionIn, writeObligingly } from '../test/model/obliging-writer.ts';
import { type HeardRequest, type Script, startScriptedModel } from '../test/model/scripted-model.ts';
import { startPostgres } from '../test/postgres.ts';
import { type RunningServer, runServer, service } from './run-server.ts';

// What is paid for when writers die, and when many of them near the ceiling at once: two services on one PostgreSQL, and a
// model on loopback that counts what it is asked. Ends with 1 where something is paid twice or the ceiling is passed.
// Usage: node bench/paid-calls.ts [--kills 10] [--writers 50]

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '10' }, writers: { type: 'string', default: '50' } },
});
const kills = Number(values.kills);
const writers = Number(values.writers);

/** Enough for some of the writers. */
const ceiling = 100_000;

const root = mkdtempSync(join(tmpdir(), 'pullquote-paid-'));
const repos = join(root, 'repos');
mkdirSync(repos);
const postgres = await startPostgres();
const model = await startScriptedModel(writeObligingly);
const data = join(root, 'data');
prepareDataFolder(data);
const token = mintLocalToken(loadSecretKeys({ dataFolder: data, secretKeys: undefined }), {
  name: 'ann',
  expiresAt: new Date(Date.now() + 3_600_000),
  singleUse: false,
});
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const environment = {
  DATABASE_URL: postgres.url,
  PULLQUOTE_DATA: data,
  GIT_REPOS: repos,
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  AI_ARTICLES_PER_DAY: '1000',
  WRITERS: '2',
  LOG_LEVEL: 'fatal',
};
const start = (more = {}): Promise<RunningServer> =>
  runServer(service, { environment: { ...environment, ...more } });

interface Job {
  id: string;
  state: string;
}

async function ask(url: string, repo: string): Promise<Job | null> {
  const reply = await fetch(`${url}/repos/acme/${repo}/pulls/1/article`, {
    method: 'POST',
    headers: { ...headers, prefer: 'respond-async' },
    body: JSON.stringify({ language: 'en' }),
  });
  const body: { data?: Job } = JSON.parse(await reply.text());
  return reply.status === 202 ? (body.data ?? null) : null;
}

async function waitForEnd(url: string, id: string): Promise<string> {
  for (;;) {
    const reply = await fetch(`${url}/jobs/${id}`, { headers });
    const { data: job }: { data: Job } = JSON.parse(await reply.text());
    if (job.state !== 'queued' && job.state !== 'running') return job.state;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The question itself, whatever fence was made for it. */
const nameOf = (request: HeardRequest): string =>
  `${questionIn(request).asked} ${request.body.messages[1].content.replaceAll(/q[0-9a-f]{10}/g, 'q')}`;

/** Kills the writer while the model answers, at another question each time, and counts what is asked again. */
async function killMidway(): Promise<{ answeredTwice: number; inFlightTwice: number; lost: number }> {
  const counted = { answeredTwice: 0, inFlightTwice: 0, lost: 0 };
  const survivor = await start({ WRITERS: '0' });
  for (let kill = 0; kill < kills; kill += 1) {
    makeClone(repos, `acme/killed-${kill}`, `feat: launch number ${kill} (#1)`);
    const fatal = kill % 2 === 0 ? 'article' : 'verdicts';
    const { promise: isAsked, resolve } = Promise.withResolvers<void>();
    const script: Script = (request) => {
      if (questionIn(request).asked !== fatal) return writeObligingly(request);
      resolve();
      return { silent: true };
    };
    const before = model.heard.length;
    model.play(script);
    const victim = await start();
    const job = await ask(victim.url, `killed-${kill}`);
    await isAsked;
    victim.child.kill('SIGKILL');
    await once(victim.child, 'exit');
    model.play(writeObligingly);
    const heir = await start();
    if (!job || (await waitForEnd(heir.url, job.id)) !== 'done') counted.lost += 1;
    await heir.stop();
    const asked = Map.groupBy(model.heard.slice(before), nameOf);
    for (const [name, all] of asked) {
      if (all.length < 2) continue;
      if (name.startsWith(fatal)) counted.inFlightTwice += all.length - 1;
      else counted.answeredTwice += all.length - 1;
    }
  }
  await survivor.stop();
  return counted;
}

/** Many writers on two processes near the ceiling: what the model was paid, against what may be paid. */
async function nearTheCeiling(): Promise<{ paid: number; calls: number; written: number }> {
  let paid = 0;
  const before = model.heard.length;
  model.play((request) => {
    const reply = writeObligingly(request);
    paid += (reply.usage?.input ?? 0) + (reply.usage?.output ?? 0);
    return reply;
  });
  for (let writer = 0; writer < writers; writer += 1) {
    makeClone(repos, `acme/many-${writer}`, `feat: write number ${writer} (#1)`);
  }
  const limited = { AI_TOKENS_PER_DAY: String(ceiling), WRITERS: String(Math.ceil(writers / 2)) };
  const services = [await start(limited), await start(limited)];
  await fetch(`${services[0]?.url}/auth/signup`, { method: 'POST', headers });
  const states = await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const url = services[writer % 2]?.url ?? '';
      const job = await ask(url, `many-${writer}`);
      return job ? waitForEnd(url, job.id) : 'refused';
    }),
  );
  await Promise.all(services.map((one) => one.stop()));
  const written = states.filter((state) => state === 'done').length;
  return { paid, calls: model.heard.length - before, written };
}

try {
  const { paid, calls, written } = await nearTheCeiling();
  console.log(
    `${writers} writers on two processes under a ceiling of ${ceiling} tokens a day: ${written} articles, ${calls} calls, ${paid} tokens paid`,
  );
  const killed = await killMidway();
  console.log(
    `${kills} writers killed with -9 at a question: articles lost ${killed.lost}, answered questions paid again ${killed.answeredTwice}, questions in flight asked again ${killed.inFlightTwice}`,
  );
  process.exitCode = killed.lost > 0 || killed.answeredTwice > 0 || paid > ceiling ? 1 : 0;
} finally {
  await model.close();
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
}
