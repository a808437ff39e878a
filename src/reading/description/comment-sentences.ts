import { dropHidden } from './drop-hidden.ts';
import { plainBlocks, printBlocks, sentencesIn } from './markdown-blocks.ts';
import { visibleText } from './sentences.ts';

/** What somebody wrote in a review: a request such as "Please add a test" is no template, as it is in a description. */
export const sentencesOfComment = (body: string): string[] =>
  sentencesIn(printBlocks(plainBlocks(dropHidden(visibleText(body)))));
