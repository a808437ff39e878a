import {
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type StandardSchemaV1,
  specTypeSchemas,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type ErrorDetail, Failure } from '../domain/errors.ts';
import { createFindArticle, type FindArticle } from './find-article.ts';
import { listResources, readResource, resourceTemplate } from './present-article.ts';
import {
  type AgentCall,
  type AgentDeps,
  type AgentTool,
  mostTokens,
  sentTokens,
  serverInfo,
  serverOptions,
} from './tool.ts';
import { askAboutPullRequest } from './tools/ask.ts';
import { explainPullRequestTool, getArticleTool } from './tools/get-article.ts';
import { getEvidence } from './tools/get-evidence.ts';
import { listMyFeed, listRanking, searchArticlesTool } from './tools/list-articles.ts';
import { whatChanged } from './tools/what-changed.ts';

const boundsOfTexts = ['minLength', 'maxLength', 'pattern'];

/** Keywords left out of published schemas, because responses show the same. */
const readInAnswers = [
  'description',
  'required',
  'additionalProperties',
  'type',
  'enum',
  'minimum',
  'maximum',
];

/** Without some keywords, because an agent keeps all tools in its context. */
const publishedSchema = (schema: object, without: string[]): { type: 'object' } => ({
  ...pruned(schema, without),
  type: 'object',
});

const pruned = (schema: object, without: string[]): object =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !without.includes(keyword))
      .map(([keyword, value]) => {
        if (keyword === 'items') return [keyword, pruned(value, without)];
        if (keyword !== 'properties') return [keyword, value];
        const named = Object.entries<object>(value).map(([name, one]) => [name, pruned(one, without)]);
        return [keyword, Object.fromEntries(named)];
      }),
  );

interface Explained {
  failure: Failure;
  retryAfter: string | undefined;
  requestId: string;
}

interface Call extends AgentCall {
  explain: (error: unknown) => Explained;
}

interface Message {
  body: object;
  headers: Record<string, string>;
}

interface Answer {
  status: number;
  body: Buffer;
}

export interface Agents {
  isForUsers: (body: object) => boolean;
  answer: (message: Message, call: Call) => Promise<Answer>;
}

const agentTools = (deps: AgentDeps, findArticle: FindArticle): AgentTool[] => [
  searchArticlesTool(deps),
  getArticleTool(deps, findArticle),
  getEvidence(deps, findArticle),
  listRanking(deps),
  listMyFeed(deps),
  whatChanged(deps),
  explainPullRequestTool(deps),
  askAboutPullRequest(deps),
];

interface CheckedTool extends AgentTool {
  check: (input: unknown) => ErrorDetail[];
}

const goneStatus = 499;

/** Handles each message of the Model Context Protocol without a session, so that any process can do so. */
export function createAgents(deps: AgentDeps): Agents {
  const findArticle = createFindArticle(deps);
  const tools = new Map(
    agentTools(deps, findArticle).map((one) => [one.name, { ...one, check: deps.compile(one.input) }]),
  );
  return {
    isForUsers: (body) => tools.get(toolNamed(body))?.isForUsers ?? false,
    async answer({ body, headers }, call) {
      const refusal = await refuseInvalid(body);
      if (refusal) return refusal;
      const request = new Request(call.origin, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        signal: call.signal,
      });
      const server = createServer(deps, { tools, findArticle }, call);
      const answering = (await isLegacyRequest(request, body))
        ? answerOlder(server, request, body)
        : // Nothing changes that a client could subscribe to: no stream stays open.
          createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, {
            parsedBody: body,
          });
      const response = await Promise.race([answering, whenGone(call.signal)]);
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    },
  };
}

function toolNamed(body: object): string {
  if (!('method' in body) || body.method !== 'tools/call' || !('params' in body)) return '';
  const { params } = body;
  const isNamed = typeof params === 'object' && params !== null && 'name' in params;
  return isNamed && typeof params.name === 'string' ? params.name : '';
}

const schemas: Record<string, StandardSchemaV1> = {
  initialize: specTypeSchemas.InitializeRequest,
  ping: specTypeSchemas.PingRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'tools/call': specTypeSchemas.CallToolRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
};

/** The SDK reports invalid params as an internal error, with the JSON of its validator as the message. */
async function refuseInvalid(body: object): Promise<Answer | null> {
  const schema = isJSONRPCRequest(body) && Object.hasOwn(schemas, body.method) && schemas[body.method];
  const issues = schema ? (await schema['~standard'].validate(body)).issues : undefined;
  if (!schema || !issues) return null;
  const problems = issues.map(
    ({ path = [], message }) => `${path.join('.')}: ${message.replace('Invalid input: ', '')}`,
  );
  const message = `The params of ${body.method} are not valid: ${problems.join('; ')}.`;
  const error = { code: ProtocolErrorCode.InvalidParams, message };
  return { status: 200, body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: body.id, error })) };
}

/** For protocols before 2026, in which a client names its version once, perhaps to another process. */
async function answerOlder(server: Server, request: Request, body: object): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

const whenGone = (signal: AbortSignal): Promise<Response> =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(new Response(null, { status: goneStatus })), {
      once: true,
    }),
  );

interface Offered {
  tools: Map<string, CheckedTool>;
  findArticle: FindArticle;
}

function createServer(deps: AgentDeps, { tools, findArticle }: Offered, call: Call): Server {
  const server = new Server(serverInfo, serverOptions);
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(describeTool) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const found = tools.get(params.name);
    if (!found)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'There is no tool with this name. tools/list lists all tools.',
      );
    const signal = AbortSignal.any([call.signal, mcpReq.signal]);
    return runTool(found, params.arguments ?? {}, { ...call, signal });
  });
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [resourceTemplate] }));
  const failing = async <Result>(result: Promise<Result>, uri?: string): Promise<Result> =>
    result.catch((error) => {
      const { status, message } = call.explain(error).failure;
      if (status === 404 && uri !== undefined) throw new ResourceNotFoundError(uri, message);
      const code = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
      throw new ProtocolError(code, message);
    });
  server.setRequestHandler('resources/list', ({ params }) =>
    failing(listResources(deps, params?.cursor, call)),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    failing(readResource(findArticle, uri, call), uri),
  );
  return server;
}

const describeTool = ({ name, title, description, input, output, writes }: AgentTool) => ({
  name,
  title,
  description,
  inputSchema: publishedSchema(input, boundsOfTexts),
  outputSchema: publishedSchema(output, readInAnswers),
  annotations: writes ? { destructiveHint: false, idempotentHint: true } : { readOnlyHint: true },
});

async function runTool({ name, check, run }: CheckedTool, input: unknown, call: Call) {
  try {
    const details = check(input);
    if (details.length > 0)
      throw new Failure('INVALID_REQUEST', `The arguments of ${name} are not valid.`, { details });
    const { text, data } = await run(input, call);
    const result = { content: [{ type: 'text' as const, text }], structuredContent: { ...data } };
    if (sentTokens(result) > mostTokens)
      throw new Error(`The result of ${name} has more than ${mostTokens} tokens.`);
    return result;
  } catch (error) {
    const text = failureText(call.explain(error));
    return { content: [{ type: 'text' as const, text }], isError: true };
  }
}

const failureText = ({
  failure: { code, message, details = [] },
  retryAfter,
  requestId,
}: Explained): string =>
  [
    `${code}: ${message}`,
    ...details.map(({ field, problem }) => `- ${field} ${problem}`),
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter} seconds`]),
    `Request id: ${requestId}`,
  ].join('\n');
