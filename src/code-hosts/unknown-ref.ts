import { Failure } from '../domain/errors.ts';

/** Thrown where one end of a range is not there. */
export class UnknownRef extends Failure {
  readonly ref: string;
  readonly suggested: string[];

  constructor(field: 'from' | 'to', ref: string, suggested: string[]) {
    const others = suggested.length > 0 ? ` There is ${suggested.join(', ')}.` : '';
    super('NOT_FOUND', `The repository has no tag, branch or commit ${ref}.${others}`, {
      details: [{ field, problem: `is no tag, branch or commit of the repository.${others}` }],
    });
    this.ref = ref;
    this.suggested = suggested;
  }
}
