import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from '../../src/db/sql.ts';
import type { SecretKeys } from '../../src/domain/secrets.ts';
import { Articles } from '../acknowledged/articles.ts';
import type { Writer } from '../acknowledged/caller.ts';
import { Caller, type Note } from '../acknowledged/caller.ts';
import { Keepers, SignUps } from '../acknowledged/keepers.ts';
import { likesThrough } from '../acknowledged/likes.ts';
import { openDatabase } from '../local-server.ts';
import type { Read, Reading } from '../send-reads.ts';

/** The timeout of a request: longer than any response takes that does not wait for an article. */
const usualLimitMs = 60_000;
/** The pause between two actions of a user. */
const pauseMs = 20;
const likers = 6;
const readers = 4;

export interface Loading {
  url: () => string | Promise<string>;
  keys: SecretKeys;
  /** Articles that can be liked, each as "id/language/code". */
  liked: string[];
  pullRequests: number;
  note: Note;
  /** Further users. */
  more?: (caller: Caller, signUps: SignUps) => Writer[];
  limitMs?: number;
  /** The time between two reads of a user, so that failures, which take less time, are not read more often. */
  readEveryMs?: number;
  /** Further addresses that are read. */
  pages?: string[];
  /** Called with each read: its server, begin and end, and its status, or 0 without a response. */
  noteRead: (read: { url: string; from: number; until: number; status: number }) => void;
}

/** Users who sign up, like, unlike and request articles, and others who read. */
export function createLoad({ url, keys, liked, pullRequests, note, noteRead, more, ...own }: Loading) {
  const { pages = [], limitMs = usualLimitMs, readEveryMs = 0 } = own;
  const caller = new Caller({ url, limitMs, note });
  const signUps = new SignUps(caller, keys);
  const asking = { owner: 'acme', repo: 'rocket', pullRequests, waiting: 0.2 };
  const writers: Writer[] = [
    signUps,
    new Articles(caller, signUps, asking),
    ...Array.from({ length: likers }, () => new Keepers(likesThrough(caller, liked), signUps)),
    ...(more?.(caller, signUps) ?? []),
  ];
  const paths = [
    '/articles',
    '/ranking/articles/likes',
    ...pages,
    ...liked.map((name) => `/articles/${name.slice(0, 36)}`),
  ];
  const readOne = async (): Promise<void> => {
    const at = await url();
    const path = paths[Math.floor(Math.random() * paths.length)];
    const from = performance.now();
    const status = await fetch(`${at}${path}`, { signal: AbortSignal.timeout(limitMs) })
      .then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      })
      .catch(() => 0);
    noteRead({ url: at, from, until: performance.now(), status });
  };
  const keepUp = async (work: () => Promise<unknown>, signal: AbortSignal, everyMs = 0): Promise<void> => {
    while (!signal.aborted) {
      const next = performance.now() + everyMs;
      await work();
      await wait(Math.max(pauseMs, next - performance.now()));
    }
  };
  return {
    caller,
    writers,
    run: (signal: AbortSignal): Promise<unknown> =>
      Promise.all([
        ...writers.map((writer) => keepUp(() => writer.write(), signal)),
        ...Array.from({ length: readers }, () => keepUp(readOne, signal, readEveryMs)),
      ]),
  };
}

const senders = new URL('../send-reads.ts', import.meta.url);

/** Shared by all processes, so that more processes do not get more clients. */
const connections = 32;

async function readFrom(url: string, ofConnections: number): Promise<number> {
  const child = fork(senders);
  const reading: Reading = { servers: [[url]], connections: ofConnections, turns: 15, turnMs: 200 };
  child.send(reading);
  const [[read]]: [Read[]] = (await once(child, 'message')) as [Read[]];
  const sorted = read?.perSecond.toSorted((one, other) => one - other) ?? [];
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The reads of an article per second over all processes. */
export async function readFromAll(urls: string[], path: string): Promise<number> {
  const each = Math.floor(connections / urls.length);
  const rates = await Promise.all(urls.map((url) => readFrom(`${url}${path}`, each)));
  return rates.reduce((sum, rate) => sum + rate, 0);
}

/** How often each pull request was written about, by the database after all services have ended. */
export async function countRevisions(settings: Record<string, string>) {
  const database = await openDatabase(settings);
  try {
    return await database.query<{ number: number; times: number }>(sql`
      SELECT pull_requests.number, sum(contents.revision)::integer AS times
      FROM article_contents AS contents
      JOIN articles ON articles.id = contents.article_id
      JOIN pull_requests ON pull_requests.id = articles.pull_request_id
      GROUP BY pull_requests.id`);
  } finally {
    await database.close();
  }
}
