import Negotiator from 'negotiator';

const markdown = 'text/markdown';

/** Whether somebody would rather have Markdown than JSON, by their Accept header. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', markdown]) === markdown;
}
