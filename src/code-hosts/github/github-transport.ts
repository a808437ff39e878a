import { afterPatience } from '../../domain/in-time.ts';
import { LazyPromise } from '../../domain/lazy-promise.ts';
import { boundJson } from '../http/bound-json.ts';
import type { CircuitBreaker } from '../http/circuit-breaker.ts';
import { answerOf, isClosed, isSlow, redacted, ruleBrokenBy } from '../http/errors-of-calls.ts';
import {
  AnswerTooLarge,
  brokenAnswer,
  type HostAnswer,
  noAnswer,
  tooLargeToPrint,
  unreachable,
} from '../http/host-failures.ts';
import type { Resource } from '../http/rate-limits.ts';
import type { GitHubAddresses } from './addresses.ts';

/** What is asked of GitHub. */
export interface Question {
  route: string;
  resource: Resource;
  body?: { query: string; variables: Record<string, unknown> };
  isDiff?: boolean;
  /** Whether it may take GitHub long to answer, so that this says nothing about how it would answer others. */
  isCostly?: boolean;
  /** The tag of an answer that the caller has; null where it has none and wants none kept. */
  tag?: string | null;
}

/** How GitHub is reached. */
export interface GitHubConnection {
  addresses: GitHubAddresses;
  /** An egress client that reaches GitHub and no other host. */
  fetch: typeof globalThis.fetch;
}

/** The newest that Enterprise Servers know too; others are refused there. */
const apiVersion = '2022-11-28';

/** A page of a hundred pull requests is a few megabytes and some ten thousand values. */
const jsonBounds = { bytes: 8 * 1024 * 1024, values: 250_000 };

/** A request is to be answered within ten seconds though GitHub is silent; the service itself needs some of them. */
const answerMs = 8_000;

/** Sends one question to GitHub: bounded in time and size, and asked again on a connection that was closed. */
export class GitHubTransport {
  readonly #connection: GitHubConnection;
  readonly #breaker: CircuitBreaker;
  /** Loaded with the first call. */
  readonly #octokit = new LazyPromise(async () => {
    const { Octokit } = await import('@octokit/core');
    return new Octokit({ baseUrl: this.#connection.addresses.api, userAgent: 'pullquote', log: silent });
  });

  constructor(connection: GitHubConnection, breaker: CircuitBreaker) {
    this.#connection = connection;
    this.#breaker = breaker;
  }

  /** Whatever GitHub answers, refusals included. */
  async send(
    { route, body, isDiff = false, isCostly = false }: Question,
    { token, signal: given }: { token: string | null; signal: AbortSignal },
    tag: string | undefined,
  ): Promise<{ answer: HostAnswer; message: string }> {
    const octokit = await this.#octokit.get();
    const late = new AbortController();
    const stopWaiting = afterPatience(answerMs, () => late.abort());
    let hasBegun = false;
    const { successes } = this.#breaker;
    const bounded = boundJson(jsonBounds);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await this.#fetch(input, init);
      hasBegun = true;
      this.#breaker.recordSuccess();
      if (!isDiff || !response.ok)
        return new Response(response.body?.pipeThrough(bounded.stream) ?? null, response);
      // The rest of a diff has longer, which the reader of the diff sees to.
      stopWaiting();
      return response;
    };
    try {
      const answer = await octokit.request(route, {
        ...body,
        headers: headersOf({ isDiff, token, tag }),
        request: {
          fetch,
          signal: AbortSignal.any([given, late.signal]),
          parseSuccessResponseBody: !isDiff,
        },
      });
      if (bounded.isExceeded()) throw new AnswerTooLarge();
      return { answer, message: '' };
    } catch (error) {
      if (bounded.isExceeded()) throw new AnswerTooLarge();
      const answered = answerOf(error);
      if (answered) return { answer: answered, message: answered.message };
      // What GitHub has not begun to print by now, it may never.
      if (isDiff && late.signal.aborted && !hasBegun && !given.aborted)
        return { answer: { status: tooLargeToPrint, headers: {}, data: null }, message: '' };
      if (hasBegun || ruleBrokenBy(error)) throw brokenAnswer(redacted(error));
      if (given.aborted) throw noAnswer(redacted(error));
      const isLate = late.signal.aborted || isSlow(error);
      if (!isLate || !isCostly) this.#breaker.recordFailure(successes);
      throw isLate ? noAnswer(redacted(error)) : unreachable(redacted(error));
    } finally {
      stopWaiting();
    }
  }

  /** Nothing but questions goes out here: one that met a connection which GitHub had closed is asked again, on another. */
  async #fetch(...asked: Parameters<typeof globalThis.fetch>): Promise<Response> {
    try {
      return await this.#connection.fetch(...asked);
    } catch (error) {
      if (!isClosed(error)) throw error;
      return this.#connection.fetch(...asked);
    }
  }
}

function headersOf({
  isDiff,
  token,
  tag,
}: {
  isDiff: boolean;
  token: string | null;
  tag: string | undefined;
}) {
  return {
    'x-github-api-version': apiVersion,
    ...(isDiff && { accept: 'application/vnd.github.diff' }),
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(tag !== undefined && { 'if-none-match': tag }),
  };
}

/** What it would say goes into our own log, as failures. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };
