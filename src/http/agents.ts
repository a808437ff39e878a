import type { FastifyRequest } from 'fastify';
import { Text } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { LazyPromise } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';
import type { Agents } from '../mcp/answer-agents.ts';
import { createArticleWriter } from './article-requests.ts';
import type { Deps } from './deps.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { createAnswerer } from './questions.ts';
import { isSameOrigin, originOf } from './requests/addresses.ts';
import { noCredential } from './requests/authenticate.ts';
import { abortOnDisconnect, createChecker } from './requests/parse-requests.ts';
import { explainFailure, headersOf } from './responses/errors.ts';
import { content, ok } from './responses/response.ts';
import { findArticles } from './search.ts';

const tag = 'Agents';
const metadataPath = '/.well-known/oauth-protected-resource/mcp';
const json = 'application/json; charset=utf-8';

const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

const Message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    method: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The method, such as `tools/call`.',
    }),
  },
  {
    additionalProperties: true,
    description: 'A JSON-RPC 2.0 message. Batches are not accepted.',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  },
);

const loadAgents = (deps: Deps): LazyPromise<Agents> =>
  new LazyPromise(async () => {
    const { createAgents } = await import('../mcp/answer-agents.ts');
    const answer = createAnswerer(deps);
    return createAgents({
      ...deps,
      search: findArticles(deps),
      writeArticle: createArticleWriter(deps),
      answerQuestion: async (...asked) => (await answer(...asked)).answer,
      compile: createChecker(),
    });
  });

export const postAgentMessage = (deps: Deps): Endpoint => {
  const agents = loadAgents(deps);
  const route = endpoint({
    operationId: 'answerAgent',
    summary: 'Answer an agent',
    description:
      'The Model Context Protocol: one JSON-RPC 2.0 message, protocol version 2024-11-05 or newer. Messages are stateless, and responses are not streamed. Tools run with the rights of the caller; tools that need a user require a credential. Messages that are not valid for their protocol version get 400 with a JSON-RPC error.',
    tag,
    access: 'viewer',
    body: Message,
    data: Type.Unsafe<object>({ type: 'object', description: 'The JSON-RPC response.' }),
    success: { 200: 'The result, or an error.', 202: 'The notification was accepted.' },
    bare: true,
    async handle({ body, viewer, request, reply }) {
      refuseForeignPages(request, deps);
      const { isForUsers, answer } = await agents.get();
      if (!viewer && isForUsers(body)) throw noCredential();
      const headers = Object.fromEntries(
        protocolHeaders.flatMap((name) =>
          request.headers[name] ? [[name, String(request.headers[name])]] : [],
        ),
      );
      const answered = await answer(
        { body, headers },
        {
          viewer,
          origin: originOf(request, deps.publicUrl),
          signal: abortOnDisconnect(reply),
          explain(error) {
            const failure = explainFailure(error, request);
            const retryAfter = headersOf(failure, request)['retry-after'];
            return { failure, retryAfter, requestId: request.id };
          },
        },
      );
      return content(json, answered.body, answered.status);
    },
  });
  return (method, url) => ({
    ...route(method, url),
    onSend: (request, reply, _payload, done) => {
      const challenge = reply.getHeader('www-authenticate');
      const metadata = `resource_metadata="${originOf(request, deps.publicUrl)}${metadataPath}"`;
      if (typeof challenge === 'string')
        reply.header('www-authenticate', `${challenge}${challenge === 'Bearer' ? ' ' : ', '}${metadata}`);
      done();
    },
  });
};

/**
 * Browsers name the origin of a page: only our own pages and those in CORS_ORIGINS may call this, with or without a
 * cookie.
 */
function refuseForeignPages(request: FastifyRequest, { publicUrl, corsOrigins }: Deps): void {
  const { origin } = request.headers;
  if (origin === undefined || corsOrigins.includes(origin) || isSameOrigin(request, publicUrl)) return;
  throw new Failure(
    'FORBIDDEN',
    'Requests from this web origin are not allowed. Ask your administrator to add it to CORS_ORIGINS.',
  );
}

export const getAgentMetadata = ({ publicUrl, issuer }: Deps) =>
  endpoint({
    operationId: 'describeAgentAccess',
    summary: 'Get the OAuth metadata for POST /mcp',
    description:
      'Protected resource metadata (RFC 9728). Without a configured identity provider there is no authorization server: users give agents their own token.',
    tag,
    access: 'public',
    data: Type.Object({
      resource: Text('URL of `POST /mcp`.'),
      resource_name: Type.String(),
      resource_documentation: Type.String(),
      bearer_methods_supported: Type.Array(Type.String()),
      authorization_servers: Type.Optional(Type.Array(Type.String())),
    }),
    success: { 200: 'The metadata.' },
    bare: true,
    handle({ request }) {
      const origin = originOf(request, publicUrl);
      return ok({
        resource: `${origin}/mcp`,
        resource_name: 'Pullquote',
        resource_documentation: `${origin}/docs`,
        bearer_methods_supported: ['header'],
        ...(issuer && { authorization_servers: [issuer.address] }),
      });
    },
  });
