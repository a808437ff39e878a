import type { FileDiff } from './file-diff.ts';
import { parseFileDiff } from './parse-file-diff.ts';

const boundary = Buffer.from('\ndiff --git ');

/**
 * Reads what `git diff` prints, file by file, as it comes. Between two chunks it holds on to the bytes of one file
 * only, so that memory is bounded by the largest file and not by the diff.
 */
export class DiffParser {
  #pending: Buffer[] = [];
  #tail: Buffer = Buffer.alloc(0);
  #last: FileDiff | null = null;

  /** Takes the next bytes and returns the files that are complete by now. */
  push(chunk: Buffer): FileDiff[] {
    const files: FileDiff[] = [];
    // A boundary may be split between two chunks: the end of the one before is searched again.
    let rest = this.#tail.length > 0 ? Buffer.concat([this.#tail, chunk]) : chunk;
    for (let found = rest.indexOf(boundary); found >= 0; found = rest.indexOf(boundary)) {
      this.#pending.push(rest.subarray(0, found + 1));
      this.#complete(files);
      rest = rest.subarray(found + 1);
    }
    const keep = Math.min(rest.length, boundary.length - 1);
    this.#pending.push(rest.subarray(0, rest.length - keep));
    this.#tail = rest.subarray(rest.length - keep);
    return files;
  }

  /** Says that nothing more comes, and returns what was left. */
  end(): FileDiff[] {
    const files: FileDiff[] = [];
    this.#pending.push(this.#tail);
    this.#tail = Buffer.alloc(0);
    this.#complete(files);
    if (this.#last) files.push(this.#last);
    this.#last = null;
    return files;
  }

  /** Says that what comes next will not be read, and returns the last file that was complete. */
  cut(): FileDiff[] {
    const files = this.#last ? [this.#last] : [];
    this.#last = null;
    this.#pending = [];
    this.#tail = Buffer.alloc(0);
    return files;
  }

  #complete(files: FileDiff[]): void {
    const [only] = this.#pending;
    const bytes = this.#pending.length === 1 && only ? only : Buffer.concat(this.#pending);
    this.#pending = [];
    if (!bytes.subarray(0, boundary.length - 1).equals(boundary.subarray(1))) return;
    const file = parseFileDiff(bytes);
    const merged = this.#last && mergeTypeChange(this.#last, file);
    if (this.#last && !merged) files.push(this.#last);
    this.#last = merged ?? file;
  }
}

/** A file that became a link, or the other way round, is printed as a removal and an addition of the same path. */
function mergeTypeChange(before: FileDiff, after: FileDiff): FileDiff | null {
  if (before.path !== after.path || before.status !== 'removed' || after.status !== 'added') return null;
  const isBinary = before.isBinary || after.isBinary;
  return {
    ...after,
    status: 'typeChanged',
    oldMode: before.oldMode,
    isBinary,
    // Git counts no lines of a pair of which one side has none.
    additions: isBinary ? 0 : after.additions,
    deletions: isBinary ? 0 : before.deletions,
    hunks: [...before.hunks, ...after.hunks],
    bytes: Buffer.concat([before.bytes, after.bytes]),
  };
}

/** Reads a whole diff that is in memory already. */
export function parseDiff(diff: Buffer): FileDiff[] {
  const parser = new DiffParser();
  return [...parser.push(diff), ...parser.end()];
}
