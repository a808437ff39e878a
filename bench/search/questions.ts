import { type Section, sectionsOf } from '../../src/domain/search/indexed-words.ts';
import { folded, isStopWord, readTokens, wordOf } from '../../src/domain/search/words.ts';
import type { RealArticle } from './corpus.ts';

/** The number of articles that contain each word. */
export function countWords(articles: RealArticle[], language: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { contents } of articles) {
    const sections = contents[language] ? sectionsOf(contents[language]) : [];
    const words = new Set(sections.flatMap(({ text }) => wordsIn(text).map(({ word }) => word)));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The words of a text as a person would type them: names are whole, and Japanese is cut where the script changes. */
function wordsIn(text: string): { typed: string; word: string }[] {
  return readTokens(text).flatMap(({ kind, parts }) => {
    const typed = parts.map((part) => part.text).join('');
    if (kind === 'run')
      return (typed.match(/\p{sc=Han}{2,}|[\p{sc=Kana}ー]{2,}/gu) ?? []).map((one) => ({
        typed: one,
        word: one,
      }));
    return isStopWord(folded(typed)) ? [] : [{ typed, word: wordOf(typed) }];
  });
}

/** The three words of a text that are in the fewest articles. */
export const rarestWords = (text: string, counts: Map<string, number>): string[] =>
  [
    ...new Set(
      wordsIn(text)
        .toSorted((one, other) => (counts.get(one.word) ?? 0) - (counts.get(other.word) ?? 0))
        .map(({ typed }) => typed),
    ),
  ].slice(0, 3);

const sentencesOf = (article: RealArticle, language: string): Section[] =>
  sectionsOf(article.contents[language] ?? (Object.values(article.contents)[0] as never)).filter(
    ({ kind }) => kind !== 'file',
  );

/** Two hundred questions of every kind, in both languages and a mixture of them. */
export function manyQuestions(
  articles: RealArticle[],
  random: () => number,
  count = 200,
): { kind: string; q: string }[] {
  const any = <One>(of: One[]): One => of[Math.floor(random() * of.length)] as One;
  const counts = { en: countWords(articles, 'en'), ja: countWords(articles, 'ja') };
  const sentence = (language: 'en' | 'ja'): string => {
    const words = () => any(sentencesOf(any(articles), language)).text;
    let text = words();
    while (wordsIn(text).length < 3) text = words();
    return text;
  };
  const common = (language: 'en' | 'ja') =>
    any([...counts[language]].toSorted(([, one], [, other]) => other - one).slice(0, 30))[0];
  const run = (signs: number): string => {
    const [found = 'テストを'] = sentence('ja').match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]{4,}/u) ?? [];
    return [...found].slice(0, signs).join('');
  };
  const file = (): string =>
    any(sectionsOf(any(articles).contents.en as never).filter(({ kind }) => kind === 'file'))?.text ??
    'package.json';
  const kinds: Record<string, () => string> = {
    'rare words': () => rarestWords(sentence('en'), counts.en).join(' '),
    'rare words, Japanese': () => rarestWords(sentence('ja'), counts.ja).join(' '),
    'a common word': () => common('en'),
    'a common word, Japanese': () => common('ja'),
    'two common words': () => `${common('en')} ${common('en')}`,
    mixed: () => `${any(wordsIn(sentence('en'))).typed} ${run(3)}`,
    'one sign': () => run(1),
    'two signs': () => run(2),
    'a word of signs': () => run(4),
    phrase: () =>
      `"${wordsIn(sentence('en'))
        .slice(0, 3)
        .map(({ typed }) => typed)
        .join(' ')}"`,
    path: file,
    'operator for a file': () => `file:${file().split('/').at(-1)}`,
    number: () => `#${Math.ceil(random() * 10_000)}`,
    'a name that one article has': () => `uniqueName${Math.ceil(random() * 1_000)}`,
    'of a repository': () => `repo:owner-3/repo-3 ${common('en')}`,
    'of a type': () => `type:FIX ${common('en')}`,
    nothing: () => 'xyzzyplugh',
  };
  const names = Object.keys(kinds);
  return Array.from({ length: count }, (_, index) => {
    const kind = names[index % names.length] ?? '';
    return { kind, q: kinds[kind]?.() ?? '' };
  });
}
