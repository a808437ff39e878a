import type { Failure } from '../../domain/errors.ts';

/** Thrown where trying again is of no use: the askers are told why. */
export class NotWritten extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message, { cause: failure });
    this.failure = failure;
  }
}
