import { type CommentSigns, commentSignsIn } from '../../reading/comment-signs.ts';
import { visibleText } from '../../reading/description/visible-text.ts';
import type { Evidence } from '../../reading/facts.ts';
import { type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { foldSpace } from '../../reading/fold-space.ts';
import type { Sentence, SpokenWords } from '../draft.ts';
import { holdsKey } from '../key-shapes.ts';
import { joinComplaints } from '../verify/check-sentence.ts';
import { claimsTooMuch } from './claims-too-much.ts';
import { copiedRun, runsOf } from './copied-runs.ts';
import { holdsAddress } from './holds-address.ts';
import type { Finding } from './material.ts';
import { codeSpan, withoutQuoted } from './quoted.ts';

/** What the rules are held against: all that a model could have copied from, and what the findings say. */
export interface RuleGround {
  diff: FileDiff[];
  words: SpokenWords[];
  findings: Pick<Finding, 'text' | 'evidence'>[];
}

export type RuleVerdict =
  | { kind: 'kept'; sentence: Sentence; isRepaired: boolean }
  | { kind: 'broken'; reason: string };

/** Rules for what a model writes, beside those that every sentence is checked by. */
export function createSentenceRules({
  diff,
  words,
  findings,
}: RuleGround): (sentence: Sentence) => RuleVerdict {
  const files = new Map(diff.map((file) => [file.path, file]));
  const others = runsOf([
    ...words.map(({ text }) => text),
    ...diff.map(({ path }) => path),
    ...diff.flatMap((file) =>
      file.hunks.flatMap((hunk) => [commentsIn(hunk, commentSignsIn(file)), hunk.text()]),
    ),
  ]);
  const found = findings.map(({ text }) => text).join('\n');
  const foundAt = new Set(findings.flatMap(({ evidence }) => evidence.map(placeOf)));
  const standsInCode = (code: string): boolean => {
    const pieces = code.split('…').map((piece) => Buffer.from(piece.trim()));
    return diff.some(({ bytes }) => pieces.every((piece) => bytes.includes(piece)));
  };
  return (sentence) => {
    const broken = [
      ...foreignMatter(sentence.text, standsInCode),
      ...unattributed(sentence),
      ...unquoted(sentence, others),
      ...claimsTooMuch(sentence.text, found),
    ];
    const placed = placeQuote(sentence, files, foundAt);
    const complaints = placed.kind === 'broken' ? [...broken, placed.reason] : broken;
    return complaints.length === 0 ? placed : { kind: 'broken', reason: joinComplaints(complaints) };
  };
}

const markup =
  /<\/?[a-z!]|\]\(|\]\[|!\[|\*\*|__\w|~~|^\s*(?:#{1,6}|[-*+]|\d+[.)])\s|&(?:#\d+|[a-z]{2,8});|\|.*\|/i;

/** A longer one is not read to its end. */
const longestSentence = 1_000;

/** What must not get into an article by any way: it is refused, not cleaned. */
function foreignMatter(text: string, standsInCode: (code: string) => boolean): string[] {
  if (text === '') return ['it is empty'];
  if (text.length > longestSentence) return [`it is longer than ${longestSentence} characters`];
  const isSeen = visibleText(text) === text && !/\n/.test(text);
  const isClosed = (text.match(/`/g)?.length ?? 0) % 2 === 0;
  return [
    ...(isSeen ? [] : ['it holds characters that cannot be seen, or a line break']),
    ...(holdsKey(text) ? ['it holds something that looks like a key'] : []),
    ...(holdsAddress(text, standsInCode) ? ['it holds an address'] : []),
    ...(isClosed ? [] : ['a code mark is not closed']),
    ...(markup.test(text.replace(codeSpan, 'x')) ? ['it holds markup other than backticks'] : []),
  ];
}

/** How a sentence says that it quotes a person, where it does not name them. */
const speaking =
  /\b(?:author|reviewer|maintainer|contributor|committer|commit|issue|title|description|comment|changelog|Autor|auteur|autore|Verfasser)\w*|作者|著者|投稿者|レビュ|説明|題名|原題|変更履歴|タイトル|コミット|課題|コメント|작성자|저자|автор/iu;

function unattributed({ basis, text, words }: Sentence): string[] {
  if (basis !== 'words') return [];
  if (words.length === 0) return ['it tells what somebody says and cites no words (w…)'];
  const isNamed = words.some(({ speaker }) => speaker.length > 1 && text.includes(speaker));
  return isNamed || speaking.test(text) ? [] : ['it does not say who says it'];
}

/** Code in its marks is quoted as such, and must stand in what is cited. */
function unquoted({ basis, text }: Sentence, others: Set<string>): string[] {
  if (basis === 'words') return [];
  const run = copiedRun(withoutQuoted(text, ' … '), others);
  return run === null ? [] : [`“${run}” is somebody else's wording and does not stand in quotation marks`];
}

/** A comment runs over several lines, without the marks at the beginning of each. */
function commentsIn(hunk: Hunk, { line }: CommentSigns): string {
  const comments = linesOf(hunk).filter(({ text }) => line.test(text));
  return comments.map(({ text }) => text.replace(line, '')).join(' ');
}

const placeOf = ({ fileName, side, startLine, endLine }: Evidence): string =>
  `${fileName}\0${side}${startLine}-${endLine}`;

/** The quote must stand in what is cited; where it stands in one other place of a cited file, that is cited instead. */
function placeQuote(sentence: Sentence, files: Map<string, FileDiff>, foundAt: Set<string>): RuleVerdict {
  const { basis, quote, evidence, words, facts } = sentence;
  if (basis === 'judgement' || quote === null) {
    // Findings are not quoted from: some say what they say as facts, others only where they were made.
    const isFound = evidence.length > 0 && evidence.every((one) => foundAt.has(placeOf(one)));
    if (basis === 'judgement' || facts.length > 0 || isFound)
      return { kind: 'kept', sentence, isRepaired: false };
    return { kind: 'broken', reason: 'it has no quote from what it cites' };
  }
  const wanted = foldSpace(quote);
  const isSaid = words.some(({ text }) => foldSpace(text).includes(wanted));
  if (isSaid || evidence.some((one) => standsIn(wanted, one, files)))
    return { kind: 'kept', sentence, isRepaired: false };
  const elsewhere = [...new Set(evidence.map(({ fileName }) => fileName))].flatMap((path) =>
    placesOf(wanted, files.get(path)),
  );
  const [only] = elsewhere;
  if (!only || elsewhere.length > 1)
    return { kind: 'broken', reason: `the quote “${quote}” does not stand in what is cited` };
  const moved = {
    ...sentence,
    evidence: [only, ...evidence.filter((one) => one.fileName !== only.fileName)],
  };
  return { kind: 'kept', sentence: moved, isRepaired: true };
}

function standsIn(wanted: string, evidence: Evidence, files: Map<string, FileDiff>): boolean {
  const { fileName, side, startLine, endLine } = evidence;
  const lines = numbered(files.get(fileName), side).filter(([line]) => line >= startLine && line <= endLine);
  return foldSpace(lines.map(([, text]) => text).join(' ')).includes(wanted);
}

function placesOf(wanted: string, file: FileDiff | undefined): Evidence[] {
  if (!file) return [];
  return (['new', 'old'] as const).flatMap((side) =>
    numbered(file, side, true)
      .filter(([, text]) => foldSpace(text).includes(wanted))
      .map(([line]) => ({ fileName: file.path, side, startLine: line, endLine: line })),
  );
}

function numbered(
  file: FileDiff | undefined,
  side: Evidence['side'],
  changedOnly = false,
): [line: number, text: string][] {
  return (file?.hunks ?? []).flatMap((hunk) =>
    linesOf(hunk).flatMap(({ side: kind, text, oldLine, newLine }): [number, string][] => {
      const line = side === 'new' ? newLine : oldLine;
      return line === null || (changedOnly && kind === 'context') ? [] : [[line, text]];
    }),
  );
}
