import type { AuthorWords, Statement } from '../contract/article-parts.ts';
import { record, Text } from '../contract/formats.ts';
import type { Review } from '../contract/reviews.ts';
import { Type } from '../contract/type.ts';
import type { PublishedContent } from '../db/articles.ts';
import { articleWordsFor } from '../domain/article-words.ts';
import {
  type ArticleSection,
  changeId,
  type PointLabel,
  paragraphsOf,
  statementsOf,
} from '../domain/articles.ts';
import { inShort, type Piece } from './tool.ts';

export interface Sentence {
  section: ArticleSection;
  statement: Statement;
  about: string | null;
  /** The label of a risk, for a sentence that stays in its section; null if the risk above it has the same label. */
  label?: PointLabel | null;
}

export function sentencesOf(content: PublishedContent): Sentence[] {
  const { authorWords, notablePoints, mainChanges, also, writer, review } = content;
  const { standfirst, scope, background, tests } = statementsOf(content);
  const all = (section: ArticleSection, statements: Statement[], about: string | null = null): Sentence[] =>
    statements.map((statement) => ({ section, statement, about }));
  const words = all('background', authorWords ? [authorStatement(authorWords)] : []);
  const why = all('background', background);
  const risks = notablePoints.flatMap(({ label, statements, section = null }) =>
    section === null ? all('points', statements, label) : [],
  );
  const changes = mainChanges.map((change, index) =>
    paragraphsOf(content, toldOf(change, index)).flatMap(({ label, statements }) =>
      statements.map((statement, at): Sentence => {
        const isRisk = label !== null && (at === 0 || statement.basis !== 'judgement');
        return isRisk
          ? { section: 'points', statement, about: label, label: at === 0 ? label : null }
          : { section: 'changes', statement, about: change.fileName };
      }),
    ),
  );
  const [first = [], ...others] = changes;
  return [
    ...all('summary', [...standfirst, ...scope]),
    ...(writer.kind === 'ai'
      ? [...why, ...first, ...risks, ...others.flat()]
      : [...words, ...why, ...risks, ...changes.flat()]),
    ...all('changes', tests),
    ...(review ? fromReview(review) : []),
    ...also.flatMap(({ statement, files }) => all('also', [statement], files[0] ?? null)),
    ...(writer.kind === 'ai' ? words : []),
  ];
}

/** The quotations and results of a review. They are no sentences of the article, so their ids are places. */
const fromReview = ({ points, rest }: Review): Sentence[] => [
  ...points.flatMap(({ words, statements, fileName }, index) => [
    ...words.map(
      ({ author, markdown }, at): Sentence => ({
        section: 'changes',
        statement: {
          id: `review-${index + 1}.${at + 1}`,
          text: `${author}: ${markdown}`,
          basis: 'words',
          evidence: [],
        },
        about: fileName,
      }),
    ),
    ...statements.map((statement): Sentence => ({ section: 'changes', statement, about: fileName })),
  ]),
  ...(rest && points.length > 0 ? [{ section: 'changes' as const, statement: rest, about: null }] : []),
];

const authorStatement = ({ from, markdown }: AuthorWords): Statement => ({
  id: 'words',
  text: markdown,
  basis: 'words',
  source: from === 'description' ? 'description' : 'commit',
  evidence: [],
});

const toldOf = (
  { statements, description, evidence }: PublishedContent['mainChanges'][number],
  index: number,
): Statement[] =>
  statements.length > 0 ? statements : [{ id: changeId(index), text: description, basis: 'diff', evidence }];

const longestSentence = 600;
const longestPath = 200;

const basis = {
  basis: Type.Unsafe<Statement['basis'] | null>({
    type: ['string', 'null'],
    description:
      'diff: what the lines do, checked against them. words: quoted from people. judgement: an interpretation. null: a title or a path.',
  }),
  source: Type.Optional(Text('Source, if the sentence is a quotation.')),
};

export const SaidSentence = record({ text: Type.String(), ...basis });

export interface Said extends Pick<Statement, 'text' | 'source'> {
  basis: Statement['basis'] | null;
}

const marks = { diff: '', words: '(what people wrote) ', judgement: '(judgement) ' };
const words = articleWordsFor('en');

/** A quotation or judgment is marked as such before its text. */
export const markOf = ({ basis, source }: Pick<Said, 'basis' | 'source'>): string =>
  source ? `(quoted${words.quotedFrom[source]}) ` : basis === null ? '' : marks[basis];

export const SentenceOutput = record({
  id: Text('Id of the sentence, for get_evidence.'),
  section: Type.String(),
  text: Type.String(),
  ...basis,
  about: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The file the sentence is about, or the risk it describes.',
  }),
});

export function sentencePiece({ section, statement, about, label }: Sentence): Piece<object> {
  const { id, basis, source } = statement;
  const text = inShort(statement.text, longestSentence);
  const named = about === null ? null : inShort(about, longestPath);
  const said = `${label ? `**${words.labels[label]}:** ` : ''}${markOf(statement)}${text}`;
  return {
    text: `- [${id}] ${said}${named === null || label !== undefined ? '' : ` (${named})`}`,
    data: { id, section, text, basis, ...(source && { source }), about: named },
  };
}
