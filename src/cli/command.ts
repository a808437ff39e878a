import { createInterface } from 'node:readline/promises';
import type { Config } from '../config.ts';
import { nameHidden, replaceHidden } from '../domain/text.ts';

export interface Command {
  help: string;
  run: (parameters: string[]) => Promise<void>;
}

/** Thrown by a command when its parameters make no sense. */
export class UsageProblem extends Error {}

/** Thrown where something is there only for those who sign in. */
export class SignInNeeded extends Error {}

/**
 * Everything that commands print goes this way, because much of it was written by strangers: a terminal would follow control
 * characters, so that they are named instead. Only lines and tabs are as they were.
 */
export const forTerminal = (text: string): string =>
  nameHidden(text.replaceAll('\r\n', '\n'), 'exact').replaceAll('\r', '⟨U+000D⟩');

export const print = (text: string): void => console.log(forTerminal(text));

export const printProblem = (text: string): void => console.error(forTerminal(text));

export const printJson = (value: unknown): void =>
  console.log(replaceHidden(JSON.stringify(value, null, 2), 'exact', escapeInJson));

const escapeInJson = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

/** Untrusted text on one line. */
export const onOneLine = (text: string): string => text.replace(/[\n\r\u2028\u2029]/g, '⏎');

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

interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write: (text: string) => unknown;
}

interface ProgressBar {
  /** A total of nothing is one that is not known. */
  show: (done: number, total: number, now: string) => void;
  clear: () => void;
}

const width = 24;
const eraseLine = '\r\u001b[K';

/** A bar that is drawn over itself; nothing where there is no terminal to draw it on. */
export function createProgressBar(terminal: Terminal): ProgressBar {
  if (!terminal.isTTY) return { show: () => {}, clear: () => {} };
  return {
    show(done, total, now) {
      const filled = Math.round((done / Math.max(1, total)) * width);
      const bar = `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done} of ${total}: `;
      const line = `${total === 0 ? '' : bar}${onOneLine(forTerminal(now))}`;
      terminal.write(`${eraseLine}${line.slice(0, (terminal.columns || 80) - 1)}`);
    },
    clear: () => void terminal.write(eraseLine),
  };
}

/** The first signal has what is under way put back; a second one, which comes later than npm passes the first on, ends at once. */
export function stopOnSignals(stopped: AbortController): () => void {
  let since: number | null = null;
  const stop = (): void => {
    if (since !== null && Date.now() - since > 1_000) process.exit(130);
    since ??= Date.now();
    stopped.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

/** The code host that --host names, or else the first of the settings. */
export function chooseHost(given: string | undefined, { codeHosts }: Config): Config['codeHosts'][number] {
  const host = given ?? codeHosts[0];
  const known = codeHosts.find((id) => id === host);
  if (!known)
    throw new UsageProblem(
      `--host must be one of those that CODE_HOST names, which is ${codeHosts.join(' or ')}.`,
    );
  return known;
}
