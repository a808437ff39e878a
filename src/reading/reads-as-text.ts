/** A line as far as it matters for how it reads. */
interface Line {
  text: string;
  indent: number;
}

const keyword =
  /^(?:if|else|elif|for|while|return|def|class|import|from|with|try|except|raise|assert|not|end|do|unless|case|when|cond|use|let|var|val|func|fun|yield|async|await|print|del|pass|global)\b/;
const word = /^[("'*_]*\p{L}(?:['’-]*\p{L})*['’-]*(?:[.,:;!?)"*_][.,:;!?)"'*_]*)?$/u;

/** So many words, and so few signs among them, are sentences. */
const leastWords = 4;
const leastShare = 0.7;

const isCode = (line: string): boolean =>
  keyword.test(line) || /\w\(|[=;{}]|\s#\s|^[#@%&|+.]|^["'].*["'],?$/.test(line.replace(/`[^`]*`/g, 'code'));

function isSentence(paragraph: string[]): boolean {
  const plain = paragraph
    .join(' ')
    .replace(/^(?:[*>-]+|\d+[.)])\s+/, '')
    .replace(/`[^`]*`/g, 'code');
  const tokens = plain.split(/\s+/);
  const words = tokens.filter((token) => word.test(token)).length;
  return words >= leastWords && words >= tokens.length * leastShare;
}

const section = /^#{2,6}\s+["'`\p{Lu}]/u;

/** Examples in a text stand so much further in than its sentences. */
const exampleIndent = 4;

const answer = /\s#=>\s|^#=>\s|^iex(?:\(\d+\))?>\s|^>>>\s/;

/** Lines that follow each other at the same depth. */
function paragraphsAt(depth: number, lines: Line[]): string[][] {
  const paragraphs: string[][] = [];
  let isParted = true;
  for (const { text, indent } of lines) {
    const isOuter = text.trim() !== '' && indent === depth;
    if (isOuter && isParted) paragraphs.push([]);
    if (isOuter) paragraphs.at(-1)?.push(text.trim());
    isParted = !isOuter || section.test(text.trim());
  }
  return paragraphs;
}

/**
 * Whether lines are a part of a longer text whose marks stand outside of what is shown: those that stand furthest left are
 * sentences and headings, and no code among them. The first and the last may be the rest of one, or its beginning.
 */
export function readsAsText(lines: Line[]): boolean {
  const told = lines.filter(({ text }) => text.trim() !== '');
  const least = Math.min(...told.map(({ indent }) => indent));
  // Only examples say what comes out of a line.
  if (least >= exampleIndent && told.some(({ text }) => answer.test(text.trim()))) return true;
  const paragraphs = paragraphsAt(least, lines);
  const sections = paragraphs.filter(([first = '']) => section.test(first)).length;
  const others = paragraphs.filter(([first = '']) => !section.test(first));
  if (others.flat().some(isCode)) return false;
  const sentences = others.filter(isSentence);
  const rest = others.filter((one) => !sentences.includes(one));
  if (rest.some((one) => one !== paragraphs[0] && one !== paragraphs.at(-1))) return false;
  if (sentences.length > 0) return sentences.flat().length > 1 || sections > 0;
  return sections > 0 && told.every(({ indent }) => indent === least || indent >= least + exampleIndent);
}
