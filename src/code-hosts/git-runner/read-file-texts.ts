import type { FileText, WantedText } from '../code-host.ts';
import type { Clone } from './clone.ts';
import { NoAnswer } from './kept-gits.ts';
import { askObjects, describeObjects, type GitObject, takeLine } from './objects.ts';
import type { GitRunner } from './run-git.ts';

/** Larger files are not outlined. All of them together are held by nobody: each is read, and gone with the next. */
const mostBytes = { file: 1024 * 1024, all: 20 * 1024 * 1024 };

interface Blob {
  place: number;
  id: string;
  size: number;
}

/** Texts of files on both sides of a diff, as far as the clone has them. */
export function readFileTexts(
  git: GitRunner,
  clone: Clone,
  { base, head, wanted }: { base: string; head: string; wanted: WantedText[] },
): AsyncGenerator<FileText, void> {
  const names = wanted.map(({ path, side }) =>
    isPath(path) ? `${side === 'new' ? head : base}:${path}` : 'none',
  );
  return readNamedTexts(git, clone, names);
}

/** Texts by the names of objects, as far as the clone has them. */
export function readNamedTexts(
  git: GitRunner,
  clone: Clone,
  names: string[],
): AsyncGenerator<FileText, void> {
  return askObjects(git, clone, async function* (asked) {
    const blobs = chooseBlobs(await describeObjects(asked, names));
    asked.write(blobs.map(({ id }) => `contents ${id}\n`).join(''));
    for (const { place, size } of blobs) {
      await takeLine(asked);
      const bytes = await asked.reader.take(size);
      if (bytes === null) throw new NoAnswer('git ended within a file');
      await takeLine(asked);
      yield { place, text: bytes.toString('utf8') };
    }
  });
}

/** A line break ends a question, and a path that begins as from where one stands makes git give up: both find nothing. */
const isPath = (path: string): boolean => !path.includes('\n') && !/^\.{1,2}(?:\/|$)/.test(path);

/** Those that are small enough. */
function chooseBlobs(objects: (GitObject | null)[]): Blob[] {
  const blobs: Blob[] = [];
  let left = mostBytes.all;
  for (const [place, object] of objects.entries()) {
    if (object?.kind !== 'blob' || object.size > mostBytes.file || object.size > left) continue;
    left -= object.size;
    blobs.push({ place, id: object.id, size: object.size });
  }
  return blobs;
}
