import { inspect } from 'node:util';
import { Failure, StartupProblem } from '../domain/errors.ts';
import { mistakesBetween } from '../domain/text.ts';
import { version } from '../version.ts';
import { type Command, print, printProblem, SignInNeeded, UsageProblem } from './command.ts';
import type { Listed } from './completion.ts';

/** Modules are loaded on demand, so that making a token does not load a web server. */
const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  serve: { summary: 'start the service', load: async () => (await import('./serve.ts')).serve },
  work: {
    summary: 'write articles and poll code hosts on behalf of pullquote serve',
    load: async () => (await import('./serve.ts')).work,
  },
  healthcheck: {
    summary: 'check whether the process listening on PORT is healthy',
    load: async () => (await import('./call-service.ts')).healthcheck,
  },
  token: {
    summary: 'print a token that signs you in under a local name',
    load: async () => (await import('./login.ts')).printToken,
  },
  login: {
    summary: 'sign in with GitHub and print a session token',
    load: async () => (await import('./login.ts')).login,
  },
  explain: {
    summary: 'explain a change: a branch, a diff or a pull request',
    load: async () => (await import('./explain/explain.ts')).explain,
  },
  ask: {
    summary: 'ask a question about a change',
    load: async () => (await import('./ask.ts')).ask,
  },
  facts: {
    summary: 'print the facts about a pull request in a clone',
    load: async () => (await import('./facts.ts')).factsCommand,
  },
  check: {
    summary: 'show what is stored, and correct wrong counts',
    load: async () => (await import('./database.ts')).check,
  },
  import: {
    summary: 'write articles about many merged pull requests',
    load: async () => (await import('./import.ts')).importCommand,
  },
  notes: {
    summary: 'print release notes for two versions',
    load: async () => (await import('./notes.ts')).notes,
  },
  mcp: {
    summary: 'connect an agent over the Model Context Protocol',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  backup: {
    summary: 'back up the database while the service is running',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    summary: 'restore a backup into an empty database',
    load: async () => (await import('./backup.ts')).restore,
  },
  remove: {
    summary: 'remove a repository or a pull request for good',
    load: async () => (await import('./remove.ts')).remove,
  },
  psql: {
    summary: 'open psql on the database, or print its connection string',
    load: async () => (await import('./database.ts')).psql,
  },
  doctor: {
    summary: 'find problems and say how to fix them',
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  model: {
    summary: 'show, set, test or remove the model of a running service',
    load: async () => (await import('./model.ts')).model,
  },
  trial: {
    summary: 'measure how well a model writes and judges',
    load: async () => (await import('./trial.ts')).trial,
  },
  settings: {
    summary: 'list every setting with its default',
    load: async () => (await import('./settings.ts')).listSettings,
  },
  completion: {
    summary: 'print a completion script for your shell',
    load: async () => (await import('./completion.ts')).completionOf(listCommands),
  },
};

export const listCommands = (): Promise<Listed[]> =>
  Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => ({ name, summary, ...(await load()) })),
  );

export const overview = (): string =>
  [
    'pullquote turns pull requests into articles people want to read.',
    '',
    'Usage: pullquote COMMAND [--help]',
    '       pullquote help COMMAND',
    '',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`),
    '',
    'pullquote --version prints the version. Settings come from the environment and the file .env in the current folder.',
  ].join('\n');

export async function runCommand([name, ...parameters]: string[]): Promise<void> {
  if (name === 'help' && parameters[0] !== undefined && !parameters[0].startsWith('-'))
    return runCommand([parameters[0], '--help']);
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    print(overview());
    return;
  }
  if (name === '--version' || name === '-v') {
    print(version);
    return;
  }
  const command = Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined;
  if (!command)
    return complain(`Unknown command: ${name}.${meant(name, Object.keys(commands))}\n\n${overview()}`, 2);
  if (parameters.includes('--help') || parameters.includes('-h')) {
    print(command.help);
    return;
  }
  try {
    await command.run(parameters);
  } catch (error) {
    if (error instanceof UsageProblem || isParameterError(error))
      complain(
        `${whatIsWrong(error, command)}\n\n${usageOf(command)}\nFor more, see pullquote ${name} --help.`,
        2,
      );
    else if (error instanceof StartupProblem || error instanceof Failure) complain(error.message, 1);
    else if (error instanceof SignInNeeded) complain(error.message, 4);
    else if (isSystemError(error)) complain(`The operating system reported an error: ${error.message}.`, 1);
    else {
      complain(inspect(error), 1);
      // After an unexpected error, something may still be open that keeps the process alive.
      process.exit();
    }
  }
}

/** Only the lines that show how to call the command, because its whole help would push the error off the screen. */
const usageOf = ({ help }: Command): string => help.slice(0, help.search(/\n\s*\n|$/));

function complain(text: string, exitCode: number): void {
  printProblem(text);
  process.exitCode = exitCode;
}

function isParameterError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** Only the first sentence of the error of parseArgs: the rest is about parameters that begin with a dash. */
function whatIsWrong({ message }: Error, { help }: Command): string {
  const sentence = message
    .replace(/\.? To specify a positional argument starting with a '-'.*$/s, '')
    .replace(/\.?$/, '.');
  const option = /^Unknown option '(--[^']+)'/.exec(message)?.[1];
  return option === undefined ? sentence : `${sentence}${meant(option, help.match(/--[a-z][a-z-]+/g) ?? [])}`;
}

/** Suggests the nearest known name, at most two mistakes away and no more than half of its length. */
function meant(given: string, known: string[]): string {
  const [nearest] = known
    .map((name) => ({ name, mistakes: mistakesBetween(given.slice(0, 50), name) }))
    .filter(({ name, mistakes }) => mistakes <= 2 && mistakes <= name.replace(/^--/, '').length / 2)
    .sort((one, other) => one.mistakes - other.mistakes);
  return nearest ? ` Did you mean ${nearest.name}?` : '';
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
