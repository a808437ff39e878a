/** Whether somebody would rather have Markdown than JSON, by their Accept header. */
export function prefersMarkdown(accept = ''): boolean {
  return /(^|,)\s*text\/markdown\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept);
}
