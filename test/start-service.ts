import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../src/cli/run-command.ts';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

export interface Service {
  url: string;
  /** The time at which it printed that it serves, by performance.now(). */
  servingSince: number;
  child: ChildProcess;
  /** The output of the process so far. */
  output: () => { stdout: string; stderr: string };
  /** Sends a signal and waits for the end; returns the exit code, or null after SIGKILL. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

interface Launch {
  command?: string[];
  environment?: Record<string, string>;
  cwd?: string;
  /** Whether samples are made and written about as on a first start; otherwise the runner's clones are used. */
  asNewcomer?: boolean;
}

/** The installed program, which starts faster than this checkout; the runner makes it for all tests. */
export const program = process.env.TEST_PROGRAM ?? join(projectFolder, 'bin/pullquote.cjs');

const serve = [process.execPath, program, 'serve'];

/** The flag of the tests themselves: without a second WebAssembly compilation, starting takes half the work. */
const hasty = '--liftoff-only';

const environmentOf = (settings: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: '0',
  ...settings,
});

export function launch({ command = serve, environment = {}, cwd = projectFolder }: Launch) {
  const [program = '', ...parameters] = command;
  const child = spawn(program, program === process.execPath ? [hasty, ...parameters] : parameters, {
    cwd,
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString();
  });
  after(() => void child.kill('SIGKILL'));
  return { child, written };
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command to its end. */
export async function runToEnd(options: Launch): Promise<Ended> {
  const { child, written } = launch(options);
  const [code] = await once(child, 'close');
  return { code, ...written };
}

/** Runs a command in this process, which is much cheaper; one at a time. */
export async function runHere(environment: Record<string, string>, ...parameters: string[]): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const mocks = [
    mock.method(console, 'log', (text: string) => {
      written.stdout += `${text}\n`;
    }),
    mock.method(console, 'error', (text: string) => {
      written.stderr += `${text}\n`;
    }),
  ];
  const { env } = process;
  process.env = environmentOf(environment);
  try {
    await runCommand(parameters);
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    process.env = env;
    process.exitCode = undefined;
    for (const { mock } of mocks) mock.restore();
  }
}

/** Starts the service as a process and waits until it serves. */
export async function startService({ asNewcomer = false, ...options }: Launch = {}): Promise<Service> {
  const clones = process.env.TEST_CLONES;
  const shown: Record<string, string> = asNewcomer || !clones ? {} : { GIT_REPOS: clones };
  const { child, written } = launch({ ...options, environment: { ...shown, ...options.environment } });
  let servingSince = Number.POSITIVE_INFINITY;
  const url = await new Promise<string>((resolve, reject) => {
    const look = (): void => {
      if (/^Serving at /m.test(written.stdout)) servingSince = Math.min(servingSince, performance.now());
      const match = /^Serving at (\S+)[\s\S]*^Sign in (?:as|at) /m.exec(written.stdout);
      if (match?.[1]) resolve(match[1]);
    };
    child.stdout?.on('data', look);
    child.on('close', (code) => reject(new Error(`ended with ${code}: ${written.stdout}${written.stderr}`)));
  });
  return {
    url,
    servingSince,
    child,
    output: () => written,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'close');
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
