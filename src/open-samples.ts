import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunInThread } from './actions/articles/thread-tasks.ts';
import { prepareSample, type Sample } from './actions/models/samples.ts';
import { openGitHost } from './code-hosts/git/open-git-host.ts';
import { type Config, parseConfig, programSearchPath } from './config.ts';
import { StartupProblem } from './domain/errors.ts';

const [owner, name] = ['harborline', 'parcel'];

/** Opens clones for the operator, who can read all of them anyway, so none is private here. */
export async function openClones(config: Pick<Config, 'gitRepos' | 'gitWebUrl' | 'dataFolder'>) {
  const host = await openGitHost(
    { ...config, gitPrivate: [] },
    {
      searchPath: programSearchPath(),
      secretKeys: [{ version: 1, secret: randomBytes(32) }],
      clock: () => new Date(),
      announce: () => {},
    },
  );
  const caller = { identity: null, token: null, signal: new AbortController().signal };
  const find = (owner: string, name: string, number: number) =>
    host.findPullRequest(owner, name, number, caller);
  return { host, find };
}

/**
 * Reads some pull requests of the sample repository in a temporary folder, which is deleted afterwards, also after
 * Ctrl-C.
 */
export async function readSamples(run: RunInThread, numbers: number[]): Promise<Sample[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pullquote-trial-'));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clean);
  try {
    return await readSamplesIn(folder, run, numbers);
  } finally {
    clean();
    process.off('exit', clean);
  }
}

async function readSamplesIn(dataFolder: string, run: RunInThread, numbers: number[]): Promise<Sample[]> {
  const { host, find } = await openClones({ gitRepos: undefined, gitWebUrl: undefined, dataFolder });
  const samples: Sample[] = [];
  const { maxDiffBytes } = parseConfig({});
  for (const number of numbers) {
    const found = await (await find(owner, name, number))?.pullRequest?.read();
    if (!found)
      throw new StartupProblem(`The sample ${owner}/${name}#${number} cannot be read. Reinstall pullquote.`);
    samples.push(await prepareSample(run, found, { host: host.id, owner, repo: name, maxDiffBytes }));
  }
  return samples;
}
