import type { Static } from 'typebox';
import {
  authorWordsSources,
  bases,
  categories,
  changeTypes,
  hunkLineKinds,
  pointLabels,
  quoteSources,
  scopeKinds,
  severities,
} from '../domain/article.ts';
import {
  Count,
  component,
  Flag,
  List,
  NonEmpty,
  nullable,
  OneOf,
  oneOfOrNull,
  Positive,
  record,
  ref,
  refOrNull,
  resource,
  Text,
  Url,
} from './formats.ts';
import { Type } from './type.ts';

export const ChangeTypeEnum = component('ChangeTypeEnum', OneOf(changeTypes, 'What kind of change it is.'));

export const CategoryEnum = component(
  'CategoryEnum',
  OneOf(categories, 'From which side it deserves attention.'),
);

export const Evidence = resource(
  'Evidence',
  {
    fileName: Text('Path in the repository.'),
    startLine: Positive('The first line that shows it.'),
    endLine: Positive('The last line that shows it.'),
    side: OneOf(['old', 'new'], 'Whether the lines are those before the change or those after it.'),
    hostUrl: nullable(Url('The lines on the code host, where it shows them.')),
    unchanged: Type.Optional(
      Type.Literal(true, {
        description: 'Lines outside of every hunk, of a definition that did not change.',
      }),
    ),
    prNumber: Type.Optional(Positive('The pull request that has them, in an answer about a repository.')),
  },
  {
    description: 'Lines that a hunk of the diff has, or of a definition that did not change.',
    example: { fileName: 'src/label.ts', startLine: 12, endLine: 19, side: 'new', hostUrl: null },
  },
);

export type Evidence = Static<typeof Evidence>;

export const Statement = resource('Statement', {
  id: Type.String({
    pattern: '^[0-9a-f]{12}(-[1-9][0-9]*)?$',
    description:
      'Stays as long as the sentence, what it rests on and the files of its evidence do. Pages have it as an anchor.',
  }),
  text: NonEmpty('One sentence.'),
  basis: OneOf(
    bases,
    '`diff`: what the lines do. `words`: what people wrote; the sentence says who, or is a quotation with a ' +
      '`source`. `judgement`: what it means; it follows a statement of what the lines do and is no claim.',
  ),
  source: Type.Optional(
    OneOf(quoteSources, 'The source of a sentence that is a quotation and nothing else.'),
  ),
  evidence: List(ref(Evidence), 'The lines that bear it out.'),
  prNumber: Type.Optional(Positive('The pull request that it is about, in an answer about a repository.')),
});

export type Statement = Static<typeof Statement>;

const LineNumber = (side: string) => nullable(Positive(side));

/** As many lines of one hunk as an article shows without a model; with one, fewer. */
const mostHunkLines = 60;

export const Hunk = resource(
  'Hunk',
  {
    fileName: Text('Path in the repository.'),
    heading: nullable(NonEmpty('The function or section around the lines.')),
    lines: Type.Array(
      record({
        kind: OneOf(hunkLineKinds, 'What became of the line.'),
        oldLine: LineNumber('Its number before the change.'),
        newLine: LineNumber('Its number after the change.'),
        text: Text('The line, without its sign.'),
      }),
      { minItems: 1, maxItems: mostHunkLines, description: 'The lines in the order of the diff.' },
    ),
    moreBefore: Count('Changed lines of the same piece above them that are not shown.'),
    moreAfter: Count('Changed lines of the same piece below them that are not shown.'),
  },
  {
    description: 'One contiguous stretch of one hunk of the diff, without a gap.',
    example: {
      fileName: 'src/label.ts',
      heading: 'printLabel',
      lines: [
        { kind: 'removed', oldLine: 12, newLine: null, text: '  return print(label);' },
        { kind: 'added', oldLine: null, newLine: 12, text: '  return print(label, { retries: 2 });' },
      ],
      moreBefore: 0,
      moreAfter: 0,
    },
  },
);

export type Hunk = Static<typeof Hunk>;

export const MainChange = resource('MainChange', {
  heading: nullable(NonEmpty('What a model says of it in a line; null without one.')),
  fileName: Text(
    'Path in the repository; where it changes several files together, `evidence` has the others.',
  ),
  changeTypes: List(ref(ChangeTypeEnum), 'What kinds of change; empty where none is sure.'),
  statements: List(
    ref(Statement),
    'What changed, sentence by sentence; empty only without a model, where `hunk` shows it.',
  ),
  description: Text('The same as one text; without sentences, `file › function`.'),
  evidence: List(
    ref(Evidence),
    'Where it shows; empty only for a file without hunks, or for words of authors.',
  ),
  hunk: refOrNull(Hunk, 'The lines themselves; null where the sentences say enough.'),
});

export const NotablePoint = resource('NotablePoint', {
  categories: Type.Array(ref(CategoryEnum), { minItems: 1, description: 'Why it deserves attention.' }),
  label: oneOfOrNull(pointLabels, 'What it warns of, where that has a name.'),
  severity: oneOfOrNull(severities, 'How much it matters, where that is certain.'),
  statements: Type.Array(ref(Statement), { minItems: 1, description: 'The same, sentence by sentence.' }),
  point: Text('What a reader should not miss.'),
  evidence: List(
    ref(Evidence),
    'Where it shows; empty only for a file without hunks, or for words of authors.',
  ),
});

export const mostFilesOfRow = 20;

export const AlsoChanged = resource(
  'AlsoChanged',
  {
    statement: ref(Statement),
    times: nullable(Positive('How often the same edit was made.')),
    files: Type.Array(Type.String(), {
      maxItems: mostFilesOfRow,
      description: 'Paths in the repository, or the first of them.',
    }),
    filesTotal: Count('How many files it tells of.'),
    additions: Count('Lines that were added in them.'),
    deletions: Count('Lines that were removed from them.'),
  },
  { description: 'What the rest of the article does not mention, by edit rather than by file.' },
);

export type AlsoChanged = Static<typeof AlsoChanged>;

export const Scope = resource(
  'Scope',
  {
    kind: OneOf(scopeKinds, 'All that the change does.'),
    statement: ref(Statement),
  },
  { description: 'How far a change reaches, where that is certain.' },
);

const mostWords = 4_000;

export const AuthorWords = resource(
  'AuthorWords',
  {
    from: OneOf(authorWordsSources, 'Where the author wrote it.'),
    markdown: Type.String({
      minLength: 1,
      maxLength: mostWords,
      description: 'Verbatim. It is the author’s Markdown: render it without its HTML.',
    }),
    more: Flag('Whether the author wrote more than that.'),
  },
  { description: 'What the author wrote about the change.' },
);

export type AuthorWords = Static<typeof AuthorWords>;

const mostTests = 5;

export const TestChanges = resource(
  'TestChanges',
  {
    added: Type.Array(Type.String(), {
      maxItems: mostTests,
      description: 'New cases, or the first of them.',
    }),
    addedTotal: Count('How many cases are new.'),
    statements: List(ref(Statement), 'What else changed in tests.'),
  },
  { description: 'What became of tests.' },
);
