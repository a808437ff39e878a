import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Makes the files that npm installs for this package, with this checkout's dependencies; returns its program. */
export function makePackage(folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, ['scripts/bundle.ts', 'service', folder], { cwd: root });
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  for (const part of ['migrations', 'prompts', 'samples', 'web', 'package.json', 'node_modules'])
    symlinkSync(join(root, part), join(folder, part));
  return join(folder, 'bin/pullquote.cjs');
}
