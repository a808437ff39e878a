import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareGitEnvironment } from '../git-runner/bare-git-environment.ts';
import type { Clone } from '../git-runner/clone.ts';
import type { GitSpawner } from '../git-runner/git-spawner.ts';
import type { HostCaller } from '../http/host-api.ts';
import { nameOf } from '../http/host-client.ts';
import { limited } from '../http/host-failures.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import { basicOf, withoutToken } from '../http/without-token.ts';
import { withDiskQuota } from './disk-quota.ts';
import { failureOfGit, IdsRefused, tokenRefusedToGit, tooMuch, withoutRoom } from './git-failures.ts';

/** How git reaches a host: what its environment and its configuration have to say, and which certificates to trust. */
export interface GitNetwork {
  environment: Record<string, string>;
  configuration: Record<string, string>;
  /** As text (PEM); null for those that git trusts anyway. */
  certificates: string | null;
}

export interface NetworkGit {
  hostId: string;
  /** What people call the host. */
  hostName: string;
  /** Where git is looked for. */
  searchPath: string;
  web: string;
  /** The name that the host wants beside a token. */
  gitUser: string;
  /** How much may lie in one folder. */
  mostBytes: number;
  spawner: GitSpawner;
  network: () => Promise<GitNetwork>;
  limits: RateLimits;
  freeBytes?: (folder: string) => Promise<number>;
}

/** As long as the largest may take. */
export const timeoutMs = 5 * 60 * 1000;

/** What git says of a token that was taken back: it would ask for another name and password. */
const tokenRefused = /could not read Username|Authentication failed/;

/** How it is said that only what refs name is given out, or that what was named is not there. */
const idsRefused = /not our ref|unadvertised object/;

/** Runs git with a way to the host, and tells what it printed. */
export async function runNetworkGit(
  options: NetworkGit,
  clone: Clone,
  parameters: string[],
  caller: HostCaller,
  input = '',
): Promise<string> {
  const { gitFolder } = clone;
  const who = nameOf(caller);
  const seconds = options.limits.secondsLeft(who, 'git');
  if (seconds > 0) throw limited(options.hostName, seconds, caller.isService);
  const command = {
    parameters,
    cwd: gitFolder,
    environment: await environmentOf(options, gitFolder, caller.token),
    input,
  };
  const shares = [{ of: 'fetch', most: 4 }];
  const printed: Buffer[] = [];
  const filled = await withDiskQuota(gitFolder, options, async (noRoom) => {
    const signal = AbortSignal.any([caller.signal, noRoom]);
    const running = options.spawner.run(command, { timeoutMs, shares, signal });
    for (;;) {
      const { done, value } = await running.next();
      if (done) return value;
      printed.push(value);
    }
  });
  if ('exceeded' in filled) throw filled.exceeded === 'disk' ? withoutRoom() : tooMuch(options.mostBytes);
  const { done } = filled;
  if (done.code === 0) return Buffer.concat(printed).toString();
  const complaint = withoutToken(done.complaint, caller.token, options.gitUser);
  const { replaceToken, ...rest } = caller;
  const another =
    tokenRefused.test(complaint) && caller.token !== null && (await replaceToken?.(caller.token));
  if (another) return runNetworkGit(options, clone, parameters, { ...rest, token: another }, input);
  if (tokenRefused.test(complaint) && caller.token !== null && !caller.isService)
    throw tokenRefusedToGit(options, complaint);
  const [, status] = /returned error: (\d+)/.exec(complaint) ?? [];
  // What it was told beside that, such as for how long to wait, git does not say.
  if (options.limits.note(who, 'git', { status: Number(status), headers: {}, message: complaint }))
    throw limited(options.hostName, options.limits.secondsLeft(who, 'git'), caller.isService);
  if (idsRefused.test(complaint)) throw new IdsRefused(complaint);
  throw failureOfGit(parameters[0], { ...done, complaint });
}

/** The token reaches git here and nowhere else: parameters can be seen by every user of the machine. */
async function environmentOf(
  { searchPath, web, gitUser, network }: NetworkGit,
  gitFolder: string,
  token: string | null,
): Promise<Record<string, string>> {
  const { environment, configuration, certificates } = await network();
  const trusted = join(gitFolder, 'trusted.pem');
  if (certificates !== null) await writeFile(trusted, certificates);
  const settings = Object.entries({
    'http.followRedirects': 'false',
    'gc.auto': '0',
    'core.hooksPath': '/dev/null',
    ...(token !== null && {
      [`http.${web}/.extraHeader`]: `Authorization: Basic ${basicOf(gitUser, token)}`,
    }),
    ...configuration,
  });
  return {
    ...bareGitEnvironment,
    PATH: searchPath,
    GIT_DIR: gitFolder,
    GIT_ALLOW_PROTOCOL: new URL(web).protocol.slice(0, -1),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...(certificates !== null && { GIT_SSL_CAINFO: trusted }),
    ...environment,
  };
}
