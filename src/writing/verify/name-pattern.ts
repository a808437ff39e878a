/**
 * A pattern that finds a name, or a piece of code, as whole tokens, however it is spaced and wrapped. A name cut short is
 * another name: `limit` does not stand in `limitRate`, `pin-project` not in `pin-project-lite`, 1.2 not in 1.2.3.
 * What is left out of the middle or the end of a long line is marked with an ellipsis.
 */
export function namePattern(name: string, reading: 'strict' | 'operators' = 'strict'): RegExp | null {
  const pieces = name
    .split(/…|(?<=\s)\.\.\.(?=\s|$)/u)
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
    .map((piece) => piecePattern(piece, reading));
  return pieces.length === 0 ? null : new RegExp(pieces.join('[\\s\\S]{0,4000}?'), 'gu');
}

const wordCharacter = '[\\p{L}\\p{N}_$]';
const token = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;
const isWord = (text: string): boolean => /^[\p{L}\p{N}_$]/u.test(text);

function piecePattern(piece: string, reading: 'strict' | 'operators'): string {
  const tokens = piece.match(token) ?? [];
  const body = tokens.map((one, index) => {
    const before = tokens[index - 1];
    const gap = before === undefined ? '' : isWord(before) && isWord(one) ? '\\s+' : '\\s*';
    return gap + escapeForPattern(one);
  });
  return leftEdge(piece, reading) + body.join('') + rightEdge(piece, reading);
}

const escapeForPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Letters of Chinese and Japanese run on without blanks: beside them there is no edge to look for. */
const wide = /[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]/u;
const narrowWord = '(?![\\u3040-\\u30ff\\u3400-\\u9fff\\uff66-\\uff9f])[\\p{L}\\p{N}_$]';

function leftEdge(piece: string, reading: 'strict' | 'operators'): string {
  const first = piece.at(0) ?? '';
  if (first === '-') return `(?<![\\p{L}\\p{N}_-])`;
  if (!isWord(first) || wide.test(first)) return '';
  const isVersion = /^\d+\.\d/.test(piece);
  const edges = [`(?<!${narrowWord})`];
  // A version may be written with a v before it.
  if (isVersion) edges[0] = `(?:(?<!${wordCharacter})|(?<=(?<!${wordCharacter})[vV]))`;
  if (/^\d/.test(first)) edges.push('(?<!\\d[.,])');
  if (reading === 'strict') edges.push('(?<![\\p{L}\\p{N}_]-)');
  return edges.join('');
}

function rightEdge(piece: string, reading: 'strict' | 'operators'): string {
  const last = piece.at(-1) ?? '';
  if (!isWord(last) || wide.test(last)) return '';
  const edges = [`(?!${narrowWord})`];
  if (/\d$/.test(piece)) edges.push('(?![.,]\\d)');
  if (/\d\.\d+$/.test(piece)) edges.push('(?![-+][\\p{L}\\p{N}])');
  if (/\//.test(piece) && !piece.startsWith('/')) edges.push('(?!\\.\\p{L})');
  if (reading === 'strict') edges.push('(?!-\\p{L})');
  return edges.join('');
}
