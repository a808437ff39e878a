export interface Command {
  help: string;
  run: (parameters: string[]) => Promise<void>;
}

/** Thrown by a command when its parameters make no sense. */
export class UsageProblem extends Error {}

/** Thrown where something is there only for those who sign in. */
export class SignInNeeded extends Error {}
