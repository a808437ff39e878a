/** A text on one line, with one blank wherever there was white space. */
export const foldSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();
