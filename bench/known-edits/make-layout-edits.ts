import { around, type Editor, hasLongString, pick } from './make-edits.ts';

/** The index of the parenthesis that closes the one at `open` on the same line; -1 if there is none. */
export function closing(line: string, open: number): number {
  let depth = 0;
  for (let index = open; index < line.length; index++) {
    if (line[index] === '(') depth++;
    else if (line[index] === ')' && --depth === 0) return index;
  }
  return -1;
}

/** The places where a line can be broken: after an opening parenthesis and after its commas. */
function pieces(line: string, open: number, close: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let index = open + 1; index < close; index++) {
    const character = line[index] as string;
    if ('([{<'.includes(character)) depth++;
    else if (')]}>'.includes(character)) depth--;
    else if (character === ',' && depth === 0) {
      parts.push(line.slice(from, index + 1).trim());
      from = index + 1;
    }
  }
  parts.push(line.slice(from, close).trim());
  return parts;
}

export const breakOrJoin: Editor = (desk) =>
  desk.random() < 0.35 ? (joinHeader(desk) ?? breakCall(desk)) : breakCall(desk);

const breakCall: Editor = ({ file: { lines, functions, language }, random }) => {
  const piece = pick(functions, random);
  if (!piece) return null;
  const candidates = Array.from(
    { length: piece.end - piece.start },
    (_, index) => piece.start + index,
  ).filter((at) => {
    const line = lines[at] ?? '';
    const open = line.search(/\w\(/) + 1;
    return (
      open > 0 &&
      /,/.test(line.slice(open, closing(line, open))) &&
      !/["'`#]|\/\//.test(line) &&
      closing(line, open) > 0
    );
  });
  const at = pick(candidates, random);
  if (at === undefined || hasLongString(lines.slice(piece.start, piece.end))) return null;
  const line = lines[at] ?? '';
  const open = line.search(/\w\(/) + 1;
  const close = closing(line, open);
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const step = indent.includes('\t') || language.name === 'Go' ? '\t' : '    ';
  const inner = pieces(line, open, close).map((part) => indent + step + part);
  // Where formatters add a trailing comma, it is part of the layout.
  if (['Go', 'TypeScript', 'Python', 'Rust'].includes(language.name)) inner.push(`${inner.pop()},`);
  return {
    lines: [
      ...lines.slice(0, at),
      line.slice(0, open + 1),
      ...inner,
      indent + line.slice(close),
      ...lines.slice(at + 1),
    ],
    truth: { isLayout: true, newWords: ',', touched: [piece.name, ...around(lines, at)] },
  };
};

const joinHeader: Editor = ({ file: { lines, functions }, random }) => {
  const piece = pick(
    functions.filter(({ start, headerEnd }) => headerEnd > start),
    random,
  );
  if (!piece) return null;
  const header = lines.slice(piece.start, piece.headerEnd + 1);
  if (header.some((line) => /["'`]|\/\/|#/.test(line))) return null;
  const [first = '', ...rest] = header;
  const joined = rest.reduce((text, line) => {
    const next = line.trim();
    return /[([]$/.test(text) || /^[)\]]/.test(next)
      ? text.replace(/,$/, /^[)\]]/.test(next) ? '' : ',') + next
      : `${text} ${next}`;
  }, first);
  return {
    lines: [...lines.slice(0, piece.start), joined, ...lines.slice(piece.headerEnd + 1)],
    truth: { isLayout: true, oldWords: ',', touched: [piece.name, ...around(lines, piece.start)] },
  };
};
