import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { prepareDataFolder } from './data-folder.ts';
import { StartupProblem } from './domain/errors.ts';
import { parseSecretKeys, type SecretKeys, secretKeysFormat } from './domain/secret-keys.ts';

const fileOf = ({ dataFolder }: Pick<Config, 'dataFolder'>): string => join(dataFolder, 'secret-keys');

/** Whether the keys are there already: those that are made on first use are known to no other process. */
export const hasSecretKeys = (config: Pick<Config, 'secretKeys' | 'dataFolder'>): boolean =>
  config.secretKeys !== undefined || existsSync(fileOf(config));

/** The keys from the settings, or the ones kept in the data folder, made on first use. */
export function loadSecretKeys(config: Pick<Config, 'secretKeys' | 'dataFolder'>): SecretKeys {
  if (config.secretKeys) return config.secretKeys;
  prepareDataFolder(config.dataFolder);
  const file = fileOf(config);
  const keys = parseSecretKeys((readIfThere(file) ?? generate(file)).trim());
  if (!keys) {
    throw new StartupProblem(
      `${file} is damaged: it should hold ${secretKeysFormat}. Restore it from a backup, ` +
        'or remove it to have a new one made; tokens made with the old keys then end.',
    );
  }
  return keys;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Two processes may do this at once: linking a finished file into place lets exactly one of them win, whole. */
function generate(file: string): string {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `1:${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}
