import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { Type } from '../contract/type.ts';
import { StartupProblem } from '../domain/errors.ts';

interface DeviceFlow {
  /** A way out that reaches the code host. */
  fetch: typeof globalThis.fetch;
  /** What people call the host, where it is, and what it has for devices. */
  host: { name: string; webUrl: string; codePath: string; tokenPath: string; clientIdSetting: string };
  clientId: string;
  scopes: string;
  /** Tells the person at the terminal what to do. */
  tell: (sentence: string) => void;
  /** Lets time pass between two questions. */
  wait: (seconds: number) => Promise<void>;
}

/** What hosts add to the time between two questions when they come too fast. */
const slowerBySeconds = 5;

/** As long as one question may take. */
const patienceMs = 10_000;

/** How long a code is good where the host does not say, as it usually is. */
const usualSeconds = 900;

/** What is shown at the terminal has no characters that would steer it. */
const Begun = Type.Object({
  device_code: Type.String(),
  user_code: Type.String({ pattern: '^[\\w-]{1,40}$' }),
  verification_uri: Type.String({ pattern: '^https?://[!-~]{1,500}$' }),
  expires_in: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  interval: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
});
const Granted = Type.Object({ access_token: Type.String(), refresh_token: Type.Optional(Type.String()) });
const Refused = Type.Object({ error: Type.String() });

const expired = 'Nobody entered the code in time. Run pullquote login again.';
const refusalsOf = ({ name, clientIdSetting }: DeviceFlow['host']): Record<string, string> => ({
  expired_token: expired,
  access_denied: 'You have not allowed it. Run pullquote login again if you want to.',
  device_flow_disabled: `The app of this server takes no devices: its operator has to enable the device flow in its settings on ${name}.`,
  incorrect_client_credentials: `${name} does not know the app of this server. Its operator has to check ${clientIdSetting}.`,
  unsupported_grant_type: `${name} does not offer the device flow there. Sign in at /sign-in of the server instead.`,
});

/** Signs a user in at a code host that is open elsewhere: the user enters a code there, and this polls until then. */
export async function runDeviceFlow(
  flow: DeviceFlow,
): Promise<{ accessToken: string; refreshToken: string | null }> {
  const { host, clientId, scopes, tell, wait } = flow;
  const begun = await ask(flow, host.codePath, {
    client_id: clientId,
    ...(scopes && { scope: scopes }),
  });
  const { device_code, user_code, verification_uri, ...times } = read(host, Begun, begun);
  const { expires_in: mostSeconds = usualSeconds, interval = slowerBySeconds } = times;
  tell(`Open ${verification_uri} and enter the code ${user_code}`);
  for (let pause = interval, waited = 0; waited <= mostSeconds; waited += Math.max(1, pause)) {
    await wait(pause);
    const answer = await ask(flow, host.tokenPath, {
      client_id: clientId,
      device_code,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    }).catch(() => tooFast);
    if (Check(Refused, answer) && answer.error === 'authorization_pending') continue;
    if (Check(Refused, answer) && answer.error === 'slow_down') {
      pause += slowerBySeconds;
      continue;
    }
    const { access_token: accessToken, refresh_token: refreshToken = null } = read(host, Granted, answer);
    return { accessToken, refreshToken };
  }
  throw new StartupProblem(expired);
}

/** The user may just be entering the code: a poll without an answer is repeated, later. */
const tooFast = { error: 'slow_down' };

async function ask(
  { fetch, host: { name, webUrl } }: DeviceFlow,
  path: string,
  asked: Record<string, string>,
): Promise<unknown> {
  try {
    const response = await fetch(`${webUrl}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'user-agent': 'pullquote' },
      body: new URLSearchParams(asked),
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.status >= 500) throw new Error(`${name} answered ${response.status}.`);
    return response.status === 404 ? { error: 'incorrect_client_credentials' } : await response.json();
  } catch {
    throw new StartupProblem(
      `${webUrl} cannot be reached, or answers nothing that can be read. Try again later.`,
    );
  }
}

function read<Schema extends TSchema>(
  host: DeviceFlow['host'],
  schema: Schema,
  answer: unknown,
): Static<Schema> {
  if (Check(schema, answer)) return answer;
  const error = Check(Refused, answer) ? answer.error : '';
  const refusals = refusalsOf(host);
  const known = Object.hasOwn(refusals, error) ? refusals[error] : undefined;
  throw new StartupProblem(known ?? `${host.name} answered something unexpected. Run pullquote login again.`);
}
