/** Why an outgoing connection was refused, or what came of it was thrown away, by rules of ours. */
export type EgressRule = 'origin' | 'address' | 'redirect' | 'size';

/** Thrown in the place of an answer. Trying again would change nothing. */
export class EgressProblem extends Error {
  readonly rule: EgressRule;

  constructor(rule: EgressRule, message: string) {
    super(message);
    this.rule = rule;
  }
}
