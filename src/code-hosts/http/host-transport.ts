import { afterPatience } from '../../domain/in-time.ts';
import { boundJson } from './bound-json.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { isClosed, isSlow, redacted, ruleBrokenBy } from './errors-of-calls.ts';
import type { Answered, HostApi } from './host-api.ts';
import { AnswerTooLarge, brokenAnswer, LateStream, noAnswer, unreachable } from './host-failures.ts';

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
