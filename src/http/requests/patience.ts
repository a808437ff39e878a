/** Timeouts; the usual ones where nothing is said. */
export interface Patience {
  /** Until a pull request is fetched, by the caller who wants it. */
  ingestMs?: number;
  idleReaderMs?: number;
  /** Between two signs of life of a stream. */
  heartbeatMs?: number;
}

/** A reader who takes nothing of an answer for this long has left, or never meant to read it. */
export const idleReaderMs = 30_000;

/** A request arrives within this time, its body included. */
export const requestMs = 30_000;

/** Headers are a packet or two: a client that takes longer over them, or over sending anything at all, is not waited for. */
export const headersMs = 10_000;

/** How often slow senders are looked for. It costs next to nothing, and until then they hold their connections. */
export const lookForSlowMs = 5_000;
