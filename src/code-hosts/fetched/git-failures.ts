import { Failure } from '../../domain/errors.ts';

export function tooMuch(mostBytes: number): Failure {
  const most = Math.round(mostBytes / 1024 / 1024);
  return new Failure(
    'UNREADABLE',
    `The files of this pull request are more than the ${most} MiB that are fetched of one.`,
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
    'This pull request is so large that it takes git 2.37 or newer to read it, and this service runs with an older one.',
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
      'This pull request is so large that it takes git to read it, and git is not installed where this service runs.',
      { cause },
    );
  }
  return new Failure('HOST_ERROR', 'This pull request could not be fetched with git. Try again later.', {
    cause,
  });
}
