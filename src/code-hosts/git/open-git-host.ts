import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupProblem } from '../../domain/errors.ts';
import type { SecretKeys } from '../../domain/secrets.ts';
import type { CodeHost } from '../code-host.ts';
import { bareGitEnvironment } from '../git-runner/run-git.ts';
import { findClone, type PrivateRepository } from './find-clone.ts';
import { createGitHost } from './git-host.ts';
import { announceBorrowers, announcePassedOver, misplacedRoot } from './survey-clones.ts';

export interface GitSettings {
  gitRepos: string | undefined;
  gitPrivate: PrivateRepository[];
  gitWebUrl: URL | undefined;
  dataFolder: string;
}

interface Deps {
  searchPath: string;
  secretKeys: SecretKeys;
  clock: () => Date;
  announce: (sentence: string) => void;
}

export async function openGitHost(settings: GitSettings, deps: Deps): Promise<CodeHost> {
  const { gitRepos, gitPrivate, gitWebUrl, dataFolder } = settings;
  const { searchPath, secretKeys, clock, announce } = deps;
  const root = gitRepos ?? samplesIn(dataFolder);
  if (!gitRepos) await writeSamples(root, searchPath);
  const misplaced = gitRepos && (await misplacedRoot(gitRepos).catch(() => null));
  if (misplaced) announce(`${misplaced.why} ${misplaced.remedy}`);
  for (const { fullName } of gitPrivate) {
    const [owner = '', name = ''] = fullName.split('/');
    if (!(await findClone(root, owner, name)))
      announce(`GIT_PRIVATE lists ${fullName}, which is not in ${root}.`);
  }
  const onPassedOver = announcePassedOver(announce);
  await announceBorrowers(root, onPassedOver, announce);
  const host = createGitHost({
    root,
    onPassedOver,
    git: { path: searchPath, isolatedFolders: join(dataFolder, 'git') },
    webUrl: gitWebUrl?.href.replace(/\/$/, '') ?? null,
    privateRepositories: gitPrivate,
    secretKeys,
    clock,
  });
  return gitRepos ? host : { ...host, suggestPullRequest: async () => samplePullRequest };
}

const samples = new URL('../../../samples/', import.meta.url);

const samplePullRequest = { owner: 'harborline', name: 'parcel', number: 13 };

const environment = (path: string) => ({
  ...bareGitEnvironment,
  PATH: path,
});

function samplesIn(dataFolder: string): string {
  return join(dataFolder, 'sample-repositories');
}

/** Writes the sample repositories as mirrors into a folder, unless they are there and current. */
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
    // Another process may have written the same.
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
