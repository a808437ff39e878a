import type { ThreadTasks } from '../actions/articles/thread-tasks.ts';

/** What is said to a thread: what to do, and what came of a call that it made. */
export type ToThread =
  | { kind: 'task'; name: keyof ThreadTasks; input: unknown }
  | { kind: 'answer'; call: number; value: unknown }
  | { kind: 'refusal'; call: number };

/** What a thread says: that it wants something, and what came of its task. */
export type FromThread =
  | { kind: 'call'; call: number; name: string; parameters: unknown[] }
  | { kind: 'done'; value: unknown }
  | { kind: 'failed'; message: string; stack: string }
  /** A call that failed was more than the task could do without. */
  | { kind: 'refused'; call: number };
