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
  turningLabels,
} from '../domain/articles.ts';
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

export const ChangeTypeEnum = component('ChangeTypeEnum', OneOf(changeTypes, 'Type of the change.'));

export const CategoryEnum = component('CategoryEnum', OneOf(categories, 'Kind of risk.'));

export const Evidence = resource(
  'Evidence',
  {
    fileName: Text('Path in the repository.'),
    startLine: Positive('First line.'),
    endLine: Positive('Last line.'),
    side: OneOf(['old', 'new'], 'Whether the line numbers refer to the file before or after the change.'),
    hostUrl: nullable(Url('URL of the lines on the code host, if it shows them.')),
    unchanged: Type.Optional(
      Type.Literal(true, {
        description: 'Lines outside all hunks, which the change leaves alone.',
      }),
    ),
    lines: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 24,
        description: 'The first of these lines, if they are unchanged: the diff does not contain them.',
      }),
    ),
    prNumber: Type.Optional(
      Positive('The pull request that contains the lines, in an answer about a repository.'),
    ),
  },
  {
    description: 'Lines in a hunk of the diff, or lines that the change leaves alone.',
    example: { fileName: 'src/label.ts', startLine: 12, endLine: 19, side: 'new', hostUrl: null },
  },
);

export type Evidence = Static<typeof Evidence>;

export const Statement = resource('Statement', {
  id: Type.String({
    pattern: '^[0-9a-f]{12}(-[1-9][0-9]*)?$',
    description:
      'Stays the same as long as the sentence, its basis and the files of its evidence stay the same. Pages use it as an anchor.',
  }),
  text: NonEmpty('One sentence.'),
  basis: OneOf(
    bases,
    '`diff`: describes the lines. `words`: reports what people wrote; the sentence says who, or is a quotation with a ' +
      '`source`. `judgement`: an interpretation that follows a statement about the lines.',
  ),
  certain: Type.Optional(Type.Literal(true, { description: 'Of a judgement that is certain to follow.' })),
  source: Type.Optional(OneOf(quoteSources, 'Source of a sentence that consists only of a quotation.')),
  evidence: List(ref(Evidence), 'The lines that show the statement.'),
  prNumber: Type.Optional(
    Positive('The pull request the statement is about, in an answer about a repository.'),
  ),
});

export type Statement = Static<typeof Statement>;

const LineNumber = (side: string) => nullable(Positive(side));

/** Articles without a model show at most this many lines of a hunk, and articles by a model fewer. */
const mostHunkLines = 60;

export const Hunk = resource(
  'Hunk',
  {
    fileName: Text('Path in the repository.'),
    heading: nullable(NonEmpty('Function or section around the lines.')),
    lines: Type.Array(
      record({
        kind: OneOf(hunkLineKinds, 'Whether the line was added, removed or unchanged.'),
        oldLine: LineNumber('Line number before the change.'),
        newLine: LineNumber('Line number after the change.'),
        text: Text('The line, without + or -.'),
        unchanged: Type.Optional(
          OneOf(['moved', 'layout'], 'Why a line with a sign is no news; only with a model.'),
        ),
      }),
      { minItems: 1, maxItems: mostHunkLines, description: 'The lines in the order of the diff.' },
    ),
    moreBefore: Count('Number of changed lines of the same piece above these that are not shown.'),
    moreAfter: Count('Number of changed lines of the same piece below these that are not shown.'),
  },
  {
    description: 'A contiguous part of one hunk of the diff.',
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
  heading: nullable(NonEmpty('Heading written by a model; null without one.')),
  fileName: Text('Path in the repository; if several files change together, `evidence` contains the others.'),
  changeTypes: List(ref(ChangeTypeEnum), 'Kinds of change; empty if none is certain.'),
  statements: List(
    ref(Statement),
    'What changed, sentence by sentence; empty only without a model if `hunk` shows it.',
  ),
  description: Text('The statements as one text; without statements, `file › function`.'),
  evidence: List(
    ref(Evidence),
    'The lines that show it; empty only for a file without hunks, or for quotations from authors.',
  ),
  hunk: refOrNull(Hunk, 'The lines themselves; null if the sentences are sufficient.'),
});

export const NotablePoint = resource('NotablePoint', {
  categories: Type.Array(ref(CategoryEnum), { minItems: 1, description: 'Kind of risk.' }),
  label: oneOfOrNull(pointLabels, 'What the risk is about, if it has a name.'),
  severity: oneOfOrNull(severities, 'Severity, if certain.'),
  statements: Type.Array(ref(Statement), { minItems: 1, description: 'The risk, sentence by sentence.' }),
  point: Text('A risk that readers should not miss.'),
  section: Type.Optional(
    nullable(
      Count(
        'Index of the main change whose sentences include `statements`; print it there, with its label. Null if the risk ' +
          'stands alone; absent in older articles.',
      ),
    ),
  ),
  evidence: List(
    ref(Evidence),
    'The lines that show it; empty only for a file without hunks, or for quotations from authors.',
  ),
});

const Code = (description: string) => Type.String({ minLength: 1, maxLength: 700, description });

export const BeforeAfter = resource(
  'BeforeAfter',
  {
    label: OneOf(turningLabels, 'Label of the risk that it shows.'),
    before: Code('What callers wrote before the change, in at most six lines.'),
    after: Code('What they write after it, in at most six lines.'),
    statements: Type.Array(ref(Statement), {
      minItems: 1,
      description: 'The sentences of a section that it shows; print it below them.',
    }),
  },
  {
    description:
      'What callers have to write instead. Made up by a model: the names in it are those of the diff, and a second model has read it.',
  },
);

export type BeforeAfter = Static<typeof BeforeAfter>;

export const mostFilesOfRow = 20;

export const AlsoChanged = resource(
  'AlsoChanged',
  {
    statement: ref(Statement),
    times: nullable(Positive('How often the same edit occurs.')),
    files: Type.Array(Type.String(), {
      maxItems: mostFilesOfRow,
      description: 'The first paths in the repository.',
    }),
    filesTotal: Count('Number of files with this edit.'),
    additions: Count('Lines added in these files.'),
    deletions: Count('Lines removed from these files.'),
  },
  { description: 'Edits that the rest of the article does not mention.' },
);

export type AlsoChanged = Static<typeof AlsoChanged>;

export const Scope = resource(
  'Scope',
  {
    kind: OneOf(scopeKinds, 'Effects of the change.'),
    statement: ref(Statement),
  },
  { description: 'Scope of the change, if certain.' },
);

export const DependencyTable = resource(
  'DependencyTable',
  {
    items: Type.Array(
      record({
        name: Text('The package.'),
        from: nullable(Text('Version before; null if it was added, or had none.')),
        to: nullable(Text('Version after; null if it was removed, or has none.')),
        direct: Flag('Whether a manifest of the change names it; otherwise only a lock file does.'),
        fileName: Text('Path of the manifest or lock file.'),
        development: Type.Optional(
          Type.Literal(true, { description: 'Used only to develop, build or test the project.' }),
        ),
      }),
      { maxItems: 200, description: 'The first dependencies, those of manifests first.' },
    ),
    total: Count('Number of dependencies that changed.'),
  },
  { description: 'Dependencies that came, went or have another version.' },
);

export type DependencyTable = Static<typeof DependencyTable>;

const mostWords = 4_000;

export const AuthorWords = resource(
  'AuthorWords',
  {
    from: OneOf(authorWordsSources, 'Where the author wrote the text.'),
    markdown: Type.String({
      minLength: 1,
      maxLength: mostWords,
      description: 'Verbatim. It is the author’s Markdown: render it without its HTML.',
    }),
    more: Flag('Whether the author wrote more than this.'),
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
      description: 'The first new test cases.',
    }),
    addedTotal: Count('Number of new test cases.'),
    statements: List(ref(Statement), 'Other changes in tests.'),
  },
  { description: 'Changes in tests.' },
);
