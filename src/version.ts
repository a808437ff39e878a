import { readFileSync } from 'node:fs';

/** The folder with package.json, migrations, prompts, samples and web: of a checkout, of an installed package or of an image. */
export const packageFolder = new URL('../', import.meta.url);

const manifest: { version: string } = JSON.parse(
  readFileSync(new URL('package.json', packageFolder), 'utf8'),
);

export const version = manifest.version;
