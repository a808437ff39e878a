import type { LooksReply } from '../reply-forms.ts';

/** A request of the model to see lines of the repository that are not in the diff. */
export interface Look {
  kind: 'find' | 'usages' | 'show';
  /** The text to search for, or the path to show. */
  text: string;
  in: string;
  name: string;
  lines: [first: number, last: number] | null;
  side: 'old' | 'new';
}

const longestText = 200;

/** The characters of the shortest text that a model may search for: shorter ones are on too many lines. */
const shortestText = 3;

/** The valid requests in a reply, each once. */
export function readLooks({ looks }: LooksReply, most: number): Look[] {
  const read = looks.flatMap((one) => {
    const kind = (['show', 'usages', 'find'] as const).find((key) => one[key].trim() !== '');
    if (!kind) return [];
    const [first = 0, last = first] = one.lines;
    const look: Look = {
      kind,
      text: kind === 'find' ? one.find : one[kind].trim().replace(/\(\)$/, ''),
      in: one.in.trim(),
      name: one.name.trim(),
      lines: first > 0 && last >= first ? [first, last] : null,
      side: one.at.trim() === 'before' ? 'old' : 'new',
    };
    return isAnswerable(look) ? [look] : [];
  });
  const known = new Map(read.map((look) => [JSON.stringify(look), look]));
  return [...known.values()].slice(0, most);
}

function isAnswerable({ kind, text, in: within, name }: Look): boolean {
  if ([text, within, name].some((one) => /[\n\r\0]/.test(one))) return false;
  if (kind === 'show') return text.length <= 4_096 && name.length <= longestText;
  return text.length <= longestText && within.length <= longestText && text.trim().length >= shortestText;
}

/** Matches a path, a folder, or a pattern in which an asterisk stands for any text. */
export function isWithin(path: string, within: string): boolean {
  const wanted = within.replace(/^(?:\.?\/)+/, '');
  const [first = '', ...pieces] = wanted.split('*');
  if (!path.startsWith(first)) return false;
  let from = first.length;
  for (const [place, piece] of pieces.entries()) {
    const at =
      place === pieces.length - 1 && piece !== '' ? path.lastIndexOf(piece) : path.indexOf(piece, from);
    if (at < from) return false;
    from = at + piece.length;
  }
  return true;
}

const wordCharacter = /[\p{L}\p{N}_$]/u;

/** Whether a line contains the text; a name must be a whole word. */
export function isOn(line: string, { kind, text }: Pick<Look, 'kind' | 'text'>): boolean {
  if (kind === 'find') return line.includes(text);
  const isEdge = (inside: string, outside: string): boolean =>
    !wordCharacter.test(inside) || !wordCharacter.test(outside);
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    const end = at + text.length;
    if (isEdge(text.charAt(0), line.charAt(at - 1)) && isEdge(text.charAt(text.length - 1), line.charAt(end)))
      return true;
  }
  return false;
}
