/** Whether as many brackets close as open. */
export function isBalancedCode(text: string): boolean {
  const count = (marks: RegExp) => text.match(marks)?.length ?? 0;
  return count(/[([{]/g) === count(/[)\]}]/g);
}

const opensBlock = /(?:[{([,:\\+*/=.?&|-]|=>|->|\bdo(?: \|[^|]*\|)?|\bthen|\belse|\bbegin|\bof|\bwhere|\$)$/;

/** Whether a line of code says something by itself: the head of a block, a bare word or half of a call does not. */
export const isStatement = (line: string): boolean => {
  const text = line.replace(/(?<!\s)\s+(?:\/\/|#)\s.*$/, '');
  return says(entry.test(text) || isRow(text) ? text.slice(0, -1) : text);
};

/** An entry of a table says what it says, with the comma that parts it from the next. */
const entry = /^(?:["'][^"']+["']|[\w.-]+)\s*(?::|=>)\s.*\w["']?,$/;

/** A row of a table in a document is closed by the sign that parts its cells. */
export const isRow = (text: string): boolean => /^\|[^|]*\|.*\|$/.test(text);

/** A pattern of paths, or a call of something, is one word and says what it does. */
const saysAlone = /^!?[\w.*-]*\/[\w.*/-]+$|^[\w.]{4,}\([^()]*\);?$/;

const says = (text: string): boolean => saysAlone.test(text) || saysMore(text);

const saysMore = (text: string): boolean =>
  isBalancedCode(text.replace(/ …$/, '')) &&
  !opensBlock.test(text) &&
  (text.match(/[\p{L}\p{N}_$]+/gu)?.length ?? 0) >= 2 &&
  !/^(?:end|else|return|break|continue|try|ensure|rescue|finally|default|pass|then|do|begin|#\s*(?:if|elif|else|endif|region|endregion|pragma)\b.*|@\w+(?:\(.*\))?|\[[A-Z][\w.]*(?:\(.*\))?\])[;:]?$/.test(
    text,
  );
