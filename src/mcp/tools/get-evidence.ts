import { citeLines, mostPartBytes, readFilesOfDiff } from '../../actions/pull-requests/cite-lines.ts';
import type { Evidence } from '../../contract/article-parts.ts';
import { record, Text } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { findArticlePageData } from '../../db/article-pages.ts';
import { Failure } from '../../domain/errors.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import { nameHiddenInLine } from '../../domain/text.ts';
import { type Sentence, SentenceOutput, sentencePiece, sentencesOf } from '../article-sentences.ts';
import { ArticleName, type FindArticle, type FoundArticle, HostName } from '../find-article.ts';
import { ArticleHead, headOf } from '../present-article.ts';
import {
  type AgentCall,
  type AgentDeps,
  Cursor,
  cursorAt,
  Detail,
  inShort,
  Language,
  NextCursor,
  Notice,
  notice,
  offsetWithin,
  type Piece,
  sentBytes,
  type ToolAnswer,
  takeFitting,
  takes,
  tool,
} from '../tool.ts';

const longestPath = 200;
const longestLine = 160;
const longestUrl = 600;
const mostCodeBytes = 2_000;

const Place = record({
  file: Text('Path in the repository.'),
  side: Text('old: lines before the change. new: lines after it.'),
  startLine: Type.Integer(),
  endLine: Type.Integer(),
  url: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'URL of the lines on the code host, if it shows them.',
  }),
  code: Type.Optional(Text('The lines, with + and - as in a diff.')),
});

const EvidenceAnswer = record({
  notice: Notice,
  article: ArticleHead,
  sentence: SentenceOutput,
  places: Type.Array(Place),
  nextCursor: NextCursor,
});

interface PrintedLines {
  lines: string[];
  omitted: number;
}

interface Evident {
  found: FoundArticle;
  sentence: Sentence;
  from: number;
  code: (PrintedLines | null)[] | null;
}

export function tellEvidence(
  deps: Pick<AgentDeps, 'codeHosts'>,
  { found, sentence, from, code }: Evident,
  call: AgentCall,
): ToolAnswer {
  const { evidence } = sentence.statement;
  const pieces = evidence.slice(from).map((place, index) => placePiece(place, code?.[index] ?? null));
  const piece = sentencePiece(sentence);
  const article = headOf(deps, found, call);
  const fitting = takeFitting(pieces, [notice, notice, article, article, piece]);
  const offset = from + fitting.length;
  const { revision } = found.content;
  const nextCursor = offset < evidence.length ? cursorAt({ offset, revision }) : null;
  const text = [
    notice,
    `${article.pullRequest} on ${article.host}: ${article.title}\n${piece.text}`,
    evidence.length === 0
      ? 'This sentence cites no line of the diff.'
      : fitting.map((one) => one.text).join('\n\n'),
    ...(code?.length === 0 && evidence.length > 0
      ? [
          'The pull request has changed since, or its diff is no longer stored: only the places are available.',
        ]
      : []),
    ...(nextCursor === null ? [] : [`There are more places. Continue with cursor "${nextCursor}".`]),
  ].join('\n\n');
  const places = fitting.map(({ data }) => data);
  return { text, data: { notice, article, sentence: piece.data, places, nextCursor } };
}

function placePiece(
  { fileName, side, startLine, endLine, hostUrl, unchanged, lines: own }: Evidence,
  printed: PrintedLines | null,
): Piece<object> {
  const url = hostUrl === null || sentBytes(hostUrl) > longestUrl ? null : hostUrl;
  const file = inShort(fileName, longestPath);
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  const stays = unchanged ? ', unchanged' : '';
  const where = `${file}, ${lines} ${side === 'old' ? 'before' : 'after'} the change${stays}${url === null ? '' : `\n${url}`}`;
  const code = own
    ? printedCode({ lines: own.map((line) => ` ${line}`), omitted: 0 })
    : printed && printedCode(printed);
  return {
    text: code === null ? where : `${where}\n\n${fenced(code)}`,
    data: { file, side, startLine, endLine, url, ...(code !== null && { code }) },
  };
}

function printedCode({ lines, omitted }: PrintedLines): string {
  const short = lines.map(shortLine);
  let left = mostCodeBytes;
  const end = short.findIndex((line) => {
    left -= sentBytes(line);
    return left < 0;
  });
  const shown = end === -1 ? short : short.slice(0, end);
  const more = omitted + lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`… ${more} more ${more === 1 ? 'line' : 'lines'}`] : [])].join('\n');
}

function shortLine(text: string): string {
  const line = nameHiddenInLine(text);
  return line.length <= longestLine
    ? line
    : `${line.slice(0, longestLine - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A fence longer than any run of backticks in the code, so that no line closes it. */
function fenced(code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${code}\n${fence}`;
}

const longestText = 2_000;

const bounds = { linesEach: 24, linesInAll: 600, context: 0 };

export const getEvidence = (deps: AgentDeps, findArticle: FindArticle) =>
  tool({
    name: 'get_evidence',
    title: 'Get the evidence for a sentence',
    description:
      'Returns the lines of the diff behind one sentence of an article. A sentence without lines is a quotation or a judgement.',
    input: takes(
      {
        pullRequest: ArticleName,
        sentence: Type.String({
          minLength: 1,
          maxLength: longestText,
          description: 'Its id from get_article with detail brief, or the whole sentence.',
        }),
      },
      {
        host: HostName,
        language: Language,
        detail: Detail('where the lines are', 'the lines themselves too (the default)'),
        cursor: Cursor,
      },
    ),
    output: EvidenceAnswer,
    async run({ sentence: wanted, detail = 'full', cursor, ...request }, call) {
      const found = await findArticle(request, call);
      const from = offsetWithin(cursor, found.content.revision);
      const sentence = findSentence(found, wanted);
      const places = sentence.statement.evidence.slice(from);
      const code = detail === 'full' ? await readEvidenceLines(deps, found, places) : null;
      return tellEvidence(deps, { found, sentence, from, code }, call);
    },
  });

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

function findSentence({ content, said }: FoundArticle, wanted: string): Sentence {
  const sentences = sentencesOf(said);
  const id = wanted.replace(/^\s*\[|\]\s*$/g, '');
  const known = sentences.find(({ statement }) => statement.id === id);
  if (known) return known;
  const [found, ...others] = sentences.filter(({ statement }) => plain(statement.text) === plain(wanted));
  if (found && others.length > 0) throw severalSentences([found, ...others]);
  if (found) return found;
  throw new Failure(
    'NOT_FOUND',
    `The article does not contain this sentence in ${content.languageCode}. get_article with detail brief lists sentences with their ids.`,
  );
}

const mostNamed = 50;

function severalSentences(sentences: Sentence[]): Failure {
  const ids = sentences.slice(0, mostNamed).map(({ statement }) => statement.id);
  const problem = `occurs ${sentences.length} times; send one of these ids: ${ids.join(', ')}`;
  return new Failure('INVALID_REQUEST', `sentence ${problem}.`, {
    details: [{ field: 'sentence', problem }],
  });
}

const signs = { added: '+', removed: '-', context: ' ' };

async function readEvidenceLines(
  { database }: AgentDeps,
  { article, content, seen }: FoundArticle,
  places: Evidence[],
): Promise<(PrintedLines | null)[]> {
  const fileNames = [...new Set(places.map(({ fileName }) => fileName))];
  const { languageCode } = content;
  const wanted = { articleId: article.id, languageCode, fileNames, mostPartBytes, viewer: seen };
  const change = (await findArticlePageData(database, wanted))?.change;
  if (!change || !isSameDiff(content, change)) return [];
  const files = await readFilesOfDiff(change.parts, new Set(fileNames));
  const citations = places.map(({ fileName, ...range }) => ({ fileName, ranges: [range] }));
  return citeLines(files, citations, bounds).map(
    (cited) =>
      cited && {
        lines: cited.runs.flat().map(({ text, side }) => `${signs[side]}${text}`),
        omitted: cited.omitted,
      },
  );
}
