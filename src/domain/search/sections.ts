/** What an article says, as far as it is searched. */
interface SearchedContent {
  aiGeneratedTitle: string;
  standfirst: Sentence | null;
  scope: { statement: Sentence } | null;
  authorWords: { markdown: string } | null;
  background: Sentence[];
  mainChanges: {
    heading: string | null;
    fileName: string;
    statements: Sentence[];
    description: string;
    evidence: { fileName: string }[];
  }[];
  notablePoints: { label: string | null; statements: Sentence[] }[];
  tests: { added: string[]; statements: Sentence[] } | null;
  also: { statement: Sentence; files: string[] }[];
  quote: { text: string } | null;
}

interface Sentence {
  id: string;
  text: string;
}

export const sectionKinds = [
  'title',
  'standfirst',
  'scope',
  'background',
  'words',
  'change',
  'point',
  'test',
  'also',
  'file',
] as const;

/** A sentence of an article or of the author (`words`), or a file that the article is about. */
export interface Section {
  kind: (typeof sectionKinds)[number];
  text: string;
  /** The sentence; the page of the article has it as an anchor. */
  id?: string;
  /** Of a change, counted from one. */
  number?: number;
  /** What a point warns of. */
  label?: string;
}

/** Large pull requests tell of hundreds of files; the first are those that matter most. */
const mostFiles = 200;

/** What the author wrote: the title, and the description where the article does not have the author's words itself. */
interface Author {
  title: string | null;
  description: string | null;
}

export function sectionsOf(
  content: SearchedContent,
  { title, description }: Author = { title: null, description: null },
): Section[] {
  const { aiGeneratedTitle, standfirst, scope, background, mainChanges, notablePoints, tests, also } =
    content;
  const told = (kind: Section['kind'], { id, text }: Sentence, more: Partial<Section> = {}): Section => ({
    kind,
    text,
    id,
    ...more,
  });
  return [
    { kind: 'title', text: aiGeneratedTitle },
    ...(standfirst ? [told('standfirst', standfirst)] : []),
    ...(scope ? [told('scope', scope.statement)] : []),
    ...background.map((sentence) => told('background', sentence)),
    ...(title === null || title.toLowerCase().includes(aiGeneratedTitle.toLowerCase())
      ? []
      : [{ kind: 'words' as const, text: title }]),
    ...wordsOf(content, description).map((text): Section => ({ kind: 'words', text })),
    ...mainChanges.flatMap(({ heading, statements, description }, index) => {
      const number = index + 1;
      const shown = { id: `change-${number}`, text: heading ?? description };
      return [...(heading !== null || statements.length === 0 ? [shown] : []), ...statements].map(
        (sentence) => told('change', sentence, { number }),
      );
    }),
    ...notablePoints.flatMap(({ label, statements }) =>
      statements.map((sentence) => told('point', sentence, label === null ? {} : { label })),
    ),
    ...(tests?.added ?? []).map((text) => told('test', { id: 'tests', text })),
    ...(tests?.statements ?? []).map((sentence) => told('test', sentence)),
    ...also.map(({ statement }) => told('also', statement)),
    ...filesOf(content).map((text): Section => ({ kind: 'file', text })),
  ];
}

/** The author's sentences, each once, without comments and marks: the quotation that lists show, and all words. */
function wordsOf({ quote, authorWords, background }: SearchedContent, description: string | null): string[] {
  const paragraphs = (authorWords?.markdown ?? description ?? '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split(/\n(?=[ \t]*(?:\n|[#>*+-]|\d+\.))/)
    .map((paragraph) => paragraph.replace(/^[\s#>*+-]+/, '').replace(/\s+/g, ' '));
  const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/(?<=[.!?]) |(?<=[。！？])/));
  const known = new Set(background.map(({ text }) => text));
  return [...new Set([...(quote ? [quote.text] : []), ...sentences.map((text) => text.trim())])].filter(
    (text) => text !== '' && !known.has(text),
  );
}

/** The files that an article tells of, those of its changes first. */
function filesOf({ mainChanges, also }: SearchedContent): string[] {
  const changed = mainChanges.map(({ fileName }) => fileName);
  const cited = mainChanges.flatMap(({ evidence }) => evidence.map(({ fileName }) => fileName));
  return [...new Set([...changed, ...cited, ...also.flatMap(({ files }) => files)])].slice(0, mostFiles);
}
