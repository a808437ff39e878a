import { zstdDecompressSync } from 'node:zlib';
import type { FileText, WantedText } from '../../code-hosts/code-host.ts';
import { classifyFile, type KindedFile } from '../../reading/classify-file.ts';
import type { FileOutline } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { outlineShown } from '../../reading/name-ranges.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { outlineFile, sidesToOutline } from '../../reading/symbols/outline-file.ts';
import { handedOn, modulesAround } from '../../reading/symbols/visibility.ts';

/** Where a thread gets whole files from. */
export interface TextFetcher {
  /** Said once, before the first is taken. */
  wantTexts: (wanted: WantedText[]) => Promise<void>;
  /** Null after the last. Some of what is wanted may be missing. */
  nextText: () => Promise<FileText | null>;
}

/** Of a whole pull request: as many as take the room of a few hundred lines of its diff. */
const mostRanges = 5_000;

/** Files around those that changed, which say what of them others can reach. */
const mostModules = 40;

/** What the changed lines of a diff lie in, as whole files tell. */
export async function outlineDiff(diff: FileDiff[], fetcher: TextFetcher): Promise<FileOutline[]> {
  const files = diff.map((file) => ({ file, ...classifyFile(file) }));
  const sides = sidesToOutline(files);
  const modules = modulesToRead(files);
  // Modules first, because what is said of the others depends on them.
  const wanted: WantedText[] = [...modules.map((path) => ({ path, side: 'new' as const })), ...sides];
  if (wanted.length === 0) return [];
  await fetcher.wantTexts(wanted.map(({ path, side }) => ({ path, side })));
  const texts = new Map<string, string>();
  const around = (path: string, language: string | null) =>
    handedOn(path, language, (module) => texts.get(module));
  const outlines = new Map<string, FileOutline>();
  let left = mostRanges;
  for (let next = await fetcher.nextText(); next && left > 0; next = await fetcher.nextText()) {
    const { place, text } = next;
    const path = modules[place];
    const side = sides[place - modules.length];
    if (path !== undefined) texts.set(path, text);
    if (!side) continue;
    const { ranges, names } = outlineFile(side, text, around(side.path, side.language));
    const outline = outlines.get(side.fileName) ?? { fileName: side.fileName, ranges: [] };
    outline.ranges.push(...ranges.slice(0, left));
    if (names) outline.names = [...(outline.names ?? []), names];
    if (ranges.length > 0 || names) outlines.set(side.fileName, outline);
    left -= ranges.length;
  }
  // What came or went stands in the diff, but for what the modules around it say.
  for (const kinded of files) {
    const fileName = kinded.file.path;
    const modules = outlines.has(fileName) ? null : around(fileName, kinded.language);
    const names = modules ? outlineShown(kinded, modules)?.names : undefined;
    if (names) outlines.set(fileName, { fileName, ranges: [], names });
  }
  return [...outlines.values()];
}

const modulesToRead = (files: KindedFile[]): string[] => {
  const paths = files
    .filter(({ file, kind }) => kind === 'source' && file.hunks.length > 0)
    .flatMap(({ file, language }) => modulesAround(file.path, language));
  return [...new Set(paths)].slice(0, mostModules);
};

/** The same for a diff that comes in compressed parts. */
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
