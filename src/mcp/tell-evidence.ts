import type { Evidence } from '../contract/told-parts.ts';
import { Type } from '../contract/type.ts';
import { nameHiddenInLine } from '../domain/hidden-characters.ts';
import type { AgentParts } from './agent-parts.ts';
import { bytesOf, inShort, type Piece, takeFitting } from './answer-size.ts';
import { type Sentence, sentencePiece, ToldSentence } from './article-sentences.ts';
import { cursorAt } from './cursor.ts';
import type { FoundArticle } from './find-article.ts';
import { ArticleHead, headOf } from './tell-article.ts';
import { type AgentCall, NextCursor, Notice, notice, type Told } from './tool.ts';

const closed = { additionalProperties: false } as const;

const longestPath = 200;
const longestLine = 160;
const longestUrl = 600;
const mostCodeBytes = 2_000;

const Place = Type.Object(
  {
    file: Type.String({ description: 'Path in the repository.' }),
    side: Type.String({ description: 'old: the lines before the change. new: those after it.' }),
    startLine: Type.Integer(),
    endLine: Type.Integer(),
    url: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The lines on the code host, where it shows them.',
    }),
    code: Type.Optional(Type.String({ description: 'The lines, with + and - as in a diff.' })),
  },
  closed,
);

export const EvidenceAnswer = Type.Object(
  {
    notice: Notice,
    article: ArticleHead,
    sentence: ToldSentence,
    places: Type.Array(Place),
    nextCursor: NextCursor,
  },
  closed,
);

/** Lines as a diff prints them, and how many more there are. */
export interface PrintedLines {
  lines: string[];
  omitted: number;
}

interface Evident {
  found: FoundArticle;
  sentence: Sentence;
  /** How many places were told before. */
  from: number;
  /** Of the places from there on: null where lines are not wanted, none where they cannot be had. */
  code: (PrintedLines | null)[] | null;
}

/** Where a sentence can be seen, as much of that as one answer has. */
export function tellEvidence(
  parts: Pick<AgentParts, 'codeHosts'>,
  { found, sentence, from, code }: Evident,
  call: AgentCall,
): Told {
  const { evidence } = sentence.statement;
  const pieces = evidence.slice(from).map((place, index) => placePiece(place, code?.[index] ?? null));
  const told = sentencePiece(sentence);
  const article = headOf(parts, found, call);
  const fitting = takeFitting(pieces, [notice, notice, article, article, told]);
  const offset = from + fitting.length;
  const { revision } = found.content;
  const nextCursor = offset < evidence.length ? cursorAt({ offset, revision }) : null;
  const text = [
    notice,
    `${article.pullRequest} on ${article.host}: ${article.title}\n${told.text}`,
    evidence.length === 0
      ? 'No line of the diff is named for it.'
      : fitting.map((one) => one.text).join('\n\n'),
    ...(code?.length === 0 && evidence.length > 0
      ? ['The pull request has changed since, or its diff is no longer stored: only places are known.']
      : []),
    ...(nextCursor === null ? [] : [`There are more places. Go on with cursor "${nextCursor}".`]),
  ].join('\n\n');
  const places = fitting.map(({ data }) => data);
  return { text, data: { notice, article, sentence: told.data, places, nextCursor } };
}

function placePiece(
  { fileName, side, startLine, endLine, hostUrl }: Evidence,
  printed: PrintedLines | null,
): Piece<object> {
  const url = hostUrl === null || bytesOf(hostUrl) > longestUrl ? null : hostUrl;
  const file = inShort(fileName, longestPath);
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  const where = `${file}, ${lines} ${side === 'old' ? 'before' : 'after'} the change${url === null ? '' : `\n${url}`}`;
  const code = printed && codeOf(printed);
  return {
    text: code === null ? where : `${where}\n\n${fenced(code)}`,
    data: { file, side, startLine, endLine, url, ...(code !== null && { code }) },
  };
}

/** As many lines as are shown of one place. */
function codeOf({ lines, omitted }: PrintedLines): string {
  const short = lines.map(shortLine);
  let left = mostCodeBytes;
  const end = short.findIndex((line) => {
    left -= bytesOf(line);
    return left < 0;
  });
  const shown = end === -1 ? short : short.slice(0, end);
  const more = omitted + lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`… ${more} more ${more === 1 ? 'line' : 'lines'}`] : [])].join('\n');
}

/** A line that stays one, with its indentation. */
function shortLine(text: string): string {
  const line = nameHiddenInLine(text);
  return line.length <= longestLine
    ? line
    : `${line.slice(0, longestLine - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** In a fence that nothing in it can close. */
function fenced(code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${code}\n${fence}`;
}
