import { readFileSync, writeFileSync } from 'node:fs';
import { settingsAsEnvironment, settingsAsTable } from '../src/cli/settings.ts';

// Keeps .env.example and the README's table of settings equal to what src/settings describes.

const root = new URL('../', import.meta.url);
const readme = new URL('README.md', root);
const table = /\| Setting \s*\|[\s\S]*?\n(?!\|)/;

writeFileSync(new URL('.env.example', root), settingsAsEnvironment());
writeFileSync(readme, readFileSync(readme, 'utf8').replace(table, `${settingsAsTable()}\n`));
