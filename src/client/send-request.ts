import type { CallOptions, Method, Schemas } from './operations.ts';

type ErrorObject = Schemas['ErrorObject'];

/** The error codes of the service, and NO_ANSWER if no response came from it. */
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

/** Thrown for every failure, except if the signal is aborted, which throws its own reason. */
export class PullquoteError extends Error {
  /** A stable code to branch on. */
  declare readonly code: PullquoteErrorCode;
  /** The HTTP status; null without a response, or if a job failed. */
  declare readonly status: number | null;
  /** The id of the request in the log of the service. */
  declare readonly requestId: string | null;
  declare readonly details: NonNullable<ErrorObject['details']>;
  /** The seconds after which to retry, if the service names them. */
  declare readonly retryAfter: number | null;

  constructor({ message, ...described }: Description, circumstances: Circumstances = {}) {
    super(message, circumstances);
    this.name = 'PullquoteError';
    const unknown = { status: null, requestId: null, details: [], retryAfter: null };
    Object.assign(this, unknown, circumstances, described);
  }

  /** Whether a retry later may succeed. */
  get isPassing(): boolean {
    return this.code === 'NO_ANSWER' || [429, 502, 503, 504].includes(this.status ?? 0);
  }
}

const noAnswer: Description = {
  code: 'NO_ANSWER',
  message: 'No Pullquote service responds. Check the URL and the network.',
};

/** Any other error means that there was no response, or that it was unreadable. */
export const asPullquoteError = (cause: unknown): PullquoteError =>
  cause instanceof PullquoteError ? cause : new PullquoteError(noAnswer, { cause });

/** The error in a response; responses of other servers may contain anything except our error codes. */
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

/**
 * The base URL of a service. An invalid one is reported here, because every request would fail with it without saying
 * why.
 */
export function baseUrlOf(url: string): string {
  let base = '';
  try {
    // In a browser, a relative URL begins at the current page.
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
  const url = new URL(
    address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameterOf(path, name))),
  );
  for (const [name, value] of given(query)) url.searchParams.set(name, value);
  const sent = new Headers(given(headers));
  if (body) sent.set('content-type', 'application/json');
  const response = await fetch(
    // A redirect to another host must not receive the request, which may contain a token of a code host.
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

const parameterOf = (values: object, name: string): string => (values as Record<string, string>)[name] ?? '';

const given = (values: object): [name: string, value: string][] =>
  Object.entries(values).filter(([, value]) => value != null);
