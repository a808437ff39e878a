import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LazyPromise } from '../../domain/concurrency.ts';
import { Failure, LockHeld } from '../../domain/errors.ts';
import {
  type DiffReader,
  type FileText,
  type HostFileSummary,
  MovedMeanwhile,
  type WantedText,
} from '../code-host.ts';
import { fileSummariesBetween, printDiff, readFileTexts } from '../git-runner/read-objects.ts';
import { type Clone, type GitRunner, isTooOldToFetch, runGit } from '../git-runner/run-git.ts';
import type { HostCaller } from '../http/host-api.ts';
import { RateLimits } from '../http/rate-limits.ts';
import {
  gitTooOld,
  IdsRefused,
  type NetworkGit,
  runNetworkGit,
  timeoutMs,
  tooMuchOfRefs,
} from './run-network-git.ts';

interface Options extends NetworkGit {
  folders: TemporaryFolders;
}

interface Range {
  owner: string;
  name: string;
  base: string;
  head: string;
  refs?: string[];
}

export type FetchByGit = ReturnType<typeof createFetchByGit>;

export function createFetchByGit({ clock, ...given }: Omit<Options, 'limits'> & { clock: () => Date }) {
  const options = { ...given, limits: new RateLimits(clock) };
  return (range: Range, caller: HostCaller) => {
    const { base, head } = range;
    let fetched: { git: GitRunner; clone: Clone } | null = null;
    const requireFetched = () => {
      if (!fetched) throw new Error('Files are read between the beginning of the diff and letting go of it.');
      return fetched;
    };
    return {
      /**
       * Fetches both commits; files can be read until the generator ends. `lastCheck` runs before anything is yielded.
       */
      async *diff(lastCheck: () => Promise<void>, reader: DiffReader = {}): AsyncGenerator<Buffer, void> {
        const { releaseSlotWhile = (work) => work(), atEnd } = reader;
        const folder = await options.folders.make();
        const letGo = async () => {
          fetched = null;
          await options.folders.remove(folder);
        };
        atEnd?.(letGo);
        try {
          const { searchPath: path, spawner } = options;
          const git = { path, spawner, signal: caller.signal, isolatedFolders: join(folder, 'isolated') };
          const clone = { ...range, gitFolder: join(folder, 'fetched.git'), isTemporary: true };
          const url = `${options.web}/${range.owner}/${range.name}.git`;
          const run = (parameters: string[], input?: string) =>
            runNetworkGit(options, clone, parameters, caller, input);
          await releaseSlotWhile(() => fetchRange({ options, git, clone, range, url, run }));
          await lastCheck();
          fetched = { git, clone };
          yield* printDiff(git, clone, base, head);
        } finally {
          if (!atEnd) await letGo();
        }
      },
      async fileSummaries(): Promise<HostFileSummary[]> {
        const { git, clone } = requireFetched();
        return fileSummariesBetween(git, clone, base, head);
      },
      async *fileTexts(wanted: WantedText[]): AsyncGenerator<FileText, void> {
        const { git, clone } = requireFetched();
        yield* readFileTexts(git, clone, { base, head, wanted });
      },
    };
  };
}

interface Fetching {
  options: Options;
  git: GitRunner;
  clone: Clone;
  range: Range;
  url: string;
  run: (parameters: string[], input?: string) => Promise<string>;
}

async function fetchRange(fetching: Fetching): Promise<void> {
  const { clone, range, url, run } = fetching;
  await mkdir(clone.gitFolder);
  const version = await run(['version']);
  if (isTooOldToFetch(version)) throw gitTooOld(version);
  const init = () => run(['init', '--quiet', '--bare', '--template=']);
  await init();
  try {
    await run([...fetchWithoutFiles, '--depth=1', url, range.base, range.head]);
    await fetchFiles(fetching);
  } catch (error) {
    if (!(error instanceof IdsRefused) || !range.refs) throw error;
    // The refused fetch has configured a partial clone and may have left commits without files, so the clone is made
    // again.
    await rm(clone.gitFolder, { recursive: true });
    await mkdir(clone.gitFolder);
    await init();
    await fetchRefs(fetching, range.refs);
  }
}

const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head'];
const fetchWithoutFiles = [...fetch, '--filter=blob:none'];

/** The depths to which refs are fetched until the base is found. */
const reaches = ['--depth=1', '--depth=200', '--unshallow'];

async function fetchRefs({ options, git, clone, range, url, run }: Fetching, refs: string[]): Promise<void> {
  const { base, head } = range;
  const wanted = refs.map((ref, place) => `+${ref}:refs/fetched/${place}`);
  for (const reach of reaches) {
    await run([...fetch, reach, url, ...wanted]).catch((error: unknown) => {
      throw error instanceof Failure && error.code === 'UNREADABLE'
        ? tooMuchOfRefs(options.name, options.mostBytes)
        : error;
    });
    const input = `${base}\n${head}\n`;
    const described = await runGit(git, clone, ['cat-file', '--batch-check'], { input });
    const there: string[] = described.match(/^\w+(?= commit \d+$)/gm) ?? [];
    if (!there.includes(head)) break;
    if (there.includes(base)) return;
    if (!existsSync(join(clone.gitFolder, 'shallow'))) break;
  }
  throw new MovedMeanwhile();
}

async function fetchFiles({ git, clone, range, url, run }: Fetching): Promise<void> {
  const { base, head } = range;
  const parameters = ['diff-tree', '-r', '--raw', '--no-renames', '--abbrev=40', '-z', base, head];
  const ids = new Set<string>();
  for (const field of (await runGit(git, clone, parameters, { timeoutMs })).split('\0')) {
    const [, oldMode, newMode, oldId = '', newId = ''] = /^:(\d+) (\d+) (\w+) (\w+) /.exec(field) ?? [];
    if (isFileMode(oldMode)) ids.add(oldId);
    if (isFileMode(newMode)) ids.add(newId);
  }
  if (ids.size > 0) await run([...fetchWithoutFiles, '--stdin', url], [...ids, ''].join('\n'));
}

const isFileMode = (mode: string | undefined): boolean =>
  mode !== undefined && mode !== '000000' && mode !== '160000';

/** Locks a file for the lifetime of this process. Throws LockHeld if another process has it. */
export type TakeLock = (file: string) => () => void;

const untilStill = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

const mostAttempts = 10;

const lockIn = (folder: string): string => join(folder, 'lock');

/** Temporary folders inside a locked folder of this process. The kernel releases the lock however the process ends. */
export class TemporaryFolders {
  readonly #folder: string;
  readonly #takeLock: TakeLock;
  readonly #own = new LazyPromise(() => this.#begin());
  #release: (() => void) | null = null;

  constructor(folder: string, takeLock: TakeLock) {
    this.#folder = folder;
    this.#takeLock = takeLock;
  }

  async removeLeft(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const left = join(this.#folder, name);
      const release = this.#takeOver(left);
      if (!release) continue;
      // The lock is held until the folder is deleted, so that a process that has just made a folder of that name makes
      // another.
      await rm(left, { recursive: true, force: true }).finally(release);
    }
  }

  async make(): Promise<string> {
    return mkdtemp(join(await this.#own.get(), 'fetch-'));
  }

  /** Children of a killed git keep writing for a moment. What they leave is deleted with the folder of the process. */
  async remove(made: string): Promise<void> {
    await rm(made, untilStill).catch(() => {});
  }

  async close(): Promise<void> {
    const own = await this.#own.ifStarted();
    this.#release?.();
    if (own) await rm(own, untilStill);
  }

  async #begin(): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    for (let attempt = 1; ; attempt += 1) {
      const own = await mkdtemp(join(this.#folder, 'of-process-'));
      try {
        this.#release = this.#takeLock(lockIn(own));
        return own;
      } catch (error) {
        // Before it was locked, the new folder looked like one left by a dead process.
        const isRemoved = error instanceof LockHeld || !existsSync(own);
        await rm(own, { recursive: true, force: true });
        if (!isRemoved || attempt === mostAttempts) throw error;
      }
    }
  }

  #takeOver(left: string): (() => void) | null {
    try {
      return this.#takeLock(lockIn(left));
    } catch {
      return null;
    }
  }
}
