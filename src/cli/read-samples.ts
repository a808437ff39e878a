import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareSample, type Sample } from '../actions/trial/prepare-sample.ts';
import { openGitHost } from '../code-hosts/git/open-git-host.ts';
import { programSearchPath } from '../config.ts';
import { StartupProblem } from '../domain/errors.ts';

/**
 * Four that differ: a query that replaces many, with a description in Japanese; a fix with its tests; a breaking change; and one
 * whose description claims more than its diff shows.
 */
const numbers = [6, 10, 11, 15];
const [owner, name] = ['harborline', 'parcel'];

/** Reads some pull requests of the sample repository, in a folder of its own that is gone afterwards, also after Ctrl-C. */
export async function readSamples(): Promise<Sample[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pullquote-trial-'));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clean);
  try {
    return await readSamplesIn(folder);
  } finally {
    clean();
    process.off('exit', clean);
  }
}

async function readSamplesIn(dataFolder: string): Promise<Sample[]> {
  const host = await openGitHost(
    { gitRepos: undefined, gitPrivate: [], gitWebUrl: undefined, dataFolder },
    {
      searchPath: programSearchPath(),
      secretKeys: [{ version: 1, secret: randomBytes(32) }],
      clock: () => new Date(),
      announce: () => {},
    },
  );
  const caller = { identity: null, token: null, signal: new AbortController().signal };
  const samples: Sample[] = [];
  for (const number of numbers) {
    const onHost = await host.findPullRequest(owner, name, number, caller);
    const found = await onHost?.pullRequest?.read();
    if (!found)
      throw new StartupProblem(
        `The sample ${owner}/${name}#${number} cannot be read. Install pullquote anew.`,
      );
    samples.push(await prepareSample(`${owner}/${name}`, found));
  }
  return samples;
}
