import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { ThreadTasks } from '../actions/articles/thread-tasks.ts';
import { type FromThread, type ToThread, tasks } from './tasks.ts';

/**
 * A third of the CPU share of other threads: requests must not wait for writing, which still finishes on busy machines.
 */
const priority = 5;

// Only Linux gives each thread its own priority.
if (process.platform === 'linux') setPriority(Number(basename(readlinkSync('/proc/thread-self'))), priority);

const say = (message: FromThread): void => parentPort?.postMessage(message);

class Refused extends Error {
  readonly call: number;

  constructor(call: number) {
    super('A call of the task failed.');
    this.call = call;
  }
}

const calls = new Map<number, PromiseWithResolvers<unknown>>();
let lastCall = 0;

function callParent(name: string, parameters: unknown[]): Promise<unknown> {
  const answer = Promise.withResolvers<unknown>();
  lastCall += 1;
  calls.set(lastCall, answer);
  say({ kind: 'call', call: lastCall, name, parameters });
  return answer.promise;
}

/** Every call of a task to its parent is sent as a message. */
const parent = new Proxy(
  {},
  {
    get:
      (_, name) =>
      (...parameters: unknown[]) =>
        callParent(String(name), parameters),
  },
);

async function work(name: keyof ThreadTasks, input: unknown): Promise<void> {
  try {
    const task = tasks[name] as (...given: unknown[]) => Promise<unknown>;
    say({ kind: 'done', value: await task(input, parent) });
  } catch (error) {
    if (error instanceof Refused) return say({ kind: 'refused', call: error.call });
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    say({ kind: 'failed', message, stack });
  }
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'task') return void work(message.name, message.input);
  const call = calls.get(message.call);
  calls.delete(message.call);
  if (message.kind === 'answer') call?.resolve(message.value);
  else call?.reject(new Refused(message.call));
});
