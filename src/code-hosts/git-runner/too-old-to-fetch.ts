/** Since this version git goes to the addresses that it is told and nowhere else; older ones would not say that they do not. */
export const oldestToFetch = '2.37';

/** What git prints as its version says so. */
export function isTooOldToFetch(printed: string): boolean {
  const numbersOf = (text: string): number[] => /(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [];
  const [major = 0, minor = 0] = numbersOf(printed);
  const [oldestMajor = 0, oldestMinor = 0] = numbersOf(oldestToFetch);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
