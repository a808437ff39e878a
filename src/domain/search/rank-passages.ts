import { addWords, folded, type Places } from './words.ts';

/** A line or sentence that may answer a question, with its neighbours and the names around it. */
export interface Passage {
  own: string;
  near: string[];
  around: string[];
  /** How likely the passage answers anything, compared with others: 1 for most. */
  weight: number;
}

export interface RankedPassage<Of extends Passage> {
  passage: Of;
  score: number;
}

/** Words that occur in most questions about a change, but that few lines of code are about. */
const wordsOfQuestions = new Set(
  'chang pull pr happen author reason explain tell mean differ code now new still still anyth someth'.split(
    ' ',
  ),
);

/** The words of a question as in the index: stems, whole names, and pairs of characters in scripts without spaces. */
export function wordsOfQuestion(question: string): string[] {
  const words = [...placesOfWords(question).keys()];
  const rare = words.filter((word) => !wordsOfQuestions.has(word) && !isKana(word));
  return rare.length > 0 ? rare : words;
}

/** Hiragana, the endings of Japanese words, occur in every sentence. */
const isKana = (word: string): boolean => /^\p{sc=Hira}+$/u.test(word);

function placesOfWords(text: string): Places {
  const places: Places = new Map();
  addWords(places, text, 1);
  return places;
}

const weights = { own: 1, near: 0.3, around: 0.35 };
const saturation = 1.2;
const lengthMatters = 0.25;
const typicalLength = 60;

/**
 * Passages with words of a question, best first: rare words count more, and different words more than one repeated
 * word.
 */
export function rankPassages<Of extends Passage>(question: string, passages: Of[]): RankedPassage<Of>[] {
  const words = wordsOfQuestion(question);
  const counted = countWords(words);
  const rarity = words.map((word, index) => {
    const holding = passages.reduce((sum, { own }) => sum + (counted(own)[index] ? 1 : 0), 0);
    return word === '' ? 0 : Math.log(1 + (passages.length - holding + 0.5) / (holding + 0.5));
  });
  const whole = rarity.reduce((sum, one) => sum + one, 0);
  const scoreOf = ({ own, near, around, weight }: Of): number => {
    const length = 1 - lengthMatters + lengthMatters * Math.min(4, own.length / typicalLength);
    let [score, covered] = [0, 0];
    for (const [index, rare] of rarity.entries()) {
      const sum = (texts: string[]) => texts.reduce((all, text) => all + (counted(text)[index] ?? 0), 0);
      const times =
        weights.own * sum([own]) +
        weights.near * Math.min(1, sum(near)) +
        weights.around * Math.min(1, sum(around));
      if (times === 0) continue;
      covered += rare * Math.min(1, times);
      score += (rare * times * (saturation + 1)) / (times + saturation * length);
    }
    return weight * score * (0.5 + covered / Math.max(whole, 0.01));
  };
  return passages
    .map((passage) => ({ passage, score: scoreOf(passage) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

/** Counts words in texts, each text once. Most texts have none of them, which a quick check shows. */
function countWords(words: string[]): (text: string) => readonly number[] {
  const hints = [...new Set(words.map((word) => word.slice(0, 3)))];
  const none = words.map(() => 0);
  const known = new Map<string, readonly number[]>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const plain = folded(text.normalize('NFKC'));
    const counts = hints.some((hint) => plain.includes(hint)) ? countWordsIn(words, text) : none;
    known.set(text, counts);
    return counts;
  };
}

function countWordsIn(words: string[], text: string): readonly number[] {
  const places = placesOfWords(text);
  return words.map((word) => places.get(word)?.length ?? 0);
}
