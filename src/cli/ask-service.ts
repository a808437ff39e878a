import { isIP } from 'node:net';
import { Check } from 'typebox/value';
import type { Config } from '../config.ts';
import { HealthCheckResponseData } from '../contract/service.ts';
import { Type } from '../contract/type.ts';
import { reasonOf } from '../domain/reason-of.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { UsageProblem } from './command.ts';

const Well = Type.Object({ data: HealthCheckResponseData });

const Unwell = Type.Object({
  error: Type.Object({
    message: Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), problem: Type.String() }))),
  }),
});

/** What answers at an address: this service, well or not; something else; or nothing. */
export type Answering =
  | { kind: 'well'; version: string }
  | { kind: 'unwell'; message: string; problems: string[] }
  | { kind: 'other' }
  | { kind: 'none'; reason: string };

/** A process that is well answers within a second; a machine that is busy is given some more. */
export const patienceMs = 5_000;

const limits = { patienceMs, mostBytes: 64 * 1024, mayBePrivate: true };

/** Where this machine reaches what listens there: an address that means "every one" is no address to visit. */
export function localOrigin({ listen, port }: Pick<Config, 'listen' | 'port'>): string {
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const address = everywhere[listen] ?? listen;
  return new URL(`http://${isIP(address) === 6 ? `[${address}]` : address}:${port}`).origin;
}

/** The service that a command is about: the one that is named, or else the one of the settings. */
export function serverOf(
  given: string | undefined,
  config: Pick<Config, 'listen' | 'port' | 'publicUrl'>,
): string {
  const text = given ?? config.publicUrl ?? localOrigin(config);
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageProblem(`${text} is no address of a server.`);
  return url.origin;
}

/** Asks what listens on this machine for its health, past any proxy: one elsewhere would ask its own machine. */
export const askLocalService = (origin: string): Promise<Answering> => askService({}, origin);

/** Asks for the health of what answers at an address. */
export async function askService(
  settings: Parameters<typeof createEgressClient>[0],
  origin: string,
): Promise<Answering> {
  const way = createEgressClient(settings, { ...limits, origins: [origin] });
  try {
    const response = await way.fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(limits.patienceMs) });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && Check(Well, answer)) return { kind: 'well', version: answer.data.version };
    if (response.status !== 503 || !Check(Unwell, answer)) return { kind: 'other' };
    const problems = (answer.error.details ?? []).map(({ field, problem }) => `${field} ${problem}`);
    return { kind: 'unwell', message: answer.error.message, problems };
  } catch (error) {
    return { kind: 'none', reason: reasonOf(error) };
  } finally {
    await way.close();
  }
}
