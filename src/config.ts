import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { InvalidSettings } from './domain/errors.ts';
import { codeHostSettings, hostAccess, missingForSignIn } from './settings/code-host-settings.ts';
import { missingForModels, modelSettings } from './settings/model-settings.ts';
import {
  digestSettings,
  missingForDigests,
  networkSettings,
  serviceSettings,
} from './settings/service-settings.ts';
import {
  findUnknownSettings,
  type Parsed,
  type Setting,
  type UnknownSetting,
  Unusable,
} from './settings/setting-parsers.ts';

export const settings = {
  ...serviceSettings,
  ...codeHostSettings,
  ...modelSettings,
  ...digestSettings,
  ...networkSettings,
};

export type Config = Parsed<typeof settings>;

type Environment = Record<string, string | undefined>;

function parseSetting<T>(described: Setting<T>, environment: Environment, problems: string[]): T | undefined {
  const given =
    (described.alias && environment[described.alias]?.trim()) || environment[described.name]?.trim();
  try {
    return described.parse(given || (described.default ?? ''));
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    problems.push(`${described.name} ${error.message}.`);
    return undefined;
  }
}

function parseSettings<Key extends keyof Config>(
  keys: readonly Key[],
  environment: Environment,
  findMissing: (config: Pick<Config, Key>) => string[] = () => [],
): Pick<Config, Key> {
  const problems: string[] = [];
  const config = Object.fromEntries(
    keys.map((key) => [key, parseSetting<unknown>(settings[key], environment, problems)]),
  ) as Pick<Config, Key>;
  if (problems.length === 0) problems.push(...findMissing(config));
  if (problems.length > 0) {
    throw new InvalidSettings(problems, ['Some settings are not valid:', ...problems].join('\n  '));
  }
  return config;
}

export const parseConfig = (environment: Environment): Config =>
  parseSettings(Object.keys(settings) as (keyof Config)[], environment, (config) => [
    ...missingForModels(config),
    ...missingForSignIn(config),
    ...missingForDigests(config),
  ]);

/**
 * Reads some settings from the environment only, for commands that run inside clones of others, whose `.env` must not
 * count.
 */
export const readFromEnvironment = <Key extends keyof Config>(keys: readonly Key[]): Pick<Config, Key> =>
  parseSettings(keys, process.env);

/** The settings of a command that only calls code hosts: addresses, tokens and network. All others are unset. */
export const readHostAccess = (): Config => ({
  ...parseConfig({}),
  ...readFromEnvironment([
    ...hostAccess,
    'maxDiffBytes',
    'httpsProxy',
    'httpProxy',
    'noProxy',
    'extraCaFile',
  ]),
});

/** The settings of the action when it calls GitHub: the server of the run, and the token that the workflow gives. */
export const readRunAccess = (): Config => ({
  ...readHostAccess(),
  ...parseSettings(['githubUrl', 'githubToken'], {
    GITHUB_URL: process.env.GITHUB_SERVER_URL,
    GITHUB_TOKEN: actionInput('github-token'),
  }),
});

const readEnvironmentFile = (): Environment =>
  existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};

export function readConfig(): Config {
  return parseConfig({ ...readEnvironmentFile(), ...process.env });
}

export function unknownSettings(): UnknownSetting[] {
  const known = Object.values<Setting<unknown>>(settings).flatMap(({ name, alias }) =>
    alias ? [name, alias] : [name],
  );
  const given = { file: Object.keys(readEnvironmentFile()), environment: Object.keys(process.env) };
  return findUnknownSettings(known, given);
}

export function programSearchPath(): string {
  return process.env.PATH ?? '';
}

export const environmentWith = (more: Environment): Environment => ({ ...process.env, ...more });

export function terminalEnvironment() {
  const { NO_COLOR, TERM, COLUMNS, LC_ALL, LC_CTYPE, LANG, PAGER } = process.env;
  return {
    wantsNoColours: Boolean(NO_COLOR) || TERM === 'dumb',
    columns: Number(COLUMNS) || null,
    locale: LC_ALL || LC_CTYPE || LANG || '',
    pager: PAGER ?? 'less',
  };
}

/** The defaults of git for a pager: less shows colors, exits if everything fits, and leaves the text on the screen. */
export const pagerEnvironment = (): NodeJS.ProcessEnv => ({ LESS: 'FRX', LV: '-c', ...process.env });

/** The folder in which commands without a data folder cache data. */
export const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pullquote');

export function workflowEnvironment() {
  const { GITHUB_EVENT_PATH, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT, GITHUB_API_URL, RUNNER_TEMP } = process.env;
  return {
    eventFile: GITHUB_EVENT_PATH ?? '',
    summaryFile: GITHUB_STEP_SUMMARY ?? '',
    outputFile: GITHUB_OUTPUT ?? '',
    apiUrl: GITHUB_API_URL ?? 'https://api.github.com',
    temporaryFolder: RUNNER_TEMP ?? '',
  };
}

/** The input of a GitHub Action by its name in action.yml; empty if the workflow does not set it. */
export const actionInput = (name: string): string => process.env[`INPUT_${name.toUpperCase()}`]?.trim() ?? '';

/**
 * Settings of the action: inputs override the environment. One input has the API key, whichever provider the model has.
 */
export const readFromInputs: typeof readFromEnvironment = (keys) =>
  parseSettings(keys, { ...process.env, ...givenAsInputs() });

function givenAsInputs(): Environment {
  const keyNames = ['AI_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'];
  const given = [
    ['AI_MODEL', actionInput('ai-model')],
    ['AI_BASE_URL', actionInput('ai-base-url')],
    ...keyNames.map((name) => [name, actionInput('ai-api-key')] as const),
  ] as const;
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}
