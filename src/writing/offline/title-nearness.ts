/** What a title speaks of: names as they are written, and words that tell. */
export interface TitleWords {
  names: string[];
  words: Set<string>;
}

const nameLike = /`([^`]+)`|(?<![\w-])(?=[\w@]*[A-Z_\d./@-])[\w@][\w./@-]*[\w]/g;

/** Words that half of all titles have. */
const common = new Set(
  (
    'add adds added fix fixes fixed update updates updated remove removes removed use uses using used make makes change changes changed improve support ' +
    'allow the and for with from into when that this not all new some more its are was has have out off via instead only also can set get error errors ' +
    'issue bug test tests docs doc documentation code feat feature refactor chore merge branch pull request version file files type types'
  ).split(' '),
);

const stem = (word: string): string => word.replace(/(?:ing|ed|es|s)$/, '');

export function wordsIn(text: string): string[] {
  const parts = text.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ').match(/\p{L}[\p{L}\p{N}]+/gu) ?? [];
  return parts
    .map((word) => word.toLowerCase())
    .filter((word) => word.length >= 3 && !common.has(word))
    .map(stem);
}

export function titleWordsOf(title: string): TitleWords {
  const names = Array.from(title.matchAll(nameLike), ([found, span]) => span ?? found);
  return { names: names.filter((name) => name.length >= 3), words: new Set(wordsIn(title)) };
}

/** More than this many shared words say no more. */
const mostShared = 3;

/** How near texts are to what a title speaks of: from 0 to 6. */
export function nearnessTo({ names, words }: TitleWords, texts: string[]): number {
  const isNamed = names.some((name) => texts.some((text) => holdsToken(text, name)));
  const shared = new Set(texts.flatMap(wordsIn).filter((word) => words.has(word)));
  return (isNamed ? mostShared : 0) + Math.min(mostShared, shared.size);
}

function holdsToken(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w-]/.test(text[at - 1] ?? '') && !/[\w-]/.test(text[at + name.length] ?? '')) return true;
  }
  return false;
}
