import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type { HostPullRequest } from '../code-hosts/code-host.ts';
import type { ReadFiles, StoredFile } from '../db/pull-requests.ts';
import type { DiffPart } from '../db/stored-diffs.ts';
import { classifyFile } from '../reading/classify-file.ts';
import type { FileDiff } from '../reading/file-diff.ts';
import { GitAttributes } from '../reading/git-attributes.ts';
import { DiffParser } from '../reading/parse-diff.ts';

const compress = promisify(zstdCompress);

/** Large enough to compress well, small enough to unpack in no time when one file is wanted. */
const partBytes = 256 * 1024;

export interface CollectedDiff {
  read: ReadFiles;
  parts: DiffPart[];
  /** The limit, where it left something out. */
  cutAtBytes: number | null;
}

/** Reads a diff as it comes, file by file, up to a limit; what is beyond is listed but not kept. */
export async function collectDiff(onHost: HostPullRequest, maxBytes: number): Promise<CollectedDiff> {
  const collector = new Collector();
  const parser = new DiffParser();
  let size = 0;
  let isWhole = true;
  for await (const chunk of onHost.diff()) {
    size += chunk.length;
    if (size > maxBytes) {
      isWhole = false;
      break;
    }
    for (const file of parser.push(chunk)) await collector.add(file);
  }
  for (const file of isWhole ? parser.end() : parser.cut()) await collector.add(file);
  await collector.flush();
  const unread = isWhole ? [] : await collector.addUnread(onHost, maxBytes);
  const { files, parts } = collector;
  const read = {
    files,
    unread,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
  return { read, parts, cutAtBytes: isWhole ? null : maxBytes };
}

class Collector {
  readonly files: StoredFile[] = [];
  readonly parts: DiffPart[] = [];
  readonly #attributes = new GitAttributes();
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  async add(file: FileDiff): Promise<void> {
    this.#attributes.note(file);
    this.files.push(this.#describe(file));
    this.#pending.push(file.bytes);
    this.#pendingBytes += file.bytes.length;
    if (this.#pendingBytes >= partBytes) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const lastFile = this.files.length - 1;
    const firstFile = lastFile - this.#pending.length + 1;
    const [only] = this.#pending;
    const bytes = this.#pending.length === 1 && only ? only : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.parts.push({ firstFile, lastFile, compressed: await compress(bytes) });
  }

  /** Lists the files that the limit cut off, as the host counts them. */
  async addUnread(onHost: HostPullRequest, maxBytes: number): Promise<ReadFiles['unread']> {
    const read = new Set(this.files.map(({ fileName }) => fileName));
    const reason = `beyond the ${Math.round(maxBytes / 1024 / 1024)} MiB that are read of one pull request`;
    const unread = (await onHost.fileSummaries()).filter(({ path }) => !read.has(path));
    for (const summary of unread) {
      this.files.push(
        this.#describe({
          ...summary,
          oldMode: null,
          newMode: null,
          isBinary: false,
          isSubmodule: false,
          hunks: [],
          bytes: Buffer.alloc(0),
        }),
      );
    }
    return unread.map(({ path }) => ({ fileName: path, reason }));
  }

  #describe(file: FileDiff): StoredFile {
    const { kind, language } = classifyFile(file, this.#attributes);
    return {
      fileName: file.path,
      ...(file.previousPath !== null && { previousFileName: file.previousPath }),
      status: file.status,
      kind,
      ...(language !== null && { language }),
      additions: file.additions,
      deletions: file.deletions,
    };
  }
}
