import type { Static } from 'typebox';
import {
  authorWordsSources,
  bases,
  categories,
  changeTypes,
  hunkLineKinds,
  type PointLabel,
  pointLabels,
  quoteSources,
  type Severity,
  scopeKinds,
  severities,
} from '../domain/article.ts';
import { component, nullable, ref } from './formats.ts';
import { Type } from './type.ts';

const closed = { additionalProperties: false } as const;
const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const ChangeTypeEnum = component(
  'ChangeTypeEnum',
  Type.Enum([...changeTypes], { type: 'string', description: 'What kind of change it is.' }),
);

export const CategoryEnum = component(
  'CategoryEnum',
  Type.Enum([...categories], { type: 'string', description: 'From which side it deserves attention.' }),
);

export const Evidence = component(
  'Evidence',
  Type.Object(
    {
      fileName: Type.String({ description: 'Path in the repository.' }),
      startLine: Type.Integer({ minimum: 1, description: 'The first line that shows it.' }),
      endLine: Type.Integer({ minimum: 1, description: 'The last line that shows it.' }),
      side: Type.Enum(['old', 'new'], {
        type: 'string',
        description: 'Whether the lines are those before the change or those after it.',
      }),
      hostUrl: nullable(
        Type.String({ format: 'uri', description: 'The lines on the code host, where it shows them.' }),
      ),
      unchanged: Type.Optional(
        Type.Literal(true, {
          description: 'Lines outside of every hunk, of a definition that did not change.',
        }),
      ),
    },
    {
      ...closed,
      description: 'Lines that a hunk of the diff has, or of a definition that did not change.',
      examples: [{ fileName: 'src/label.ts', startLine: 12, endLine: 19, side: 'new', hostUrl: null }],
    },
  ),
);

export type Evidence = Static<typeof Evidence>;

export const Statement = component(
  'Statement',
  Type.Object(
    {
      id: Type.String({
        pattern: '^[0-9a-f]{12}(-[1-9][0-9]*)?$',
        description:
          'Stays as long as the sentence, what it rests on and the files of its evidence do. Pages have it as an anchor.',
      }),
      text: Type.String({ minLength: 1, description: 'One sentence.' }),
      basis: Type.Enum([...bases], {
        type: 'string',
        description:
          '`diff`: what the lines do. `words`: what somebody wrote; the sentence says who, or is a quotation with a ' +
          '`source`. `judgement`: what it means; it follows a statement of what the lines do and is no claim.',
      }),
      source: Type.Optional(
        Type.Enum([...quoteSources], {
          type: 'string',
          description: 'The source of a sentence that is a quotation and nothing else.',
        }),
      ),
      evidence: Type.Array(ref(Evidence), { description: 'The lines that bear it out.' }),
    },
    closed,
  ),
);

export type Statement = Static<typeof Statement>;

const LineNumber = (side: string) => nullable(Type.Integer({ minimum: 1, description: side }));

/** As many lines of one hunk as an article shows without a model; with one, fewer. */
const mostHunkLines = 60;

export const Hunk = component(
  'Hunk',
  Type.Object(
    {
      fileName: Type.String({ description: 'Path in the repository.' }),
      heading: nullable(
        Type.String({ minLength: 1, description: 'The function or section around the lines.' }),
      ),
      lines: Type.Array(
        Type.Object(
          {
            kind: Type.Enum([...hunkLineKinds], { type: 'string', description: 'What became of the line.' }),
            oldLine: LineNumber('Its number before the change.'),
            newLine: LineNumber('Its number after the change.'),
            text: Type.String({ description: 'The line, without its sign.' }),
          },
          closed,
        ),
        { minItems: 1, maxItems: mostHunkLines, description: 'The lines in the order of the diff.' },
      ),
      moreBefore: Count('Changed lines of the same piece above them that are not shown.'),
      moreAfter: Count('Changed lines of the same piece below them that are not shown.'),
    },
    {
      ...closed,
      description: 'One contiguous stretch of one hunk of the diff, without a gap.',
      examples: [
        {
          fileName: 'src/label.ts',
          heading: 'printLabel',
          lines: [
            { kind: 'removed', oldLine: 12, newLine: null, text: '  return print(label);' },
            { kind: 'added', oldLine: null, newLine: 12, text: '  return print(label, { retries: 2 });' },
          ],
          moreBefore: 0,
          moreAfter: 0,
        },
      ],
    },
  ),
);

export type Hunk = Static<typeof Hunk>;

export const MainChange = component(
  'MainChange',
  Type.Object(
    {
      heading: nullable(
        Type.String({ minLength: 1, description: 'What a model says of it in a line; null without one.' }),
      ),
      fileName: Type.String({
        description:
          'Path in the repository; where it changes several files together, `evidence` has the others.',
      }),
      changeTypes: Type.Array(ref(ChangeTypeEnum), {
        description: 'What kinds of change; empty where none is sure.',
      }),
      statements: Type.Array(ref(Statement), {
        description: 'What changed, sentence by sentence; empty only without a model, where `hunk` shows it.',
      }),
      description: Type.String({
        description: 'The same as one text; without sentences, `file › function`.',
      }),
      evidence: Type.Array(ref(Evidence), {
        description: 'Where it shows; empty only for a file without hunks, or for words of authors.',
      }),
      hunk: Type.Union([ref(Hunk), Type.Null()], {
        description: 'The lines themselves; null where the sentences say enough.',
      }),
    },
    closed,
  ),
);

export const NotablePoint = component(
  'NotablePoint',
  Type.Object(
    {
      categories: Type.Array(ref(CategoryEnum), { minItems: 1, description: 'Why it deserves attention.' }),
      label: Type.Unsafe<PointLabel | null>({
        type: ['string', 'null'],
        enum: [...pointLabels, null],
        description: 'What it warns of, where that has a name.',
      }),
      severity: Type.Unsafe<Severity | null>({
        type: ['string', 'null'],
        enum: [...severities, null],
        description: 'How much it matters, where that is certain.',
      }),
      statements: Type.Array(ref(Statement), { minItems: 1, description: 'The same, sentence by sentence.' }),
      point: Type.String({ description: 'What a reader should not miss.' }),
      evidence: Type.Array(ref(Evidence), {
        description: 'Where it shows; empty only for a file without hunks, or for words of authors.',
      }),
    },
    closed,
  ),
);

export const mostFilesOfRow = 20;

export const AlsoChanged = component(
  'AlsoChanged',
  Type.Object(
    {
      statement: ref(Statement),
      times: nullable(Type.Integer({ minimum: 1, description: 'How often the same edit was made.' })),
      files: Type.Array(Type.String(), {
        maxItems: mostFilesOfRow,
        description: 'Paths in the repository, or the first of them.',
      }),
      filesTotal: Count('How many files it tells of.'),
      additions: Count('Lines that were added in them.'),
      deletions: Count('Lines that were removed from them.'),
    },
    { ...closed, description: 'What the rest of the article does not mention, by edit rather than by file.' },
  ),
);

export type AlsoChanged = Static<typeof AlsoChanged>;

export const Scope = component(
  'Scope',
  Type.Object(
    {
      kind: Type.Enum([...scopeKinds], { type: 'string', description: 'All that the change does.' }),
      statement: ref(Statement),
    },
    { ...closed, description: 'How far a change reaches, where that is certain.' },
  ),
);

const mostWords = 4_000;

export const AuthorWords = component(
  'AuthorWords',
  Type.Object(
    {
      from: Type.Enum([...authorWordsSources], { type: 'string', description: 'Where the author wrote it.' }),
      markdown: Type.String({
        minLength: 1,
        maxLength: mostWords,
        description: 'Verbatim. It is somebody else’s Markdown: render it without its HTML.',
      }),
      more: Type.Boolean({ description: 'Whether the author wrote more than that.' }),
    },
    { ...closed, description: 'What the author wrote about the change.' },
  ),
);

export type AuthorWords = Static<typeof AuthorWords>;

const mostTests = 5;

export const TestChanges = component(
  'TestChanges',
  Type.Object(
    {
      added: Type.Array(Type.String(), {
        maxItems: mostTests,
        description: 'New cases, or the first of them.',
      }),
      addedTotal: Count('How many cases are new.'),
      statements: Type.Array(ref(Statement), { description: 'What else changed in tests.' }),
    },
    { ...closed, description: 'What became of tests.' },
  ),
);
