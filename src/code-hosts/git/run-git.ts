import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../domain/errors.ts';
import type { Clone } from './find-clone.ts';

/** Where git was found, and where it may keep the folders that stand in for those of the clones. */
export interface GitRunner {
  path: string;
  standInFolder: string;
}

interface GitOptions {
  timeoutMs?: number;
  /** Output beyond this is an error: callers that may meet more have to stream. */
  maxBytes?: number;
}

/**
 * Runs git on a clone without trusting it. A clone's configuration can name programs to run (diff drivers, filters,
 * hooks, file-system monitors, upload-pack) and files to include, and no option of git switches all of it off. So git
 * is shown a folder of ours that has only links to the clone's refs and a copy of its HEAD, reads the clone's objects
 * through the environment, and gets an environment with nothing else in it.
 */
export async function runGit(
  git: GitRunner,
  clone: Clone,
  parameters: string[],
  { timeoutMs = 10_000, maxBytes = 8 * 1024 * 1024 }: GitOptions = {},
): Promise<string> {
  const standIn = await prepareStandIn(git, clone);
  return collect(git, clone, standIn, parameters, timeoutMs, maxBytes);
}

/** Each clone has one stand-in, which stays; only its HEAD is copied anew, since it cannot be a link. */
async function prepareStandIn(git: GitRunner, clone: Clone): Promise<string> {
  const key = createHash('sha256').update(clone.gitFolder).digest('hex').slice(0, 32);
  const standIn = join(git.standInFolder, key);
  const head = join(standIn, `HEAD.${randomUUID()}`);
  await mkdir(join(standIn, 'objects'), { recursive: true });
  await Promise.all([
    ...['refs', 'packed-refs', 'shallow'].map((name) =>
      linkOnce(join(clone.gitFolder, name), join(standIn, name)),
    ),
    copyFile(join(clone.gitFolder, 'HEAD'), head),
  ]);
  await rename(head, join(standIn, 'HEAD'));
  return standIn;
}

async function linkOnce(target: string, link: string): Promise<void> {
  try {
    await symlink(target, link);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function collect(
  git: GitRunner,
  clone: Clone,
  standIn: string,
  parameters: string[],
  timeoutMs: number,
  maxBytes: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['--no-pager', ...parameters], {
      cwd: standIn,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: {
        PATH: git.path,
        HOME: '/nonexistent',
        LC_ALL: 'C',
        GIT_DIR: standIn,
        GIT_OBJECT_DIRECTORY: join(clone.gitFolder, 'objects'),
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_ATTR_NOSYSTEM: '1',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: 'none',
        GIT_TERMINAL_PROMPT: '0',
        GIT_NO_REPLACE_OBJECTS: '1',
      },
    });
    const output: Buffer[] = [];
    let size = 0;
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) child.kill('SIGKILL');
      else output.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(0, 2_000);
    });
    child.on('error', (cause) => reject(unreadable(clone, cause)));
    child.on('close', (code, signal) => {
      if (size > maxBytes)
        reject(unreadable(clone, new Error(`git ${parameters[0]} printed over ${maxBytes} bytes`)));
      else if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
      else if (signal === 'SIGKILL') reject(tooSlow(clone, timeoutMs));
      else
        reject(
          unreadable(clone, new Error(`git ${parameters[0]} ended with ${code ?? signal}: ${complaint}`)),
        );
    });
  });
}

function tooSlow(clone: Clone, timeoutMs: number): Failure {
  return new Failure(
    'HOST_TIMEOUT',
    `Reading the clone of ${clone.owner}/${clone.name} took longer than ${timeoutMs / 1000} s. Try again.`,
  );
}

function unreadable(clone: Clone, cause: unknown): Failure {
  return new Failure(
    'HOST_ERROR',
    `The clone of ${clone.owner}/${clone.name} could not be read. Check it with git fsck, then try again.`,
    { cause },
  );
}
