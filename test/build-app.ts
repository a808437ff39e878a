import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { pino } from 'pino';
import postgres from 'postgres';
import { type App, buildApp } from '../src/app.ts';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { type Config, parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import type { Patience } from '../src/http/deps.ts';
import type { Thread } from '../src/threads/thread-pool.ts';
import { checkAgainstContract } from './check-against-contract.ts';
import { databaseOn } from './postgres.ts';
import { sendRequest } from './send-request.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // Assertions and the contract check the body; a type here would prove nothing.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

interface CallOptions {
  token?: string | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string;
  headers?: Record<string, string>;
}

export interface TestApp extends App {
  url: string;
  config: Config;
  call: (method: string, path: string, options?: CallOptions) => Promise<Reply>;
  /** A local token for a name, as `pullquote token` makes it. */
  tokenFor: (name: string, options?: { expiresInMs?: number; singleUse?: boolean }) => string;
  /** Signs a new local name up and returns its token. */
  signUp: (name: string) => Promise<string>;
  /** The time of the service's clock. */
  now: () => Date;
  /** Advances the service's clock. */
  advance: (ms: number) => void;
  logLines: () => Record<string, unknown>[];
}

interface TestAppOptions {
  environment?: Record<string, string>;
  /** The settings of a database that an earlier service used; a new database by default. */
  database?: Record<string, string>;
  /** Records the pauses between calls to a model; the service then does not wait. */
  waits?: number[];
  /** Whether time stands still until the test advances it. */
  frozen?: boolean;
  /** The log level; the default of the service if absent. */
  logLevel?: 'info' | 'trace';
  /** The timeouts of the service in this test; its defaults if absent. */
  patience?: Patience;
  /** The timeout of the service's database calls; the default if absent. */
  databasePatienceMs?: number;
  /** Records what the service prints at its start. */
  announced?: string[];
}

/** A new database, as settings: migrated, because creating its tables takes longer than most tests, or empty. */
export async function freshDatabase({ isEmpty = false } = {}): Promise<Record<string, string>> {
  const serverUrl = process.env.TEST_DATABASE_URL ?? '';
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const sql = postgres(serverUrl, { max: 1 });
  const template = isEmpty ? undefined : process.env.TEST_DATABASE_TEMPLATE;
  // Copying files is twice as fast as writing them to the WAL.
  const from = template ? `TEMPLATE ${template} STRATEGY FILE_COPY` : '';
  await sql.unsafe(`CREATE DATABASE ${name} ${from}`);
  await sql.end();
  const dataFolder = join(temporaryFolder(), 'data');
  mkdirSync(dataFolder);
  const samples = process.env.TEST_CLONES;
  // Without a shared server, each service starts its own.
  if (samples) symlinkSync(samples, join(dataFolder, 'sample-repositories'));
  return {
    PULLQUOTE_DATA: dataFolder,
    DATABASE_URL: databaseOn(serverUrl, name),
  };
}

const idleThreads = new Map<string, Thread[]>();

/** The services of one process share threads, because starting a thread takes longer than most of its work in tests. */
function sharedThreads(limits: object): Thread[] {
  const key = JSON.stringify(limits);
  const threads = idleThreads.get(key) ?? [];
  idleThreads.set(key, threads);
  return threads;
}

/** A whole service on its own database and a free port, with a clock that the test advances. */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { environment = {}, database, waits, frozen = false, logLevel = 'info', patience } = options;
  const { databasePatienceMs, announced = [] } = options;
  const settings = database ?? (await freshDatabase());
  // Most tests count the questions to a model, so looking around is off.
  const usual = { PORT: '0', RATE_LIMIT: '0', AI_LOOKS: '0' };
  const config = parseConfig({ ...usual, ...settings, ...environment });
  let offset = 0;
  const start = Date.now();
  const clock = () => new Date((frozen ? start : Date.now()) + offset);
  const lines: string[] = [];
  const log = pino({ level: logLevel, base: null }, { write: (line: string) => void lines.push(line) });
  const wait = waits && (async (ms: number) => void waits.push(ms));
  const app = await buildApp(config, {
    log,
    clock,
    command: 'serve',
    announce: (sentence) => void announced.push(sentence),
    patience,
    databasePatienceMs,
    sharedThreads,
    ...(wait && { wait }),
  });
  const url = await app.server.listen({ host: config.listen, port: config.port });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= app.close();
    return closed;
  };
  after(close);

  const secretKeys = loadSecretKeys(config);
  const tokenFor: TestApp['tokenFor'] = (name, { expiresInMs = 60 * 60 * 1000, singleUse = false } = {}) =>
    mintLocalToken(secretKeys, { name, singleUse, expiresAt: new Date(clock().getTime() + expiresInMs) });

  const call: TestApp['call'] = async (method, path, { token, body, raw, headers = {} } = {}) => {
    const received = await sendRequest(new URL(path, url), {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(raw !== undefined && { body: raw }),
    });
    const isJson =
      received.headers.get('content-type')?.startsWith('application/json') && received.text !== '';
    const reply = { ...received, body: isJson ? JSON.parse(received.text) : undefined };
    checkAgainstContract(app.server, method, path, reply);
    return reply;
  };

  return {
    ...app,
    url,
    config,
    close,
    call,
    tokenFor,
    now: clock,
    advance: (ms) => {
      offset += ms;
    },
    logLines: () => lines.map((line) => JSON.parse(line)),
    async signUp(name) {
      const token = tokenFor(name);
      const { status, text } = await call('POST', '/auth/signup', { token });
      if (status !== 201) throw new Error(`Signing ${name} up answered ${status}: ${text}`);
      return token;
    },
  };
}
