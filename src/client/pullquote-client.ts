import type {
  DataOf,
  ItemOf,
  ListPath,
  Method,
  Options,
  Page,
  PathWith,
  Schemas,
  TextPath,
} from './operations.ts';
import {
  asPullquoteError,
  baseUrlOf,
  type Fetch,
  type Init,
  PullquoteError,
  type Sent,
  sendRequest,
} from './send-request.ts';

export type { Schemas } from './operations.ts';
export { PullquoteError, type PullquoteErrorCode } from './send-request.ts';

type Answer = Schemas['Answer'];
type Article = Schemas['PullRequestArticle'];
type Job = Schemas['Job'];
type Repository = Pick<Schemas['AddedRepository'], 'host' | 'owner' | 'repo'>;

export interface PullquoteClientOptions {
  /** The address of the service, such as https://pullquote.example. */
  url: string;
  /** A session token, or a token of a code host that the service accepts. Without one, only public data can be read. */
  token?: string | undefined;
  /** The interval for polling a job, if the service names none. */
  retryMs?: number;
  /** Sends requests instead of the platform's own `fetch`. */
  fetch?: Fetch;
}

export interface WaitOptions {
  /** Aborting it stops waiting; the job continues. */
  signal?: AbortSignal | undefined;
  /** Called with the job whenever it has made progress. */
  onProgress?: (job: Job) => void;
}

interface ArticleWish {
  owner: string;
  repo: string;
  number: number;
  /** Needed if the service has several code hosts. */
  host?: string;
  /** The user's language by default. */
  language?: string;
  /** Rewrites the article even if it is up to date. */
  regenerate?: boolean;
}

interface Question {
  owner: string;
  repo: string;
  /** A pull request; without it, the question is about the whole repository. */
  number?: number;
  host?: string;
  question: string;
  language?: string;
}

type Body<Data> = { success: true; data: Data } | (Data & { success?: never });

const fullPage = 100;

/** Calls every operation of a service, with types from its OpenAPI document. */
export class PullquoteClient {
  readonly #base: string;
  readonly #headers: Init['headers'];
  readonly #retryMs: number;
  readonly #fetch: Fetch;

  constructor({ url, token, retryMs = 2_000, fetch = globalThis.fetch }: PullquoteClientOptions) {
    this.#base = baseUrlOf(url);
    this.#headers = { authorization: token && `Bearer ${token}` };
    this.#retryMs = retryMs;
    this.#fetch = fetch;
  }

  /** Returns the data of the response without its envelope. */
  get<P extends PathWith<'get'>>(path: P, ...[options]: Options<P, 'get'>): Promise<DataOf<P, 'get'>> {
    return this.#call('get', path, options);
  }

  post<P extends PathWith<'post'>>(path: P, ...[options]: Options<P, 'post'>): Promise<DataOf<P, 'post'>> {
    return this.#call('post', path, options);
  }

  put<P extends PathWith<'put'>>(path: P, ...[options]: Options<P, 'put'>): Promise<DataOf<P, 'put'>> {
    return this.#call('put', path, options);
  }

  patch<P extends PathWith<'patch'>>(
    path: P,
    ...[options]: Options<P, 'patch'>
  ): Promise<DataOf<P, 'patch'>> {
    return this.#call('patch', path, options);
  }

  delete<P extends PathWith<'delete'>>(
    path: P,
    ...[options]: Options<P, 'delete'>
  ): Promise<DataOf<P, 'delete'>> {
    return this.#call('delete', path, options);
  }

  /** Like `get`, with the ETag of the response; null if it equals the given one. */
  async getIfChanged<P extends PathWith<'get'>>(
    etag: string | null,
    path: P,
    ...[options]: Options<P, 'get'>
  ): Promise<{ etag: string | null; data: DataOf<P, 'get'> } | null> {
    const init = { ...options, headers: { ...options?.headers, 'if-none-match': etag } };
    const { data, response } = await this.#ask<Body<DataOf<P, 'get'>>>('get', path, init);
    return response.status === 304 ? null : { etag: response.headers.get('etag'), data: unwrap(data) };
  }

  /** Articles and releases as Markdown, diffs, feeds and lists of feeds. */
  async text<P extends TextPath>(path: P, ...[options]: Options<P, 'get'>): Promise<string> {
    const headers = { accept: 'text/markdown, */*;q=0.1', ...options?.headers };
    const init = { ...options, headers, parseAs: 'text' } as const;
    return (await this.#ask<string>('get', path, init)).data;
  }

  /** Every item of a list, fetched in pages of `limit` items. */
  async *list<P extends ListPath>(path: P, ...[options]: Options<P, 'get'>): AsyncGenerator<ItemOf<P>> {
    const { params, ...call }: Init = options ?? {};
    const query = { limit: fullPage, offset: 0, ...params?.query };
    let total = 0;
    do {
      const init = { ...call, params: { ...params, query } };
      const { items, pagination } = await this.#call<Page<ItemOf<P>>>('get', path, init);
      yield* items;
      query.offset += pagination.limit;
      // If the total is unknown, a full page may not be the last one.
      total = pagination.totalItems ?? (items.length < pagination.limit ? 0 : query.offset + 1);
    } while (query.offset < total);
  }

  /** Yields the job after each change, until it has ended. */
  follow(jobId: string, { signal }: Pick<WaitOptions, 'signal'> = {}): AsyncGenerator<Job> {
    const params = { path: { id: jobId } };
    return followJob(
      () => this.get('/jobs/{id}', { params, signal }),
      async (lastEventId) => {
        const headers = { 'last-event-id': lastEventId };
        const init = { params, headers, signal, parseAs: 'stream' } as const;
        return (await this.#ask<ReadableStream<Uint8Array>>('get', '/jobs/{id}/events', init)).data;
      },
      this.#retryMs,
      signal,
    );
  }

  /** Waits until a job has ended, and throws its error if it failed. */
  async finish(job: Job, { signal, onProgress }: WaitOptions = {}): Promise<Job> {
    let last = job;
    for await (const now of this.follow(job.id, { signal })) {
      onProgress?.(now);
      last = now;
    }
    if (last.error) throw new PullquoteError(last.error);
    return last;
  }

  /** Writes an article, unless one is up to date, and waits for it. */
  async writeArticle(wish: ArticleWish, options: WaitOptions = {}): Promise<Article> {
    const { owner, repo, number, host, ...body } = wish;
    const path = '/repos/{owner}/{repo}/pulls/{number}/article';
    const query = host ? { host } : {};
    const call = { params: { path: { owner, repo, number }, query }, signal: options.signal };
    const begun = await this.post(path, { ...call, body, headers: { prefer: 'respond-async' } });
    if (begun.kind === 'article') return begun;
    return (await this.finish(begun, options)).article ?? this.get(path, call);
  }

  /** Asks about a pull request or a repository, and waits for the answer. */
  async ask(asked: Question, options: WaitOptions = {}): Promise<Answer> {
    const { owner, repo, number, host, ...body } = asked;
    const path = `/repos/{owner}/{repo}${number ? '/pulls/{number}' : ''}/questions`;
    const begun = await this.#call<Answer | Job>('post', path, {
      params: { path: { owner, repo, number }, query: { host } },
      body,
      headers: { prefer: 'respond-async' },
      signal: options.signal,
    });
    if (begun.kind === 'answer') return begun;
    return (await this.finish(begun, options)).answer ?? this.ask(asked, options);
  }

  /** Adds a clone by its path or URL, and waits until its mirror is ready. For operators only. */
  async addRepository(
    wish: { location: string; name?: string; private?: boolean },
    options: WaitOptions = {},
  ): Promise<Repository> {
    const begun = await this.post('/added-repositories', { body: wish, signal: options.signal });
    const { repository } =
      begun.kind === 'repository' ? { repository: begun } : await this.finish(begun, options);
    if (!repository)
      throw new PullquoteError({ code: 'INTERNAL', message: 'The service did not say what it added.' });
    return repository;
  }

  async #call<Data>(method: Method, path: string, init: Init = {}): Promise<Data> {
    return unwrap((await this.#ask<Body<Data>>(method, path, init)).data);
  }

  async #ask<Body>(method: Method, path: string, init: Init): Promise<Sent<Body>> {
    const fetch = this.#fetch;
    const headers = { ...this.#headers, ...init.headers };
    try {
      return await sendRequest<Body>(fetch, method, this.#base + path, { ...init, headers });
    } catch (error) {
      init.signal?.throwIfAborted();
      throw asPullquoteError(error);
    }
  }
}

const unwrap = <Data>(body: Body<Data>): Data => (body.success ? body.data : body);

const mostFailures = 5;

const isJobOver = ({ state }: Job): boolean => state !== 'queued' && state !== 'running';

/**
 * Yields a job until it has ended, from its event stream. If the stream breaks, it polls the job and then opens the
 * stream again.
 */
export async function* followJob(
  getJob: () => Promise<Job>,
  openEvents: (lastEventId: string) => Promise<ReadableStream<Uint8Array> | undefined>,
  /** The wait before polling again, if the service names none; doubled after each failure. */
  retryMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Job> {
  let seen = '';
  const byEvents = async function* (): AsyncGenerator<Job> {
    const stream = await openEvents(seen);
    for await (const [id, data] of stream ? readEventStream(stream) : []) {
      seen = id;
      yield JSON.parse(data);
    }
  };
  let failures = 0;
  for (let asks = false; ; asks = !asks) {
    let waitMs = asks ? 0 : retryMs;
    try {
      for await (const job of asks ? [getJob()] : byEvents()) {
        failures = 0;
        yield job;
        if (isJobOver(job)) return;
      }
    } catch (thrown) {
      const error = asPullquoteError(thrown);
      failures += 1;
      if (!error.isPassing || failures === mostFailures) throw error;
      waitMs = Math.max(retryMs * 2 ** failures, (error.retryAfter ?? 0) * 1000);
    }
    await pause(waitMs, signal);
    signal?.throwIfAborted();
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted ? 0 : ms);
    signal?.addEventListener('abort', end);
  });

/** The ids and data of server-sent events. Leaving the loop closes the connection. */
async function* readEventStream(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<[id: string, data: string]> {
  // Some browsers cannot iterate over a stream.
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, id, data] = /^id: (.*)\ndata: (.*)/m.exec(block) ?? [];
        if (id && data) yield [id, data];
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
