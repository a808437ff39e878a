/** How a job stands. The last three are final. */
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;

export type JobState = (typeof jobStates)[number];

export function isOver(state: JobState): boolean {
  return state !== 'queued' && state !== 'running';
}

/** What is being done, in words that a reader understands. */
export const jobSteps = [
  'queued',
  'reading',
  'reading parts',
  'writing',
  'waiting for the model',
  'checking claims',
  'mending',
] as const;

export interface JobProgress {
  step: (typeof jobSteps)[number];
  done: number;
  total: number;
}
