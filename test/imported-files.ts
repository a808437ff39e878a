import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const imported = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

function readImports(path: string): string[] {
  if (!path.endsWith('ts')) return [];
  const names = [...readFileSync(path, 'utf8').matchAll(imported)].map(([, name = '']) => name);
  // A test may contain import statements of missing files as text.
  return names.map((name) => resolve(dirname(path), name)).filter((target) => existsSync(target));
}

/** A file and its imports, direct and indirect; imports of `stopAt` and of files outside `within` are not followed. */
export function filesImportedBy(
  file: string,
  { within = '/', stopAt = '', known = new Map<string, string[]>() } = {},
): Set<string> {
  const seen = new Set([resolve(file)]);
  for (const path of seen) {
    if (path === stopAt) continue;
    const targets = known.get(path) ?? readImports(path);
    known.set(path, targets);
    for (const target of targets) if (target.startsWith(within)) seen.add(target);
  }
  return seen;
}

/** Whether a test imports a shared test file, directly or through others. */
export function usesShared(
  file: string,
  shared: string,
  within = fileURLToPath(new URL('.', import.meta.url)),
): boolean {
  return filesImportedBy(file, { within }).has(resolve(within, shared));
}
