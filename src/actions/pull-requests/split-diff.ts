import { constants, zstdCompressSync } from 'node:zlib';
import type { HostFileSummary } from '../../code-hosts/code-host.ts';
import type { StoredFile } from '../../db/pull-requests.ts';
import { classifyFile } from '../../reading/classify-file.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { DiffParser } from '../../reading/parse-diff.ts';

/** Large enough to compress well, small enough to unpack in no time when one file is wanted. */
const partBytes = 256 * 1024;

/** How far back compressed bytes refer, as a power of two: a streaming decoder holds as much. */
const compression = { params: { [constants.ZSTD_c_windowLog]: 17 } };

/** Where a thread gets a diff from and hands its parts to. */
export interface DiffFetcher {
  /** Null after the last. */
  nextChunk: () => Promise<Uint8Array | null>;
  /** The files of the pull request as the host counts them, some at a time; none after the last. */
  nextSummaries: () => Promise<HostFileSummary[]>;
  /** Takes the files that come next, and the diff of all of them; null where it is not kept. */
  keep: (files: StoredFile[], compressed: Uint8Array | null) => Promise<void>;
}

/**
 * Reads a diff as it comes and splits it into parts of whole files, up to a limit; what is beyond is listed but not kept.
 * Says whether it is whole.
 */
export async function splitDiff({ maxBytes }: { maxBytes: number }, fetcher: DiffFetcher): Promise<boolean> {
  const splitter = new Splitter(fetcher);
  const parser = new DiffParser();
  let size = 0;
  for (let chunk = await fetcher.nextChunk(); chunk; chunk = await fetcher.nextChunk()) {
    // How it is cut into pieces on its way is chance, and decides nothing.
    const within = chunk.subarray(0, maxBytes - size);
    for (const file of parser.push(Buffer.from(within.buffer, within.byteOffset, within.byteLength)))
      await splitter.add(file);
    size += chunk.length;
    if (size > maxBytes) {
      for (const file of parser.cut()) await splitter.add(file);
      await splitter.flush();
      await splitter.addUnread();
      return false;
    }
  }
  for (const file of parser.end()) await splitter.add(file);
  await splitter.flush();
  return true;
}

class Splitter {
  readonly #fetcher: DiffFetcher;
  readonly #read = new Set<string>();
  #pending: FileDiff[] = [];
  #pendingBytes = 0;

  constructor(fetcher: DiffFetcher) {
    this.#fetcher = fetcher;
  }

  async add(file: FileDiff): Promise<void> {
    this.#read.add(file.path);
    // A file that is larger than a part gets one for itself.
    if (this.#pendingBytes + file.bytes.length > partBytes) await this.flush();
    this.#pending.push(file);
    this.#pendingBytes += file.bytes.length;
  }

  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const files = this.#pending.map((file) => this.#describe(file));
    const bytes = Buffer.concat(this.#pending.map((file) => file.bytes));
    this.#pending = [];
    this.#pendingBytes = 0;
    // A copy of what it takes: the compressor hands out a view of something larger.
    await this.#fetcher.keep(files, new Uint8Array(zstdCompressSync(bytes, compression)));
  }

  /** Lists the files that the limit cut off. */
  async addUnread(): Promise<void> {
    for (;;) {
      const summaries = await this.#fetcher.nextSummaries();
      if (summaries.length === 0) return;
      const unread = summaries.filter(({ path }) => !this.#read.has(path));
      const files = unread.map((summary) =>
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
      await this.#fetcher.keep(files, null);
    }
  }

  #describe(file: FileDiff): StoredFile {
    const { kind, language } = classifyFile(file);
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
