import type { PublishedContent } from '../../db/articles.ts';
import { originalTitle, otherLanguageOf, placeOfHunk, risksOf } from '../../domain/article-form.ts';
import { type ArticleWords, articleWordsFor, writtenBy } from '../../domain/article-words.ts';
import { afterSentence } from '../../domain/join-sentences.ts';
import { type Style, safeLine, styled, type Terminal, wrap } from './terminal-text.ts';

/** What an article is about, as far as that is known. */
export interface Subject {
  /** Such as owner/repo#7; empty for a patch alone. */
  name: string;
  /** The author's title. */
  title: string;
  author: string;
  /** Whether nobody has called it anything. */
  isUnsaid: boolean;
  state: 'open' | 'closed' | 'merged' | null;
  url: string | null;
}

type Change = PublishedContent['mainChanges'][number];
type Hunk = NonNullable<Change['hunk']>;
type Statement = Change['statements'][number];

/**
 * An article as lines of a terminal; brief, it is what it says at first and what to watch for, and where nobody has called it
 * anything, what changed in which file.
 */
export class TerminalArticle {
  readonly #terminal: Terminal;
  readonly #words: ArticleWords;
  readonly #lines: string[] = [];

  constructor(terminal: Terminal, languageCode: string) {
    this.#terminal = terminal;
    this.#words = articleWordsFor(languageCode);
  }

  print(subject: Subject, content: PublishedContent, isBrief: boolean): string[] {
    const { isUnsaid } = subject;
    const isByModel = content.writer.kind === 'ai';
    this.#head(subject, content);
    if (!isByModel || isBrief) this.#risks(content);
    if (!isBrief) {
      if (!isByModel) this.#authorWords(subject, content);
      this.#gap();
      if (content.background.length > 0) this.#text(this.#told(content.background));
      this.#changes(content, isByModel);
      this.#tests(content);
    } else if (isUnsaid)
      this.#section(
        this.#words.change,
        content.mainChanges.map(({ fileName, statements, description }) =>
          statements.length > 0 ? `${fileName}: ${this.#told(statements)}` : description,
        ),
      );
    if (!isBrief || isUnsaid)
      this.#section(
        this.#words.also,
        content.also.map(({ statement }) => this.#sentence(statement)),
      );
    if (isBrief) return this.#lines;
    if (isByModel) this.#authorWords(subject, content);
    this.#foot(content);
    return this.#lines;
  }

  #head({ name, title, author, state, url }: Subject, content: PublishedContent): void {
    const { aiGeneratedTitle, standfirst, scope, headSha } = content;
    this.#text(aiGeneratedTitle, { style: 'bold' });
    const original = originalTitle(title, content);
    if (original) this.#text(`${this.#words.originalTitle}${original}`, { style: 'dim' });
    const about = [name, author, state && this.#words.states[state], headSha.slice(0, 10)];
    this.#text(about.filter(Boolean).join(' · '), { style: 'dim' });
    if (url) this.#text(url, { style: 'dim' });
    if (standfirst && standfirst.text !== aiGeneratedTitle) {
      this.#gap();
      this.#text(standfirst.text);
    }
    this.#gap();
    this.#text(this.#counts(content), { style: 'dim' });
    if (scope) this.#text(scope.statement.text, { style: 'bold' });
  }

  #counts({ counts: { files, additions, deletions, commits, parts } }: PublishedContent): string {
    return [
      this.#words.files(files),
      ...(additions + deletions > 0 ? [`+${additions} −${deletions}`] : []),
      ...(parts.length > 0
        ? [parts.map((part) => this.#words.parts[part.kind](part.files)).join(this.#words.comma)]
        : []),
      ...(commits > 0 ? [this.#words.commits(commits)] : []),
    ].join(' · ');
  }

  #risks(content: PublishedContent): void {
    for (const { point } of risksOf(content)) {
      this.#gap();
      this.#text(point.label ? this.#words.labels[point.label] : this.#words.risk, { style: 'yellow' });
      this.#text(this.#told(point.statements), { indent: '  ' });
    }
  }

  /** What the author wrote, line by line as it was written; of older articles one sentence of it. */
  #authorWords({ author }: Subject, { authorWords, quote, languageCode }: PublishedContent): void {
    const { writtenIn, quotedFrom, original, authorsWords } = this.#words;
    const written = authorWords?.markdown ?? quote?.text;
    if (!written) return;
    const from = authorWords?.from ?? quote?.from ?? 'description';
    this.#heading(authorsWords[authorWords?.from ?? 'description']);
    for (const line of written.split(/\r?\n/)) this.#text(line, { indent: '  │ ' });
    const other = otherLanguageOf(written, languageCode);
    const by = from === 'commits' ? [] : [`— ${author}${{ ...quotedFrom, ...writtenIn }[from]}`];
    if (other) by.push(original[other]);
    if (by.length > 0) this.#text(by.join(' · '), { indent: '  ', style: 'dim' });
  }

  #changes(content: PublishedContent, isByModel: boolean): void {
    const { mainChanges } = content;
    if (mainChanges.length > 0 && !isByModel) this.#heading(this.#words.change);
    for (const [index, { heading, statements, hunk }] of mainChanges.entries()) {
      this.#gap();
      if (heading !== null) this.#text(heading, { style: 'bold' });
      if (statements.length > 0) this.#text(this.#told(statements));
      if (hunk) this.#hunk(hunk);
      if (index === 0 && isByModel) this.#risks(content);
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
    this.#gap();
  }

  #more(count: number): void {
    if (count > 0) this.#text(`⋯ ${this.#words.moreLines(count)}`, { indent: '    ', style: 'dim' });
  }

  #tests({ tests }: PublishedContent): void {
    if (!tests) return;
    const { added, addedTotal, statements } = tests;
    const named = addedTotal > 0 ? [this.#words.newTests(added, addedTotal - added.length)] : [];
    this.#section(this.#words.tests, [...named, ...statements.map(this.#sentence)]);
  }

  #foot({ coverage, verification, writer }: PublishedContent): void {
    this.#gap();
    const told = [
      this.#words.read(coverage),
      ...writtenBy(this.#words, writer),
      this.#words.checked(verification),
    ];
    this.#text(
      told
        .map((sentence) => `${sentence}${afterSentence(sentence)}`)
        .join('')
        .trim(),
      { style: 'dim' },
    );
  }

  #told(statements: Statement[]): string {
    return statements
      .map(this.#sentence)
      .map((sentence) => `${sentence}${afterSentence(sentence)}`)
      .join('')
      .trim();
  }

  /** A sentence, with whose words it is where it is a quotation. */
  #sentence = ({ text, basis, source }: Statement): string => {
    const sentence = basis === 'judgement' ? `${this.#words.judgement}${this.#words.colon} ${text}` : text;
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

  /** An empty line, unless one stands there. */
  #gap(): void {
    if (this.#lines.at(-1) !== '') this.#lines.push('');
  }

  #text(
    text: string,
    { indent = '', first = indent, style }: { indent?: string; first?: string; style?: Style } = {},
  ): void {
    const lines = wrap(safeLine(text, this.#terminal), this.#terminal.columns - indent.length);
    for (const [index, line] of lines.entries())
      this.#lines.push(this.#styled(`${index === 0 ? first : indent}${line}`, style));
  }

  #styled = (line: string, style: Style | undefined): string =>
    style ? styled(line, style, this.#terminal) : line;
}

const signs: Record<Hunk['lines'][number]['kind'], [sign: string, style: Style | undefined]> = {
  context: [' ', 'dim'],
  added: ['+', 'green'],
  removed: ['-', 'red'],
};
