/** What people read in a minute: words where blanks part them, characters in Japanese, lines of code. */
const wordsPerMinute = 220;
const japaneseCharactersPerMinute = 500;
const codeLinesPerMinute = 25;

const japaneseCharacter = /[\u3040-\u30ff\u3400-\u9fff]/gu;
const word = /[^\s\u3040-\u30ff\u3400-\u9fff]+/gu;

/** How many minutes it takes to read some texts and so many lines of code, at least one. */
export function readingMinutes(texts: string[], codeLines: number): number {
  const text = texts.join(' ');
  const minutes =
    codeLines / codeLinesPerMinute +
    (text.match(japaneseCharacter)?.length ?? 0) / japaneseCharactersPerMinute +
    (text.match(word)?.length ?? 0) / wordsPerMinute;
  return Math.max(1, Math.ceil(minutes));
}
