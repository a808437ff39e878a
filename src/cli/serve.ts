import { userInfo } from 'node:os';
import type { Logger } from 'pino';
import { type App, buildApp } from '../app.ts';
import { localNamePattern, mintLocalToken } from '../code-hosts/git/local-token.ts';
import { type Config, readConfig, unknownSettings } from '../config.ts';
import { loadSecretKeys } from '../data-folder.ts';
import { retryWhileBusy } from '../db/failures.ts';
import { isNameRemoved } from '../db/removals.ts';
import { StartupProblem } from '../domain/errors.ts';
import { returnMemoryWhenIdle } from '../idle-memory.ts';
import { createLog } from '../log.ts';
import { adviceOnLocalModel, findLocalModels } from '../open-model-lists.ts';
import { version } from '../version.ts';
import { cannotListen, localOrigin, requireFreePort } from './call-service.ts';
import { defineCommand, onSignals, print } from './command.ts';

interface ServiceLimits {
  databasePatienceMs?: number | undefined;
  /** The time in which running requests may finish once the service stops. */
  finishMs: number;
  /** The limit for stopping, if a disk or database hangs. Acknowledged changes are stored by then. */
  stopMs: number;
}

const usualLimits: ServiceLimits = { finishMs: 8_000, stopMs: 15_000 };

/** Waits until proxies have noticed, finishes running requests, and does not wait for clients that never finish. */
function endOnSignals(app: App, log: Logger, noticeMs: number, { finishMs, stopMs }: ServiceLimits): void {
  let stopping: number | null = null;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn('some requests did not finish in time; stopping anyway');
      app.server.server.closeAllConnections();
    }, noticeMs + finishMs).unref();
    setTimeout(() => {
      log.error('stopping takes too long; exiting now');
      // A normal exit would wait for threads, and one that hangs in a system call never ends.
      process.kill(process.pid, 'SIGKILL');
    }, noticeMs + stopMs).unref();
    await app.server.drain(noticeMs);
    await app.close();
    log.info('stopped');
    process.exit(0);
  };
  onSignals((signal) => {
    // A terminal signals the whole group and npm forwards the signal, so two signals at once count as one.
    if (stopping !== null && Date.now() - stopping > 1_000) process.exit(1);
    if (stopping !== null) return;
    stopping = Date.now();
    stop(signal).catch((error) => {
      log.error({ err: error }, 'stopping failed');
      process.exit(1);
    });
  });
}

async function startProcess(
  config: Config,
  role: { isWorker?: boolean } = {},
  limits = usualLimits,
): Promise<{ app: App; address: string }> {
  const log = await createLog(config.logLevel);
  const clock = () => new Date();
  print(`Pullquote ${version}`);
  for (const { name, meant } of unknownSettings())
    print(
      `${name} is not a setting; ${meant ? `did you mean ${meant}?` : 'pullquote settings lists all settings.'}`,
    );
  await requireFreePort(config);
  const app = await buildApp(config, {
    log,
    clock,
    command: role.isWorker ? 'work' : 'serve',
    announce: print,
    databasePatienceMs: limits.databasePatienceMs,
    ...role,
  });
  // No proxy sends requests to a process that only writes.
  endOnSignals(app, log, role.isWorker ? 0 : config.drainMs, limits);
  const address = await listen(app, config);
  returnMemoryWhenIdle();
  return { app, address };
}

async function listen(app: App, config: Config): Promise<string> {
  const { listen: host, port } = config;
  try {
    const address = new URL(await app.server.listen({ host, port }));
    return localOrigin({ listen: host, port: Number(address.port) || 80 });
  } catch (error) {
    await app.close();
    throw cannotListen(error, config);
  }
}

const hour = 60 * 60 * 1000;

export const serve = defineCommand({
  help: [
    'Usage: pullquote serve',
    '',
    'Starts the API and the web interface. Stop it with Ctrl-C or SIGTERM: it finishes open requests first. With WRITERS=0 it writes',
    'no articles and polls no hosts; pullquote work does both. It takes no arguments. For settings, see pullquote settings.',
  ],
  async run() {
    await runService(usualLimits);
  },
});

export async function runService(limits: ServiceLimits): Promise<void> {
  const config = readConfig();
  const { app, address: local } = await startProcess(config, {}, limits);
  const address = config.publicUrl ?? local;
  print(`Serving at ${address} (reference: ${address}/docs)`);
  print(writerLine(config, app.deps.currentModels()?.writer ?? null, address));
  if (!config.aiModel && config.writers > 0)
    void findLocalModels(config).then(([found]) => found && print(adviceOnLocalModel(found)));
  await welcome(app, config, address);
  app.startBackgroundJobs();
}

function writerLine(
  { writers, databaseUrl }: Config,
  model: { provider: string; name: string } | null,
  address: string,
): string {
  if (writers === 0)
    return databaseUrl
      ? 'WRITERS is 0: this process only answers requests. To write articles and poll hosts, start pullquote work.'
      : 'WRITERS is 0: no articles are written.';
  return model
    ? `Articles are written by ${model.provider}/${model.name}.`
    : `Articles are written without a model. Connect one at ${address}/settings/model, or set AI_MODEL.`;
}

/** Printed on a terminal only: a pull request to try, and a one-time sign-in link. */
async function welcome({ codeHosts, database }: App, config: Config, address: string): Promise<void> {
  for (const { webUrl } of codeHosts.filter(({ isLocal }) => !isLocal))
    print(`Sign in at ${address}/sign-in with a personal access token from ${webUrl}.`);
  const clones = codeHosts.find(({ isLocal }) => isLocal);
  if (!clones) return;
  const suggestion = await clones.suggestPullRequest();
  const isRemoved =
    suggestion && (await retryWhileBusy(() => isNameRemoved(database, { host: clones.id, ...suggestion })));
  if (suggestion && !isRemoved) {
    print(`A pull request to try: ${address}/r/${suggestion.owner}/${suggestion.name}/${suggestion.number}`);
  } else if (!suggestion) {
    print(
      `No public pull request was found in ${config.gitRepos}. Put clones there as owner/repo. ${clones.pullRequestHint}`,
    );
  }
  const name = nameOfStarter();
  const expiresAt = new Date(Date.now() + hour);
  const token = mintLocalToken(loadSecretKeys(config), { name, expiresAt, singleUse: true });
  print(`Sign in as ${name}: ${address}/sign-in#token=${token}`);
}

function nameOfStarter(): string {
  try {
    const { username } = userInfo();
    return localNamePattern.test(username) ? username : 'owner';
  } catch {
    return 'owner';
  }
}

export const work = defineCommand({
  help: [
    'Usage: pullquote work',
    '',
    'Writes articles and polls code hosts on behalf of all pullquote serve processes that use the same PostgreSQL database',
    '(DATABASE_URL). Stop it with Ctrl-C or SIGTERM: unfinished articles go back to the queue. It serves only /healthz and',
    '/metrics, on PORT. It takes no arguments. For settings, see pullquote settings.',
  ],
  async run() {
    const config = readConfig();
    requireWork(config);
    const { app, address } = await startProcess(config, { isWorker: true });
    if (!config.secretKeys)
      print(
        `SECRET_KEYS is not set: saved tokens can be used only by processes that share ${config.dataFolder}.`,
      );
    print(`Working with ${config.writers} writers (health: ${address}/healthz)`);
    app.startBackgroundJobs();
  },
});

function requireWork({ databaseUrl, writers }: Config): void {
  if (!databaseUrl)
    throw new StartupProblem(
      'pullquote work needs DATABASE_URL: without it, pullquote serve runs its own database and does all the work. Set ' +
        'DATABASE_URL to a PostgreSQL database that all processes share, or start only pullquote serve.',
    );
  if (writers === 0)
    throw new StartupProblem(
      'pullquote work has nothing to do with WRITERS=0. Set WRITERS to 1 or more for this process. Set it to 0 only for pullquote serve processes that should not write.',
    );
}
