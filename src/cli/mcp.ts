import { Check } from 'typebox/value';
import { readFromEnvironment } from '../config.ts';
import { Type } from '../contract/type.ts';
import { reasonOf } from '../domain/errors.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import type { AskService } from '../mcp/serve-stdio.ts';
import { serverOf } from './call-service.ts';
import { defineCommand, printProblem, text } from './command.ts';

/**
 * The limits of a call to the service, which waits longer than the service waits for an article. Responses are small,
 * except for the list of tools.
 */
const limits = { patienceMs: 120_000, mostBytes: 1024 * 1024 };

/** Ignores `.env`: agents start this command in clones of others, whose settings could send the token anywhere. */
const needed = [
  ...(['publicUrl', 'listen', 'port', 'agentToken'] as const),
  ...(['httpsProxy', 'httpProxy', 'noProxy', 'extraCaFile'] as const),
];

export const mcp = defineCommand({
  help: [
    'Usage: pullquote mcp [--server URL]',
    '',
    'Connects an agent to the service over the Model Context Protocol, on standard input and output. The agent has the rights',
    'of the token in PULLQUOTE_TOKEN, which pullquote login or pullquote token prints; without one it reads public articles.',
    'Agents that use the protocol over HTTP can call POST /mcp on the service directly.',
    '',
    'Settings come from the environment only; .env files are not read.',
    '',
    '  --server URL   the service (default: PUBLIC_URL, else this machine)',
  ],
  options: { server: text },
  async run(values) {
    const config = readFromEnvironment(needed);
    const server = serverOf(values.server, config);
    const way = createEgressClient(config, { ...limits, origins: [server], mayBePrivate: true });
    const token = config.agentToken;
    printProblem(
      `Connected to ${server}${token === undefined ? ' without PULLQUOTE_TOKEN: only public articles can be read' : ''}.`,
    );
    const { serveOnStdio } = await import('../mcp/serve-stdio.ts');
    try {
      await serveOnStdio(askAt(server, way.fetch, token));
    } finally {
      await way.close();
    }
  },
});

const Refused = Type.Object({ error: Type.Object({ message: Type.String() }) });

const askAt =
  (server: string, fetch: typeof globalThis.fetch, token: string | undefined): AskService =>
  async (message, signal) => {
    const response = await fetch(`${server}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(message),
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.patienceMs)]),
    }).catch((error) => {
      throw new Error(`Cannot reach ${server} (${reasonOf(error)}). Check that the service is running.`);
    });
    const result: unknown = await response.json().catch(() => null);
    if (response.ok) return result;
    const said = Check(Refused, result)
      ? result.error.message
      : `${server} answered ${response.status}. Check --server.`;
    throw new Error(response.status === 401 ? `${said} Set PULLQUOTE_TOKEN for pullquote mcp.` : said);
  };
