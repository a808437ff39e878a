import { afterPatience } from '../../domain/concurrency.ts';
import { EgressProblem } from '../../domain/errors.ts';
import {
  type Answered,
  brokenResponse,
  type HostApi,
  HostTimeout,
  LateStream,
  ResponseTooLarge,
  unreachable,
} from './host-api.ts';

export interface HostRequest {
  address: string;
  resource: string;
  body?: object;
  streamOf?: string;
  /** Whether the call may take the host long, so that a timeout says nothing about other calls. */
  isCostly?: boolean;
  tag?: string | null;
}

export interface HostConnection {
  api: HostApi;
  fetch: typeof globalThis.fetch;
  responseMs?: number | undefined;
}

const jsonBounds = { bytes: 8 * 1024 * 1024, values: 250_000 };

/** The service responds within ten seconds even if the host is silent, and needs some of them itself. */
const usualResponseMs = 8_000;

export async function sendToHost(
  { api, fetch, responseMs = usualResponseMs, breaker }: HostConnection & { breaker: CircuitBreaker },
  request: HostRequest,
  { token, signal: given }: { token: string | null; signal: AbortSignal },
  tag: string | undefined,
): Promise<Answered> {
  const { name } = api;
  const late = new AbortController();
  const stopWaiting = afterPatience(responseMs, () => late.abort());
  let hasBegun = false;
  const { successes } = breaker;
  try {
    const signal = AbortSignal.any([given, late.signal]);
    const response = await fetchAgainIfClosed(fetch, request.address, {
      ...requestFor(api, request, token, tag),
      signal,
    });
    hasBegun = true;
    breaker.recordSuccess();
    const { status } = response;
    const headers = Object.fromEntries(response.headers);
    // The reader limits the time for the rest of a stream.
    if (request.streamOf && response.ok) return { status, headers, data: response.body, message: '' };
    const { data, text } = await readResponse(response, name);
    return { status, headers, data, message: response.ok ? '' : text };
  } catch (error) {
    if (error instanceof ResponseTooLarge) throw error;
    if (request.streamOf && late.signal.aborted && !hasBegun && !given.aborted) throw new LateStream(name);
    if (hasBegun || ruleBrokenBy(error)) throw brokenResponse(name, redacted(error));
    if (given.aborted) throw new HostTimeout(name, redacted(error));
    const isLate = late.signal.aborted || isSlow(error);
    if (!isLate || !request.isCostly) breaker.recordFailure(successes);
    throw isLate ? new HostTimeout(name, redacted(error)) : unreachable(name, redacted(error));
  } finally {
    stopWaiting();
  }
}

/** Only reads are sent here, so a request on a closed connection can be repeated. */
const fetchAgainIfClosed = (
  fetch: HostConnection['fetch'],
  ...call: Parameters<typeof globalThis.fetch>
): Promise<Response> =>
  fetch(...call).catch((error) => {
    if (!isClosed(error)) throw error;
    return fetch(...call);
  });

function requestFor(
  api: HostApi,
  { body, streamOf }: HostRequest,
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

/** Invalid or truncated JSON stays text, which matches no schema. */
async function readResponse(response: Response, name: string): Promise<{ data: unknown; text: string }> {
  const bounded = boundJson(jsonBounds);
  const body = response.body?.pipeThrough(bounded.stream) ?? null;
  const text = await new Response(body).text().catch(() => '');
  if (bounded.isExceeded()) throw new ResponseTooLarge(name);
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
  /** Counts objects, arrays and their items, because a short text may contain enough of them to fill the memory. */
  values: number;
}

const [quote, backslash, comma, brace, bracket] = [...'"\\,{['].map((sign) => sign.charCodeAt(0));

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
      if (isExceeded()) throw new Error('The answer is too large.');
      controller.enqueue(chunk);
    },
  });
  return { stream, isExceeded };
}

const failuresToOpen = 3;

const leftAloneMs = 30_000;

export class CircuitBreaker {
  readonly #clock: () => Date;
  #until = 0;
  #failures = 0;
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

  /** If another call got a response after this one began, the host is not silent, and the failure does not count. */
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

/** An error for the log, because the original contains the request with its token. */
export const redacted = (error: unknown): Error =>
  new Error([...causesOf(error)].map(({ message }) => message).join(': '));

function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}

export function ruleBrokenBy(error: unknown): string | null {
  return [...causesOf(error)].find((cause) => cause instanceof EgressProblem)?.rule ?? null;
}

const slow = /^(?:UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)$/;

export function isSlow(error: unknown): boolean {
  return [...causesOf(error)].some(
    (cause) => cause.name === 'TimeoutError' || ('code' in cause && slow.test(String(cause.code))),
  );
}

const closed = /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/;

function isClosed(error: unknown): boolean {
  return [...causesOf(error)].some((cause) => 'code' in cause && closed.test(String(cause.code)));
}
