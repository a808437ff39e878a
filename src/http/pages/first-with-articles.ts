/** The languages in which a viewer reads, the best first: the viewer's own, what the browser asks for, and what the page speaks. */
export const wishedLanguages = (
  own: string | undefined,
  acceptLanguage: string,
  { language }: { language: string },
): string[] => [...new Set([...(own ? [own] : []), ...acceptLanguage.split(', ').filter(Boolean), language])];

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
