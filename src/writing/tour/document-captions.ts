import { splitLine } from '../../reading/description/sentences.ts';
import type { FileFacts } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import type { Caption } from './captions.ts';
import type { Piece, PieceUnit } from './pieces.ts';

const mostHeadings = 6;
const longestSentence = 180;
const shortestSentence = 12;

const heading = /^(?:#{1,6}|=+)\s+(.{2,80}?)\s*#*$/;

/** What a row says of a document: its new sections, the sentence that was edited, or what is written there now. */
export function captionsOfDocument(file: FileFacts, pieces: Piece[]): Caption[] {
  const units = pieces
    .flatMap((piece) => piece.units)
    .filter(({ after, before }) => !isCode(after ?? before ?? ''));
  const sections = units.flatMap(({ change, after }) => {
    const [, name] = (change.kind === 'added' && heading.exec(after ?? '')) || [];
    return name === undefined ? [] : [name.replace(/[`*]/g, '').trim()];
  });
  if (sections.length > 0)
    return [{ kind: 'newSections', names: [...new Set(sections)].slice(0, mostHeadings) }];
  for (const unit of units) {
    const edit = sentenceEdit(unit);
    if (edit) return [{ kind: 'reworded', ...edit }];
  }
  for (const { change, after } of units) {
    if (change.kind !== 'added' || after === null) continue;
    const text = firstSentence(after);
    if (text !== null) return [{ kind: 'written', text }];
  }
  const names = [...new Set(pieces.flatMap(({ name }) => name ?? []))];
  return names.length > 0
    ? [{ kind: 'places', names: names.slice(0, mostHeadings) }]
    : [{ kind: 'changed', path: file.path }];
}

/** Lines of an example are no prose. */
const isCode = (text: string): boolean =>
  /^(?:```|~~~|\||\$ |<|\{|\.\. )|[{};]$|=>|\w\(.*\)[;,]?$|^(?:const|let|import|from|use|fn|def|return|npm|export) /.test(
    text,
  );

/** The sentences of a paragraph as they are read: without markup, addresses and references. */
const sentencesOf = (text: string): string[] =>
  splitLine(plainText(text.replace(/^(?:[-*+]|\d+[.)])\s+/, '')));

const isTellable = (text: string): boolean =>
  text.length >= shortestSentence && text.length <= longestSentence && !/[“”「」]/.test(text);

/** The one sentence of a paragraph that reads otherwise than before. */
function sentenceEdit({ change, before, after }: PieceUnit): { from: string; to: string } | null {
  if (change.kind !== 'replaced' || before === null || after === null) return null;
  const [old, current] = [sentencesOf(before), sentencesOf(after)];
  const gone = old.filter((sentence) => !current.includes(sentence));
  const come = current.filter((sentence) => !old.includes(sentence));
  const [from, to] = [gone[0], come[0]];
  if (gone.length !== 1 || come.length !== 1 || from === undefined || to === undefined) return null;
  return isTellable(from) && isTellable(to) ? { from, to } : null;
}

function firstSentence(text: string): string | null {
  const [first = ''] = sentencesOf(text);
  return isTellable(first) && /^[\p{Lu}\p{Lo}`]/u.test(first) && /\s/.test(first) ? first : null;
}
