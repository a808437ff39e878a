import type { Worker } from 'node:worker_threads';
import { Failure } from '../domain/errors.ts';

/** How much one task may take of its thread. */
export interface TaskLimits {
  /** Of work, so that neither a busy machine nor waiting for a model counts. */
  workMs: number;
  memoryBytes: number;
}

/** Often enough that nothing grows far beyond its limit in between, rarely enough to cost nothing. */
const lookMs = 100;

/**
 * V8 ends the whole process where a thread reaches its own limit of the heap, so that this one must never be reached: it is
 * far beyond what may be used. It knows nothing of Buffers and of WebAssembly.
 */
export const heapLimitMb = ({ memoryBytes }: TaskLimits): number => (4 * memoryBytes) / (1024 * 1024);

/** A thread that took this share of what it may take is not used again: what it has left behind would count. */
const shareThatStays = 1 / 4;

export interface LimitWatch {
  /** Whether so little memory was taken that the thread can be used again. */
  isSmall: () => boolean;
  stop: () => void;
}

/** Watches a thread from outside while it is at a task, whatever it is in the middle of. */
export function watchLimits(
  worker: Worker,
  { workMs, memoryBytes }: TaskLimits,
  onPassed: (failure: Failure) => void,
): LimitWatch {
  let workBefore: number | null = null;
  let mostMemory = 0;
  let isLooking = false;
  let isOver = false;
  const look = async (): Promise<void> => {
    const [{ user, system }, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
    if (isOver) return;
    const work = (user + system) / 1000;
    workBefore ??= work;
    const memory = heap.total_heap_size + heap.external_memory;
    mostMemory = Math.max(mostMemory, memory);
    if (work - workBefore > workMs) onPassed(tooLong());
    else if (memory > memoryBytes) onPassed(tooLarge());
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      // It has ended, which the caller that waits for it hears itself.
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }, lookMs);
  return {
    isSmall: () => mostMemory < memoryBytes * shareThatStays,
    stop() {
      isOver = true;
      clearInterval(timer);
    },
  };
}

function tooLong(): Failure {
  return new Failure('UNREADABLE', 'This pull request takes too long to read.');
}

export function tooLarge(): Failure {
  return new Failure('UNREADABLE', 'This pull request takes too much memory to read.');
}
