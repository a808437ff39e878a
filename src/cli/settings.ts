import { settings } from '../config.ts';
import { defineCommand, flag } from './command.ts';

const all = Object.values(settings);

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
  return ['| Setting | Default | Description |', '|---|---|---|', ...rows].join('\n');
}

export const listSettings = defineCommand({
  help: [
    'Usage: pullquote settings [--env]',
    '',
    'Lists every setting with its default and a description.',
    '',
    '  --env   print them as an .env file',
  ],
  options: { env: flag },
  async run(values) {
    process.stdout.write(values.env ? settingsAsEnvironment() : `${settingsAsTable()}\n`);
  },
});
