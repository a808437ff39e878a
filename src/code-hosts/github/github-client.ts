import type { Static, TSchema } from 'typebox';
import { hashToken } from '../../domain/token-hash.ts';
import { MovedMeanwhile } from '../code-host.ts';
import { CircuitBreaker } from '../http/circuit-breaker.ts';
import { redacted, ruleBrokenBy } from '../http/errors-of-calls.ts';
import {
  AnswerTooLarge,
  brokenAnswer,
  ClosedToService,
  type HostAnswer,
  isAbsent,
  limited,
  noAnswer,
  refusalOf,
  tooLargeToPrint,
} from '../http/host-failures.ts';
import { KnownAnswers } from '../http/known-answers.ts';
import { RateLimits } from '../http/rate-limits.ts';
import { type GitHubConnection, GitHubTransport, type Question } from './github-transport.ts';

/** With whose token GitHub is asked, the viewer's or the service's own, and until when the answer is wanted. */
export interface GitHubCaller {
  isService: boolean;
  token: string | null;
  /** What has taken the place of a token that GitHub refuses; null where nothing has. */
  replaceToken?: (refused: string) => Promise<string | null>;
  /** Whether it is not asked where little more is left than the service needs to ask by itself. */
  leavesSpare?: boolean;
  signal: AbortSignal;
}

interface ClientOptions extends GitHubConnection {
  clock: () => Date;
}

/** Enough for what a few hundred open pull requests answer. */
const knownBytes = 16 * 1024 * 1024;

const pageSize = 100;

/** So much smaller is a page where that of the usual size is more than is read. */
const smallerBy = 10;

/** A diff that is not too large to be asked for may be some megabytes. */
const diffMs = 30_000;

/** How many questions GitHub answers in an hour, until it says so itself. */
const anonymousLimit = 60;
const tokenLimit = 5_000;
const usualLimit = ({ token }: Pick<GitHubCaller, 'token'>): number =>
  token === null ? anonymousLimit : tokenLimit;

/** How much of a list is kept, and what of each item. */
interface Keeping<Item, Kept> {
  atMost: number;
  /** In characters of all that is kept. */
  mostText: number;
  keep: (item: Item) => Kept;
}

/** Asks GitHub, with its limits and tags remembered for each token. Whatever fails is a failure that callers are told. */
export class GitHubClient {
  readonly #graphqlUrl: string;
  readonly #transport: GitHubTransport;
  readonly #limits: RateLimits;
  readonly #breaker: CircuitBreaker;
  readonly #known = new KnownAnswers(knownBytes);

  constructor(options: ClientOptions) {
    this.#graphqlUrl = options.addresses.graphql;
    this.#limits = new RateLimits(options.clock);
    this.#breaker = new CircuitBreaker(options.clock);
    this.#transport = new GitHubTransport(options, this.#breaker);
  }

  /** How many questions an hour may be asked with a token, or with none, beside those that a request waits for. */
  sparePerHour(token: string | null): number {
    if (this.#breaker.isOpen()) return 0;
    return this.#limits.sparePerHour(nameOf({ token }), usualLimit({ token }));
  }

  /** How many questions GitHub has left for a token, or without one; null where it has not said so. */
  limitLeft(token: string | null): number | null {
    return this.#limits.left(nameOf({ token }));
  }

  /** What stands at a path; null where nothing does, or nothing for this caller. Throws where the service is turned away. */
  async get<Schema extends TSchema>(
    path: string,
    schema: Schema,
    caller: GitHubCaller,
    { isCostly = false }: { isCostly?: boolean } = {},
  ): Promise<Static<Schema> | null> {
    const question = { route: `GET ${path}`, resource: 'core', isCostly } as const;
    const { status, data, remember } = await this.#ask(question, caller);
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
    const question = { route: `GET ${path}`, resource: 'core', isCostly: true } as const;
    const { status, data, headers, remember } = await this.#ask(question, caller);
    if (status === 410) return { items: [], isLast: true };
    if (isAbsent(status)) throw new MovedMeanwhile();
    if (!Array.isArray(data)) throw brokenAnswer();
    const items = await Promise.all(data.map((item) => checked(schema, item)));
    remember();
    return { items, isLast: !String(headers.link ?? '').includes('rel="next"') };
  }

  /**
   * A page that is asked for at all times: it is not kept here, but its tag by the caller. `unchanged` where it is what it was
   * under the given tag; null where there is no such list, or none for this caller.
   */
  async pageUnlessUnchanged<Schema extends TSchema>(
    path: string,
    schema: Schema,
    caller: GitHubCaller,
    tag: string | null,
  ): Promise<{ items: Static<Schema>[]; isLast: boolean; tag: string | null } | 'unchanged' | null> {
    const question = { route: `GET ${path}`, resource: 'core', isCostly: true, tag } as const;
    const { status, data, headers } = await this.#ask(question, caller);
    if (status === 304) return 'unchanged';
    if (status === 403) throw new ClosedToService();
    if (isAbsent(status)) return null;
    if (!Array.isArray(data)) throw brokenAnswer();
    const items = await Promise.all(data.map((item) => checked(schema, item)));
    const isLast = !String(headers.link ?? '').includes('rel="next"');
    return { items, isLast, tag: headers.etag === undefined ? null : String(headers.etag) };
  }

  /** Every page of a list, up to a number of items and an amount of text. */
  async list<Schema extends TSchema, Kept>(
    path: string,
    schema: Schema,
    caller: GitHubCaller,
    { atMost, mostText, keep }: Keeping<Static<Schema>, Kept>,
  ): Promise<Kept[]> {
    const all: Kept[] = [];
    let text = 0;
    for (let begin = 0, size = pageSize; all.length < atMost && text < mostText; ) {
      const asked = `${path}?per_page=${size}&page=${begin / size + 1}`;
      const page = await this.#pageUnlessTooLarge(asked, schema, caller, size > 1);
      if (!page) {
        size /= smallerBy;
        continue;
      }
      for (const item of page.items.map(keep)) {
        text += JSON.stringify(item).length;
        if (text <= mostText) all.push(item);
      }
      if (page.isLast || page.items.length === 0) break;
      begin += size;
    }
    return all.slice(0, atMost);
  }

  async #pageUnlessTooLarge<Schema extends TSchema>(
    path: string,
    schema: Schema,
    caller: GitHubCaller,
    mayBeSmaller: boolean,
  ): Promise<{ items: Static<Schema>[]; isLast: boolean } | null> {
    try {
      return await this.page(path, schema, caller);
    } catch (error) {
      if (mayBeSmaller && error instanceof AnswerTooLarge) return null;
      throw error;
    }
  }

  /** A diff of something that was found before, as GitHub prints it; null where it does not. */
  async diff(path: string, caller: GitHubCaller): Promise<Buffer | null> {
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(diffMs)]);
    const question = { route: `GET ${path}`, resource: 'core', isDiff: true, isCostly: true } as const;
    const { status, data } = await this.#ask(question, { ...caller, signal });
    if (status === tooLargeToPrint) return null;
    if (isAbsent(status)) throw new MovedMeanwhile();
    if (!(data instanceof ReadableStream)) throw brokenAnswer();
    try {
      return Buffer.concat(await Array.fromAsync<Uint8Array>(data));
    } catch (error) {
      if (ruleBrokenBy(error) === 'size') return null;
      throw brokenAnswer(redacted(error));
    }
  }

  /** What a query of GraphQL answers; null where it answers with errors alone. */
  async query<Schema extends TSchema>(
    query: string,
    variables: Record<string, unknown>,
    schema: Schema,
    caller: GitHubCaller,
  ): Promise<Static<Schema> | null> {
    const route = `POST ${this.#graphqlUrl}`;
    const body = { query, variables };
    const { data } = await this.#ask({ route, resource: 'graphql', body, isCostly: true }, caller);
    if (!isObject(data)) throw brokenAnswer();
    if (JSON.stringify(data.errors ?? []).includes('RATE_LIMITED')) {
      const who = nameOf(caller);
      this.#limits.refuse(who, 'graphql');
      throw limited(this.#limits.secondsLeft(who, 'graphql'), caller.isService);
    }
    return data.data ? checked(schema, data.data) : null;
  }

  /** The caller has an answer remembered once it could be read: one that broke off has the tag of the whole. */
  async #ask(question: Question, caller: GitHubCaller): Promise<HostAnswer & { remember: () => void }> {
    const who = nameOf(caller);
    const seconds = caller.leavesSpare
      ? this.#limits.secondsUntilSpared(who, question.resource, usualLimit(caller))
      : this.#limits.secondsLeft(who, question.resource);
    if (seconds > 0) throw limited(seconds, caller.isService);
    if (this.#breaker.isOpen()) throw noAnswer(new Error('GitHub is left alone after it did not answer.'));
    const key = `${who} ${question.route}`;
    const isKept = question.resource === 'core' && !question.isDiff && question.tag === undefined;
    const known = isKept ? this.#known.find(key) : null;
    const tag = question.tag ?? known?.tag;
    const isAnswered = this.#limits.begin(who, question.resource);
    const { answer, message } = await this.#transport.send(question, caller, tag).finally(isAnswered);
    if (this.#limits.note(who, question.resource, { ...answer, message }))
      throw limited(this.#limits.secondsLeft(who, question.resource), caller.isService);
    if (answer.status === 304 && known) return { ...known, status: 200, remember() {} };
    if (answer.status === 304 && question.tag) return { ...answer, remember() {} };
    if (answer.status === 401 && caller.token !== null && caller.replaceToken) {
      const { replaceToken, ...rest } = caller;
      const token = await replaceToken(caller.token);
      if (token !== null) return this.#ask(question, { ...rest, token });
    }
    if (answer.status >= 300) return { ...refusalOf({ ...answer, message }, caller), remember() {} };
    const remember = () => {
      const { data, headers } = answer;
      const { etag } = headers;
      if (isKept && etag !== undefined && isObject(data))
        this.#known.keep(key, { data, headers, tag: String(etag) });
    };
    return { ...answer, remember };
  }
}

export const nameOf = ({ token }: Pick<GitHubCaller, 'token'>): string =>
  token === null ? 'anonymous' : hashToken(token);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

async function checked<Schema extends TSchema>(schema: Schema, data: unknown): Promise<Static<Schema>> {
  const { Check } = await import('typebox/value');
  if (Check(schema, data)) return data;
  throw brokenAnswer();
}
