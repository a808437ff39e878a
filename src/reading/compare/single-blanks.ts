/** A text in quotation marks; one that is not closed goes on to the end of its line. */
const literal = /("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\\n]|\\.)*`?)/;

/** Code with single blanks between its tokens: it may be laid out in columns. What stands in quotation marks stays as it is. */
export const singleBlanks = (code: string): string =>
  /\s\s|[^\S ]/.test(code)
    ? code
        .split(literal)
        .map((part, index) => (index % 2 === 1 ? part : part.replace(/\s+/g, ' ')))
        .join('')
    : code;
