import type { Static } from 'typebox';
import {
  bases,
  excerptLineKinds,
  type PointLabel,
  pointLabels,
  quoteSources,
  rowKinds,
} from '../domain/article.ts';
import { categories, changeTypes } from '../domain/change-types.ts';
import { component, ref } from './component.ts';
import { nullable } from './formats.ts';
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
    },
    {
      ...closed,
      description: 'Lines that a hunk of the diff has.',
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
          description: 'Where a sentence stands that is a quotation and nothing else.',
        }),
      ),
      evidence: Type.Array(ref(Evidence), { description: 'The lines that bear it out.' }),
    },
    closed,
  ),
);

export type Statement = Static<typeof Statement>;

const Statements = Type.Array(ref(Statement), {
  minItems: 1,
  description: 'The same, sentence by sentence.',
});

const LineNumber = (side: string) => nullable(Type.Integer({ minimum: 1, description: side }));

const ExcerptLine = Type.Object(
  {
    kind: Type.Enum([...excerptLineKinds], {
      type: 'string',
      description: 'What the line is; a `gap` stands for lines of the same file that are left out.',
    }),
    oldLine: LineNumber('Its number before the change.'),
    newLine: LineNumber('Its number after the change.'),
    text: Type.String({ description: 'The line as it stands; empty for a gap.' }),
  },
  closed,
);

const mostExcerptLines = 16;

export const Excerpt = component(
  'Excerpt',
  Type.Object(
    {
      fileName: Type.String({ description: 'Path in the repository.' }),
      heading: nullable(
        Type.String({ minLength: 1, description: 'The function or section around the lines.' }),
      ),
      lines: Type.Array(ExcerptLine, {
        minItems: 1,
        maxItems: mostExcerptLines,
        description:
          'Lines that a hunk of the diff has, cut and never written; at most twelve of them changed.',
      }),
    },
    {
      ...closed,
      examples: [
        {
          fileName: 'src/label.ts',
          heading: 'printLabel',
          lines: [
            { kind: 'removed', oldLine: 12, newLine: null, text: '  return print(label);' },
            { kind: 'added', oldLine: null, newLine: 12, text: '  return print(label, { retries: 2 });' },
          ],
        },
      ],
    },
  ),
);

export type Excerpt = Static<typeof Excerpt>;

const mostExcerptsOfChange = 3;

export const MainChange = component(
  'MainChange',
  Type.Object(
    {
      fileName: Type.String({
        description:
          'Path in the repository; where it changes several files together, `evidence` has the others.',
      }),
      changeTypes: Type.Array(ref(ChangeTypeEnum), {
        description: 'What kinds of change; empty where none is sure.',
      }),
      statements: Statements,
      description: Type.String({ description: 'What changed.' }),
      evidence: Type.Array(ref(Evidence), {
        description: 'Where it shows; empty only for a file without hunks, or for words of authors.',
      }),
      excerpts: Type.Array(ref(Excerpt), {
        maxItems: mostExcerptsOfChange,
        description: 'The lines themselves, as far as they are worth showing.',
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
        description: 'What it warns of, where that has a name; pages then show it above what changed.',
      }),
      statements: Statements,
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
      kind: Type.Enum([...rowKinds], {
        type: 'string',
        description: 'One edit that was made in many places, or files of one kind.',
      }),
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
    { ...closed, description: 'A row for what no main change tells.' },
  ),
);

export type AlsoChanged = Static<typeof AlsoChanged>;
