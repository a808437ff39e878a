import { networkHosts } from '../../code-hosts/known-hosts.ts';
import { type Config, programSearchPath, readHostAccess } from '../../config.ts';
import { Failure, StartupProblem } from '../../domain/errors.ts';
import { SignInNeeded } from '../command.ts';
import type { Target } from './parse-target.ts';

type Hosted = Target & { kind: 'hosted' };

export async function readHosted(
  { host: id, owner, repo, number }: Hosted,
  openCacheFolder: () => string,
  config: Config = readHostAccess(),
) {
  const token = networkHosts[id].web.tokenOf(config) ?? null;
  const says = hostSentences(networkHosts[id]);
  const host = await openHost(id, { ...config, dataFolder: openCacheFolder() });
  const name = `${owner}/${repo}#${number}`;
  try {
    const caller = { identity: null, token, signal: new AbortController().signal };
    const found = await host.findPullRequest(owner, repo, number, caller);
    if (found && !found.pullRequest)
      throw new StartupProblem(`${owner}/${repo} has no pull request ${number}. Check the number.`);
    const pullRequest = await found?.pullRequest?.read();
    if (!pullRequest)
      throw token ? new StartupProblem(says.hidden(name)) : new SignInNeeded(says.closed(name));
    const { state } = pullRequest;
    const { linesUrl, close } = host;
    return { host: id, owner, repo, number, state, pullRequest, linesUrl, close };
  } catch (error) {
    await host.close();
    throw explainHostFailure(error, token, says);
  }
}

async function openHost(id: Hosted['host'], config: Config) {
  const [{ createEgressClient, networkForGit }, { takeExclusiveLock }] = await Promise.all([
    import('../../egress/egress-client.ts'),
    import('../../db/local-server/server-folder.ts'),
  ]);
  return networkHosts[id].open(config, {
    searchPath: programSearchPath(),
    clock: () => new Date(),
    connect: (rules) => createEgressClient(config, rules),
    networkForGit: (rules) => networkForGit(config, rules),
    takeLock: takeExclusiveLock,
  });
}

type Sentences = ReturnType<typeof hostSentences>;

function hostSentences({ name, tokens, web }: (typeof networkHosts)[Hosted['host']]) {
  const { tokenSetting, tokenCommand } = web;
  const suchAs = tokenCommand ? `, such as: export ${tokenSetting}="$(${tokenCommand})"` : '.';
  const withToken = `set ${tokenSetting} to ${tokens.taken} that can read it${suchAs}`;
  return {
    closed: (what: string) =>
      `${name} shows no ${what} without a token. Check the spelling; if the repository is private, ${withToken}`,
    hidden: (what: string) =>
      `${name} shows no ${what} to the owner of ${tokenSetting}. Check the spelling and the permissions of the token.`,
    limited: `The rate limit of ${name} for calls without a token is used up: wait, or ${withToken}`,
    refused: `${name} does not accept ${tokenSetting} for this: it has expired, was revoked or lacks a permission. To continue, ${withToken}`,
  };
}

/** The service's messages about tokens are for its API, so the command has its own. */
function explainHostFailure(error: unknown, token: string | null, says: Sentences): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'HOST_RATE_LIMITED' && token === null) return new SignInNeeded(says.limited);
  const isRefused = error.code === 'HOST_TOKEN_INVALID' || error.code === 'UNAUTHORIZED';
  return isRefused ? new SignInNeeded(says.refused) : error;
}
