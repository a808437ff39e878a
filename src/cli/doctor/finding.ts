import { StartupProblem } from '../../domain/errors.ts';

/** What was looked at, in the order in which it is told. */
export type Concern =
  | 'settings'
  | 'version'
  | 'disk'
  | 'keys'
  | 'database'
  | 'writing'
  | 'port'
  | 'address'
  | 'git'
  | 'clones'
  | 'github'
  | 'webhooks'
  | 'clock'
  | 'models'
  | 'mail'
  | 'digest webhook';

/** How one thing is, and what to do about it where it is not well. */
export interface Finding {
  concern: Concern;
  state: 'ok' | 'warning' | 'failure';
  sentence: string;
  /** Null where all is well. */
  remedy: string | null;
}

export const ok = (concern: Concern, sentence: string): Finding => ({
  concern,
  state: 'ok',
  sentence,
  remedy: null,
});

export const warning = (concern: Concern, sentence: string, remedy: string): Finding => ({
  concern,
  state: 'warning',
  sentence,
  remedy,
});

export const failure = (concern: Concern, sentence: string, remedy: string): Finding => ({
  concern,
  state: 'failure',
  sentence,
  remedy,
});

/** What would stop a start, as a finding: by the rule for messages, its last sentence says what to do. */
export function failureOf(concern: Concern, error: unknown): Finding {
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
