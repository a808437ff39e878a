/** The languages in which somebody wants to see a list, the best first: the one asked for, or else theirs, and then any. */
export const wishedLanguages = (
  asked: string | undefined,
  own: string | undefined,
  acceptLanguage: string,
): string[] =>
  asked === undefined
    ? [...new Set([...(own ? [own] : []), ...acceptLanguage.split(', ').filter(Boolean), 'all'])]
    : [asked];

/** What there is in the first of some languages that has anything, or nothing in the last one. */
export async function firstWithArticles<Found>(
  languages: string[],
  list: (language: string | undefined) => Promise<Found>,
  isSomething: (found: Found) => boolean,
): Promise<{ language: string | null; found: Found }> {
  const [first = 'all', ...others] = languages;
  const language = first === 'all' ? undefined : first;
  const found = await list(language);
  if (isSomething(found) || others.length === 0) return { language: language ?? null, found };
  return firstWithArticles(others, list, isSomething);
}
