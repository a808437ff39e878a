import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupProblem } from '../../domain/errors.ts';
import { bareGitEnvironment } from '../git-runner/bare-git-environment.ts';

const samples = new URL('../../../samples/', import.meta.url);

/** The pull request of the samples that shows most. */
export const samplePullRequest = { owner: 'harborline', name: 'parcel', number: 13 };

const environment = (path: string) => ({
  ...bareGitEnvironment,
  PATH: path,
});

/** Where the samples are kept. */
export function samplesIn(dataFolder: string): string {
  return join(dataFolder, 'sample-repositories');
}

/** Writes the sample repositories out as mirrors below a folder, unless they stand there already as they are now. */
export async function writeSamples(folder: string, path: string): Promise<void> {
  const streams = (await readdir(samples)).filter((name) => name.endsWith('.fast-export'));
  for (const stream of streams) {
    const [owner = '', name = ''] = stream.replace('.fast-export', '').split('+');
    const source = new URL(stream, samples);
    const fingerprint = createHash('sha256')
      .update(await readFile(source))
      .digest('hex');
    const target = join(folder, owner, `${name}.git`);
    if ((await readFile(join(target, 'sample-fingerprint'), 'utf8').catch(() => '')) === fingerprint)
      continue;
    const draft = join(folder, `.${name}.${process.pid}`);
    await rm(draft, { recursive: true, force: true });
    await mkdir(join(folder, owner), { recursive: true });
    await git(path, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', draft]);
    await git(path, ['-C', draft, 'fast-import', '--quiet'], source);
    await writeFile(join(draft, 'sample-fingerprint'), fingerprint);
    await rm(target, { recursive: true, force: true });
    // Another process may have put the same there in between.
    await rename(draft, target).catch(() => rm(draft, { recursive: true, force: true }));
  }
}

function git(path: string, parameters: string[], input?: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', parameters, { env: environment(path), stdio: ['pipe', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    child.on('error', (cause) =>
      reject(
        new StartupProblem('The program git cannot be run. Install git, or put it on the PATH.', { cause }),
      ),
    );
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`git ${parameters[0]} ended with ${code}: ${complaint}`));
    });
    child.stdin.on('error', () => {});
    if (input) createReadStream(input).pipe(child.stdin);
    else child.stdin.end();
  });
}
