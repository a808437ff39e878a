/** Longer than this is not read in a sentence: the excerpt shows it. */
const longestSpan = 72;

/** Whether some texts can be read in a sentence, and are not the same. */
export const isShort = (...texts: string[]): boolean =>
  texts.every((text) => text !== '' && text.length <= longestSpan) && new Set(texts).size === texts.length;
