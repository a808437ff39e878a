import { zstdDecompressSync } from 'node:zlib';
import type { FileDiff } from '../../reading/file-diff.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { cutCited } from '../../writing/cut-cited.ts';
import type { Excerpt } from '../../writing/written-article.ts';
import type { DiffFeed } from './read-for-writing.ts';

/** Cuts from a stored diff what the changes of an article cite. */
export async function cutExcerpts(
  changes: Parameters<typeof cutCited>[0],
  { nextPart }: Pick<DiffFeed, 'nextPart'>,
): Promise<Excerpt[][]> {
  const diff: FileDiff[] = [];
  for (let part = await nextPart(); part; part = await nextPart()) {
    for (const file of parseDiff(zstdDecompressSync(part))) diff.push(file);
  }
  return cutCited(changes, diff);
}
