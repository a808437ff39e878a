import { Failure } from '../domain/errors.ts';

/** Thrown where both ends of a range are there, and a host cannot tell what lies between them. */
export class UnrelatedRefs extends Failure {
  constructor(from: string, to: string) {
    super(
      'NOT_FOUND',
      `${from} and ${to} share no history: nothing leads from one to the other. Name two others.`,
      {
        details: [{ field: 'from', problem: 'shares no history with to' }],
      },
    );
  }
}

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
