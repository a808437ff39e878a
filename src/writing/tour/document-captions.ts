import { changelogName } from '../../reading/changelog-name.ts';
import { splitLine } from '../../reading/description/sentences.ts';
import type { FileFacts } from '../../reading/facts.ts';
import { wordSet } from '../../reading/word-set.ts';
import { plainText } from '../plain-text.ts';
import { withoutReferences } from '../words/changelog-entries.ts';
import type { Piece, PieceUnit } from './pieces.ts';
import type { Told } from './prove-captions.ts';
import { spansOfUnit } from './spans.ts';
import { toldOfPlaces } from './told-of-places.ts';

const mostHeadings = 6;
const longestSentence = 240;
const shortestSentence = 12;

const heading = /^(?:#{1,6}|=+)\s+(.{2,80}?)\s*#*$/;
/** Where such a line is a heading; elsewhere it is a remark of an example. */
const headed = wordSet('Markdown MDX AsciiDoc');

/** What a row may say of a document: its new sections, the sentence that was edited, or what is written there now. */
export function toldOfDocument(file: FileFacts, pieces: Piece[]): Told[] {
  const units = pieces
    .flatMap((piece) => piece.units)
    .filter(({ after, before }) => !isCode(after ?? before ?? ''));
  const sections = units.flatMap((unit) => {
    const [, name] = (isHeading(file, unit) && heading.exec(unit.after ?? '')) || [];
    return name === undefined ? [] : [{ name: name.replace(/[`*]/g, '').trim(), unit }];
  });
  const shown = [...new Map(sections.map((one) => [one.name, one])).values()].slice(0, mostHeadings);
  const told: Told[] =
    shown.length === 0
      ? []
      : [
          {
            caption: { kind: 'newSections', names: shown.map(({ name }) => name) },
            evidence: shown.flatMap(({ unit }) => unit.change.new ?? []),
          },
        ];
  for (const unit of units) {
    const evidence = spansOfUnit(unit);
    const edit = sentenceEdit(unit);
    if (edit) told.push({ caption: { kind: 'reworded', ...edit }, evidence });
    const text =
      unit.change.kind === 'added' && unit.after !== null ? firstSentence(unit.after, file.path) : null;
    if (text !== null) told.push({ caption: { kind: 'written', text }, evidence });
  }
  told.push(...toldOfPlaces(pieces, mostHeadings));
  // What a list of changes says of this one is more than the heading above it.
  if (changelogName.test(file.path)) told.sort((one, other) => rankOf(one) - rankOf(other));
  return told.length > 0 ? told.slice(0, mostTried) : [{ caption: { kind: 'changed' }, evidence: [] }];
}

/** Where it is known what sections there are, one of them has to begin here. */
const isHeading = ({ language, ranges }: FileFacts, { change }: PieceUnit): boolean =>
  change.kind === 'added' &&
  headed.has(language ?? '') &&
  (ranges.length === 0 || ranges.some(({ startLine }) => startLine === change.new?.startLine));

const rankOf = ({ caption: { kind } }: Told): number =>
  kind === 'written' ? 0 : kind === 'reworded' ? 1 : 2;

const mostTried = 8;

/** Lines of an example are no prose. */
const isCode = (text: string): boolean =>
  /^(?:```|~~~|\||\$ |<|\{|\.\. )|[{};]$|^(?:const|let|import|from|use|fn|def|return|npm|export) /.test(text);

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

function firstSentence(text: string, path: string): string | null {
  const [whole = ''] = sentencesOf(text);
  const first = changelogName.test(path) ? withoutReferences(whole) : whole;
  if (!isTellable(first) || !/\s.*\s/.test(first)) return null;
  // Entries of a list of changes are often no whole sentences.
  const isWhole = /^[\p{Lu}\p{Lo}`]/u.test(first) && /[.!?。]$/.test(first);
  return isWhole || (changelogName.test(path) && /^[\p{L}`]/u.test(first)) ? first : null;
}
