import { parseArgs } from 'node:util';
import { settings } from '../config.ts';
import type { Command } from './command.ts';

const all = Object.values(settings);

/** The settings as a file to copy to .env. */
export function settingsAsEnvironment(): string {
  return all
    .map(({ name, default: value = '', sentence }) => `# ${sentence}\n# ${name}=${value}\n`)
    .join('\n');
}

export function settingsAsTable(): string {
  const rows = all.map(
    ({ name, default: value, sentence }) =>
      `| \`${name}\` | ${value ? `\`${value}\`` : 'unset'} | ${sentence} |`,
  );
  return ['| Setting | Default | What it does |', '|---|---|---|', ...rows].join('\n');
}

export const listSettings: Command = {
  help: [
    'Usage: pullquote settings [--env]',
    '',
    'Prints every setting, its default and what it does.',
    '',
    '  --env   as a file to copy to .env',
  ].join('\n'),
  async run(parameters) {
    const { values } = parseArgs({ args: parameters, options: { env: { type: 'boolean', default: false } } });
    process.stdout.write(values.env ? settingsAsEnvironment() : `${settingsAsTable()}\n`);
  },
};
