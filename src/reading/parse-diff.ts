import type { FileDiff, FileStatus, Hunk } from './file-diff.ts';

const boundary = Buffer.from('\ndiff --git ');

/**
 * Parses the output of `git diff` as it arrives, file by file. It buffers one file at a time, so that memory is bounded
 * by the largest file and not by the diff.
 */
export class DiffParser {
  #pending: Buffer[] = [];
  #tail: Buffer = Buffer.alloc(0);
  #last: FileDiff | null = null;

  push(chunk: Buffer): FileDiff[] {
    const files: FileDiff[] = [];
    // A boundary may be split between two chunks, so the end of the previous one is searched again.
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

  end(): FileDiff[] {
    const files: FileDiff[] = [];
    this.#pending.push(this.#tail);
    this.#tail = Buffer.alloc(0);
    this.#complete(files);
    if (this.#last) files.push(this.#last);
    this.#last = null;
    return files;
  }

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

/** Git prints a file that became a link, or the reverse, as a removal and an addition of the same path. */
function mergeTypeChange(before: FileDiff, after: FileDiff): FileDiff | null {
  if (before.path !== after.path || before.status !== 'removed' || after.status !== 'added') return null;
  const isBinary = before.isBinary || after.isBinary;
  return {
    ...after,
    status: 'typeChanged',
    oldMode: before.oldMode,
    isBinary,
    additions: isBinary ? 0 : after.additions,
    deletions: isBinary ? 0 : before.deletions,
    hunks: [...before.hunks, ...after.hunks],
    bytes: Buffer.concat([before.bytes, after.bytes]),
  };
}

export function parseDiff(diff: Buffer): FileDiff[] {
  const parser = new DiffParser();
  return [...parser.push(diff), ...parser.end()];
}

const newline = 10;
const plus = 43;
const minus = 45;
const backslash = 92;
const at = 64;

type Header = Pick<FileDiff, 'path' | 'previousPath' | 'status' | 'oldMode' | 'newMode' | 'isBinary'>;

function parseFileDiff(bytes: Buffer): FileDiff {
  const bodyStart = startOfHunks(bytes);
  const header = parseHeader(bytes.toString('utf8', 0, bodyStart));
  const { hunks, additions, deletions } = header.isBinary
    ? { hunks: [], additions: 0, deletions: 0 }
    : parseHunks(bytes, bodyStart);
  const isSubmodule = header.oldMode === '160000' || header.newMode === '160000';
  return { ...header, isSubmodule, additions, deletions, hunks, bytes };
}

function startOfHunks(bytes: Buffer): number {
  const found = bytes.indexOf('\n@@ ');
  return found < 0 ? bytes.length : found + 1;
}

function parseHeader(text: string): Header {
  const lines = text.split('\n');
  const values = new Map<string, string>();
  let isBinary = false;
  for (const line of lines.slice(1)) {
    const match =
      /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|index|---|\+\+\+) (.*)$/.exec(
        line,
      );
    if (match?.[1]) values.set(match[1], match[2] ?? '');
    else if (line === 'GIT binary patch' || /^Binary files .* differ$/.test(line)) isBinary = true;
    if (line === 'GIT binary patch') break;
  }
  const indexMode = values.get('index')?.split(' ')[1] ?? null;
  const oldMode = values.get('old mode') ?? values.get('deleted file mode') ?? indexMode;
  const newMode = values.get('new mode') ?? values.get('new file mode') ?? indexMode;
  const status = fileStatus(values);
  const previous = values.get('rename from') ?? values.get('copy from');
  return {
    path: diffPath(lines[0] ?? '', values),
    previousPath: previous === undefined ? null : unquotePath(previous),
    status,
    oldMode: status === 'added' ? null : oldMode,
    newMode: status === 'removed' ? null : newMode,
    isBinary,
  };
}

function fileStatus(values: Map<string, string>): FileStatus {
  if (values.has('new file mode')) return 'added';
  if (values.has('deleted file mode')) return 'removed';
  if (values.has('rename from')) return 'renamed';
  if (values.has('copy from')) return 'copied';
  return 'modified';
}

/** The path of a file: from header lines with one name each if possible, because the first line has two that cannot always be separated. */
function diffPath(firstLine: string, values: Map<string, string>): string {
  const renamed = values.get('rename to') ?? values.get('copy to');
  if (renamed !== undefined) return unquotePath(renamed);
  for (const key of ['+++', '---']) {
    const printed = values.get(key)?.replace(/\t$/, '');
    if (printed !== undefined && printed !== '/dev/null') return withoutPrefix(unquotePath(printed));
  }
  return pathOfFirstLine(firstLine.slice('diff --git '.length));
}

/** If a file was not renamed, each path is half of the line. */
function pathOfFirstLine(names: string): string {
  if (names.endsWith('"')) {
    const second = names.lastIndexOf(' "');
    return withoutPrefix(unquotePath(names.slice(second + 1)));
  }
  return withoutPrefix(names.slice(Math.floor(names.length / 2) + 1));
}

const withoutPrefix = (name: string): string => name.replace(/^[abciwo12]\//, '');

function parseHunks(bytes: Buffer, start: number): Pick<FileDiff, 'hunks' | 'additions' | 'deletions'> {
  const hunks: Hunk[] = [];
  let additions = 0;
  let deletions = 0;
  let position = start;
  while (position < bytes.length && bytes[position] === at) {
    const headingEnd = endOfLine(bytes, position);
    const ranges = parseRanges(bytes.toString('utf8', position, headingEnd));
    const textStart = headingEnd + 1;
    let { oldLines, newLines } = ranges;
    position = textStart;
    // The line counts in the header of a hunk tell where it ends, whatever its lines look like.
    while (position < bytes.length && (oldLines > 0 || newLines > 0 || bytes[position] === backslash)) {
      const first = bytes[position];
      if (first === plus) {
        additions += 1;
        newLines -= 1;
      } else if (first === minus) {
        deletions += 1;
        oldLines -= 1;
      } else if (first !== backslash) {
        oldLines -= 1;
        newLines -= 1;
      }
      position = endOfLine(bytes, position) + 1;
    }
    hunks.push(describeHunk(bytes, ranges, textStart, Math.max(textStart, position - 1)));
  }
  return { hunks, additions, deletions };
}

function describeHunk(bytes: Buffer, ranges: Omit<Hunk, 'text'>, start: number, end: number): Hunk {
  return { ...ranges, text: () => bytes.toString('utf8', start, end) };
}

function endOfLine(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(newline, from);
  return found < 0 ? bytes.length : found;
}

function parseRanges(line: string): Omit<Hunk, 'text'> {
  const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s.exec(line);
  if (!match) return { oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, heading: '' };
  const [, oldStart, oldLines = '1', newStart, newLines = '1', heading = ''] = match;
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
    heading,
  };
}

const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };
const byEscape = new Map(Object.entries(escapes).map(([letter, byte]) => [letter.charCodeAt(0), byte]));

/** Git prints unusual bytes of a path as C escapes in quotes. */
function unquotePath(printed: string): string {
  if (!printed.startsWith('"')) return printed;
  const bytes = Buffer.from(printed.slice(1, -1));
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0;
    if (byte === backslash) {
      const octal = octalAt(bytes, at + 1);
      at += octal === null ? 1 : 3;
      if (at >= bytes.length) break;
      byte = octal ?? byEscape.get(bytes[at] ?? 0) ?? bytes[at] ?? 0;
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.toString('utf8', 0, length);
}

function octalAt(bytes: Buffer, at: number): number | null {
  let value = 0;
  for (let digit = at; digit < at + 3; digit += 1) {
    const byte = bytes[digit] ?? 0;
    if (byte < 48 || byte > 55) return null;
    value = value * 8 + byte - 48;
  }
  return value & 255;
}
