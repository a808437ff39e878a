import Negotiator from 'negotiator';

const markdown = 'text/markdown';

/** Whether a client prefers Markdown to JSON, by its Accept header. */
export function prefersMarkdown(accept: string | undefined): boolean {
  // Most want something else altogether: finding that out at once is worth a tenth of an answer from memory.
  if (accept === undefined || !/text\/|q\s*=/i.test(accept)) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', markdown]) === markdown;
}
