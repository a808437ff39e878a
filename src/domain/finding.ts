import { StartupProblem } from './errors.ts';

/** How one thing is, and what to do about it where it is not well. */
export interface Finding {
  /** What was looked at. */
  concern: string;
  state: 'ok' | 'warning' | 'failure';
  sentence: string;
  /** Null where all is well. */
  remedy: string | null;
}

export const ok = (concern: string, sentence: string): Finding => ({
  concern,
  state: 'ok',
  sentence,
  remedy: null,
});

export const warning = (concern: string, sentence: string, remedy: string): Finding => ({
  concern,
  state: 'warning',
  sentence,
  remedy,
});

export const failure = (concern: string, sentence: string, remedy: string): Finding => ({
  concern,
  state: 'failure',
  sentence,
  remedy,
});

/** What would stop a start, as a finding: by the rule for messages, its last sentence says what to do. */
export function failureOf(concern: string, error: unknown): Finding {
  if (error instanceof StartupProblem) return failure(concern, ...splitRemedy(error.message));
  if (error instanceof Error && 'syscall' in error)
    return failure(
      concern,
      `The system refused: ${error.message}.`,
      'Give the user that runs the service the rights it needs.',
    );
  throw error;
}

export function splitRemedy(message: string): [sentence: string, remedy: string] {
  const end = message.lastIndexOf('. ') + 1;
  return [message.slice(0, end), message.slice(end).trim()];
}
