/** What hosts show for an author who has deleted their account since. */
export const ghost = 'ghost';

/** GitHub's limit for one comment, which does for others too; messages of commits may be any length. */
const mostOfOne = 65_536;

/** What is kept of one text. */
export const cutText = (text: string): string =>
  text.length > mostOfOne ? text.slice(0, mostOfOne).toWellFormed() : text;
