import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { type Protocol, printError, printModels, printStream, protocolOf, type Reply } from './wire.ts';

export interface HeardRequest {
  protocol: Protocol;
  path: string;
  headers: IncomingHttpHeaders;
  // A provider's own form, looked at by tests alone.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  /** Settles when the connection ends, after the reply or because the client left. */
  isOver: Promise<void>;
}

/** Replies: a list whose last one repeats, or a function of the request. */
export type Script = Reply[] | ((request: HeardRequest, turn: number) => Reply | Promise<Reply>);

type Listed = Record<Protocol, string[]>;

interface ScriptedModel {
  url: string;
  /** The base address of a protocol. */
  baseUrl: (protocol: Protocol) => string;
  heard: HeardRequest[];
  /** The models that it lists in each protocol, for every key but those that contain `wrong`. */
  listed: Listed;
  /** Changes the replies from now on. */
  play: (script: Script) => void;
}

/** A scripted model for all protocols on loopback, closed when the tests of the file end. */
export async function startScriptedModel(first: Script = []): Promise<ScriptedModel> {
  let script = first;
  let turn = 0;
  const heard: HeardRequest[] = [];
  const listed: Listed = { anthropic: [], openai: [], google: [], compatible: [] };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://model').pathname;
    if (request.method === 'GET' && path.endsWith('/models')) return list(request.headers, response, listed);
    const protocol = protocolOf(path);
    const text = Buffer.concat(await Array.fromAsync(request)).toString();
    if (!protocol) return response.writeHead(404).end('{}');
    const isOver = new Promise<void>((resolve) => response.once('close', resolve));
    const said: HeardRequest = { protocol, path, headers: request.headers, body: JSON.parse(text), isOver };
    heard.push(said);
    const reply =
      typeof script === 'function' ? await script(said, turn) : script[Math.min(turn, script.length - 1)];
    turn += 1;
    send(response, protocol, reply ?? {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  after(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return {
    url,
    baseUrl: (protocol) => `${url}/${protocol === 'google' ? 'v1beta' : 'v1'}`,
    heard,
    listed,
    play(next) {
      script = next;
      turn = 0;
    },
  };
}

function list(headers: IncomingHttpHeaders, response: ServerResponse, listed: Listed): void {
  const { authorization = '', 'x-api-key': anthropicKey, 'x-goog-api-key': googleKey } = headers;
  const key = anthropicKey ?? googleKey ?? authorization;
  const protocol = anthropicKey
    ? 'anthropic'
    : googleKey
      ? 'google'
      : authorization
        ? 'openai'
        : 'compatible';
  const isRefused = key.includes('wrong');
  response.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' });
  response.end(
    isRefused
      ? printError(protocol, { status: 401, code: 'invalid_api_key' })
      : printModels(protocol, listed[protocol]),
  );
}

function send(response: ServerResponse, protocol: Protocol, reply: Reply): void {
  const { error, raw, silent } = reply;
  if (silent) return;
  if (raw) {
    response.writeHead(raw.status, raw.headers).end(raw.body);
    return;
  }
  if (error) {
    response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers });
    response.end(printError(protocol, error));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const pieces = printStream(protocol, reply);
  for (const piece of pieces) response.write(piece);
  if (reply.cutAfter === undefined) response.end();
  else void Promise.resolve(reply.cutWhen).then(() => setImmediate(() => response.destroy()));
}
