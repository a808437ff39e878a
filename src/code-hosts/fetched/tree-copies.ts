import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tree } from '../code-host.ts';
import { readTree } from '../git-runner/read-tree.ts';
import { isTooOldToFetch } from '../git-runner/run-git.ts';
import type { HostCaller } from '../http/host-api.ts';
import { RateLimits } from '../http/rate-limits.ts';
import type { TemporaryFolders } from './fetch-by-git.ts';
import { folderBytes, gitTooOld, type NetworkGit, runNetworkGit } from './run-network-git.ts';

interface Wanted {
  hostRepoId: number;
  owner: string;
  name: string;
  base: string;
  head: string;
}

/** An article can be written without the tree, and a user is waiting for it. */
const fetchMs = 60_000;

const mostUnusedMs = 7 * 24 * 60 * 60 * 1000;

const gitFolderIn = (folder: string): string => join(folder, 'tree.git');

/**
 * Stores the files of two commits each, without history. Trees of public repositories are kept for questions about an
 * article, up to a limit for all of them; those of private ones are deleted when they are closed.
 */
export class TreeCopies {
  readonly #options: NetworkGit;
  readonly #folders: TemporaryFolders;
  readonly #kept: string;

  constructor({
    clock,
    folders,
    kept,
    ...options
  }: Omit<NetworkGit, 'limits'> & {
    clock: () => Date;
    folders: TemporaryFolders;
    kept: string;
  }) {
    this.#options = { ...options, limits: new RateLimits(clock) };
    this.#folders = folders;
    this.#kept = kept;
  }

  /** The stored tree of a repository that is stored as public. */
  async find(wanted: Wanted, signal: AbortSignal): Promise<Tree | null> {
    const folder = this.#folderOf(wanted);
    if (!existsSync(folder)) return null;
    const now = new Date();
    await utimes(folder, now, now);
    return this.#open(folder, wanted, signal);
  }

  /** `lastCheck` runs once everything has been fetched, and throws if the tree may not be shown. */
  async fetch(
    wanted: Wanted,
    caller: HostCaller,
    { isPrivate, lastCheck }: { isPrivate: boolean; lastCheck: () => Promise<void> },
  ): Promise<Tree> {
    const { signal } = caller;
    const folder = await this.#folders.make();
    const remove = () => this.#folders.remove(folder);
    try {
      await this.#fill(gitFolderIn(folder), wanted, caller);
      await lastCheck();
      if (isPrivate) return this.#open(folder, wanted, signal, remove);
    } catch (error) {
      await remove();
      throw error;
    }
    await mkdir(this.#kept, { recursive: true });
    const kept = this.#folderOf(wanted);
    // If another process was faster, its tree is used.
    await rename(folder, kept).catch(remove);
    await this.#makeRoom();
    return this.#open(kept, wanted, signal);
  }

  async #fill(gitFolder: string, { owner, name, base, head }: Wanted, caller: HostCaller): Promise<void> {
    await mkdir(gitFolder);
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(fetchMs)]);
    const run = (parameters: string[]) =>
      runNetworkGit(this.#options, { owner, name, gitFolder }, parameters, { ...caller, signal });
    const version = await run(['version']);
    if (isTooOldToFetch(version)) throw gitTooOld(version);
    await run(['init', '--quiet', '--bare', '--template=']);
    const url = `${this.#options.web}/${owner}/${name}.git`;
    await run(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--depth=1', url, base, head]);
    await rm(join(gitFolder, 'trusted.pem'), { force: true });
  }

  #open(
    folder: string,
    { owner, name, base, head }: Wanted,
    signal: AbortSignal,
    close?: () => Promise<void>,
  ): Tree {
    const { searchPath: path, spawner } = this.#options;
    const git = { path, spawner, signal, isolatedFolders: join(folder, 'isolated') };
    const clone = { owner, name, gitFolder: gitFolderIn(folder), isTemporary: true };
    return readTree(git, clone, { base, head }, close);
  }

  #folderOf({ hostRepoId, base, head }: Wanted): string {
    const key = JSON.stringify([this.#options.id, hostRepoId, base, head]);
    return join(this.#kept, createHash('sha256').update(key).digest('hex').slice(0, 32));
  }

  async #makeRoom(): Promise<void> {
    const copies = await Promise.all(
      (await readdir(this.#kept)).map(async (name) => {
        const folder = join(this.#kept, name);
        const usedAt = await stat(folder).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        );
        return { folder, usedAt, size: await folderBytes(folder) };
      }),
    );
    let left = this.#options.mostBytes;
    for (const { folder, size, usedAt } of copies.sort((one, other) => other.usedAt - one.usedAt)) {
      left -= size;
      if (left < 0 || usedAt < Date.now() - mostUnusedMs)
        await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}
