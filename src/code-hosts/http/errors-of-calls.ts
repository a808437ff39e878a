import { EgressProblem } from '../../domain/egress-problem.ts';

/** An error for the log: what was sent, the token included, hangs on the original. */
export const redacted = (error: unknown): Error =>
  new Error([...causesOf(error)].map(({ message }) => message).join(': '));

function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}

/** The rule of ours that a call ran against; null where it did not. */
export function ruleBrokenBy(error: unknown): string | null {
  return [...causesOf(error)].find((cause) => cause instanceof EgressProblem)?.rule ?? null;
}

/** The codes with which connections that take too long end. */
const slow = /^(?:UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)$/;

export function isSlow(error: unknown): boolean {
  return [...causesOf(error)].some(
    (cause) => cause.name === 'TimeoutError' || ('code' in cause && slow.test(String(cause.code))),
  );
}

/** The codes with which a connection that was kept turns out to have been closed at the other end. */
const closed = /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;

export function isClosed(error: unknown): boolean {
  return [...causesOf(error)].some((cause) => 'code' in cause && closed.test(String(cause.code)));
}
