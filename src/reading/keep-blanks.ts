const literal = /("(?:[^"\\]|\\.){0,400}"|'(?:[^'\\]|\\.){0,400}'|`(?:[^`\\]|\\.){0,400}`)/;

/** A line of code in which other signs stand for the blanks in quotation marks, because every one of those counts. */
export const keepBlanks = (text: string): string =>
  /["'`]/.test(text) && /\s/.test(text)
    ? text
        .split(literal)
        .map((part, index) => (index % 2 === 1 ? part.replace(/\s/g, '\0') : part))
        .join('')
    : text;
