import { readFileSync } from 'node:fs';

/**
 * The folder with package.json, migrations, prompts, samples and web: in a checkout, an installed package or an image.
 */
export const packageFolder = new URL('../', import.meta.url);

const manifest: { version: string } = JSON.parse(
  readFileSync(new URL('package.json', packageFolder), 'utf8'),
);

export const version = manifest.version;
