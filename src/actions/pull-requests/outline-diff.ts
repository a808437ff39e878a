import { zstdDecompressSync } from 'node:zlib';
import type { FileText, WantedText } from '../../code-hosts/code-host.ts';
import type { GrammarLibrary } from '../../grammars.ts';
import { classifyFile } from '../../reading/classify-file.ts';
import type { FileOutline, NamedRange } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { parseGitAttributes } from '../../reading/git-attributes.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { sidesToOutline } from '../../reading/sides-to-outline.ts';
import { outlineFile } from '../../reading/symbols/outline-file.ts';

/** Where a thread gets whole files from. */
export interface TextFetcher {
  /** Said once, before the first is taken. */
  wantTexts: (wanted: WantedText[]) => Promise<void>;
  /** Null after the last. Some of what is wanted may be missing. */
  nextText: () => Promise<FileText | null>;
}

/** Of a whole pull request: as many as take the room of a few hundred lines of its diff. */
const mostRanges = 5_000;

/** What the changed lines of a diff lie in, as whole files tell. */
export async function outlineDiff(
  diff: FileDiff[],
  fetcher: TextFetcher,
  grammars: GrammarLibrary,
): Promise<FileOutline[]> {
  const attributes = parseGitAttributes(diff);
  const sides = sidesToOutline(diff.map((file) => ({ file, ...classifyFile(file, attributes) })));
  if (sides.length === 0) return [];
  const loaded = await grammars.loadFor(sides);
  await fetcher.wantTexts(sides.map(({ path, side }) => ({ path, side })));
  const outlines = new Map<string, NamedRange[]>();
  let left = mostRanges;
  for (let next = await fetcher.nextText(); next && left > 0; next = await fetcher.nextText()) {
    const side = sides[next.place];
    if (!side) continue;
    const ranges = outlineFile({ ...side, text: next.text }, loaded).slice(0, left);
    left -= ranges.length;
    if (ranges.length > 0) outlines.set(side.fileName, [...(outlines.get(side.fileName) ?? []), ...ranges]);
  }
  return [...outlines].map(([fileName, ranges]) => ({ fileName, ranges }));
}

/** The same for a diff that comes in compressed parts. */
export async function outlineParts(
  _nothing: null,
  fetcher: TextFetcher & { nextPart: () => Promise<Uint8Array | null> },
  grammars: GrammarLibrary,
): Promise<FileOutline[]> {
  const diff: FileDiff[] = [];
  for (let part = await fetcher.nextPart(); part; part = await fetcher.nextPart()) {
    for (const file of parseDiff(zstdDecompressSync(part))) diff.push(file);
  }
  return outlineDiff(diff, fetcher, grammars);
}
