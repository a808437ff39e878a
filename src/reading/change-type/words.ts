/** A word without the ending that English puts on it, so that "caches", "cached" and "caching" count as one. */
function stem(word: string): string {
  if (word.length < 5) return word;
  if (word.endsWith('ing') && word.length > 5) return undouble(word.slice(0, -3));
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('ed')) return undouble(word.slice(0, -2));
  if (word.endsWith('es')) return word.slice(0, -2);
  if (word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word.endsWith('e') ? word.slice(0, -1) : word;
}

function undouble(word: string): string {
  const last = word.length - 1;
  return word[last] === word[last - 1] && !/[lsz]$/.test(word) ? word.slice(0, -1) : word;
}

const piece = /[a-z]+(?:'[a-z]+)?|v?\d+(?:\.\d+)+[\w.-]*|\d+/g;

/** The words of a sentence, stemmed; versions and numbers are all alike. */
export function wordStems(text: string, most: number): string[] {
  const words: string[] = [];
  for (const [word] of text.toLowerCase().matchAll(piece)) {
    if (words.length === most) break;
    const last = word.charCodeAt(word.length - 1);
    words.push(last >= 97 ? stem(word) : word.includes('.') ? '0.0' : '0');
  }
  return words;
}
