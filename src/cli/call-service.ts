import { once } from 'node:events';
import { createServer, isIP } from 'node:net';
import { type Config, readConfig } from '../config.ts';
import { HealthCheckResponseData } from '../contract/service.ts';
import { Type } from '../contract/type.ts';
import { reasonOf, StartupProblem } from '../domain/errors.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { defineCommand, print, UsageProblem } from './command.ts';

const Well = Type.Object({ data: HealthCheckResponseData });

const Unwell = Type.Object({
  error: Type.Object({
    message: Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), problem: Type.String() }))),
  }),
});

export type Answering =
  | { kind: 'well'; version: string }
  | { kind: 'unwell'; message: string; problems: string[] }
  | { kind: 'other' }
  | { kind: 'none'; reason: string };

/** A healthy process responds within a second; a busy machine gets some more. */
const patienceMs = 5_000;

const limits = { patienceMs, mostBytes: 64 * 1024, mayBePrivate: true };

export function localOrigin({ listen, port }: Pick<Config, 'listen' | 'port'>): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const address = everywhere[listen] ?? listen;
  return new URL(`http://${isIP(address) === 6 ? `[${address}]` : address}:${port}`).origin;
}

export function serverOf(
  given: string | undefined,
  config: Pick<Config, 'listen' | 'port' | 'publicUrl'>,
): string {
  const text = given ?? config.publicUrl ?? localOrigin(config);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageProblem(`${text} is not a server URL.`);
  return url.origin;
}

/** Checks the health of a service on this machine, without a proxy, which would call its own machine instead. */
export const askLocalService = (origin: string): Promise<Answering> => askService({}, origin);

export async function askService(
  settings: Parameters<typeof createEgressClient>[0],
  origin: string,
): Promise<Answering> {
  // Loaded here because it consists of hundreds of modules that a starting service does not need.
  const { Check } = await import('typebox/value');
  const way = createEgressClient(settings, { ...limits, origins: [origin] });
  try {
    const response = await way.fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(limits.patienceMs) });
    const result: unknown = await response.json().catch(() => null);
    if (response.ok && Check(Well, result)) return { kind: 'well', version: result.data.version };
    if (response.status !== 503 || !Check(Unwell, result)) return { kind: 'other' };
    const problems = (result.error.details ?? []).map(({ field, problem }) => `${field} ${problem}`);
    return { kind: 'unwell', message: result.error.message, problems };
  } catch (error) {
    return { kind: 'none', reason: reasonOf(error) };
  } finally {
    await way.close();
  }
}

export const callLimits = { patienceMs: 30_000, mostBytes: 1024 * 1024 };

interface ServiceCall {
  token?: string | undefined;
  body?: object;
  method?: string;
  /** Sentences that replace the error of the service, by its code. */
  refusals?: Record<string, string>;
}

/** Calls an operation of the service. Errors are the sentences of the service. */
export async function callService(
  fetch: typeof globalThis.fetch,
  address: string,
  { token, body, method = body ? 'POST' : 'GET', refusals = {} }: ServiceCall,
): Promise<unknown> {
  const { Check } = await import('typebox/value');
  let result: unknown;
  let isOk = false;
  try {
    const response = await fetch(address, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callLimits.patienceMs),
    });
    isOk = response.ok;
    result = await response.json();
  } catch {
    throw new StartupProblem(`Cannot reach ${address}, or its response is not valid. Check --server.`);
  }
  if (isOk) return result;
  if (!Check(Refused, result))
    throw new StartupProblem(`${address} sent an unexpected response. Check --server.`);
  const { code, message, details = [] } = result.error;
  const said = Object.hasOwn(refusals, code) ? refusals[code] : message;
  throw new StartupProblem(
    [said, ...details.map(({ field, problem }) => `${field} ${problem}`)].join('\n  '),
  );
}

const Sentence = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]{1,1000}$' });
const Refused = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Sentence,
    details: Type.Optional(Type.Array(Type.Object({ field: Sentence, problem: Sentence }))),
  }),
});

/** Listens for a moment, so that a port in use is reported before a database is initialised. */
export async function requireFreePort(config: Pick<Config, 'listen' | 'port'>): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen({ host: config.listen, port: config.port }), 'listening');
  } catch (error) {
    throw cannotListen(error, config);
  }
  await once(probe.close(), 'close');
}

export function cannotListen(
  error: unknown,
  { listen: host, port }: Pick<Config, 'listen' | 'port'>,
): StartupProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new StartupProblem(`Port ${port} on ${host} is in use.`, {
      remedy: `Stop the other program, or set another port, such as PORT=${port + 1}.`,
    });
  }
  return new StartupProblem(`Cannot listen on ${host}, port ${port} (${code}).`, {
    remedy: 'Change LISTEN or PORT.',
  });
}

export const healthcheck = defineCommand({
  help: [
    'Usage: pullquote healthcheck',
    '',
    'Checks the pullquote serve or pullquote work process that listens at the address in LISTEN and PORT. Run it with the',
    'settings of that process. It takes no arguments.',
    '',
    'Exit codes: 0 healthy, 1 not healthy (the reason is printed).',
  ],
  async run() {
    const config = readConfig();
    if (config.port === 0)
      throw new StartupProblem('With PORT=0, the port of the process is not known. Set PORT to its port.');
    const problem = await findProblem(localOrigin(config));
    if (problem !== null) throw new StartupProblem(problem);
    print('The service is healthy.');
  },
});

async function findProblem(origin: string): Promise<string | null> {
  const answering = await askLocalService(origin);
  if (answering.kind === 'well') return null;
  if (answering.kind === 'unwell') return [answering.message, ...answering.problems].join('\n  ');
  if (answering.kind === 'other') return `The program at ${origin} is not Pullquote. Check PORT.`;
  return `No answer from ${origin}/healthz within ${patienceMs / 1000} seconds. Check that the process is running and that LISTEN and PORT are correct.`;
}
