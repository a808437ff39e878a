import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type StandardSchemaV1,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { serverInfo, serverOptions } from './tool.ts';

export type AskService = (message: object, signal: AbortSignal) => Promise<unknown>;

/**
 * Forwards the protocol between standard input and output and a service, until the input ends and every request has a
 * response.
 */
export async function serveOnStdio(ask: AskService): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const unanswered = new Unanswered();
  const transport = new StdioServerTransport(Readable.from(inputUntil(unanswered)));
  const handle = serveStdio(() => createForwarder(ask), { transport, maxSubscriptions: 0 });
  const { onmessage, onclose } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message) => {
    unanswered.heard(message);
    onmessage?.(message);
  };
  transport.send = (message) => send(message).finally(() => unanswered.said(message));
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  await ended;
  await handle.close();
}

/** The transport drops its open requests when its input ends, so the input is kept open until all have a response. */
async function* inputUntil(unanswered: Unanswered): AsyncGenerator<Buffer> {
  yield* process.stdin;
  await setImmediate();
  await unanswered.none();
}

class Unanswered {
  readonly #ids = new Set<unknown>();
  #whenNone = (): void => {};

  heard(message: unknown): void {
    if (isJSONRPCRequest(message)) this.#ids.add(message.id);
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#settle(message.params?.requestId);
  }

  said(message: unknown): void {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#settle(message.id);
  }

  async none(): Promise<void> {
    if (this.#ids.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenNone = resolve;
    await promise;
  }

  #settle(id: unknown): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.#whenNone();
  }
}

interface Message {
  method: string;
  params?: object | undefined;
}

interface Context {
  mcpReq: { signal: AbortSignal };
}

function createForwarder(ask: AskService): Server {
  const server = new Server(serverInfo, serverOptions);
  const { ListToolsResult, CallToolResult, ListResourcesResult } = specTypeSchemas;
  const { ListResourceTemplatesResult, ReadResourceResult } = specTypeSchemas;
  const answeredAs =
    <Result>(schema: StandardSchemaV1<unknown, Result>) =>
    (message: Message, context: Context) =>
      forward(ask, schema, message, context);
  server.setRequestHandler('tools/list', answeredAs(ListToolsResult));
  server.setRequestHandler('tools/call', (message, context) =>
    forward(askForTool(ask), CallToolResult, message, context),
  );
  server.setRequestHandler('resources/list', answeredAs(ListResourcesResult));
  server.setRequestHandler('resources/templates/list', answeredAs(ListResourceTemplatesResult));
  server.setRequestHandler('resources/read', answeredAs(ReadResourceResult));
  return server;
}

/**
 * Failures become the text of a tool's result, such as that a token is needed, because few clients show failed requests
 * to agents.
 */
const askForTool =
  (ask: AskService): AskService =>
  (message, signal) =>
    ask(message, signal).catch((error: Error) => {
      const content = [{ type: 'text', text: error.message }];
      return { jsonrpc: '2.0', id: 1, result: { content, isError: true } };
    });

const internalError = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InternalError, message);

async function forward<Result>(
  ask: AskService,
  schema: StandardSchemaV1<unknown, Result>,
  { method, params = {} }: Message,
  { mcpReq }: Context,
): Promise<Result> {
  // Other fields of a request are about this connection, not about the one to the service.
  const { _meta, ...own } = { _meta: null, ...params };
  const message = { jsonrpc: '2.0', id: 1, method, params: own };
  const answer = await ask(message, mcpReq.signal).catch((error: Error) => {
    throw internalError(error.message);
  });
  if (isJSONRPCErrorResponse(answer)) {
    const { code, message: said, data } = answer.error;
    throw new ProtocolError(code, said, data);
  }
  const result = isJSONRPCResultResponse(answer) ? await schema['~standard'].validate(answer.result) : null;
  if (!result || result.issues)
    throw internalError('The service sent an unexpected response. Check that its version is the same.');
  return result.value;
}
