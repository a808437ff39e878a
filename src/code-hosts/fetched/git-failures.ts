import { Failure } from '../../domain/errors.ts';
import { savingToken } from '../../domain/saving-token.ts';
import { oldestToFetch } from '../git-runner/too-old-to-fetch.ts';

const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

export function tooMuch(mostBytes: number): Failure {
  const most = mebibytes(mostBytes);
  return new Failure(
    'UNREADABLE',
    `The files of this pull request are more than the ${most} MiB that are fetched of one.`,
  );
}

/** Says nothing of the pull request, which may be small: a server that gives out the two commits, or has them again, shows it. */
export function tooMuchOfRefs(hostName: string, mostBytes: number): Failure {
  const most = mebibytes(mostBytes);
  return new Failure(
    'HOST_ERROR',
    `${hostName} gave out neither commit of this pull request by its id, and the history of its branches is more than the ${most} MiB that are fetched at once. Try again later; the operator of ${hostName} can let git ask for commits by id (uploadpack.allowAnySHA1InWant).`,
  );
}

export function withoutRoom(): Failure {
  return new Failure(
    'STORAGE_FULL',
    'The disk of this service has too little room left to fetch a pull request of this size. Try again later.',
  );
}

export function gitTooOld(version: string): Failure {
  return new Failure(
    'HOST_ERROR',
    `It takes git ${oldestToFetch} or newer to read this pull request, and this service runs with an older one.`,
    { cause: new Error(version.trim()) },
  );
}

export function failureOfGit(
  name: string | undefined,
  { code, signal, complaint }: { code: number | null; signal: string | null; complaint: string },
): Failure {
  const cause = new Error(`git ${name} ended with ${code ?? signal}: ${complaint}`);
  if (signal === 'SIGKILL') {
    return new Failure('HOST_TIMEOUT', 'Fetching this pull request took too long. Try again later.', {
      cause,
    });
  }
  if (code === null && complaint.includes('ENOENT')) {
    return new Failure(
      'HOST_ERROR',
      'It takes git to read this pull request, and git is not installed where this service runs.',
      { cause },
    );
  }
  return new Failure('HOST_ERROR', notFetched, { cause });
}

/** Hosts let a token ask them that they do not let fetch. */
export function tokenRefusedToGit(
  { hostId, hostName }: { hostId: string; hostName: string },
  complaint: string,
): Failure {
  return new Failure(
    'HOST_TOKEN_INVALID',
    `${hostName} does not let this token read code with git: it was revoked, or lacks that permission. Present another one, or save it with ${savingToken(hostId)}.`,
    { cause: new Error(`git fetch was refused: ${complaint}`) },
  );
}

const notFetched = 'This pull request could not be fetched with git. Try again later.';

/** The server gives out no commit by its id, or has none of these. */
export class IdsRefused extends Failure {
  constructor(complaint: string) {
    super('HOST_ERROR', notFetched, { cause: new Error(`git fetch was refused: ${complaint}`) });
  }
}
