import { symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../../src/config.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { startService } from '../../test/start-service.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { BenchHost, Large } from './network-hosts.ts';

export interface Running {
  id: string;
  pid: number;
  /** Where it puts what it fetches. */
  fetched: string;
  call: (method: string, path: string, as?: string) => Promise<Response>;
  stop: () => Promise<unknown>;
}

/** A service in a process of its own that reads from one host, with everybody who has a token signed up. */
export async function runService(
  { id, environment, tokens }: Pick<BenchHost, 'id' | 'environment' | 'tokens'>,
  settings: Record<string, string> = {},
): Promise<Running> {
  const dataFolder = environment.PULLQUOTE_DATA ?? temporaryFolder();
  const { url, child, stop } = await startService({
    environment: { CODE_HOST: id, WRITERS: '0', PULLQUOTE_DATA: dataFolder, ...environment, ...settings },
  });
  const call: Running['call'] = (method, path, as = tokens[0]) =>
    fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${as}` } });
  for (const token of tokens) {
    const { status } = await call('POST', '/auth/signup', token);
    if (status !== 201) throw new Error(`Signing up with ${id} answered ${status}.`);
  }
  return { id, pid: child.pid ?? 0, fetched: join(dataFolder, 'fetched'), call, stop };
}

/** Clones of the large repositories, as a host. */
export async function prepareGit(all: Large[]): Promise<Pick<BenchHost, 'id' | 'environment' | 'tokens'>> {
  const [GIT_REPOS, PULLQUOTE_DATA] = [temporaryFolder(), temporaryFolder()];
  await mkdir(join(GIT_REPOS, 'acme'));
  for (const { fullName, made } of all) symlinkSync(made.gitFolder, join(GIT_REPOS, `${fullName}.git`));
  const environment = { GIT_REPOS, PULLQUOTE_DATA };
  const secretKeys = loadSecretKeys(parseConfig(environment));
  const expiresAt = new Date(Date.now() + 3_600_000);
  const tokenOf = (name: string) => mintLocalToken(secretKeys, { name, singleUse: false, expiresAt });
  return { id: 'git', environment, tokens: [tokenOf('ann'), tokenOf('bea')] };
}
