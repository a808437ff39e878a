import { type Editor, pick, type SourceFile, wordsOf } from './make-edits.ts';

function renamed(name: string, file: SourceFile, others: SourceFile[], serial: number): ReturnType<Editor> {
  const ending = /_/.test(name) || /^[a-z]+$/.test(name) ? `_anew${serial}` : `Anew${serial}`;
  const to = serial % 2 === 0 ? `${name}${ending}` : `settled${ending}`;
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g');
  const users = others.filter(({ lines }) => lines.some((line) => wordsOf(line).includes(name))).slice(0, 2);
  const replace = (lines: string[]) => lines.map((line) => line.replace(word, to));
  return {
    lines: replace(file.lines),
    more: users.map(({ path, lines }) => [path, replace(lines)]),
    truth: { renamed: { from: name, to }, oldWords: name, newWords: to, touched: ['*'] },
  };
}

export const renameFunction: Editor = ({ file, others, random, serial }) => {
  const piece = pick(file.functions, random);
  if (!piece || piece.name.length < 5) return null;
  if (file.functions.filter(({ name }) => name === piece.name).length > 1) return null;
  // A name that is declared several times is not a single thing.
  if (others.some(({ functions }) => functions.some(({ name }) => name === piece.name))) return null;
  return renamed(piece.name, file, others, serial);
};

export const renameType: Editor = ({ file, others, random, serial }) => {
  const names = file.lines.flatMap((line) => file.language.typeLine.exec(line)?.[1] ?? []);
  const name = pick(
    names.filter((one) => one.length >= 5 && names.indexOf(one) === names.lastIndexOf(one)),
    random,
  );
  if (
    !name ||
    others.some(({ lines, language }) => lines.some((line) => language.typeLine.exec(line)?.[1] === name))
  )
    return null;
  return renamed(name, file, others, serial);
};
