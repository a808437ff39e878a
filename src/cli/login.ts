import { setTimeout } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { localNamePattern, mintLocalToken } from '../code-hosts/git/local-token.ts';
import { knownHosts } from '../code-hosts/known-hosts.ts';
import { type Config, readConfig } from '../config.ts';
import { Meta } from '../contract/service.ts';
import { Type } from '../contract/type.ts';
import { hasSecretKeys, loadSecretKeys } from '../data-folder.ts';
import { StartupProblem } from '../domain/errors.ts';
import { anyOf } from '../domain/text.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { callLimits, callService, serverOf } from './call-service.ts';
import { defineCommand, print, printProblem, text, UsageProblem } from './command.ts';

interface DeviceFlow {
  fetch: typeof globalThis.fetch;
  host: { name: string; webUrl: string; codePath: string; tokenPath: string; clientIdSetting: string };
  clientId: string;
  scopes: string;
  tell: (sentence: string) => void;
  wait: (seconds: number) => Promise<void>;
}

/** Hosts add this to the polling interval if polls come too fast. */
const slowerBySeconds = 5;

const patienceMs = 10_000;

/** The usual lifetime of a code, for hosts that name none. */
const usualSeconds = 900;

/** Only these characters are printed, so that none can steer the terminal. */
const Begun = Type.Object({
  device_code: Type.String(),
  user_code: Type.String({ pattern: '^[\\w-]{1,40}$' }),
  verification_uri: Type.String({ pattern: '^https?://[!-~]{1,500}$' }),
  expires_in: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  interval: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
});
const Granted = Type.Object({ access_token: Type.String(), refresh_token: Type.Optional(Type.String()) });
const Refused = Type.Object({ error: Type.String() });

const expired = 'The code was not entered in time. Run pullquote login again.';
const refusalsOf = ({ name, clientIdSetting }: DeviceFlow['host']): Record<string, string> => ({
  expired_token: expired,
  access_denied: 'You did not grant access. To try again, run pullquote login.',
  device_flow_disabled: `The device flow is not enabled for this server's app. Its administrator can enable it in the app's settings on ${name}.`,
  incorrect_client_credentials: `${name} does not know the app of this server. Ask its administrator to check ${clientIdSetting}.`,
  unsupported_grant_type: `${name} does not offer the device flow. Sign in at /sign-in on the server instead.`,
});

/**
 * Signs a user in at a code host by the device flow: the user enters a code in a browser, and this polls until then.
 */
export async function runDeviceFlow(
  flow: DeviceFlow,
): Promise<{ accessToken: string; refreshToken: string | null }> {
  const { host, clientId, scopes, tell, wait } = flow;
  const begun = await askHost(flow, host.codePath, {
    client_id: clientId,
    ...(scopes && { scope: scopes }),
  });
  const { device_code, user_code, verification_uri, ...times } = readHostReply(host, Begun, begun);
  const { expires_in: mostSeconds = usualSeconds, interval = slowerBySeconds } = times;
  tell(`Open ${verification_uri} and enter the code ${user_code}`);
  for (let pause = interval, waited = 0; waited <= mostSeconds; waited += Math.max(1, pause)) {
    await wait(pause);
    const result = await askHost(flow, host.tokenPath, {
      client_id: clientId,
      device_code,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    }).catch(() => tooFast);
    if (Check(Refused, result) && result.error === 'authorization_pending') continue;
    if (Check(Refused, result) && result.error === 'slow_down') {
      pause += slowerBySeconds;
      continue;
    }
    const { access_token: accessToken, refresh_token: refreshToken = null } = readHostReply(
      host,
      Granted,
      result,
    );
    return { accessToken, refreshToken };
  }
  throw new StartupProblem(expired);
}

/** The user may be entering the code, so a poll without a response is repeated later. */
const tooFast = { error: 'slow_down' };

async function askHost(
  { fetch, host: { name, webUrl } }: DeviceFlow,
  path: string,
  fields: Record<string, string>,
): Promise<unknown> {
  try {
    const response = await fetch(`${webUrl}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'user-agent': 'pullquote' },
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.status >= 500) throw new Error(`${name} answered ${response.status}.`);
    return response.status === 404 ? { error: 'incorrect_client_credentials' } : await response.json();
  } catch {
    throw new StartupProblem(`Cannot reach ${webUrl}, or its response is not valid. Try again later.`);
  }
}

function readHostReply<Schema extends TSchema>(
  host: DeviceFlow['host'],
  schema: Schema,
  result: unknown,
): Static<Schema> {
  if (Check(schema, result)) return result;
  const error = Check(Refused, result) ? result.error : '';
  const refusals = refusalsOf(host);
  const known = Object.hasOwn(refusals, error) ? refusals[error] : undefined;
  throw new StartupProblem(known ?? `${host.name} sent an unexpected response. Run pullquote login again.`);
}

const day = 24 * 60 * 60 * 1000;

export const printToken = defineCommand({
  help: [
    'Usage: pullquote token NAME [--days DAYS]',
    '',
    'Prints a token that signs you in under the local name NAME: 1 to 39 letters, digits, dots, hyphens or underscores. It is',
    "valid for services with the same data folder or the same SECRET_KEYS. The service doesn't have to be running.",
    '',
    '  --days DAYS   days until it expires, 1 to 365 (default 90)',
  ],
  allowPositionals: true,
  options: { days: { type: 'string', default: '90' } },
  async run(values, positionals) {
    const [name, ...more] = positionals;
    if (!name || more.length > 0) throw new UsageProblem('Pass exactly one name.');
    if (!localNamePattern.test(name))
      throw new UsageProblem(
        `${name} is not a valid name: use 1 to 39 letters, digits, dots, hyphens or underscores.`,
      );
    const days = Number(values.days);
    if (!Number.isInteger(days) || days < 1 || days > 365) {
      throw new UsageProblem('--days must be a whole number from 1 to 365.');
    }
    const config = readConfig();
    const hadKeys = hasSecretKeys(config);
    const keys = loadSecretKeys(config);
    if (!config.secretKeys) printProblem(whereKeysAre(config, hadKeys));
    const expiresAt = new Date(Date.now() + days * day);
    print(mintLocalToken(keys, { name, expiresAt, singleUse: false }));
  },
});

const whereKeysAre = ({ dataFolder }: Config, hadKeys: boolean): string =>
  hadKeys
    ? `Made with the key of the data folder ${dataFolder}.`
    : `Made with a new key in the data folder ${dataFolder}. A service with another data folder does not accept ` +
      'this token: run this command in the folder where the service was started, or set PULLQUOTE_DATA to its data folder.';

const Opened = Type.Object({ data: Type.Object({ accessToken: Type.String() }) });

export const login = defineCommand({
  help: [
    'Usage: pullquote login [--server URL] [--host ID]',
    '',
    'Signs you in with your account on GitHub and prints a session token. It shows a code and the URL of the page where you',
    'enter it. You can open the page on any device. Your GitHub token is saved on the server.',
    '',
    '  --server URL   the server to sign in to (default: PUBLIC_URL, else this machine)',
    '  --host ID      the code host to sign in with (default: the first that offers it)',
  ],
  options: { server: text, host: text },
  async run(values) {
    const config = readConfig();
    const server = serverOf(values.server, config);
    const ours = createEgressClient(config, { ...callLimits, origins: [server], mayBePrivate: true });
    try {
      const { host, app } = await findHost(ours.fetch, server, values.host);
      const tokens = await signInAt(config, host, app);
      print(await openServiceSession(ours.fetch, server, tokens));
    } finally {
      await ours.close();
    }
  },
});

type Host = Parameters<typeof runDeviceFlow>[0]['host'];

async function findHost(fetch: typeof globalThis.fetch, server: string, wanted: string | undefined) {
  const result = await callService(fetch, `${server}/meta`, {});
  const meta = Check(Type.Object({ data: Meta }), result) ? result.data : null;
  const offering = Object.values(knownHosts).filter(
    ({ id, deviceFlow }) => deviceFlow && (wanted === undefined || id === wanted),
  );
  for (const { id, webUrl, clientId, scopes = '' } of meta?.hosts ?? []) {
    const known = offering.find((one) => one.id === id);
    if (webUrl && clientId && known?.deviceFlow)
      return { host: { name: known.name, webUrl, ...known.deviceFlow }, app: { clientId, scopes } };
  }
  const settings = anyOf(offering.flatMap(({ deviceFlow }) => deviceFlow?.clientIdSetting ?? []));
  const names = anyOf(offering.map(({ name }) => name));
  if (!meta)
    throw new StartupProblem(`${server} is not Pullquote, or is a different version. Check --server.`);
  throw new StartupProblem(
    offering.length > 0
      ? `${server} has no app on ${names}: ask its administrator to set ${settings}. Sign in at ${server}/sign-in instead.`
      : `${wanted} does not support signing in from a terminal. Sign in at ${server}/sign-in instead.`,
  );
}

async function signInAt(config: Config, host: Host, app: { clientId: string; scopes: string }) {
  const { origin } = new URL(host.webUrl);
  // The host may be in a private network, because the user's own server named it.
  const way = createEgressClient(config, { ...callLimits, origins: [origin], mayBePrivate: true });
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

async function openServiceSession(
  fetch: typeof globalThis.fetch,
  server: string,
  { accessToken, refreshToken }: { accessToken: string; refreshToken: string | null },
): Promise<string> {
  const opened = await callService(fetch, `${server}/auth/session`, { token: accessToken, body: {} });
  if (!Check(Opened, opened)) throw new StartupProblem(`${server} sent an unexpected response.`);
  const session = opened.data.accessToken;
  const body = { accessToken, ...(refreshToken !== null && { refreshToken }) };
  try {
    await callService(fetch, `${server}/auth/host-token`, { token: session, body });
  } catch (error) {
    // The user does not get the token of this session, so it is logged out.
    await callService(fetch, `${server}/auth/logout`, { token: session, body: {} }).catch(() => {});
    throw error;
  }
  return session;
}
