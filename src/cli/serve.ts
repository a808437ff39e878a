import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { type App, buildApp } from '../app.ts';
import { localNamePattern, mintLocalToken } from '../code-hosts/git/local-token.ts';
import { type Config, readConfig, unknownSettings } from '../config.ts';
import { isRemovedByName } from '../db/removals.ts';
import { loadSecretKeys } from '../load-secret-keys.ts';
import { createLog } from '../log.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { print } from './print.ts';
import { cannotListen, requireFreePort } from './require-free-port.ts';

const hour = 60 * 60 * 1000;

/** Requests in flight get this long to finish once the service is told to stop. */
const patienceMs = 8_000;

/** Whatever still hangs then, a disk included, keeps the process no longer; what was acknowledged is stored. */
const lastPatienceMs = 15_000;

export const serve: Command = {
  help: [
    'Usage: pullquote serve',
    '',
    'Serves the API and the pages until it gets SIGTERM or SIGINT; then it finishes what is in flight and ends.',
    'It takes no parameters: pullquote settings lists what can be set through the environment.',
  ].join('\n'),
  async run(parameters) {
    parseArgs({ args: parameters, options: {} });
    const config = readConfig();
    const log = await createLog(config.logLevel);
    const clock = () => new Date();
    print(`Pullquote ${version}`);
    for (const { name, meant } of unknownSettings())
      print(
        `unknown setting ${name}; ${meant ? `did you mean ${meant}?` : 'pullquote settings lists what there is.'}`,
      );
    await requireFreePort(config);
    const app = await buildApp(config, { log, clock, announce: print });
    stopOnSignals(app, log);
    const address = await listen(app, config);
    print(`Serving at ${address} (reference: ${address}/docs)`);
    print(writerOf(config));
    await welcome(app, config, address);
    app.fillWithSamples();
    app.lists.begin();
    app.watching.begin();
    app.indexing.begin();
  },
};

/** Who writes: those who set a model see at once whether it counts. */
const writerOf = ({ aiModel }: Config): string =>
  aiModel
    ? `Articles are written by ${aiModel.provider}/${aiModel.name}.`
    : 'Articles are written without a model: AI_MODEL is not set.';

async function listen(app: App, config: Config): Promise<string> {
  const { listen: host, port } = config;
  try {
    const address = new URL(await app.server.listen({ host, port }));
    // An address that means "every one" is no address to visit.
    if (host === '0.0.0.0' || host === '::') address.hostname = '127.0.0.1';
    return config.publicUrl ?? address.origin;
  } catch (error) {
    await app.close();
    throw cannotListen(error, config);
  }
}

/** For the person at the terminal only: a pull request to try, and a link that signs them in once. */
async function welcome({ codeHosts, database }: App, config: Config, address: string): Promise<void> {
  const github = codeHosts.find(({ id }) => id === 'github');
  if (github) print(`Sign in at ${address}/sign-in with a personal access token of ${github.webUrl}.`);
  const git = codeHosts.find(({ id }) => id === 'git');
  if (!git) return;
  const suggestion = await git.suggestPullRequest();
  const isRemoved = suggestion && (await isRemovedByName(database, { host: git.id, ...suggestion }));
  if (suggestion && !isRemoved) {
    print(`A pull request to try: ${suggestion.owner}/${suggestion.name}#${suggestion.number}`);
  } else if (!suggestion) {
    print(
      `No public pull request was found in ${config.gitRepos}. Clones belong there as owner/repo. ${git.whatCounts}`,
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

/** Finishes what is in flight, but does not wait for clients that never finish. */
function stopOnSignals(app: App, log: Logger): void {
  let stopping: number | null = null;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn('some requests did not finish in time; ending without them');
      app.server.server.closeAllConnections();
    }, patienceMs).unref();
    setTimeout(() => {
      log.error('stopping takes too long; ending at once');
      // Ending in an orderly way would wait for threads, and one that hangs in a system call never ends.
      process.kill(process.pid, 'SIGKILL');
    }, lastPatienceMs).unref();
    await app.close();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A terminal signals the whole group and npm passes it on: twice at once is once.
      if (stopping !== null && Date.now() - stopping > 1_000) process.exit(1);
      if (stopping !== null) return;
      stopping = Date.now();
      stop(signal).catch((error) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      });
    });
  }
}
