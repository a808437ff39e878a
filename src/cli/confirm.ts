import { createInterface } from 'node:readline/promises';
import { forTerminal } from './print.ts';

/** Asks at the terminal. Ctrl-C and Ctrl-D are no yes. */
export async function isConfirmed(question: string, output: NodeJS.WritableStream): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output });
  try {
    const answer = await terminal.question(forTerminal(`${question} [y/N] `)).catch(() => '');
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
