import type { FileText, WantedText } from '../code-host.ts';
import type { Clone } from './find-clone.ts';
import { type GitRunner, runGit, streamGit } from './run-git.ts';

/** Larger files are not outlined. All of them together are held by nobody: each is read, and gone with the next. */
const mostBytes = { file: 1024 * 1024, all: 20 * 1024 * 1024 };

interface Blob {
  place: number;
  id: string;
  size: number;
}

/** Texts of files on both sides of a diff, as far as the clone has them. */
export async function* readFileTexts(
  git: GitRunner,
  clone: Clone,
  { base, head, wanted }: { base: string; head: string; wanted: WantedText[] },
): AsyncGenerator<FileText, void> {
  const blobs = await findBlobs(
    git,
    clone,
    wanted.map(({ path, side }) => (isPath(path) ? `${side === 'new' ? head : base}:${path}` : 'none')),
  );
  if (blobs.length === 0) return;
  const input = blobs.map(({ id }) => `${id}\n`).join('');
  const printed = streamGit(git, clone, ['cat-file', '--batch'], { input });
  const reader = new ByteReader(printed);
  try {
    for (const { place, size } of blobs) {
      await reader.takeLine();
      const bytes = await reader.take(size);
      await reader.takeLine();
      if (bytes === null) return;
      yield { place, text: bytes.toString('utf8') };
    }
  } finally {
    await printed.return();
  }
}

/** A line break ends a question, and a path that begins as from where one stands makes git give up: both find nothing. */
const isPath = (path: string): boolean => !path.includes('\n') && !/^\.{1,2}(?:\/|$)/.test(path);

/** What stands at these places and is small enough. */
async function findBlobs(git: GitRunner, clone: Clone, names: string[]): Promise<Blob[]> {
  const printed = await runGit(git, clone, ['cat-file', '--batch-check'], { input: `${names.join('\n')}\n` });
  const blobs: Blob[] = [];
  let left = mostBytes.all;
  for (const [place, line] of printed.split('\n').entries()) {
    const [, id, digits] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(line) ?? [];
    const size = Number(digits);
    if (id === undefined || size > mostBytes.file || size > left) continue;
    left -= size;
    blobs.push({ place, id, size });
  }
  return blobs;
}

const lineBreak = 10;

/** Takes what comes in chunks by lines and by numbers of bytes. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks;
  }

  async takeLine(): Promise<void> {
    let end = this.#rest.indexOf(lineBreak);
    while (end < 0 && (await this.#more())) end = this.#rest.indexOf(lineBreak);
    this.#rest = this.#rest.subarray(end < 0 ? this.#rest.length : end + 1);
  }

  /** Null where the end comes first. */
  async take(count: number): Promise<Buffer | null> {
    const taken = [];
    let missing = count;
    while (missing > this.#rest.length) {
      taken.push(this.#rest);
      missing -= this.#rest.length;
      this.#rest = Buffer.alloc(0);
      if (!(await this.#more())) return null;
    }
    taken.push(this.#rest.subarray(0, missing));
    this.#rest = this.#rest.subarray(missing);
    return Buffer.concat(taken);
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (!done) this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return !done;
  }
}
