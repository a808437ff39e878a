import { createInterface } from 'node:readline/promises';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { type PastedAddress, parsePastedAddress } from '../domain/repositories.ts';
import { nameHidden, replaceHidden } from '../domain/text.ts';

export interface Command {
  help: string;
  run: (parameters: string[]) => Promise<void>;
}

interface Parsing<Options extends ParseArgsOptionsConfig> {
  args: string[];
  options: Options;
  allowPositionals: boolean;
}

interface Definition<Options extends ParseArgsOptionsConfig> {
  help: string[];
  options?: Options;
  allowPositionals?: boolean;
  run: (
    values: ReturnType<typeof parseArgs<Parsing<Options>>>['values'],
    positionals: string[],
  ) => Promise<void>;
}

export const flag = { type: 'boolean', default: false } as const;
export const text = { type: 'string' } as const;

export const defineCommand = <Options extends ParseArgsOptionsConfig = Record<never, never>>({
  help,
  options = {} as Options,
  allowPositionals = false,
  run,
}: Definition<Options>): Command => ({
  help: help.join('\n'),
  async run(args) {
    const { values, positionals } = parseArgs<Parsing<Options>>({ args, options, allowPositionals });
    await run(values, positionals);
  },
});

export class UsageProblem extends Error {}

export class SignInNeeded extends Error {}

/** Names control characters, which would steer the terminal: much of what commands print was written by strangers. */
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

export const withoutLineBreaks = (text: string): string => text.replace(/[\n\r\u2028\u2029]/g, '⏎');

/** Asks for confirmation at the terminal. Ctrl-C and Ctrl-D count as no. */
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
  /** A total of 0 means that the total is unknown. */
  show: (done: number, total: number, now: string) => void;
  clear: () => void;
}

const width = 24;
const eraseLine = '\r\u001b[K';

export function createProgressBar(terminal: Terminal): ProgressBar {
  if (!terminal.isTTY) return { show: () => {}, clear: () => {} };
  return {
    show(done, total, now) {
      const filled = Math.round((done / Math.max(1, total)) * width);
      const bar = `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done} of ${total}: `;
      const line = `${total === 0 ? '' : bar}${withoutLineBreaks(forTerminal(now))}`;
      terminal.write(`${eraseLine}${line.slice(0, (terminal.columns || 80) - 1)}`);
    },
    clear: () => void terminal.write(eraseLine),
  };
}

export function onSignals(listen: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, listen);
  return () => {
    for (const signal of signals) process.off(signal, listen);
  };
}

/**
 * The first signal aborts and a second one ends the process, except for the copy of the first one that npm forwards.
 */
export function stopOnSignals(stopped: AbortController): () => void {
  let since: number | null = null;
  return onSignals(() => {
    if (since !== null && Date.now() - since > 1_000) process.exit(130);
    since ??= Date.now();
    stopped.abort();
  });
}

export function chooseHost(given: string | undefined, { codeHosts }: Config): Config['codeHosts'][number] {
  const host = given ?? codeHosts[0];
  const known = codeHosts.find((id) => id === host);
  if (!known)
    throw new UsageProblem(`--host must be one of the code hosts in CODE_HOST: ${codeHosts.join(', ')}.`);
  return known;
}

export const parseShortName = (text: string, host: string): PastedAddress | null =>
  parsePastedAddress(text, [{ id: host, webUrl: null, isLocal: false }]);
