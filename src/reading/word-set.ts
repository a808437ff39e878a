/** The words of a text, between any white space. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));
