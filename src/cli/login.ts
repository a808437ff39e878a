import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Check } from 'typebox/value';
import { knownHosts } from '../code-hosts/known-hosts.ts';
import { type Config, readConfig } from '../config.ts';
import { Meta } from '../contract/service.ts';
import { Type } from '../contract/type.ts';
import { StartupProblem } from '../domain/errors.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { serverOf } from './ask-service.ts';
import type { Command } from './command.ts';
import { runDeviceFlow } from './device-flow.ts';
import { print, printProblem } from './print.ts';

/** Answers are small. */
const limits = { patienceMs: 30_000, mostBytes: 1024 * 1024 };

const Opened = Type.Object({ data: Type.Object({ accessToken: Type.String() }) });

export const login: Command = {
  help: [
    'Usage: pullquote login [--server URL] [--host ID]',
    '',
    'Signs you in with your account on GitHub, which asks you in a browser, on this machine or another one. Prints a session',
    'token and nothing else; what to do meanwhile is said on standard error. Your token of GitHub is saved on the server.',
    '',
    '  --server URL   the server to sign in at (default: PUBLIC_URL, else this machine)',
    '  --host ID      the code host to sign in with, where the server is an app on several (default: the first)',
  ].join('\n'),
  async run(parameters) {
    const { values } = parseArgs({
      args: parameters,
      options: { server: { type: 'string' }, host: { type: 'string' } },
    });
    const config = readConfig();
    const server = serverOf(values.server, config);
    const ours = createEgressClient(config, { ...limits, origins: [server], mayBePrivate: true });
    try {
      const { host, app } = await findHost(ours.fetch, server, values.host);
      const tokens = await signInAt(config, host, app);
      print(await openSession(ours.fetch, server, tokens));
    } finally {
      await ours.close();
    }
  },
};

type Host = Parameters<typeof runDeviceFlow>[0]['host'];

/** The host that the server is an app on, of those that sign in devices. */
async function findHost(fetch: typeof globalThis.fetch, server: string, wanted: string | undefined) {
  const answer = await call(fetch, `${server}/meta`, {});
  const meta = Check(Type.Object({ data: Meta }), answer) ? answer.data : null;
  const offering = Object.values(knownHosts).filter(
    ({ id, deviceFlow }) => deviceFlow && (wanted === undefined || id === wanted),
  );
  for (const { id, webUrl, clientId, scopes = '' } of meta?.hosts ?? []) {
    const known = offering.find((one) => one.id === id);
    if (webUrl && clientId && known?.deviceFlow)
      return { host: { name: known.name, webUrl, ...known.deviceFlow }, app: { clientId, scopes } };
  }
  const settings = offering.flatMap(({ deviceFlow }) => deviceFlow?.clientIdSetting ?? []).join(' or ');
  const names = offering.map(({ name }) => name).join(' or ');
  if (!meta) throw new StartupProblem(`${server} is no Pullquote, or another version of it. Check --server.`);
  throw new StartupProblem(
    offering.length > 0
      ? `${server} is no app on ${names}: its operator has to set ${settings}. Sign in at ${server}/sign-in instead.`
      : `${wanted} signs in no devices. Sign in at ${server}/sign-in instead.`,
  );
}

async function signInAt(config: Config, host: Host, app: { clientId: string; scopes: string }) {
  const { origin } = new URL(host.webUrl);
  // Where it is one's own server that says where the host is, that may be in one's own network.
  const way = createEgressClient(config, { ...limits, origins: [origin], mayBePrivate: true });
  try {
    return await runDeviceFlow({
      ...app,
      host,
      fetch: way.fetch,
      tell: printProblem,
      wait: (seconds) => setTimeout(seconds * 1000),
    });
  } finally {
    await way.close();
  }
}

/** A session, with which the token is saved. */
async function openSession(
  fetch: typeof globalThis.fetch,
  server: string,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | null },
): Promise<string> {
  const opened = await call(fetch, `${server}/auth/session`, { token: accessToken, body: {} });
  if (!Check(Opened, opened)) throw new StartupProblem(`${server} answered something unexpected.`);
  const session = opened.data.accessToken;
  const body = { accessToken, ...(refreshToken !== null && { refreshToken }) };
  try {
    await call(fetch, `${server}/auth/host-token`, { token: session, body });
  } catch (error) {
    // The user does not get this session's token: it is not left open.
    await call(fetch, `${server}/auth/logout`, { token: session, body: {} }).catch(() => {});
    throw error;
  }
  return session;
}

async function call(
  fetch: typeof globalThis.fetch,
  address: string,
  { token, body }: { token?: string; body?: object },
): Promise<unknown> {
  let answer: unknown;
  let isOk = false;
  try {
    const response = await fetch(address, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limits.patienceMs),
    });
    isOk = response.ok;
    answer = await response.json();
  } catch {
    throw new StartupProblem(
      `${address} cannot be reached, or answers nothing that can be read. Check --server.`,
    );
  }
  if (isOk) return answer;
  throw new StartupProblem(
    Check(Failed, answer)
      ? answer.error.message
      : `${address} answered something unexpected. Check --server.`,
  );
}

/** A sentence that can be shown at a terminal. */
const Sentence = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]{1,1000}$' });
const Failed = Type.Object({ error: Type.Object({ message: Sentence }) });
