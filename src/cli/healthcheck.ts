import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { Check } from 'typebox/value';
import { type Config, readConfig } from '../config.ts';
import { Type } from '../contract/type.ts';
import { StartupProblem } from '../domain/errors.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import type { Command } from './command.ts';
import { print } from './print.ts';

/** A process that is well answers within a second; a machine that is busy is given some more. */
const limits = { patienceMs: 5_000, mostBytes: 64 * 1024 };

const Problem = Type.Object({ field: Type.String(), problem: Type.String() });

const Unwell = Type.Object({
  error: Type.Object({ message: Type.String(), details: Type.Optional(Type.Array(Problem)) }),
});

export const healthcheck: Command = {
  help: [
    'Usage: pullquote healthcheck',
    '',
    'Asks the process of pullquote serve or pullquote work that listens at LISTEN and PORT whether it is well. Ends with 0 if',
    'it is, otherwise with 1 and a sentence. It takes no parameters, and the settings of that process.',
  ].join('\n'),
  async run(parameters) {
    parseArgs({ args: parameters, options: {} });
    const origin = originOf(readConfig());
    // A proxy elsewhere would ask its own machine.
    const way = createEgressClient({}, { ...limits, origins: [origin], mayBePrivate: true });
    try {
      print(await ask(way.fetch, origin));
    } finally {
      await way.close();
    }
  },
};

/** Where this machine reaches what listens there. */
function originOf({ listen, port }: Config): string {
  if (port === 0)
    throw new StartupProblem('With PORT=0 it is not known where the process listens. Set PORT to a number.');
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const address = everywhere[listen] ?? listen;
  return new URL(`http://${isIP(address) === 6 ? `[${address}]` : address}:${port}`).origin;
}

async function ask(fetch: typeof globalThis.fetch, origin: string): Promise<string> {
  let isOk = false;
  let text = '';
  try {
    const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(limits.patienceMs) });
    isOk = response.ok;
    text = await response.text();
  } catch {
    throw new StartupProblem(
      `Nothing answers at ${origin}/healthz within ${limits.patienceMs / 1000} seconds. Is the process running, with this LISTEN and PORT?`,
    );
  }
  if (isOk) return 'All is well.';
  throw new StartupProblem(describe(text, origin));
}

function describe(text: string, origin: string): string {
  const answer = parse(text);
  if (!Check(Unwell, answer)) return `What answers at ${origin} is not Pullquote. Check PORT.`;
  const problems = answer.error.details?.map(({ field, problem }) => `${field} ${problem}`) ?? [];
  return [answer.error.message, ...problems].join('\n  ');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
