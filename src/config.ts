import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartupProblem } from './domain/errors.ts';
import { codeHostSettings } from './settings/code-host-settings.ts';
import { digestSettings, missingForDigests } from './settings/digest-settings.ts';
import { missingForSignIn } from './settings/missing-for-sign-in.ts';
import { missingForModels } from './settings/model-access.ts';
import { modelSettings } from './settings/model-settings.ts';
import { networkSettings } from './settings/network-settings.ts';
import { serviceSettings } from './settings/service-settings.ts';
import type { Setting } from './settings/setting.ts';
import { Unusable } from './settings/setting-parsers.ts';
import { findUnknownSettings, type UnknownSetting } from './settings/unknown-settings.ts';

/** In the order in which they are documented. */
export const settings = {
  ...serviceSettings,
  ...codeHostSettings,
  ...modelSettings,
  ...digestSettings,
  ...networkSettings,
};

export type Config = { [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['parse']> };

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

/** Reads all settings from the given environment, or says everything that is wrong with them at once. */
export function parseConfig(environment: Environment): Config {
  const problems: string[] = [];
  const config = Object.fromEntries(
    Object.entries(settings).map(([key, described]) => [
      key,
      parseSetting<unknown>(described, environment, problems),
    ]),
  ) as Config;
  if (problems.length === 0)
    problems.push(...missingForModels(config), ...missingForSignIn(config), ...missingForDigests(config));
  if (problems.length > 0) {
    throw new StartupProblem(
      ['These settings cannot be used:', ...problems.map((one) => `  ${one}`)].join('\n'),
    );
  }
  return config;
}

const readFile = (): Environment => (existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {});

/** The settings of this process: its environment, and below it the file .env in the working folder. */
export function readConfig(): Config {
  return parseConfig({ ...readFile(), ...process.env });
}

/** What was probably meant as a setting of this process, and is none. */
export function unknownSettings(): UnknownSetting[] {
  const known = Object.values<Setting<unknown>>(settings).flatMap(({ name, alias }) =>
    alias ? [name, alias] : [name],
  );
  const given = { file: Object.keys(readFile()), environment: Object.keys(process.env) };
  return findUnknownSettings(known, given);
}

/** Where this process looks for programs such as git. */
export function programSearchPath(): string {
  return process.env.PATH ?? '';
}
