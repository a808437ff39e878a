/** GitHub's limit for one comment, and more than people write elsewhere; messages of commits may be any length. */
const mostOfOne = 65_536;

/** What is kept of one text. */
export const cutText = (text: string): string =>
  text.length > mostOfOne ? text.slice(0, mostOfOne).toWellFormed() : text;
