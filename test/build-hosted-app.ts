import { buildTestApp, type TestApp } from './build-app.ts';
import { standInCertificate } from './github/stand-in.ts';

type Options = Parameters<typeof buildTestApp>[0];

export interface HostedApp {
  app: TestApp;
  /** The settings that the service was built with, except those of its database. */
  environment: Record<string, string>;
  /** Every response of the service. */
  answers: string[];
  /** Makes an account on the host and signs it up; returns its token. */
  join: (login: string) => Promise<string>;
}

/** Tests hold back responses of hosts, which may take long on a busy machine. */
const patientWithHosts = { hostMs: 60_000 };

/** A service that reads from a stand-in of a host and records its responses. */
export async function buildHostedApp(
  host: { environment: Record<string, string>; addAccount: (login: string) => string },
  { environment: given, patience, ...options }: NonNullable<Options> = {},
): Promise<HostedApp> {
  const environment = { NODE_EXTRA_CA_CERTS: standInCertificate, ...host.environment, ...given };
  const waits = { ...patientWithHosts, ...patience };
  const app = await buildTestApp({ frozen: true, environment, patience: waits, ...options });
  const answers: string[] = [];
  const { call } = app;
  app.call = async (...asked) => {
    const reply = await call(...asked);
    answers.push(reply.text, JSON.stringify([...reply.headers]));
    return reply;
  };
  return {
    app,
    environment,
    answers,
    async join(login) {
      const token = host.addAccount(login);
      const { status, text } = await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
      if (status !== 201) throw new Error(`Signing ${login} up answered ${status}: ${text}`);
      return token;
    },
  };
}
