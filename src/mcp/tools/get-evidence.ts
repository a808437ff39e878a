import { publishedContent } from '../../actions/articles/read-article.ts';
import { citeLines, mostPartBytes, readFilesOfDiff } from '../../actions/pull-requests/cite-lines.ts';
import { seenBy } from '../../actions/repositories/find-visible-repository.ts';
import type { Evidence } from '../../contract/told-parts.ts';
import { Type } from '../../contract/type.ts';
import { findArticlePageData } from '../../db/article-pages.ts';
import { isSameDiff } from '../../domain/diff-range.ts';
import { Failure } from '../../domain/errors.ts';
import type { AgentParts } from '../agent-parts.ts';
import { bytesOf, inShort, type Piece, takeFitting } from '../answer-size.ts';
import { type Sentence, sentencePiece, sentencesOf, ToldSentence } from '../article-sentences.ts';
import { Cursor, cursorAt, offsetWithin } from '../cursor.ts';
import { ArticleName, type FindArticle, type FoundArticle } from '../find-article.ts';
import { ArticleHead, headOf } from '../tell-article.ts';
import { Detail, Language, NextCursor, Notice, notice, takes, tool } from '../tool.ts';

const closed = { additionalProperties: false } as const;

const longestText = 2_000;
const longestPath = 200;
const longestLine = 160;
const linesOfPlace = 24;
const mostCodeBytes = 2_000;
const longestUrl = 600;

/** More than these of one sentence are not read out of a diff at once. */
const bounds = { linesEach: linesOfPlace, linesInAll: 600, context: 0 };

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

export const getEvidence = (parts: AgentParts, findArticle: FindArticle) =>
  tool({
    name: 'get_evidence',
    title: 'See what bears a sentence out',
    description:
      'The lines of the diff that bear out one sentence of an article. A sentence without lines is what somebody wrote, or a judgement.',
    input: takes({
      article: ArticleName,
      sentence: Type.String({
        minLength: 1,
        maxLength: longestText,
        description: 'The id of the sentence, which get_article tells in brief, or the whole sentence.',
      }),
      language: Type.Optional(Language),
      detail: Type.Optional(Detail('where the lines are', 'the lines themselves too (the default)')),
      cursor: Type.Optional(Cursor),
    }),
    output: Type.Object(
      {
        notice: Notice,
        article: ArticleHead,
        sentence: ToldSentence,
        places: Type.Array(Place),
        nextCursor: NextCursor,
      },
      closed,
    ),
    async run({ sentence: wanted, detail = 'full', cursor, ...asked }, call) {
      const found = await findArticle(asked, call);
      const { revision } = found.content;
      const sentence = findSentence(found, wanted);
      const { evidence } = sentence.statement;
      const from = offsetWithin(cursor, revision);
      const code = detail === 'full' ? await readLines(parts, found, evidence) : [];
      const pieces = evidence.map((place, index) => placePiece(place, code[index] ?? null));
      const told = sentencePiece(sentence);
      const article = headOf(parts, found, call);
      const fitting = takeFitting(pieces.slice(from), [notice, notice, article, article, told]);
      const offset = from + fitting.length;
      const nextCursor = offset < pieces.length ? cursorAt({ offset, revision }) : null;
      const missing = detail === 'full' && evidence.length > 0 && code.length === 0;
      const text = [
        notice,
        `${article.pullRequest}: ${article.title}\n${told.text}`,
        evidence.length === 0
          ? 'No line of the diff is named for it.'
          : fitting.map((one) => one.text).join('\n\n'),
        ...(missing
          ? ['The pull request has changed since, or its diff is no longer stored: only places are known.']
          : []),
        ...(nextCursor === null ? [] : [`There are more places. Go on with cursor "${nextCursor}".`]),
      ].join('\n\n');
      const places = fitting.map(({ data }) => data);
      return { text, data: { notice, article, sentence: told.data, places, nextCursor } };
    },
  });

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

function findSentence({ content }: FoundArticle, wanted: string): Sentence {
  const sentences = sentencesOf(publishedContent(content));
  const [id = ''] = /[0-9a-f]{12}(?:-\d+)?/.exec(wanted) ?? [];
  const found =
    sentences.find(({ statement }) => statement.id === id) ??
    sentences.find(({ statement }) => plain(statement.text) === plain(wanted));
  if (found) return found;
  throw new Failure(
    'NOT_FOUND',
    `The article has no such sentence in ${content.languageCode}. get_article lists them with their ids, in brief.`,
  );
}

/** The lines of each place, as a diff prints them; none where the diff is another by now, or is not stored any more. */
async function readLines(
  { database }: AgentParts,
  { article, content, look }: FoundArticle,
  evidence: Evidence[],
): Promise<(string | null)[]> {
  const fileNames = [...new Set(evidence.map(({ fileName }) => fileName))];
  const { languageCode } = content;
  const wanted = { articleId: article.id, languageCode, fileNames, mostPartBytes, viewer: seenBy(look) };
  const change = (await findArticlePageData(database, wanted))?.change;
  if (!change || !isSameDiff(content, change)) return [];
  const files = await readFilesOfDiff(change.parts, new Set(fileNames));
  const citations = evidence.map(({ fileName, ...range }) => ({ fileName, ranges: [range] }));
  return citeLines(files, citations, bounds).map((cited) => {
    if (!cited) return null;
    const lines = cited.runs.flat().map(({ text, side }) => `${signs[side]}${shortLine(text)}`);
    let left = mostCodeBytes;
    const shown = lines.filter((line) => {
      left -= bytesOf(line);
      return left >= 0;
    });
    const more = cited.omitted + lines.length - shown.length;
    return [...shown, ...(more > 0 ? [`… ${more} more lines`] : [])].join('\n');
  });
}

const signs = { added: '+', removed: '-', context: ' ' };

/** A line that stays one, with its indentation. */
function shortLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (one) =>
    one === '\t' ? one : '\uFFFD',
  );
  return line.length <= longestLine
    ? line
    : `${line.slice(0, longestLine - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function placePiece(
  { fileName, side, startLine, endLine, hostUrl }: Evidence,
  code: string | null,
): Piece<object> {
  const url = hostUrl === null || bytesOf(hostUrl) > longestUrl ? null : hostUrl;
  const file = inShort(fileName, longestPath);
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
  const where = `${file}, ${lines} ${side === 'old' ? 'before' : 'after'} the change${url === null ? '' : `\n${url}`}`;
  return {
    text: code === null ? where : `${where}\n\n${fenced(code)}`,
    data: { file, side, startLine, endLine, url, ...(code !== null && { code }) },
  };
}

/** In a fence that nothing in it can close. */
function fenced(code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${code}\n${fence}`;
}
