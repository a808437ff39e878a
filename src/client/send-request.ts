import type { CallOptions, Method } from './operations.ts';
import { errorOfAnswer } from './pullquote-error.ts';

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
