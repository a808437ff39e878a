interface Parameter {
  name: string;
  isOptional: boolean;
}

interface Signature {
  parameters: Parameter[];
  returns: string | null;
}

const opening = '([{<';
const closing = ')]}>';

/** What a function takes and returns, for any language that writes its parameters in parentheses. */
export function parseSignature(signature: string): Signature | null {
  if (signature.includes('…')) return null;
  // In Go, the first parentheses of a method hold its receiver.
  const isGo = /^func\b/.test(signature);
  const from = /^func\s*\(/.test(signature) ? endOf(signature, signature.indexOf('(')) : 0;
  const open = from < 0 ? -1 : signature.indexOf('(', from + (from > 0 ? 1 : 0));
  const close = open < 0 ? -1 : endOf(signature, open);
  if (close < 0) return null;
  const parameters = splitAtCommas(signature.slice(open + 1, close))
    .map((text) => parameterOf(text, isGo))
    .filter((parameter) => parameter !== null);
  return { parameters, returns: returnsOf(signature.slice(close + 1), isGo) };
}

function endOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const character = text.charAt(at);
    if (isArrow(text, at)) continue;
    if (opening.includes(character)) depth++;
    else if (closing.includes(character) && --depth === 0) return at;
  }
  return -1;
}

const isArrow = (text: string, at: number): boolean =>
  text[at] === '>' && (text[at - 1] === '=' || text[at - 1] === '-');

function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (isArrow(text, at)) continue;
    if (opening.includes(character)) depth++;
    else if (closing.includes(character)) depth--;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}

function parameterOf(text: string, isGo: boolean): Parameter | null {
  const plain = text.replace(
    /^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|protected|readonly|final|const|mut|this|ref|out|in)\s+)*/,
    '',
  );
  if (/^(?:&?\s*(?:'\w+\s+)?(?:mut\s+)?self|cls|self)\b/.test(plain) || /^[*/]$/.test(plain)) return null;
  const isOptional = /\?\s*:|[^=!<>]=[^=>]|^\*\*?\w|^\.\.\.|: Option</.test(plain);
  const isPattern = /^[{[]/.test(plain);
  const named = isPattern
    ? plain.slice(0, endOf(plain, 0) + 1)
    : (/^[*.&]*([\w$]+)\??\s*[:=]/.exec(plain)?.[1] ?? null);
  const words = plain.replace(/[*&]/g, ' ').trim().split(/\s+/);
  const name = named ?? (isGo ? words[0] : words.at(-1)?.replace(/^[*.&]+/, ''));
  return name && name.length <= 60 ? { name, isOptional } : null;
}

function returnsOf(rest: string, isGo: boolean): string | null {
  const found = isGo ? rest : (/^\s*(?:->|:)\s*(.+?)\s*(?:=>|where\b|$)/.exec(rest)?.[1] ?? '');
  const text = found.replace(/\s*[{:;]?\s*$/, '').trim();
  return text === '' || text.length > 60 ? null : text;
}
