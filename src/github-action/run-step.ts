import { inspect } from 'node:util';
import { UsageProblem } from '../cli/command.ts';
import { print } from '../cli/print.ts';
import { Failure, StartupProblem } from '../domain/errors.ts';

/** Runs what a step of a workflow does. What goes wrong is an annotation of the run: what it says stays on its line. */
export function runStep(step: () => Promise<void>): void {
  step().catch((error: unknown) => {
    const isExplained =
      error instanceof Failure || error instanceof StartupProblem || error instanceof UsageProblem;
    const text = isExplained ? error.message : inspect(error);
    print(`::error title=Pullquote::${escapeData(text)}`);
    process.exitCode = 1;
  });
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
