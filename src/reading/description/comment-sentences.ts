import { dropHidden } from './drop-hidden.ts';
import { plainBlocks, printBlocks, sentencesIn } from './markdown-blocks.ts';
import { visibleText } from './sentences.ts';

/** The words of a review: a request such as "Please add a test" is no template, as it is in a description. */
export const sentencesOfComment = (body: string): string[] =>
  sentencesIn(printBlocks(plainBlocks(dropHidden(visibleText(body)))));
