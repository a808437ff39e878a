import { citeLines, mostPartBytes, readFilesOfDiff } from '../../actions/pull-requests/cite-lines.ts';
import { seenBy } from '../../actions/repositories/find-visible-repository.ts';
import type { Evidence } from '../../contract/told-parts.ts';
import { Type } from '../../contract/type.ts';
import { findArticlePageData } from '../../db/article-pages.ts';
import { isSameDiff } from '../../domain/diff-range.ts';
import { Failure } from '../../domain/errors.ts';
import type { AgentParts } from '../agent-parts.ts';
import { type Sentence, sentencesOf } from '../article-sentences.ts';
import { Cursor, offsetWithin } from '../cursor.ts';
import { ArticleName, type FindArticle, type FoundArticle, HostName } from '../find-article.ts';
import { EvidenceAnswer, type PrintedLines, tellEvidence } from '../tell-evidence.ts';
import { Detail, Language, takes, tool } from '../tool.ts';

const longestText = 2_000;

/** More than these are not read out of a diff for one answer, which would have no room for them. */
const bounds = { linesEach: 24, linesInAll: 600, context: 0 };

export const getEvidence = (parts: AgentParts, findArticle: FindArticle) =>
  tool({
    name: 'get_evidence',
    title: 'See what bears a sentence out',
    description:
      'The lines of the diff that bear out one sentence of an article. A sentence without lines is what somebody wrote, or a judgement.',
    input: takes({
      article: ArticleName,
      host: Type.Optional(HostName),
      sentence: Type.String({
        minLength: 1,
        maxLength: longestText,
        description: 'Its id, which get_article tells in brief, or the whole sentence.',
      }),
      language: Type.Optional(Language),
      detail: Type.Optional(Detail('where the lines are', 'the lines themselves too (the default)')),
      cursor: Type.Optional(Cursor),
    }),
    output: EvidenceAnswer,
    async run({ sentence: wanted, detail = 'full', cursor, ...asked }, call) {
      const found = await findArticle(asked, call);
      const from = offsetWithin(cursor, found.content.revision);
      const sentence = findSentence(found, wanted);
      const places = sentence.statement.evidence.slice(from);
      const code = detail === 'full' ? await readLines(parts, found, places) : null;
      return tellEvidence(parts, { found, sentence, from, code }, call);
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
    `The article has no such sentence in ${content.languageCode}. get_article lists them with their ids, in brief.`,
  );
}

/** So many are named; an article that says the same more often is asked for its sentences. */
const mostNamed = 50;

function severalSentences(sentences: Sentence[]): Failure {
  const ids = sentences.slice(0, mostNamed).map(({ statement }) => statement.id);
  const problem = `is said ${sentences.length} times; send the id of one: ${ids.join(', ')}`;
  return new Failure('INVALID_REQUEST', `sentence ${problem}.`, {
    details: [{ field: 'sentence', problem }],
  });
}

const signs = { added: '+', removed: '-', context: ' ' };

/** The lines of each place; none where the diff is another by now, or is not stored any more. */
async function readLines(
  { database }: AgentParts,
  { article, content, look }: FoundArticle,
  places: Evidence[],
): Promise<(PrintedLines | null)[]> {
  const fileNames = [...new Set(places.map(({ fileName }) => fileName))];
  const { languageCode } = content;
  const wanted = { articleId: article.id, languageCode, fileNames, mostPartBytes, viewer: seenBy(look) };
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
