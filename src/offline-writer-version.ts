import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Everything that decides what an article without a model says; what models are asked is below a folder of its own. */
const folders = ['domain', 'reading', 'writing'];

/** TypeScript in a checkout and JavaScript once built; tables are the same in both. */
const extension = extname(import.meta.filename);

/** What the offline writer of this program is called: a hash of its source, so that it changes by itself. */
export async function offlineWriterVersion(source = import.meta.dirname): Promise<string> {
  const listed = await Promise.all(
    folders.map((folder) => readdir(join(source, folder), { recursive: true, withFileTypes: true })),
  );
  const files = listed
    .flat()
    .filter((entry) => entry.isFile() && isPartOfIt(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.startsWith(join(import.meta.dirname, 'writing', 'ai')))
    .sort();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const [index, content] of contents.entries()) {
    hash.update(`${files[index]?.slice(source.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('base64url').slice(0, 22);
}

const isPartOfIt = (name: string): boolean =>
  !name.includes('.test.') && !name.endsWith('.d.ts') && [extension, '.json'].includes(extname(name));
