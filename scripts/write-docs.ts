import { readFileSync, writeFileSync } from 'node:fs';
import { settingsAsEnvironment, settingsAsTable } from '../src/cli/settings.ts';
import { commandsAsMarkdown } from './commands-as-markdown.ts';
import { subjectsAsTable } from './subjects.ts';

// Updates .env.example, the tables of settings and subjects, and the pages of commands from the source.

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
replaceIn('ARCHITECTURE.md', /(?<=<!-- subjects -->\n)[^<]*/, `\n${subjectsAsTable()}\n`);
void commandsAsMarkdown().then((text) =>
  replaceIn('docs/command-line.md', /(?<=<!-- commands -->\n)[\s\S]*/, `\n${text}\n`),
);
