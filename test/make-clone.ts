import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const settings = {
  encoding: 'utf8' as const,
  maxBuffer: 64 * 1024 * 1024,
  env: {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Rin Example',
    GIT_AUTHOR_EMAIL: 'rin@example.org',
    GIT_COMMITTER_NAME: 'Rin Example',
    GIT_COMMITTER_EMAIL: 'rin@example.org',
    // Otherwise each commit starts another process for maintenance.
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
    GIT_CONFIG_KEY_1: 'core.fsync',
    GIT_CONFIG_VALUE_1: 'none',
  },
  stdio: 'pipe' as const,
};

/** Runs git in a folder, with an invented author. */
export function git(folder: string, ...parameters: string[]): string {
  return execFileSync('git', ['-C', folder, ...parameters], settings);
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs several git commands from one shell, because starting a process from this large one is slow. */
export function gitInTurn(folder: string, commands: string[][]): void {
  const script = commands.map((parameters) => ['git', ...parameters].map(quoted).join(' ')).join('\n');
  execFileSync('sh', ['-ec', script], { ...settings, cwd: folder });
}

/** An ordinary clone at root/fullName with one commit of one file; returns its folder. */
export function makeClone(root: string, fullName: string, subject = 'Begin (#1)'): string {
  const folder = join(root, fullName);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'readme.txt'), `This is ${fullName}.\n`);
  gitInTurn(folder, [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '.'],
    ['commit', '--quiet', '--message', subject],
  ]);
  return folder;
}

/** A mirror of a clone at root/fullName.git. */
export function makeMirror(root: string, fullName: string, source: string): string {
  const folder = join(root, `${fullName}.git`);
  git('.', 'clone', '--quiet', '--mirror', source, folder);
  return folder;
}
