import { almostTheSame, wordSet } from './likeness.ts';

/** Texts in which others are looked for that read almost the same. */
export type HasLike = (text: string) => boolean;

/** A word that stands in more lines than these tells none of them apart. */
const mostPlaces = 500;

/** What has fewer words in common with another line than this may be like it by chance. */
const leastWords = 3;

/** Finds whether a text reads almost like one of many lines, by the words that they share. */
export function indexLines(lines: string[]): HasLike {
  const places = new Map<string, number[]>();
  const sizes = lines.map((line, number) => {
    const words = wordSet(line);
    for (const word of words) {
      const known = places.get(word);
      if (known) known.push(number);
      else places.set(word, [number]);
    }
    return words.size;
  });
  return (text) => {
    const words = wordSet(text);
    const shared = new Map<number, number>();
    for (const word of words) {
      for (const number of (places.get(word) ?? []).slice(0, mostPlaces))
        shared.set(number, (shared.get(number) ?? 0) + 1);
    }
    return [...shared].some(
      ([number, count]) =>
        count >= leastWords && (2 * count) / (words.size + (sizes[number] ?? 0)) >= almostTheSame,
    );
  };
}
