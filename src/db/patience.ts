/** Longer than any query of ours takes, shorter than a client waits. */
export const usualPatienceMs = 10_000;

const problem = (code: string, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });

/** What is asked may still be done: its outcome is not known. */
export const unanswered = () => problem('CONNECT_TIMEOUT', 'the database did not answer in time');

export const connectionEnded = (cause?: unknown) =>
  problem('CONNECTION_ENDED', 'the database is closed', cause);
