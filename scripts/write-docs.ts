import { readFileSync, writeFileSync } from 'node:fs';
import { settingsAsEnvironment, settingsAsTable } from '../src/cli/settings.ts';
import { commandsAsMarkdown } from './commands-as-markdown.ts';

// Keeps .env.example, the table of settings and the pages of the commands equal to what src/settings and src/cli say.

const root = new URL('../', import.meta.url);

function replaceIn(path: string, part: RegExp, text: string): void {
  const file = new URL(path, root);
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(part, () => text),
  );
}

writeFileSync(new URL('.env.example', root), settingsAsEnvironment());
replaceIn('docs/settings.md', /\| Setting \s*\|[\s\S]*?\n(?!\|)/, `${settingsAsTable()}\n`);
void commandsAsMarkdown().then((text) =>
  replaceIn('docs/command-line.md', /(?<=<!-- commands -->\n)[\s\S]*/, `\n${text}\n`),
);
