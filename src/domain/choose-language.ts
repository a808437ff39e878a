import { isLanguageCode } from './languages.ts';

/** What is known of the language in which a viewer wants to read. */
export interface LanguageWish {
  /** The one they ask for: this or none. */
  asked: string | undefined;
  /** The one they have set for themselves. */
  own: string | undefined;
  /** What their browser says, as in the header of this name. */
  acceptLanguage: string | undefined;
}

/**
 * The language in which a viewer reads what is available in these: the one asked for, or else the viewer's own, what the
 * browser asks for, whatever there is. Null when the one asked for is missing.
 */
export function chooseLanguage(
  available: string[],
  { asked, own, acceptLanguage }: LanguageWish,
): string | null {
  if (asked !== undefined) return available.includes(asked) ? asked : null;
  const wanted = [own, ...acceptedLanguages(acceptLanguage)];
  return wanted.find((code) => code !== undefined && available.includes(code)) ?? available[0] ?? null;
}

/** Of a longer Accept-Language header only the first ones count. */
const mostPreferred = 3;

/** What an Accept-Language header comes to, in few enough forms that answers can be kept for each of them. */
export function preferredLanguages(header: string | undefined): string {
  const known = acceptedLanguages(header).filter(isLanguageCode);
  return [...new Set(known)].slice(0, mostPreferred).join(', ');
}

/** Language codes of an Accept-Language header, the most wanted first. */
function acceptedLanguages(header = ''): string[] {
  return header
    .split(',')
    .map((entry) => {
      const [range = '', ...parameters] = entry.trim().toLowerCase().split(';');
      const quality = parameters.map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find(Boolean);
      return { code: range.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ code }) => code);
}
