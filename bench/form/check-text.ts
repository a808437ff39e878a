import type { AuthorWords, WrittenArticle, WrittenStatement } from '../../src/writing/articles.ts';
import type { GitFile, Numbers } from './git-diff.ts';

/** A contradiction as printed in the report, and its place. */
export type Problem = [kind: string, what: string];

/** The output of git and the texts of a pull request. */
export interface Ground {
  files: Map<string, GitFile>;
  counts: Map<string, Numbers>;
  title: string;
  /** The description of the pull request; null if it has none. */
  body: string | null;
  /** Whole messages, oldest first. */
  commits: string[];
  commitAuthors: string[];
  /** Whole changed files before and after; read only if a name is not in the diff. */
  wholeFiles: () => string;
}

type Row = WrittenArticle['also'][number];

/** A sentence with the part of the article that it belongs to. */
interface Said {
  statement: WrittenStatement;
  row: Row | null;
}

/** Compares the text of an article with git and with the texts of people. */
export function checkText(article: WrittenArticle, ground: Ground): Problem[] {
  const said = sentencesOf(article);
  const reader = new DiffReader(ground);
  return [
    ...checkTitle(article.title),
    ...checkCounts(article, ground),
    ...said.flatMap(({ statement }) => checkEmptiness(statement.text)),
    ...said.flatMap((one) => checkNumbers(one, article, ground)),
    ...said.flatMap(({ statement }) => checkQuotations(statement, reader)),
    ...said.flatMap(({ statement }) => checkEvidence(statement, ground)),
    ...checkTests(article, ground),
    ...checkAuthorWords(article.authorWords, ground),
  ];
}

function sentencesOf(article: WrittenArticle): Said[] {
  const { standfirst, scope, background, mainChanges, notablePoints, tests, also } = article;
  const own = [
    standfirst,
    scope?.statement ?? null,
    ...background,
    ...[...mainChanges, ...notablePoints].flatMap(({ statements }) => statements),
    ...(tests?.statements ?? []),
  ].filter((statement) => statement !== null);
  return [
    ...own.map((statement) => ({ statement, row: null })),
    ...also.map((row) => ({ statement: row.statement, row })),
  ];
}

function checkTitle(title: string): Problem[] {
  if (title.trim() === '' || [...title].length > 80) return [['title that is empty or too long', title]];
  return /^Merge (?:pull request|branch)\b|\(#\d+\)$/.test(title) ? [['title with boilerplate', title]] : [];
}

const sum = (numbers: Iterable<Numbers>): Numbers => {
  const total = { additions: 0, deletions: 0 };
  for (const { additions, deletions } of numbers) {
    total.additions += additions;
    total.deletions += deletions;
  }
  return total;
};

const print = ({ additions, deletions }: Numbers): string => `+${additions} −${deletions}`;

function checkCounts(article: WrittenArticle, { counts: git }: Ground): Problem[] {
  const { counts, also } = article;
  const total = sum(git.values());
  const ofParts = counts.parts.reduce((files, part) => files + part.files, 0);
  const isSame = counts.files === git.size && ofParts === git.size && print(counts) === print(total);
  const said = `${counts.files} files (${ofParts} by kind) ${print(counts)}, git: ${git.size} ${print(total)}`;
  return [
    ...(isSame ? [] : ([['count that differs from git', said]] satisfies Problem[])),
    ...also.flatMap((row) => checkRow(row, article, git)),
  ];
}

function checkRow(
  row: Row,
  { mainChanges, also, tests }: WrittenArticle,
  git: Map<string, Numbers>,
): Problem[] {
  const { files, filesTotal, times } = row;
  const unknown = files.find((path) => !git.has(path));
  if (unknown !== undefined) return [['file that git does not print', unknown]];
  if (files.length > 20 || filesTotal < files.length || filesTotal > git.size)
    return [['row that counts its files wrong', `${files.length} of ${filesTotal}: ${row.statement.text}`]];
  if (filesTotal > files.length) return [];
  const own = sum(files.flatMap((path) => git.get(path) ?? []));
  const said = `${print(row)}, git: ${print(own)}: ${row.statement.text.slice(0, 80)}`;
  const isWithin = row.additions <= own.additions && row.deletions <= own.deletions;
  if (!isWithin) return [['row that counts lines wrong', said]];
  if (times !== null && times > Math.max(own.additions, own.deletions))
    return [['row that counts times wrong', `${times} times, ${said}`]];
  // A row has all lines of a file that nothing else in the article is about; new tests are named elsewhere.
  const isElsewhere = (path: string): boolean =>
    mainChanges.some((change) => change.fileName === path || namesFile(change.statements, path)) ||
    also.some((other) => other !== row && other.files.includes(path));
  const isAll =
    print(row) === print(own) || times !== null || (tests?.addedTotal ?? 0) > 0 || files.some(isElsewhere);
  return isAll ? [] : [['row that counts lines wrong', said]];
}

const namesFile = (statements: WrittenStatement[], path: string): boolean =>
  statements.some(({ text, evidence }) =>
    [text, ...evidence.map(({ fileName }) => fileName)].some((one) => one.includes(path)),
  );

/** Sentences that say nothing, or guess. */
const empty = [
  /^(?:also )?(?:edited|new|changed|updated|modified|added|removed|renamed|moved|other (?:edits|changes)|various (?:edits|changes))[.:]?$/i,
  /^(?:also )?(?:in|inside|within) (?:`[^`]+`|\S+)[.:]?$/i,
  /^`[^`]+`[.:]?$/,
  /^(?:編集|新規|変更|追加|削除|更新)[。：:]?$/,
  /^`[^`]+`\s?の中(?:の変更)?[。：:]?$/,
  /\bamong other(?:s| edits)?\b|\bfurther edits\b|\bother (?:small )?changes\b/i,
  /^Condition of `[^`]+` changes|\breturns early when\b|の条件が変わる/,
  /Merge pull request/,
];

const checkEmptiness = (text: string): Problem[] =>
  text.trim() === '' || empty.some((pattern) => pattern.test(text.trim()))
    ? [['sentence that says nothing', text || '(empty)']]
    : [];

const withoutCode = (text: string): string => text.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, ' ');
const withoutQuotations = (text: string): string => text.replace(/“[^”]*”|「[^」]*」|『[^』]*』/g, ' ');
const numberIn = (text: string): number => Number(text.replaceAll(',', ''));

/** Numbers of files, lines and places: those of a row are its own, others must not exceed those of git. */
function checkNumbers(
  { statement, row }: Said,
  { also }: WrittenArticle,
  { counts, files }: Ground,
): Problem[] {
  // Numbers in a quotation are the author's.
  if (statement.source !== undefined) return [];
  const text = withoutCode(withoutQuotations(statement.text));
  const about = row ? row.files : [...counts.keys()];
  const own = sum(about.flatMap((path) => counts.get(path) ?? []));
  const spans = codeSpansIn(statement.text);
  const problems: Problem[] = [];
  const object = (what: string): void => {
    problems.push(['number that git contradicts', `${what}: ${statement.text.slice(0, 100)}`]);
  };
  const stated = Array.from(
    text.matchAll(/\+([\d,]+)(?:\s[−-]([\d,]+))?|−([\d,]+)/g),
    ([, plus, minus, alone]) => ({
      additions: numberIn(plus ?? '0'),
      deletions: numberIn(minus ?? alone ?? '0'),
    }),
  );
  const known = [
    sum(counts.values()),
    own,
    ...also,
    ...[...counts].flatMap(([path, numbers]) => (namesFile([statement], path) ? numbers : [])),
  ];
  const isKnown = stated.every((one) => known.some((numbers) => print(numbers) === print(one)));
  // A row may count the lines of each function or section, which together must not exceed those of its files.
  const together = sum(stated);
  const isWithin = together.additions <= own.additions && together.deletions <= own.deletions;
  if (!isKnown && !(row && isWithin)) object(print(together));
  for (const [said, number = ''] of text.matchAll(/([\d,]+)\s?(?:more |other )?(?:files?\b|ファイル)/g)) {
    const touched = [...files.values()].filter(({ hunks }) =>
      hunks.flat().some((line) => line.kind !== 'context' && spans.some((span) => line.text.includes(span))),
    ).length;
    const most = row?.filesTotal ?? (touched || counts.size);
    if (numberIn(number) > most && numberIn(number) !== counts.size) object(said);
  }
  for (const [said, number = ''] of text.matchAll(
    /([\d,]+)\s?(?:more |changed |added |removed )*(?:lines?\b|places?\b|times\b|行|か所|箇所)/g,
  ))
    if (numberIn(number) > own.additions + own.deletions) object(said);
  return problems;
}

const codeSpansIn = (text: string): string[] =>
  Array.from(text.matchAll(/(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g), ([, , span = '']) => span.trim());

/** Only letters and digits, because pages print marks and white space differently. */
const squeeze = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)\n]*\)/g, '$1')
    // reStructuredText writes the role of a name before it.
    .replace(/:(?:\w+:)?\w+:`~?/g, '`')
    .replace(/<\/?[a-z][^>\n]*>/gi, '')
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Finds texts in the diff and in the texts of people. */
class DiffReader {
  readonly #ground: Ground;
  readonly #squeezed: string;
  readonly #plain: string;

  constructor(ground: Ground) {
    this.#ground = ground;
    const { files, title, body, commits } = ground;
    const sides = [...files.values()].flatMap(({ hunks, headings }) => [
      headings,
      ...hunks.flatMap((hunk) =>
        (['removed', 'added'] as const).map((other) =>
          hunk.filter(({ kind }) => kind !== other).map(({ text }) => text),
        ),
      ),
    ]);
    const paths = [...files.values()].flatMap(({ path, previousPath }) => [path, previousPath]);
    const words = [title, body ?? '', ...commits];
    // A comment over several lines has its mark on each of them.
    const unmarked = sides.map((lines) =>
      lines.map((line) => line.replace(/^\s*(?:\/\/[/!]?|#+|\*|--|;+|>)\s?/, '')).join('\n'),
    );
    this.#squeezed = [...unmarked, ...words].map(squeeze).join('\n');
    this.#plain = [...sides.map((lines) => lines.join('\n')), ...paths, ...words].join('\n');
  }

  /**
   * Whether words are in the diff or in the texts of people, or are a line of a changed file, such as the heading of a
   * section.
   */
  hasWords(text: string): boolean {
    const wanted = squeeze(text);
    // An ellipsis shows that words are left out.
    if (text.split(/…|\.\.\./).every((part) => this.#squeezed.includes(squeeze(part)))) return true;
    // A nested test is named after the outer one.
    if (text.includes(' › ')) return text.split(' › ').every((part) => this.hasCode(part));
    return this.#ground
      .wholeFiles()
      .split('\n')
      .some((line) => squeeze(line) === wanted);
  }

  /** Whether code occurs, or each of its names, which may belong to a class that only the whole file shows. */
  hasCode(text: string): boolean {
    if (this.#plain.includes(text) || this.hasWords(text)) return true;
    const names = text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
    const isIn = (whole: string): boolean => names.every((name) => whole.includes(name));
    return isIn(this.#plain) || isIn(this.#ground.wholeFiles() + this.#plain);
  }
}

function checkQuotations({ text, source }: WrittenStatement, reader: DiffReader): Problem[] {
  const quoted = Array.from(
    text.matchAll(/“([^”]*)”|「([^」]*)」|『([^』]*)』/g),
    ([, ...found]) => found.find((one) => one !== undefined) ?? '',
  );
  const whole = source !== undefined && quoted.length === 0 ? [text] : [];
  return [
    ...[...quoted, ...whole]
      .filter((words) => !reader.hasWords(words))
      .map((words): Problem => ['quotation that stands nowhere', words]),
    ...codeSpansIn(text)
      .filter((span) => !reader.hasCode(span))
      .map((span): Problem => ['name that stands nowhere', `${span} in: ${text.slice(0, 100)}`]),
  ];
}

function checkEvidence({ evidence, text }: WrittenStatement, { files }: Ground): Problem[] {
  const isShown = ({ fileName, startLine, endLine, side }: WrittenStatement['evidence'][number]): boolean =>
    startLine <= endLine &&
    (files.get(fileName)?.hunks ?? []).some((hunk) => {
      const numbers = hunk.flatMap(({ oldLine, newLine }) => (side === 'old' ? oldLine : newLine) ?? []);
      return startLine >= (numbers[0] ?? Number.POSITIVE_INFINITY) && endLine <= (numbers.at(-1) ?? 0);
    });
  const wrong = evidence.find((one) => !isShown(one));
  if (!wrong) return [];
  const place = `${wrong.fileName} ${wrong.side} ${wrong.startLine}–${wrong.endLine}`;
  return [['evidence outside the diff', `${place}: ${text.slice(0, 80)}`]];
}

/** An added test is on an added line that was nowhere else before. */
function checkTests({ tests }: WrittenArticle, { files }: Ground): Problem[] {
  if (!tests) return [];
  const lines = [...files.values()].flatMap(({ hunks }) => hunks.flat());
  const gone = new Set(lines.filter(({ kind }) => kind === 'removed').map(({ text }) => text.trim()));
  const { added, addedTotal } = tests;
  const problems: Problem[] = [];
  for (const name of added) {
    const last = name.split(/\s[›>]\s|\.(?=\w+$)|::/).at(-1) ?? name;
    const own = lines.filter(({ kind, text }) => kind === 'added' && text.includes(last));
    if (own.length === 0) problems.push(['test that was not added', name]);
    else if (own.every(({ text }) => gone.has(text.trim()))) problems.push(['test that only moved', name]);
  }
  if (added.length > 5 || addedTotal < added.length || new Set(added).size < added.length)
    problems.push(['tests counted wrong', `${added.length} of ${addedTotal}`]);
  return problems;
}

/**
 * Every line of the author's words must be a line that the author wrote, or whole sentences of it, in order. Markdown
 * marks, HTML comments and the number after a subject are left out.
 */
function checkAuthorWords(words: AuthorWords | null, { body, commits, commitAuthors }: Ground): Problem[] {
  if (!words) return [];
  const { from, markdown, more } = words;
  // The body of a squash merge lists the commits.
  const texts = from === 'description' ? [body ?? ''] : [body ?? '', ...commits];
  const problems: Problem[] = [];
  if (markdown.trim() === '' || [...markdown].length > 4_000)
    problems.push(['author’s words that are empty or too long', `${markdown.length} characters`]);
  const written = new WrittenLines(texts.join('\n'));
  const lines = markdown.split('\n').filter((line) => squeeze(line) !== '');
  for (const [index, line] of lines.entries()) {
    const isCut = more && index === lines.length - 1;
    const name = from === 'commits' && commitAuthors.find((author) => line.endsWith(` — ${author}`));
    const problem = written.take(name ? line.slice(0, -name.length - 3) : line, isCut);
    if (problem) problems.push([problem, line.trim().slice(0, 120)]);
  }
  return problems;
}

/** A person's text as letters and digits, with the ends of its lines and sentences. */
class WrittenLines {
  #text = '';
  #position = 0;
  readonly #edges = new Set<number>([0]);

  constructor(written: string) {
    const shown = written.replace(/<!--[\s\S]*?(?:-->|$)/g, '\n');
    for (const line of shown.split('\n')) {
      for (const sentence of withoutNumber(line).split(/(?<=[.!?。！？])\s*/)) {
        this.#text += squeeze(sentence);
        this.#edges.add(this.#text.length);
      }
    }
  }

  /** Finds the next line attributed to the author; reports what is wrong with it. */
  take(line: string, isCut: boolean): string | null {
    const wanted = squeeze(withoutNumber(line.replace(/…\s*$/, '')));
    const found = this.#find(wanted, this.#position, isCut);
    if (found >= 0) {
      this.#position = found + wanted.length;
      return null;
    }
    if (this.#find(wanted, 0, isCut) >= 0) return 'author’s words out of order';
    return this.#text.includes(wanted) ? 'author’s words torn' : 'words that the author did not write';
  }

  #find(wanted: string, start: number, isCut: boolean): number {
    for (let at = this.#text.indexOf(wanted, start); at >= 0; at = this.#text.indexOf(wanted, at + 1))
      if (this.#edges.has(at) && (isCut || this.#edges.has(at + wanted.length))) return at;
    return -1;
  }
}

const withoutNumber = (line: string): string => line.replace(/\s*\(#\d+\)\s*$/, '');
