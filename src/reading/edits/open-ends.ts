/** Strings and what stands behind the sign of a comment open and close nothing. */
const texts = /"(?:[^"\\]|\\.){0,300}"|'(?:[^'\\]|\\.){0,300}'|`(?:[^`\\]|\\.){0,300}`/g;
const remark = /(?:^|\s)(?:\/\/|#|--|;;)\s.*$/;

/** A line of code without the comment behind it. */
export const withoutRemark = (code: string): string => {
  const at = remark.exec(code.replace(texts, (text) => 'x'.repeat(text.length)))?.index;
  return at === undefined || at === 0 ? code : code.slice(0, at);
};

const partners: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** The brackets that a piece of code closes without having opened them, and those that it leaves open. */
function openBrackets(code: string): string {
  const open: string[] = [];
  for (const sign of code.replace(texts, '').match(/[()[\]{}]/g) ?? []) {
    if (partners[sign] !== undefined && open.at(-1) === partners[sign]) open.pop();
    else open.push(sign);
  }
  return open.join('');
}

/** What has to go on behind it, whatever the language: an operator, or a value that is still to come. */
export const goesOn = /(?:\s(?:=>|->|<-|<>|::|\+\+|\.\.|[=+*/&|$%-])|&&|\|\||(?<![;{}]\s*)\\)$/;

/** What only ties a line to the next one, or begins a block there. */
const tie = /(?<![\s;,:{])\s*(?:[;,:{]|\b(?:do|then|begin))+\s*$/;

/**
 * Whether two pieces of code end in the same way: a whole statement is not what became of half of one, nor one that
 * goes on in the next line of one that does not.
 */
export function endAlike(one: string, other: string): boolean {
  const [first, second] = [one, other].map((code) => withoutRemark(code).trim());
  if (first === undefined || second === undefined) return false;
  const bare = (code: string): string => code.replace(tie, '');
  return (
    openBrackets(bare(first)) === openBrackets(bare(second)) && goesOn.test(first) === goesOn.test(second)
  );
}

/** Whether a line opens a bracket for what it hands over, and closes it further down; one that begins a block is whole. */
export function isOpen(code: string): boolean {
  const text = withoutRemark(code).trim();
  return !/[{]$|\bdo(?:\s*\|[^|]*\|)?$/.test(text) && /[([]/.test(openBrackets(text));
}

/** Whether a piece of code closes what stands above it: it is the end of something, and says little without it. */
export const isEndOfOther = (code: string): boolean =>
  /^[)\]}]+$/.test(openBrackets(withoutRemark(code).replace(tie, '')));
