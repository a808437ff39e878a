import { join } from 'node:path';
import type { HostRepository } from '../code-host.ts';
import { createFetchByGit, type FetchByGit } from '../fetched/fetch-by-git.ts';
import { TemporaryFolders } from '../fetched/temporary-folders.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import type { NetworkSurroundings } from '../host-definition.ts';
import { asNobody, type HostCaller } from './host-api.ts';

/** Diffs that a host prints have some ten thousand lines at most, and a page of its lists a hundred texts. */
const mostBytes = 24 * 1024 * 1024;

/** A server that is silent for longer is given up anyway. */
const patienceMs = 10_000;

/** A code or refresh token works once: the caller decides how long to wait, and an answer given up is lost. */
const appPatienceMs = 30_000;

/** Files are fetched whole, on both sides, and packed; a diff shows little of most of them. */
const fetchedPerDiff = 8;

/** A repository that was renamed leads on, and one that was renamed again once more. */
const mostRedirects = 3;

interface Destination {
  id: string;
  /** What people call the host. */
  name: string;
  /** Where people see it, and git finds repositories; it may lie below a folder. */
  web: string;
  /** Where its API is. */
  api: string;
  /** Whether it runs in whichever network the operator has. */
  mayBePrivate: boolean;
  /** The name that git presents beside a token. */
  gitUser: string;
  dataFolder: string;
  maxDiffBytes: number;
}

/** The ways out to one host, and to no other. */
export interface HostWays {
  fetch: typeof globalThis.fetch;
  /** For what is asked as an app, whose answers come once. */
  fetchAsApp: typeof globalThis.fetch;
  fetchByGit: FetchByGit;
  close: () => Promise<void>;
}

export async function openWays(to: Destination, surroundings: NetworkSurroundings): Promise<HostWays> {
  const { web, mayBePrivate } = to;
  const { searchPath, clock, connect, networkForGit, takeLock } = surroundings;
  const { origin, pathname: folder } = new URL(web);
  const origins = [...new Set([origin, new URL(to.api).origin])];
  const rules = { origins, folder, mayBePrivate, mostBytes, mostRedirects };
  const way = connect({ ...rules, patienceMs });
  const wayOfApp = connect({ ...rules, patienceMs: appPatienceMs });
  const folders = new TemporaryFolders(join(to.dataFolder, 'fetched'), takeLock);
  await folders.removeLeft();
  const spawner = new GitSpawner();
  const fetchByGit = createFetchByGit({
    hostId: to.id,
    hostName: to.name,
    searchPath,
    folders,
    clock,
    mostBytes: fetchedPerDiff * to.maxDiffBytes,
    web,
    gitUser: to.gitUser,
    spawner,
    network: () => networkForGit({ origin, mayBePrivate }),
  });
  return {
    fetch: way.fetch,
    fetchAsApp: wayOfApp.fetch,
    fetchByGit,
    close: async () => {
      await Promise.all([way.close(), wayOfApp.close(), spawner.close()]);
      await folders.close();
    },
  };
}

/** Whether a server shows anything without a token hardly ever changes; what it then hides is noticed with the next renewal anyway. */
const rememberedMs = 60 * 60 * 1000;

interface Parts {
  /** Whether it is known beforehand that a server shows what is public to everybody, or its operator wants it shown. */
  isOpen: boolean;
  /** Whether a repository shows to a caller without a token. */
  shows: (repository: HostRepository, nobody: HostCaller) => Promise<boolean>;
  clock: () => Date;
}

/**
 * Where everybody has to sign in, "public" is what every account there may see. What a user's token shows as public is public only
 * where the server shows anything without a token, or its operator has given the service one.
 */
export function createSignInCheck({ isOpen, shows, clock }: Parts) {
  let openUntil = 0;
  return async (repository: HostRepository, { isService, signal }: HostCaller): Promise<HostRepository> => {
    const isSure = isService || repository.isPrivate || isOpen;
    if (isSure || openUntil > clock().getTime()) return repository;
    if (!(await shows(repository, asNobody({ signal })))) return { ...repository, isPrivate: true };
    openUntil = clock().getTime() + rememberedMs;
    return repository;
  };
}
