import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Check } from 'typebox/value';
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
    'Usage: pullquote login [--server URL]',
    '',
    'Signs you in with your account on GitHub, which asks you in a browser, on this machine or another one. Prints a session',
    'token and nothing else; what to do meanwhile is said on standard error. Your token of GitHub is saved on the server.',
    '',
    '  --server URL   the server to sign in at (default: PUBLIC_URL, else this machine)',
  ].join('\n'),
  async run(parameters) {
    const { values } = parseArgs({ args: parameters, options: { server: { type: 'string' } } });
    const config = readConfig();
    const server = serverOf(values.server, config);
    const ours = createEgressClient(config, { ...limits, origins: [server], mayBePrivate: true });
    try {
      const { host, app } = await findHost(ours.fetch, server);
      const tokens = await signInAt(config, host, app);
      print(await openSession(ours.fetch, server, tokens));
    } finally {
      await ours.close();
    }
  },
};

/** The host that the server is an app on. */
async function findHost(fetch: typeof globalThis.fetch, server: string) {
  const answer = await call(fetch, `${server}/meta`, {});
  const meta = Check(Type.Object({ data: Meta }), answer) ? answer.data : null;
  const found = meta?.hosts.find(({ webUrl, clientId }) => webUrl !== null && clientId !== undefined);
  if (found?.webUrl && found.clientId)
    return { host: found.webUrl, app: { clientId: found.clientId, scopes: found.scopes ?? '' } };
  throw new StartupProblem(
    meta
      ? `${server} is no app on GitHub: its operator has to set GITHUB_CLIENT_ID. Sign in at ${server}/sign-in instead.`
      : `${server} is no Pullquote, or another version of it. Check --server.`,
  );
}

async function signInAt(config: Config, webUrl: string, app: { clientId: string; scopes: string }) {
  const { origin } = new URL(webUrl);
  // Where it is one's own server that says where GitHub is, that may be in one's own network.
  const way = createEgressClient(config, { ...limits, origins: [origin], mayBePrivate: true });
  try {
    return await runDeviceFlow({
      ...app,
      fetch: way.fetch,
      webUrl: origin,
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
