import type { CallOptions, Method, Schemas } from './operations.ts';

type ErrorObject = Schemas['ErrorObject'];

/** The codes of the service, and one for what is no answer of it: there was none, or it came from something in between. */
export type PullquoteErrorCode = ErrorObject['code'] | 'NO_ANSWER';

interface Description extends Omit<ErrorObject, 'code' | 'requestId'> {
  code: PullquoteErrorCode;
  requestId?: string;
}

interface Circumstances {
  status?: number;
  retryAfter?: number | null;
  cause?: unknown;
}

/** Whatever goes wrong, but for a signal that is aborted, which throws its own reason. */
export class PullquoteError extends Error {
  /** A stable code to branch on. */
  declare readonly code: PullquoteErrorCode;
  /** The HTTP status; null without an answer, or if a job failed. */
  declare readonly status: number | null;
  /** What the log of the service calls the request. */
  declare readonly requestId: string | null;
  declare readonly details: NonNullable<ErrorObject['details']>;
  /** After how many seconds it makes sense to ask again, where the service says so. */
  declare readonly retryAfter: number | null;

  constructor({ message, ...described }: Description, circumstances: Circumstances = {}) {
    super(message, circumstances);
    this.name = 'PullquoteError';
    const unknown = { status: null, requestId: null, details: [], retryAfter: null };
    Object.assign(this, unknown, circumstances, described);
  }

  /** Whether asking again later may help. */
  get isPassing(): boolean {
    return this.code === 'NO_ANSWER' || [429, 502, 503, 504].includes(this.status ?? 0);
  }
}

const noAnswer: Description = {
  code: 'NO_ANSWER',
  message: 'No Pullquote service responds. Check the URL and the network.',
};

/** What is thrown by others was thrown because there was no answer, or one that cannot be read. */
export const asPullquoteError = (cause: unknown): PullquoteError =>
  cause instanceof PullquoteError ? cause : new PullquoteError(noAnswer, { cause });

/** The failure that an answer tells of; what others answer may be anything, but has no code of ours. */
function errorOfAnswer({ status, headers }: Response, text: string): PullquoteError {
  let body: { error?: ErrorObject } | null = null;
  try {
    body = JSON.parse(text);
  } catch {}
  return new PullquoteError(body?.error?.code ? body.error : noAnswer, {
    status,
    retryAfter: Number(headers.get('retry-after')) || null,
  });
}

export interface Init extends Pick<CallOptions, 'signal'> {
  headers?: Record<string, string | null | undefined>;
  params?: { query?: object; path?: object } | undefined;
  body?: unknown;
  parseAs?: 'text' | 'stream';
}

export interface Sent<Body> {
  data: Body;
  response: Response;
}

export type Fetch = (request: Request) => Promise<Response>;

/** The address of a service as requests are added to it; one that is none would fail with each of them, and never say why. */
export function baseOf(url: string): string {
  let base = '';
  try {
    // In a browser, an address begins where the page is.
    base = new Request(url).url;
  } catch {}
  if (/^https?:/.test(base)) return base.replace(/\/$/, '');
  throw new TypeError(
    `url must be where the service answers, such as https://pullquote.example, not ${url}.`,
  );
}

export async function sendRequest<Body>(
  fetch: Fetch,
  method: Method,
  address: string,
  { params: { path = {}, query = {} } = {}, headers = {}, body, parseAs, signal }: Init,
): Promise<Sent<Body>> {
  const url = new URL(address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(partOf(path, name))));
  for (const [name, value] of given(query)) url.searchParams.set(name, value);
  const sent = new Headers(given(headers));
  if (body) sent.set('content-type', 'application/json');
  const response = await fetch(
    // Another host would get what is sent, which may be the token of a code host.
    new Request(url, {
      method: method.toUpperCase(),
      headers: sent,
      body: body ? JSON.stringify(body) : null,
      signal: signal ?? null,
      redirect: 'error',
    }),
  );
  const { ok, status } = response;
  if (ok && parseAs === 'stream') return { data: response.body as Body, response };
  const text = await response.text();
  if (!ok && status !== 304) throw errorOfAnswer(response, text);
  return { data: parseAs || !text ? (text as Body) : JSON.parse(text), response };
}

const partOf = (values: object, name: string): string => (values as Record<string, string>)[name] ?? '';

const given = (values: object): [name: string, value: string][] =>
  Object.entries(values).filter(([, value]) => value != null);
