import type { PublishedContent } from '../../db/articles.ts';
import {
  type ArticleWords,
  articleWordsFor,
  authorTextOf,
  countsLine,
  firstDependencies,
  footOf,
  headingOfRest,
  joinSentences,
  judgementWord,
  sayLabel,
  sayTurn,
  sayUnchanged,
} from '../../domain/article-words.ts';
import {
  blockBelow,
  originalTitle,
  paragraphsOf,
  placeOfHunk,
  printsAuthorWords,
  risksAfterSections,
  risksOf,
} from '../../domain/articles.ts';
import { headlineOf } from '../../domain/titles.ts';
import { forTerminal, withoutLineBreaks } from '../command.ts';

export interface Terminal {
  columns: number;
  hasColours: boolean;
  isUnicode: boolean;
}

/** Wide characters, such as East Asian ones and emoji, take two columns; combining marks take none. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u;
const mark = /^\p{Mark}+$/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

const widthOfLetter = (letter: string): number => {
  if (mark.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
};

const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

export const columnsOf = (text: string): number =>
  isPlain(text) ? text.length : graphemesOf(text).reduce((sum, letter) => sum + widthOfLetter(letter), 0);

const closing = /^[、。，．,.:;!?！？」』】）)\]}〉》ー…]/u;

/** The pieces between which a line may be broken, each with the spaces after it. */
function breakablePieces(text: string): string[] {
  const pieces: string[] = [];
  for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
    if (isPlain(word) || !wide.test(word)) {
      pieces.push(word);
      continue;
    }
    let isOpen = false;
    for (const letter of graphemesOf(word)) {
      const isWide = widthOfLetter(letter) === 2;
      const isJoined =
        pieces.length > 0 && (closing.test(letter) || letter.trim() === '' || (!isWide && isOpen));
      if (isJoined) pieces.push(`${pieces.pop() ?? ''}${letter}`);
      else pieces.push(letter);
      isOpen = !isWide;
    }
  }
  return pieces;
}

/** Wraps a text to a width. Only words longer than a line are cut, and indentation stays before its word. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const piece of breakablePieces(text)) {
    const own = columnsOf(piece.trimEnd());
    if (line.trim() !== '' && width + own > columns) {
      lines.push(line.trimEnd());
      [line, width] = ['', 0];
    }
    line += piece;
    if (width + own > columns) {
      const cut = wrapAt(line.trimEnd(), columns);
      lines.push(...cut.slice(0, -1));
      line = `${cut.at(-1)}${/\s*$/.exec(piece)?.[0]}`;
      width = columnsOf(line);
    } else width += columnsOf(piece);
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()];
}

function wrapAt(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const letter of columnsOf(text) > columns ? graphemesOf(text) : [text]) {
    const own = columnsOf(letter);
    if (line !== '' && width + own > columns) {
      lines.push(line);
      [line, width] = ['', 0];
    }
    line += letter;
    width += own;
  }
  return [...lines, line];
}

const ascii: Record<string, string> = {
  '−': '-',
  '–': '-',
  '—': '--',
  '·': '|',
  '⋯': '...',
  '…': '...',
  '›': '>',
  '→': '->',
  '⏎': '\\n',
  '⟨': '<',
  '⟩': '>',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
  '「': '"',
  '」': '"',
};

/** Untrusted text on one line, with control characters named and unsupported characters replaced. */
export function safeLine(text: string, { isUnicode }: Pick<Terminal, 'isUnicode'>): string {
  const named = withoutLineBreaks(forTerminal(text)).replaceAll('\t', '    ');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII is looked for
  return isUnicode ? named : named.replace(/[^\u0000-\u007f]/gu, (one) => ascii[one] ?? '?');
}

const codes = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' };

type Style = keyof typeof codes;

export const styled = (text: string, style: Style, { hasColours }: Pick<Terminal, 'hasColours'>): string =>
  hasColours && text !== '' ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;

interface Subject {
  name: string;
  title: string;
  author: string;
  state: 'open' | 'closed' | 'merged' | null;
  url: string | null;
}

type Change = PublishedContent['mainChanges'][number];
type Hunk = NonNullable<Change['hunk']>;
type Statement = Change['statements'][number];

/** The most risks in a brief article. */
const mostRisks = 5;

export class TerminalArticle {
  readonly #terminal: Terminal;
  readonly #words: ArticleWords;
  readonly #lines: string[] = [];

  constructor(terminal: Terminal, languageCode: string) {
    this.#terminal = terminal;
    this.#words = articleWordsFor(languageCode);
  }

  print(subject: Subject, content: PublishedContent, isBrief: boolean): string[] {
    const isUnsaid = subject.title === '';
    const isByModel = content.writer.kind === 'ai';
    this.#head(subject, content, isBrief);
    const risks = risksOf(content);
    if (!isByModel || isBrief) this.#risks(isBrief ? risks.slice(0, mostRisks) : risks);
    if (isBrief && risks.length > mostRisks)
      this.#text(`⋯ ${this.#words.andMore(risks.length - mostRisks)}`, { style: 'dim' });
    if (!isBrief) {
      if (!isByModel) this.#authorWords(subject, content);
      this.#gap();
      if (content.background.length > 0) this.#text(this.#joined(content.background));
      this.#changes(content, isByModel);
      this.#review(content, subject);
      this.#dependencies(content);
      this.#tests(content);
    } else if (isUnsaid)
      this.#section(
        this.#words.change,
        content.mainChanges.map(({ fileName, statements, description }) =>
          statements.length > 0 ? `${fileName}: ${this.#joined(statements)}` : description,
        ),
      );
    if (!isBrief || isUnsaid)
      this.#section(
        headingOfRest(this.#words, content),
        content.also.map(({ statement }) => this.#sentence(statement)),
      );
    if (isBrief) return this.#lines;
    if (isByModel && printsAuthorWords(content)) this.#authorWords(subject, content);
    this.#gap();
    this.#text(footOf(this.#words, content), { style: 'dim' });
    return this.#lines;
  }

  #head({ name, title, author, state, url }: Subject, content: PublishedContent, isBrief: boolean): void {
    const { aiGeneratedTitle, standfirst, scope, headSha } = content;
    this.#text(headlineOf(title, content), { style: 'bold' });
    const original = originalTitle(title, content);
    if (original) this.#text(`${this.#words.originalTitle}${original}`, { style: 'dim' });
    const about = [name, author, state && this.#words.states[state], headSha.slice(0, 10)];
    this.#text(about.filter(Boolean).join(' · '), { style: 'dim' });
    if (url) this.#text(url, { style: 'dim' });
    const lead = standfirst?.text === aiGeneratedTitle ? null : standfirst?.text;
    const line = lead ?? (isBrief ? content.quote?.text : null);
    if (line) {
      this.#gap();
      this.#text(line);
    }
    this.#gap();
    this.#text(countsLine(this.#words, content.counts, content.writer.kind === 'ai'), { style: 'dim' });
    if (scope) this.#text(scope.statement.text, { style: 'bold' });
  }

  #risks(risks: { point: PublishedContent['notablePoints'][number] }[]): void {
    for (const { point } of risks) {
      this.#gap();
      this.#text(point.label ? this.#words.labels[point.label] : this.#words.risk, { style: 'yellow' });
      this.#text(this.#joined(point.statements), { indent: '  ' });
    }
  }

  #authorWords({ author }: Subject, content: PublishedContent): void {
    const written = authorTextOf(this.#words, content, author);
    if (!written) return;
    this.#heading(written.heading);
    for (const line of written.text.split(/\r?\n/)) this.#text(line, { indent: '  │ ' });
    if (written.by) this.#text(written.by, { indent: '  ', style: 'dim' });
  }

  #changes(content: PublishedContent, isByModel: boolean): void {
    const { mainChanges } = content;
    const risks = risksAfterSections(content);
    if (mainChanges.length > 0 && !isByModel) this.#heading(this.#words.change);
    for (const [index, { heading, statements, hunk }] of mainChanges.entries()) {
      this.#gap();
      if (heading !== null) this.#text(heading, { style: 'bold' });
      for (const [at, paragraph] of paragraphsOf(content, statements).entries()) {
        if (at > 0) this.#gap();
        const { label, statements: own } = sayLabel(this.#words, paragraph);
        this.#text(this.#joined(own), { label: label && `${label}${this.#words.colon}` });
      }
      this.#callers(blockBelow(content, statements));
      if (hunk) this.#hunk(hunk);
      if (isByModel) this.#risks(risks[index] ?? []);
    }
  }

  #review({ review }: PublishedContent, { state }: Subject): void {
    const { heading, asReviewed, asMerged, asNow } = this.#words.review;
    const { points = [], rest = null } = review ?? {};
    if (points.length > 0) this.#heading(heading);
    for (const { words, statements, hunkAsReviewed, hunk } of points) {
      for (const { author, markdown } of words) {
        this.#gap();
        for (const line of markdown.split('\n')) this.#text(line, { indent: '  │ ' });
        this.#text(`— ${author}`, { indent: '  ', style: 'dim' });
      }
      if (statements.length > 0) {
        this.#gap();
        this.#text(this.#joined(statements));
      }
      for (const [label, lines] of [
        [asReviewed, hunkAsReviewed],
        [state === 'merged' ? asMerged : asNow, hunk],
      ] as const) {
        if (!lines) continue;
        this.#gap();
        this.#text(label, { indent: '  ', style: 'dim' });
        this.#hunk(lines);
      }
    }
    if (rest && points.length > 0) this.#text(this.#sentence(rest));
  }

  #callers(block: PublishedContent['beforeAfter']): void {
    const { before, after } = this.#words;
    for (const [name, code] of block
      ? ([
          [before, block.before],
          [after, block.after],
        ] as const)
      : []) {
      this.#gap();
      this.#text(name, { indent: '  ', style: 'cyan' });
      for (const line of code.split('\n')) this.#text(line, { indent: '    ' });
    }
  }

  #hunk(hunk: Hunk): void {
    this.#gap();
    this.#text(placeOfHunk(hunk), { indent: '  ', style: 'cyan' });
    this.#more(hunk.moreBefore);
    for (const { kind, text } of hunk.lines) {
      const [sign, style] = signs[kind];
      const code = safeLine(text.replace(/\r$/, ''), this.#terminal);
      const [start = '', ...rest] = wrap(code, this.#terminal.columns - 4);
      this.#lines.push(this.#styled(`  ${sign} ${start}`.trimEnd(), style));
      for (const part of rest) this.#lines.push(this.#styled(`    ${part}`, style));
    }
    this.#more(hunk.moreAfter);
    for (const said of sayUnchanged(this.#words, hunk.lines))
      this.#text(said, { indent: '    ', style: 'dim' });
    this.#gap();
  }

  #more(count: number): void {
    if (count > 0) this.#text(`⋯ ${this.#words.moreLines(count)}`, { indent: '    ', style: 'dim' });
  }

  #dependencies({ dependencies: table }: PublishedContent): void {
    if (!table) return;
    const { shown, more } = firstDependencies(table);
    const named = shown.map((item) => `${item.name} ${sayTurn(this.#words, item)}`);
    const rest = more > 0 ? [this.#words.moreDependencies(more)] : [];
    this.#section(this.#words.dependencies, [...named, ...rest]);
  }

  #tests({ tests }: PublishedContent): void {
    if (!tests) return;
    const { added, addedTotal, statements } = tests;
    const named = addedTotal > 0 ? [this.#words.newTests(added, addedTotal - added.length)] : [];
    this.#section(this.#words.tests, [...named, ...statements.map(this.#sentence)]);
  }

  #joined = (statements: Statement[]): string => joinSentences(statements.map(this.#sentence));

  #sentence = (statement: Statement): string => {
    const { text, source } = statement;
    const word = judgementWord(this.#words, statement);
    const sentence = word ? `${word}${this.#words.colon}${text}` : text;
    return source ? `${sentence}${this.#words.author(source)}` : sentence;
  };

  #section(heading: string, paragraphs: string[]): void {
    if (paragraphs.length === 0) return;
    this.#heading(heading);
    for (const paragraph of paragraphs) this.#text(paragraph, { indent: '  ', first: '- ' });
  }

  #heading(heading: string): void {
    this.#gap();
    this.#text(heading, { style: 'bold' });
  }

  #gap(): void {
    if (this.#lines.at(-1) !== '') this.#lines.push('');
  }

  #text(
    text: string,
    {
      indent = '',
      first = indent,
      style,
      label,
    }: { indent?: string; first?: string; style?: Style; label?: string | null } = {},
  ): void {
    const begin = safeLine(label ?? '', this.#terminal);
    const [start = '', ...rest] = wrap(
      `${begin}${safeLine(text, this.#terminal)}`,
      this.#terminal.columns - indent.length,
    );
    const labelled = `${this.#styled(begin, 'bold')}${start.slice(begin.length)}`;
    this.#lines.push(this.#styled(`${first}${label ? labelled : start}`, style));
    for (const line of rest) this.#lines.push(this.#styled(`${indent}${line}`, style));
  }

  #styled = (line: string, style: Style | undefined): string =>
    style ? styled(line, style, this.#terminal) : line;
}

const signs: Record<Hunk['lines'][number]['kind'], [sign: string, style: Style | undefined]> = {
  context: [' ', 'dim'],
  added: ['+', 'green'],
  removed: ['-', 'red'],
};
