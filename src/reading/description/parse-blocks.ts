import { type Block, buildBlocks } from './build-blocks.ts';
import { readBlockStructure } from './read-markdown.ts';

/** Reads text that was cleaned, or that nobody will show, into blocks; what stands in a line is left as it is. */
export function parseBlocks(text: string): Block[] {
  return buildBlocks(readBlockStructure(text));
}
