import type { Octokit } from '@octokit/core';
import type { Static, TSchema } from 'typebox';
import { EgressProblem } from '../../domain/egress-problem.ts';
import { hashToken } from '../../domain/token-hash.ts';
import { MovedMeanwhile } from '../code-host.ts';
import type { GitHubAddresses } from './addresses.ts';
import {
  brokenAnswer,
  ClosedToService,
  type HostAnswer,
  isAbsent,
  limited,
  noAnswer,
  refusalOf,
  tooLargeToPrint,
  unreachable,
} from './host-failures.ts';
import { KnownAnswers } from './known-answers.ts';
import { RateLimits, type Resource } from './rate-limits.ts';
import { Silence } from './silence.ts';

/** With whose token GitHub is asked, the viewer's or the service's own, and until when the answer is wanted. */
export interface GitHubCaller {
  isService: boolean;
  token: string | null;
  /** What has taken the place of a token that GitHub refuses; null where nothing has. */
  replaceToken?: (refused: string) => Promise<string | null>;
  signal: AbortSignal;
}

interface ClientOptions {
  addresses: GitHubAddresses;
  /** A way out that reaches GitHub and nobody else. */
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}

/** Enough for what a few hundred open pull requests answer. */
const knownBytes = 16 * 1024 * 1024;

/** The newest that Enterprise Servers know too; others are refused there. */
const apiVersion = '2022-11-28';

const pageSize = 100;

/** Nobody is to wait longer than ten seconds for somebody who does not answer; the service itself needs some of them. */
const answerMs = 8_000;

/** A diff that is not too large to be asked for may be some megabytes. */
const diffMs = 30_000;

interface Question {
  route: string;
  resource: Resource;
  body?: { query: string; variables: Record<string, unknown> };
  isDiff?: boolean;
}

/** Asks GitHub, with its limits and tags remembered for each token. Whatever fails is a failure that callers are told. */
export class GitHubClient {
  readonly #options: ClientOptions;
  readonly #limits: RateLimits;
  readonly #silence: Silence;
  readonly #known = new KnownAnswers(knownBytes);
  #loading: Promise<Octokit> | null = null;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#limits = new RateLimits(options.clock);
    this.#silence = new Silence(options.clock);
  }

  /** What stands at a path; null where nothing does, or nothing for this caller. Throws where the service is turned away. */
  async get<Schema extends TSchema>(
    path: string,
    schema: Schema,
    caller: GitHubCaller,
  ): Promise<Static<Schema> | null> {
    const { status, data, remember } = await this.#ask({ route: `GET ${path}`, resource: 'core' }, caller);
    if (status === 403) throw new ClosedToService();
    if (isAbsent(status)) return null;
    const value = await checked(schema, data);
    remember();
    return value;
  }

  /** One page of a list of something that was found before; empty where GitHub keeps no such list of it. */
  async page<Schema extends TSchema>(
    path: string,
    schema: Schema,
    caller: GitHubCaller,
  ): Promise<{ items: Static<Schema>[]; isLast: boolean }> {
    const question = { route: `GET ${path}`, resource: 'core' } as const;
    const { status, data, headers, remember } = await this.#ask(question, caller);
    if (status === 410) return { items: [], isLast: true };
    if (isAbsent(status)) throw new MovedMeanwhile();
    if (!Array.isArray(data)) throw brokenAnswer();
    const items = await Promise.all(data.map((item) => checked(schema, item)));
    remember();
    return { items, isLast: !String(headers.link ?? '').includes('rel="next"') };
  }

  /** Every page of a list, up to a number of items. */
  async list<Schema extends TSchema>(
    path: string,
    schema: Schema,
    caller: GitHubCaller,
    atMost: number,
  ): Promise<Static<Schema>[]> {
    const all: Static<Schema>[] = [];
    for (let number = 1; all.length < atMost; number += 1) {
      const { items, isLast } = await this.page(
        `${path}?per_page=${pageSize}&page=${number}`,
        schema,
        caller,
      );
      all.push(...items);
      if (isLast || items.length === 0) break;
    }
    return all.slice(0, atMost);
  }

  /** A diff of something that was found before, as GitHub prints it; null where it does not. */
  async diff(path: string, caller: GitHubCaller): Promise<Buffer | null> {
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(diffMs)]);
    const question = { route: `GET ${path}`, resource: 'core', isDiff: true } as const;
    const { status, data } = await this.#ask(question, { ...caller, signal });
    if (status === tooLargeToPrint) return null;
    if (isAbsent(status)) throw new MovedMeanwhile();
    if (!(data instanceof ReadableStream)) throw brokenAnswer();
    try {
      return Buffer.concat(await Array.fromAsync<Uint8Array>(data));
    } catch (error) {
      if (ruleBrokenBy(error) === 'size') return null;
      throw brokenAnswer(plain(error));
    }
  }

  /** What a query of GraphQL answers; null where it answers with errors alone. */
  async query<Schema extends TSchema>(
    query: string,
    variables: Record<string, unknown>,
    schema: Schema,
    caller: GitHubCaller,
  ): Promise<Static<Schema> | null> {
    const route = `POST ${this.#options.addresses.graphql}`;
    const body = { query, variables };
    const { data } = await this.#ask({ route, resource: 'graphql', body }, caller);
    if (!isObject(data)) throw brokenAnswer();
    if (JSON.stringify(data.errors ?? []).includes('RATE_LIMITED')) {
      const who = nameOf(caller);
      this.#limits.refuse(who, 'graphql');
      throw limited(this.#limits.secondsLeft(who, 'graphql'), caller.isService);
    }
    return data.data ? checked(schema, data.data) : null;
  }

  /** Whoever finds that an answer can be read has it remembered: one that broke off has the tag of the whole. */
  async #ask(question: Question, caller: GitHubCaller): Promise<HostAnswer & { remember: () => void }> {
    const who = nameOf(caller);
    const seconds = this.#limits.secondsLeft(who, question.resource);
    if (seconds > 0) throw limited(seconds, caller.isService);
    if (this.#silence.isKnown()) throw noAnswer(new Error('GitHub is left alone after it did not answer.'));
    const key = `${who} ${question.route}`;
    const isKept = question.resource === 'core' && !question.isDiff;
    const known = isKept ? this.#known.find(key) : null;
    const { answer, message } = await this.#send(question, caller, known?.tag);
    if (answer.status === 304 && known) return { ...known, status: 200, remember() {} };
    if (this.#limits.note(who, question.resource, { ...answer, message }))
      throw limited(this.#limits.secondsLeft(who, question.resource), caller.isService);
    if (answer.status === 401 && caller.token !== null && caller.replaceToken) {
      const { replaceToken, ...rest } = caller;
      const token = await replaceToken(caller.token);
      if (token !== null) return this.#ask(question, { ...rest, token });
    }
    if (answer.status >= 300) return { ...refusalOf({ ...answer, message }, caller), remember() {} };
    const remember = () => {
      const { data, headers } = answer;
      const tag = headers.etag;
      if (isKept && tag !== undefined && isObject(data))
        this.#known.keep(key, { data, headers, tag: String(tag) });
    };
    return { ...answer, remember };
  }

  /** Whatever GitHub answers. */
  async #send(
    { route, body, isDiff = false }: Question,
    { token, signal: given }: GitHubCaller,
    tag: string | undefined,
  ): Promise<{ answer: HostAnswer; message: string }> {
    const octokit = await this.#load();
    const late = AbortSignal.timeout(answerMs);
    const wait = new AbortController();
    const giveUp = () => wait.abort();
    let hasBegun = false;
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await this.#options.fetch(input, init);
      hasBegun = true;
      this.#silence.end();
      // The rest of a diff has longer, which whoever reads it sees to.
      if (isDiff) late.removeEventListener('abort', giveUp);
      return response;
    };
    late.addEventListener('abort', giveUp);
    try {
      const answer = await octokit.request(route, {
        ...body,
        headers: {
          'x-github-api-version': apiVersion,
          ...(isDiff && { accept: 'application/vnd.github.diff' }),
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(tag !== undefined && { 'if-none-match': tag }),
        },
        request: {
          fetch,
          signal: AbortSignal.any([given, wait.signal]),
          parseSuccessResponseBody: !isDiff,
        },
      });
      return { answer, message: '' };
    } catch (error) {
      const answered = answerOf(error);
      if (answered) return { answer: answered, message: answered.message };
      // What GitHub has not begun to print by now, it may never.
      if (isDiff && late.aborted && !hasBegun && !given.aborted)
        return { answer: { status: tooLargeToPrint, headers: {}, data: null }, message: '' };
      throw this.#explain(error, { hasBegun, isLate: late.aborted, isGivenUp: given.aborted, isDiff });
    }
  }

  #explain(
    error: unknown,
    { hasBegun, isLate, isGivenUp, isDiff }: Record<'hasBegun' | 'isLate' | 'isGivenUp' | 'isDiff', boolean>,
  ): Error {
    const cause = plain(error);
    if (hasBegun || ruleBrokenBy(error)) return brokenAnswer(cause);
    if (isGivenUp) return noAnswer(cause);
    // A diff may take GitHub longer than anything else; that says nothing about the rest of it.
    if (!isDiff) this.#silence.begin();
    return isLate || isSlow(error) ? noAnswer(cause) : unreachable(cause);
  }

  /** Loaded with the first call. */
  #load(): Promise<Octokit> {
    const { addresses } = this.#options;
    this.#loading ??= import('@octokit/core').then(
      ({ Octokit }) => new Octokit({ baseUrl: addresses.api, userAgent: 'pullquote', log: silent }),
    );
    return this.#loading;
  }
}

/** What it would say goes into our own log, as failures. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const nameOf = ({ token }: GitHubCaller): string => (token === null ? 'nobody' : hashToken(token));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

async function checked<Schema extends TSchema>(schema: Schema, data: unknown): Promise<Static<Schema>> {
  const { Check } = await import('typebox/value');
  if (Check(schema, data)) return data;
  throw brokenAnswer();
}

function answerOf(error: unknown): (HostAnswer & { message: string }) | null {
  if (!(error instanceof Error) || !('response' in error) || !isObject(error.response)) return null;
  const { status, headers, data } = error.response;
  if (typeof status !== 'number' || !isObject(headers)) return null;
  return { status, headers: headers as HostAnswer['headers'], data, message: error.message };
}

/** An error for the log: what was sent, the token included, hangs on the original. */
const plain = (error: unknown): Error =>
  new Error([...causesOf(error)].map(({ message }) => message).join(': '));

function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}

function ruleBrokenBy(error: unknown): string | null {
  return [...causesOf(error)].find((cause) => cause instanceof EgressProblem)?.rule ?? null;
}

/** The codes with which connections that take too long end. */
const slow = /^(?:UND_ERR_(?:HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)$/;

function isSlow(error: unknown): boolean {
  return [...causesOf(error)].some(
    (cause) => cause.name === 'TimeoutError' || ('code' in cause && slow.test(String(cause.code))),
  );
}
