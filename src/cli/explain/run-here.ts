import type { RunInThread } from '../../actions/articles/thread-tasks.ts';
import { tasks } from '../../threads/tasks.ts';

/** In this thread: another one would take as long to start as most changes take to read, and nobody else is waiting. */
export function runHere(): RunInThread {
  return async (name, input, parent) => {
    // Who hands out a task of this name was made by its types to hand over what belongs to it.
    const task = tasks[name] as (...given: unknown[]) => Promise<never>;
    return task(input, parent);
  };
}
