import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const imported = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/**
 * Whether a test gets a database on the server that the tests share, by itself or through what it imports of the folder that
 * tests share: build-app.ts there is the only way to one. It follows from the imports, so that no list of them can be out of
 * date.
 */
export function touchesDatabase(
  file: string,
  sharedFolder = fileURLToPath(new URL('.', import.meta.url)),
): boolean {
  const source = resolve(sharedFolder, 'build-app.ts');
  const seen = new Set([resolve(file)]);
  for (const path of seen) {
    if (path === source) return true;
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(imported)) {
      const target = resolve(dirname(path), name);
      // A test may hold the text of files that are not there.
      if (target.startsWith(sharedFolder) && existsSync(target)) seen.add(target);
    }
  }
  return false;
}
