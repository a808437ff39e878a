import { request } from 'undici';

interface Sent {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

interface Received {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Asks a service over HTTP and reads its answer. Node's fetch takes a third of what most questions cost in all, and has answers
 * compressed; what tests hold of encodings, they ask for.
 */
export async function sendRequest(url: URL, sent: Sent): Promise<Received> {
  const { statusCode: status, headers: received, body } = await request(url, sent);
  const headers = new Headers();
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return { status, headers, text: await body.text() };
}
