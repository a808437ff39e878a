import type { FileKind } from '../../domain/articles.ts';
import { titleWords } from '../../reading/importance.ts';
import { isShipped } from '../../reading/symbols/visibility.ts';
import type { ArticleSource } from '../articles.ts';
import { lastName } from './moves.ts';
import { fullName, isCodeLine, isIn, type Piece } from './pieces.ts';

export interface RankedPiece {
  piece: Piece;
  score: number;
}

interface Known {
  title: string;
  subject: Map<string, number>;
  said: string;
}

const kindScores: Partial<Record<FileKind, number>> = {
  source: 30,
  configuration: 14,
  build: 12,
  manifest: 8,
  documentation: 6,
  test: 0,
};

const behaviour =
  /\b(?:if|else|elif|match|switch|return|throw|raise|for|while|panic|await|case|catch|except|yield)\b|[<>=!]=|\|\||&&/;
const wiring =
  /^\s*(?:[\w."'-]+\s*[:=]\s*[\w."'&-]+,?|pub\s+\w+:.*|[\w"'.-]+,|export .* from .*|@\w+.*|\p{Lu}\w*\s+[\w*[\].]+(?:\s*`.*`)?)$/u;
const declaresType =
  /^\s*(?:export\s+|declare\s+|pub\s+|public\s+)*(?:type|interface|const|static|var|let|final)\s+\w+[^(]*$/;
const asides = /(?:^|\/)(?:completions?|man|manual|locales?|i18n)\/|\.[1-8](?:\.in)?$/;
const besides = /(?:^|\/)(?:examples?|bench(?:es|marks?)?|docs?|scripts?|website)\//;

/**
 * Pieces in the order that matters to a reader: the subject of the title, options, public code, defaults, behaviour,
 * wiring.
 */
export function rankPieces(pieces: Piece[], { title, facts, commits }: ArticleSource): RankedPiece[] {
  const subject = titleWordsIn(title, pieces);
  const said = `${title}\n${facts.description.text}\n${commits.map(({ message }) => message).join('\n')}`;
  const known = { title, subject, said };
  return pieces
    .map((piece): RankedPiece => ({ piece, score: scoreOf(piece, known) - (isWeakPiece(piece) ? 7 : 0) }))
    .sort((one, other) => other.score - one.score);
}

const namePlaceOf = ({ heading, file }: Piece): string => `${heading ?? ''} ${file.path}`.toLowerCase();
const textIn = ({ lines }: Piece): string =>
  lines
    .filter(isCodeLine)
    .map(({ text }) => text)
    .join('\n');

/** Words of the title, weighted by how few pieces contain them. */
function titleWordsIn(title: string, pieces: Piece[]): Map<string, number> {
  const texts = pieces.map((piece) => `${namePlaceOf(piece)}\n${textIn(piece).toLowerCase()}`);
  return new Map(
    titleWords(title).map((word) => [
      word,
      (1 - texts.filter((text) => text.includes(word)).length / (texts.length + 1)) ** 2,
    ]),
  );
}

function isNamedInTitle(path: string, title: string): boolean {
  const name = path.split('/').at(-1) ?? path;
  return name.length > 4 && title.toLowerCase().includes(name.toLowerCase());
}

function scoreOf(piece: Piece, { title, subject, said }: Known): number {
  const { file, lines, heading, symbol } = piece;
  const own = lines.filter(isCodeLine);
  const text = textIn(piece);
  const name = lastName(heading ?? '');
  let score = (kindScores[file.kind] ?? 0) + 3 * Math.log2(1 + Math.min(own.length, 60));
  if (asides.test(file.path)) score -= 14;
  else if (besides.test(file.path)) score -= 8;
  if (name.length > 3 && said.includes(name)) score += 8;
  const where = `${namePlaceOf(piece)}\n${text.toLowerCase()}`;
  const match = [...subject].reduce(
    (sum, [word, weight]) => sum + (where.includes(word) ? 9 * weight : 0),
    0,
  );
  score += Math.min(24, match);
  const isPublic =
    isShipped(file) &&
    file.symbols.some(
      (one) => one.isPublic && one.change !== 'bodyChanged' && (one === symbol || fullName(one) === heading),
    );
  const isOption =
    isShipped(file) && file.surfaces.some(({ evidence }) => own.some((line) => isIn(line, evidence)));
  const isDefault = symbol?.value != null || (file.kind === 'source' && /\bdefault/i.test(text));
  if (isOption) score += 12;
  else if (isPublic) score += 8;
  else if (isDefault) score += 5;
  if (isNamedInTitle(file.path, title)) score += 16;
  if (behaviour.test(text)) score += 4;
  if (differsInSpelling(own)) score -= 40;
  if (own.every(({ side }) => side === 'removed')) score -= 3;
  return own.length === 0 ? score - 20 : score;
}

function isWeakPiece({ lines }: Piece): boolean {
  const own = lines.filter(isCodeLine);
  return own.every(({ text }) => wiring.test(text) || declaresType.test(text)) || differsInLiterals(own);
}

const withoutLiterals = (text: string): string =>
  text
    .trim()
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '""')
    .replace(/\b\d[\w.]*/g, '0');

/** Replaces equivalent spellings of a value: `0750` and `0o750`, `1000` and `1_000`, `'a'` and `"a"`. */
const withOneSpelling = (text: string): string =>
  text
    .trim()
    .replace(/["'`]/g, '"')
    .replace(/\b0o?(?=[0-7]{3,}\b)/gi, '0')
    .replace(/(?<=\d)_(?=\d)/g, '');

const isSameOnBothSides = (lines: Piece['lines'], normalize: (text: string) => string): boolean => {
  const of = (side: string): string =>
    lines
      .filter((line) => line.side === side)
      .map(({ text }) => normalize(text))
      .join('\n');
  return of('removed') !== '' && of('removed') === of('added');
};

/** Whether the two sides differ only in numbers and strings. */
const differsInLiterals = (lines: Piece['lines']): boolean => isSameOnBothSides(lines, withoutLiterals);

/** Whether the two sides differ only in how a number or a string is spelled. */
const differsInSpelling = (lines: Piece['lines']): boolean => isSameOnBothSides(lines, withOneSpelling);
