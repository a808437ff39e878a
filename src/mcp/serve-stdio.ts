import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type StandardSchemaV1,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { serverInfo, serverOptions } from './server-info.ts';

/** Has a service answer a message. What it throws is told to the agent. */
export type AskService = (message: object, signal: AbortSignal) => Promise<unknown>;

/** Speaks the protocol on standard input and output until that ends, in whichever version, and has a service answer. */
export async function serveOnStdio(ask: AskService): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  process.stdin.once('end', resolve).once('close', resolve);
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => createForwarder(ask), { transport, maxSubscriptions: 0 });
  await ended;
  await handle.close();
}

interface Asked {
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
    (asked: Asked, context: Context) =>
      forward(ask, schema, asked, context);
  server.setRequestHandler('tools/list', answeredAs(ListToolsResult));
  server.setRequestHandler('tools/call', answeredAs(CallToolResult));
  server.setRequestHandler('resources/list', answeredAs(ListResourcesResult));
  server.setRequestHandler('resources/templates/list', answeredAs(ListResourceTemplatesResult));
  server.setRequestHandler('resources/read', answeredAs(ReadResourceResult));
  return server;
}

const failed = (message: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InternalError, message);

async function forward<Result>(
  ask: AskService,
  schema: StandardSchemaV1<unknown, Result>,
  { method, params = {} }: Asked,
  { mcpReq }: Context,
): Promise<Result> {
  // What else a request carries is about this connection, and not about the one to the service.
  const { _meta, ...own } = { _meta: null, ...params };
  const message = { jsonrpc: '2.0', id: 1, method, params: own };
  const answer = await ask(message, mcpReq.signal).catch((error: Error) => {
    throw failed(error.message);
  });
  if (isJSONRPCErrorResponse(answer)) {
    const { code, message: said, data } = answer.error;
    throw new ProtocolError(code, said, data);
  }
  const result = isJSONRPCResultResponse(answer) ? await schema['~standard'].validate(answer.result) : null;
  if (!result || result.issues)
    throw failed('The service answered something unexpected. Is it of another version?');
  return result.value;
}
