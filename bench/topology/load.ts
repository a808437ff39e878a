import { setTimeout as wait } from 'node:timers/promises';
import type { SecretKeys } from '../../src/domain/secrets.ts';
import { Articles } from '../acknowledged/articles.ts';
import { Caller, type Note } from '../acknowledged/caller.ts';
import { Keepers } from '../acknowledged/keepers.ts';
import { likesThrough } from '../acknowledged/likes.ts';
import { SignUps } from '../acknowledged/sign-ups.ts';
import type { Writer } from '../acknowledged/writer.ts';

/** Longer than any answer takes that does not wait for an article. */
const limitMs = 60_000;
/** Between what one does and what it does next. */
const pauseMs = 20;
const likers = 6;
const readers = 4;

export interface Loading {
  url: () => string | Promise<string>;
  keys: SecretKeys;
  /** What can be liked, each as "id/language/code". */
  liked: string[];
  pullRequests: number;
  note: Note;
  /** Told of each read: where it went, from when until when, and its status, or 0 where none came. */
  noteRead: (read: { url: string; from: number; until: number; status: number }) => void;
}

/** People who sign up, like, take back and have articles written, and others who read. */
export function createLoad({ url, keys, liked, pullRequests, note, noteRead }: Loading) {
  const caller = new Caller({ url, limitMs, note });
  const signUps = new SignUps(caller, keys);
  const asking = { owner: 'acme', repo: 'rocket', pullRequests, waiting: 0.2 };
  const writers: Writer[] = [
    signUps,
    new Articles(caller, signUps, asking),
    ...Array.from({ length: likers }, () => new Keepers(likesThrough(caller, liked), signUps)),
  ];
  const paths = [
    '/articles',
    '/ranking/articles/likes',
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
  const keepUp = async (work: () => Promise<unknown>, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await work();
      await wait(pauseMs);
    }
  };
  return {
    caller,
    writers,
    run: (signal: AbortSignal): Promise<unknown> =>
      Promise.all([
        ...writers.map((writer) => keepUp(() => writer.write(), signal)),
        ...Array.from({ length: readers }, () => keepUp(readOne, signal)),
      ]),
  };
}
