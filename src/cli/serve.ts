import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { App } from '../app.ts';
import { localNamePattern, mintLocalToken } from '../code-hosts/git/local-token.ts';
import { type Config, readConfig } from '../config.ts';
import { retryWhileBusy } from '../db/failures.ts';
import { isRemovedByName } from '../db/removals.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { loadSecretKeys } from '../load-secret-keys.ts';
import { adviceOnLocalModel, findLocalModel } from '../open-models.ts';
import type { Command } from './command.ts';
import { print } from './print.ts';
import { startProcess } from './start-process.ts';

const hour = 60 * 60 * 1000;

export const serve: Command = {
  help: [
    'Usage: pullquote serve',
    '',
    'Serves the API and the pages until it gets SIGTERM or SIGINT; then it finishes what is in flight and ends.',
    'With WRITERS=0 it leaves writing, and asking code hosts what is new, to processes of pullquote work.',
    'It takes no parameters: pullquote settings lists what can be set through the environment.',
  ].join('\n'),
  async run(parameters) {
    parseArgs({ args: parameters, options: {} });
    const config = readConfig();
    const { app, address: local } = await startProcess(config);
    const address = config.publicUrl ?? local;
    print(`Serving at ${address} (reference: ${address}/docs)`);
    print(writerOf(config));
    // Nobody waits for servers that may not be there.
    if (!config.aiModel && config.writers > 0)
      void findLocalModel((rules) => createEgressClient(config, rules)).then(
        (found) => found && print(adviceOnLocalModel(found)),
      );
    await welcome(app, config, address);
    app.beginByItself();
  },
};

/** Who writes: those who set a model see at once whether it counts. */
function writerOf({ aiModel, writers, databaseUrl }: Config): string {
  if (writers === 0)
    return databaseUrl
      ? 'WRITERS is 0: this process only answers. Start pullquote work for those that write and watch.'
      : 'WRITERS is 0: no articles are written.';
  return aiModel
    ? `Articles are written by ${aiModel.provider}/${aiModel.name}.`
    : 'Articles are written without a model: AI_MODEL is not set.';
}

/** For the person at the terminal only: a pull request to try, and a link that signs them in once. */
async function welcome({ codeHosts, database }: App, config: Config, address: string): Promise<void> {
  for (const { webUrl } of codeHosts.filter(({ isLocal }) => !isLocal))
    print(`Sign in at ${address}/sign-in with a personal access token of ${webUrl}.`);
  const clones = codeHosts.find(({ isLocal }) => isLocal);
  if (!clones) return;
  const suggestion = await clones.suggestPullRequest();
  const isRemoved =
    suggestion && (await retryWhileBusy(() => isRemovedByName(database, { host: clones.id, ...suggestion })));
  if (suggestion && !isRemoved) {
    print(`A pull request to try: ${suggestion.owner}/${suggestion.name}#${suggestion.number}`);
  } else if (!suggestion) {
    print(
      `No public pull request was found in ${config.gitRepos}. Clones belong there as owner/repo. ${clones.pullRequestHint}`,
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
