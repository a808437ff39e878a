/**
 * A copy that stands alone. A piece cut out of a string keeps the whole string in memory, and facts outlive the diff
 * that they were read in, as ids of commits outlive what git printed.
 */
export function detachText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
