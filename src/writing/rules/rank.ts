import type { FileKind } from '../../domain/article.ts';
import { titleWords } from '../../reading/importance.ts';
import { isShipped } from '../../reading/symbols/visibility.ts';
import type { ArticleSource } from '../written-article.ts';
import { lastName } from './moves.ts';
import { fullName, isCode, type Piece } from './pieces.ts';

export interface RankedPiece {
  piece: Piece;
  score: number;
  isWeak: boolean;
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

/** Pieces by importance: the subject of the title, what others can call, behaviour, and wiring at the end. */
export function rankPieces(pieces: Piece[], { title, facts, commits }: ArticleSource): RankedPiece[] {
  const subject = subjectOf(title, pieces);
  const said = `${title}\n${facts.description.text}\n${commits.map(({ message }) => message).join('\n')}`;
  return pieces
    .map((piece): RankedPiece => {
      const isWeak = isWeakPiece(piece);
      return { piece, isWeak, score: scoreOf(piece, subject, said) - (isWeak ? 7 : 0) };
    })
    .sort((one, other) => other.score - one.score);
}

const nameIn = ({ heading, file }: Piece): string => `${heading ?? ''} ${file.path}`.toLowerCase();
const textIn = ({ lines }: Piece): string =>
  lines
    .filter(isCode)
    .map(({ text }) => text)
    .join('\n');

/** Words of the title, each with how telling it is: one that every piece has chooses none. */
function subjectOf(title: string, pieces: Piece[]): Map<string, number> {
  const texts = pieces.map((piece) => `${nameIn(piece)}\n${textIn(piece).toLowerCase()}`);
  return new Map(
    titleWords(title).map((word) => [
      word,
      (1 - texts.filter((text) => text.includes(word)).length / (texts.length + 1)) ** 2,
    ]),
  );
}

function scoreOf(piece: Piece, subject: Map<string, number>, said: string): number {
  const { file, lines, heading, symbol } = piece;
  const own = lines.filter(isCode);
  const text = textIn(piece);
  const name = lastName(heading ?? '');
  let score = (kindScores[file.kind] ?? 0) + 3 * Math.log2(1 + Math.min(own.length, 60));
  if (asides.test(file.path)) score -= 14;
  else if (besides.test(file.path)) score -= 8;
  if (name.length > 3 && said.includes(name)) score += 8;
  const where = `${nameIn(piece)}\n${text.toLowerCase()}`;
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
  if (isPublic) score += 6;
  if (behaviour.test(text)) score += 4;
  if (own.every(({ side }) => side === 'removed')) score -= 3;
  return own.length === 0 ? score - 20 : score;
}

function isWeakPiece({ lines }: Piece): boolean {
  const own = lines.filter(isCode);
  return own.every(({ text }) => wiring.test(text) || declaresType.test(text)) || differsInLiterals(own);
}

const withoutLiterals = (text: string): string =>
  text
    .trim()
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '""')
    .replace(/\b\d[\w.]*/g, '0');

/** Whether the two sides say the same but for numbers and texts. */
function differsInLiterals(lines: Piece['lines']): boolean {
  const of = (side: string): string =>
    lines
      .filter((line) => line.side === side)
      .map(({ text }) => withoutLiterals(text))
      .join('\n');
  return of('removed') !== '' && of('removed') === of('added');
}
