/** Less than this may belong to any language. A character of a script that writes syllables or words counts for several. */
const tellingLetters = 60;
const syllables = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Neighbours such as Norwegian and Danish score alike; a language that is not meant scores far less. */
const closeEnough = 0.85;

/** Names of code, and quotations, are in whatever language they are in. */
const foreign = /`[^`]*`|“[^”]*”|"[^"]*"|「[^」]*」|『[^』]*』|«[^»]*»|„[^“”]*[“”]/g;

/** Whether what a model wrote is in the language that was asked for; true also where there is too little to tell. */
export async function isInLanguage(texts: string[], language: string): Promise<boolean> {
  const prose = texts.map((text) => text.replace(foreign, ' ')).join('\n');
  const count = (pattern: RegExp) => prose.match(pattern)?.length ?? 0;
  if (count(/\p{L}/gu) + 2 * count(syllables) < tellingLetters) return true;
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(prose);
  if (found.language === language || !found.isReliable()) return true;
  const scores = found.getScores();
  return (scores[language] ?? 0) >= closeEnough * (scores[found.language] ?? 1);
}

/** What an answer says to readers: every `text` and `title` in it. */
export function wordsIn(answer: unknown): string[] {
  if (Array.isArray(answer)) return answer.flatMap(wordsIn);
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) =>
    typeof value === 'string' ? (name === 'text' || name === 'title' ? [value] : []) : wordsIn(value),
  );
}
