import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs git in a folder the way a developer would, with a made-up author. */
export function git(folder: string, ...parameters: string[]): string {
  return execFileSync('git', ['-C', folder, ...parameters], {
    encoding: 'utf8',
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
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** An ordinary clone at root/fullName with one commit of one file; returns its folder. */
export function makeClone(root: string, fullName: string, subject = 'Begin (#1)'): string {
  const folder = join(root, fullName);
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, 'readme.txt'), `This is ${fullName}.\n`);
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', subject);
  return folder;
}

/** A mirror at root/fullName.git of what a clone holds. */
export function makeMirror(root: string, fullName: string, source: string): string {
  const folder = join(root, `${fullName}.git`);
  git('.', 'clone', '--quiet', '--mirror', source, folder);
  return folder;
}
