import { EgressProblem } from '../../domain/egress-problem.ts';
import { afterPatience } from '../../domain/in-time.ts';
import {
  type Answered,
  AnswerTooLarge,
  brokenAnswer,
  type HostApi,
  LateStream,
  noAnswer,
  unreachable,
} from './host-api.ts';

/** What is asked of a host. */
export interface Question {
  address: string;
  /** What the host counts it as. */
  resource: string;
  /** What is sent along as JSON. */
  body?: object;
  /** The form of the answer, which is then handed on as it arrives. */
  streamOf?: string;
  /** Whether it may take the host long to answer, so that this says nothing about how it would answer others. */
  isCostly?: boolean;
  /** The tag of an answer that the caller has; null where it has none and wants none kept. */
  tag?: string | null;
}

/** How a host is reached. */
export interface HostConnection {
  api: HostApi;
  /** An egress client that reaches this host and no other. */
  fetch: typeof globalThis.fetch;
}

/** A page of a hundred pull requests is a few megabytes and some ten thousand values. */
const jsonBounds = { bytes: 8 * 1024 * 1024, values: 250_000 };

/** A request is to be answered within ten seconds though the host is silent; the service itself needs some of them. */
const answerMs = 8_000;

/** Sends one question to a host: bounded in time and size, and asked again on a connection that was closed. */
export class HostTransport {
  readonly #connection: HostConnection;
  readonly #breaker: CircuitBreaker;

  constructor(connection: HostConnection, breaker: CircuitBreaker) {
    this.#connection = connection;
    this.#breaker = breaker;
  }

  /** Whatever the host answers, refusals included. */
  async send(
    question: Question,
    { token, signal: given }: { token: string | null; signal: AbortSignal },
    tag: string | undefined,
  ): Promise<Answered> {
    const { api } = this.#connection;
    const { name } = api;
    const late = new AbortController();
    const stopWaiting = afterPatience(answerMs, () => late.abort());
    let hasBegun = false;
    const { successes } = this.#breaker;
    try {
      const signal = AbortSignal.any([given, late.signal]);
      const response = await this.#fetch(question.address, {
        ...requestFor(api, question, token, tag),
        signal,
      });
      hasBegun = true;
      this.#breaker.recordSuccess();
      const { status } = response;
      const headers = Object.fromEntries(response.headers);
      // The rest of a stream has longer, which its reader sees to.
      if (question.streamOf && response.ok) return { status, headers, data: response.body, message: '' };
      const { data, text } = await readAnswer(response, name);
      return { status, headers, data, message: response.ok ? '' : text };
    } catch (error) {
      if (error instanceof AnswerTooLarge) throw error;
      // What the host has not begun to print by now, it may never.
      if (question.streamOf && late.signal.aborted && !hasBegun && !given.aborted) throw new LateStream(name);
      if (hasBegun || ruleBrokenBy(error)) throw brokenAnswer(name, redacted(error));
      if (given.aborted) throw noAnswer(name, redacted(error));
      const isLate = late.signal.aborted || isSlow(error);
      if (!isLate || !question.isCostly) this.#breaker.recordFailure(successes);
      throw isLate ? noAnswer(name, redacted(error)) : unreachable(name, redacted(error));
    } finally {
      stopWaiting();
    }
  }

  /** Nothing but questions goes out here: one that met a connection which the host had closed is asked again, on another. */
  async #fetch(...asked: Parameters<typeof globalThis.fetch>): Promise<Response> {
    try {
      return await this.#connection.fetch(...asked);
    } catch (error) {
      if (!isClosed(error)) throw error;
      return this.#connection.fetch(...asked);
    }
  }
}

function requestFor(
  api: HostApi,
  { body, streamOf }: Question,
  token: string | null,
  tag: string | undefined,
): RequestInit {
  return {
    method: body ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      'user-agent': 'pullquote',
      ...api.headers(token),
      ...(body && { 'content-type': 'application/json; charset=utf-8' }),
      ...(streamOf && { accept: streamOf }),
      ...(tag !== undefined && { 'if-none-match': tag }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}

/** What is no JSON, or breaks off, stays a text: no schema fits it. */
async function readAnswer(response: Response, name: string): Promise<{ data: unknown; text: string }> {
  const bounded = boundJson(jsonBounds);
  const body = response.body?.pipeThrough(bounded.stream) ?? null;
  const text = await new Response(body).text().catch(() => '');
  if (bounded.isExceeded()) throw new AnswerTooLarge(name);
  const isJson = /^application\/json\s*(?:;|$)/i.test(response.headers.get('content-type') ?? '');
  return { data: isJson ? parsed(text) : text, text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Bounds {
  bytes: number;
  /** Objects, lists and what stands in them: a short text may hold so many that they fill the memory. */
  values: number;
}

const [quote, backslash, comma, brace, bracket] = [...'"\\,{['].map((sign) => sign.charCodeAt(0));

/** Lets JSON through up to its bounds, and breaks it off beyond them. */
export function boundJson({ bytes: mostBytes, values: mostValues }: Bounds): {
  stream: TransformStream<Uint8Array, Uint8Array>;
  isExceeded: () => boolean;
} {
  let bytes = 0;
  let values = 0;
  let isText = false;
  let isEscaped = false;
  const isExceeded = (): boolean => bytes > mostBytes || values > mostValues;
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      for (const sign of chunk) {
        if (isEscaped) isEscaped = false;
        else if (sign === quote) isText = !isText;
        else if (isText) isEscaped = sign === backslash;
        else if (sign === comma || sign === brace || sign === bracket) values += 1;
      }
      if (isExceeded()) throw new Error('The answer is larger than what is read of one.');
      controller.enqueue(chunk);
    },
  });
  return { stream, isExceeded };
}

/** One call that fails may be an accident; this many in a row are not. */
const failuresToOpen = 3;

/** A call to a silent host within this time would only wait for nothing, too. */
const leftAloneMs = 30_000;

/** Remembers that a host does not answer, until it does or enough time has passed. Then the first failure opens it again. */
export class CircuitBreaker {
  readonly #clock: () => Date;
  #until = 0;
  /** How many calls have failed since the last one that was answered. */
  #failures = 0;
  /** How many calls were answered. */
  #successes = 0;

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  isOpen(): boolean {
    return this.#until > this.#clock().getTime();
  }

  get successes(): number {
    return this.#successes;
  }

  /** For a call that was made after so many answers: a host that has answered other calls since is not silent. */
  recordFailure(successesBefore: number): void {
    if (this.#successes !== successesBefore) return;
    this.#failures += 1;
    if (this.#failures >= failuresToOpen) this.#until = this.#clock().getTime() + leftAloneMs;
  }

  recordSuccess(): void {
    this.#successes += 1;
    this.#failures = 0;
    this.#until = 0;
  }
}

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
