/** A line as far as it matters for how it reads. */
interface Line {
  text: string;
  indent: number;
}

const keyword =
  /^(?:if|else|elif|for|while|return|def|class|import|from|with|try|except|raise|assert|not|end|do|unless|case|when|cond|use|let|var|val|func|fun|yield|async|await|print|del|pass|global)\b/;
const word = /^[("'*_]*\p{L}[\p{L}'’-]*[.,:;!?)"'*_]*$/u;

/** So many words, and so few signs among them, are a sentence. */
const leastWords = 4;
const leastShare = 0.7;

function isSentence(text: string): boolean {
  const plain = text.replace(/^(?:[*>-]+|\d+[.)])\s+/, '').replace(/`[^`]*`/g, 'code');
  if (keyword.test(plain) || !/^[\p{L}(*_]/u.test(plain) || /\w\(|[=;{}]|\s#\s/.test(plain)) return false;
  const tokens = plain.split(/\s+/);
  const words = tokens.filter((token) => word.test(token)).length;
  return words >= leastWords && words >= tokens.length * leastShare;
}

const section = /^#{2,6}\s+\p{Lu}/u;

/** Examples in a text stand so much further in than its sentences. */
const exampleIndent = 4;

/**
 * Whether lines are a part of a longer text whose marks stand outside of what is shown: those that stand furthest left are
 * sentences and headings, and no code among them.
 */
export function readsAsText(lines: Line[]): boolean {
  const told = lines.filter(({ text }) => text.trim() !== '');
  const least = Math.min(...told.map(({ indent }) => indent));
  const outer = told.filter(({ indent }) => indent === least).map(({ text }) => text.trim());
  const sections = outer.filter((text) => section.test(text)).length;
  const sentences = outer.filter(isSentence).length;
  if (outer.length === 0 || sections + sentences < outer.length) return false;
  if (sentences > 0) return sentences > 1 || sections > 0;
  return told.every(({ indent }) => indent === least || indent >= least + exampleIndent);
}
