import type { Facts, PullRequestOfRepository } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { DiffParser } from '../../reading/parse-diff.ts';
import { byFile, readFacts } from '../../reading/read-facts.ts';
import { outlineDiff, type TextFetcher } from './outline-diff.ts';
import type { DiffFetcher } from './split-diff.ts';

/** Reads a diff as it comes into facts. */
export async function readFactsOfDiff(
  text: PullRequestOfRepository,
  fetcher: Pick<DiffFetcher, 'nextChunk'> & TextFetcher,
): Promise<Facts> {
  const diff: FileDiff[] = [];
  const parser = new DiffParser();
  for (let chunk = await fetcher.nextChunk(); chunk; chunk = await fetcher.nextChunk()) {
    for (const file of parser.push(Buffer.from(chunk.buffer))) diff.push(file);
  }
  for (const file of parser.end()) diff.push(file);
  return readFacts(text, diff, byFile(await outlineDiff(diff, fetcher)));
}
