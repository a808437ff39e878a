import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { FileText, HostFileSummary, WantedText } from '../../code-hosts/code-host.ts';
import type { DiffPart } from '../../db/diffs.ts';
import type { StoredFile } from '../../db/pull-requests.ts';
import { classifyFile, type KindedFile } from '../../reading/classify-file.ts';
import { commentSigns } from '../../reading/comment-signs.ts';
import type { Definition, FileOutline } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { freshNames } from '../../reading/fresh-names.ts';
import { outlineShown } from '../../reading/name-ranges.ts';
import { DiffParser, parseDiff } from '../../reading/parse-diff.ts';
import { outlineFile, sidesToOutline, type Use, type Uses } from '../../reading/symbols/outline-file.ts';
import { handedOn, modulesAround } from '../../reading/symbols/visibility.ts';

/** Large enough to compress well, and small enough to decompress quickly for a single file. */
const partBytes = 256 * 1024;

/** The window of the compression as a power of two, which is also the memory that a streaming decoder needs. */
const compression = { params: { [constants.ZSTD_c_windowLog]: 17 } };

interface DiffFetcher {
  nextChunk: () => Promise<Uint8Array | null>;
  /** The next files of the pull request as the host lists them; an empty list after the last. */
  nextSummaries: () => Promise<HostFileSummary[]>;
  /** Receives the next files and their compressed diff, which is null if it is not kept. */
  keep: (files: StoredFile[], compressed: Uint8Array | null) => Promise<void>;
}

/**
 * Splits an arriving diff into parts of whole files up to a limit; files beyond are listed without their diff. Returns
 * whether the diff is complete.
 */
export async function splitDiff({ maxBytes }: { maxBytes: number }, fetcher: DiffFetcher): Promise<boolean> {
  const splitter = new Splitter(fetcher);
  const parser = new DiffParser();
  let size = 0;
  for (let chunk = await fetcher.nextChunk(); chunk; chunk = await fetcher.nextChunk()) {
    // The result must not depend on how the network cuts the diff into chunks.
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

export async function splitFiles(diff: FileDiff[]): Promise<{ files: StoredFile[]; parts: DiffPart[] }> {
  const files: StoredFile[] = [];
  const parts: DiffPart[] = [];
  const splitter = new Splitter({
    nextChunk: async () => null,
    nextSummaries: async () => [],
    async keep(some, compressed) {
      const firstFile = files.length;
      files.push(...some);
      if (compressed) parts.push({ firstFile, lastFile: files.length - 1, compressed });
    },
  });
  for (const file of diff) await splitter.add(file);
  await splitter.flush();
  return { files, parts };
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
    // A copy, because the compressor returns a view of a larger buffer.
    await this.#fetcher.keep(files, new Uint8Array(zstdCompressSync(bytes, compression)));
  }

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

export interface TextFetcher {
  wantTexts: (wanted: WantedText[]) => Promise<void>;
  /** Null after the last text. Some wanted texts may be missing. */
  nextText: () => Promise<FileText | null>;
}

/** The limit for a whole pull request; this many take as much space as a few hundred lines of its diff. */
const mostRanges = 5_000;

/** Unchanged files around the changed ones, which show what other code can import. */
const mostModules = 40;

export async function outlineDiff(diff: FileDiff[], fetcher: TextFetcher): Promise<FileOutline[]> {
  const files = diff.map((file) => ({ file, ...classifyFile(file) }));
  const sides = sidesToOutline(files);
  const modules = modulesToRead(files);
  // Modules first, because the visibility of names in other files depends on them.
  const wanted: WantedText[] = [...modules.map((path) => ({ path, side: 'new' as const })), ...sides];
  if (wanted.length === 0) return [];
  await fetcher.wantTexts(wanted.map(({ path, side }) => ({ path, side })));
  const texts = new Map<string, string>();
  const around = (path: string, language: string | null) =>
    handedOn(path, language, (module) => texts.get(module));
  const outlines = new Map<string, FileOutline>();
  const sources = new Map(files.flatMap(({ file, kind }) => (kind === 'source' ? [[file.path, file]] : [])));
  const usesOf = namesUsed(files);
  let left = mostRanges;
  for (let next = await fetcher.nextText(); next && left > 0; next = await fetcher.nextText()) {
    const { place, text } = next;
    const path = modules[place];
    const side = sides[place - modules.length];
    if (path !== undefined) texts.set(path, text);
    if (!side) continue;
    const uses = side.side === 'new' ? usesOf(side.fileName) : null;
    const { ranges, names, definitions } = outlineFile(side, text, around(side.path, side.language), uses);
    const outline = outlines.get(side.fileName) ?? { fileName: side.fileName, ranges: [] };
    outline.ranges.push(...ranges.slice(0, left));
    if (names) outline.names = [...(outline.names ?? []), names];
    if (definitions.length > 0) outline.definitions = definitions;
    const source = side.side === 'new' ? sources.get(side.fileName) : undefined;
    const fresh = source ? freshNames(source, text, names?.public ?? []) : [];
    if (fresh.length > 0) outline.fresh = fresh;
    if (ranges.length + fresh.length + definitions.length > 0 || names) outlines.set(side.fileName, outline);
    left -= ranges.length;
  }
  // Added and removed files are complete in the diff, except for what surrounding modules export of them.
  for (const kinded of files) {
    const fileName = kinded.file.path;
    const modules = outlines.has(fileName) ? null : around(fileName, kinded.language);
    const names = modules ? outlineShown(kinded, modules)?.names : undefined;
    if (names) outlines.set(fileName, { fileName, ranges: [], names });
  }
  boundDefinitions([...outlines.values()], diff);
  return [...outlines.values()];
}

const word = /(?<![\w$])([A-Za-z_$][\w$]{2,})(!?\s?[({])?/g;

const onItself = /(?<![\w$.])(?:self|this)\??(?:\.|->|::)$/;

function namesUsed(files: KindedFile[]): (fileName: string) => Uses | null {
  const used = new Map<string, { language: string | null; names: Set<string>; file: FileDiff }>();
  const times = new Map<string, number>();
  const keyOf = (name: string, use: Use): string => `${use} ${name}`;
  for (const { file, kind, language } of files) {
    if (kind !== 'source') continue;
    const names = new Set<string>();
    const comment = commentSigns(language).line;
    for (const { side, text } of file.hunks.flatMap(linesOf)) {
      if (side !== 'added' || comment.test(text)) continue;
      for (const { 1: found = '', 2: call, index } of text.slice(0, longestLine).matchAll(word)) {
        names.add(keyOf(found, 'mentioned'));
        if (call !== undefined) names.add(keyOf(found, 'called'));
        if (call !== undefined && onItself.test(text.slice(0, index)))
          names.add(keyOf(found, 'called on itself'));
      }
    }
    used.set(file.path, { language, names, file });
    for (const name of names) times.set(`${language} ${name}`, (times.get(`${language} ${name}`) ?? 0) + 1);
  }
  return (fileName) => {
    const own = used.get(fileName);
    if (!own) return null;
    const { language, names, file } = own;
    const here = (name: string, use: Use): boolean => names.has(keyOf(name, use));
    return {
      here,
      elsewhere: (name, use) =>
        (times.get(`${language} ${keyOf(name, use)}`) ?? 0) > (here(name, use) ? 1 : 0),
      isShown: (line) =>
        file.hunks.some(({ newStart, newLines }) => line >= newStart && line < newStart + newLines),
    };
  };
}

/** The part of a line that is searched for calls; longer lines were not written by hand. */
const longestLine = 2_000;

/** Articles show a tenth of these definitions, and questions use all. */
const bytesOfDefinitions = (diff: number): number => Math.min(40_000, 9_000 + diff);

/** If a definition does not fit as a whole, this many of its lines are still useful. */
const fewLines = 12;

const definitionBytes = ({ name, lines }: Definition): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 6, name.length + 20);

/**
 * Drops definitions of names that several files define, because any of them may be meant, and limits the size of the
 * rest.
 */
function boundDefinitions(outlines: FileOutline[], diff: FileDiff[]): void {
  const times = new Map<string, number>();
  for (const { definitions = [] } of outlines)
    for (const name of new Set(definitions.map((one) => one.name)))
      times.set(name, (times.get(name) ?? 0) + 1);
  const size = diff.reduce((sum, { bytes }) => sum + bytes.length, 0);
  let left = bytesOfDefinitions(size);
  for (const outline of outlines) {
    const fitting = outline.definitions?.flatMap((one: Definition) => {
      if (times.get(one.name) !== 1) return [];
      const shown = [one, { ...one, lines: one.lines.slice(0, fewLines) }].find(
        (cut) => definitionBytes(cut) <= left,
      );
      left -= shown ? definitionBytes(shown) : 0;
      return shown ?? [];
    });
    if (fitting && fitting.length > 0) outline.definitions = fitting;
    else delete outline.definitions;
  }
}

const modulesToRead = (files: KindedFile[]): string[] => {
  const paths = files
    .filter(({ file, kind }) => kind === 'source' && file.hunks.length > 0)
    .flatMap(({ file, language }) => modulesAround(file.path, language));
  return [...new Set(paths)].slice(0, mostModules);
};

export async function outlineParts(
  _nothing: null,
  fetcher: TextFetcher & { nextPart: () => Promise<Uint8Array | null> },
): Promise<FileOutline[]> {
  const diff: FileDiff[] = [];
  for (let part = await fetcher.nextPart(); part; part = await fetcher.nextPart()) {
    for (const file of parseDiff(zstdDecompressSync(part))) diff.push(file);
  }
  return outlineDiff(diff, fetcher);
}
