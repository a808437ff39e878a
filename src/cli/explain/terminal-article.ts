import type { PublishedContent } from '../../db/articles.ts';
import { type ArticleWords, articleWordsFor, writtenBy } from '../../domain/article-words.ts';
import { beatsOf } from '../../domain/beats.ts';
import { shownHeading } from '../../domain/excerpt-heading.ts';
import { afterSentence } from '../../domain/join-sentences.ts';
import { isToldAgain } from '../../domain/standfirst.ts';
import { type Headings, headingsFor } from '../../writing/headings.ts';
import { type Style, safeLine, styled, type Terminal, wrap } from './terminal-text.ts';

/** What an article is about, as far as that is known. */
export interface Subject {
  /** Such as owner/repo#7; empty for a patch alone. */
  name: string;
  author: string;
  /** Whether nobody has called it anything. */
  isUnsaid: boolean;
  state: 'open' | 'closed' | 'merged' | null;
  url: string | null;
}

type Change = PublishedContent['mainChanges'][number];
type Excerpt = Change['excerpts'][number];
type Statement = Change['statements'][number];

/**
 * An article as lines of a terminal; brief, it is what it says at first and what to watch for, and where nobody has called it
 * anything, what changed in which file.
 */
export class TerminalArticle {
  readonly #terminal: Terminal;
  readonly #words: ArticleWords;
  readonly #headings: Headings;
  readonly #lines: string[] = [];

  constructor(terminal: Terminal, languageCode: string) {
    this.#terminal = terminal;
    this.#words = articleWordsFor(languageCode);
    this.#headings = headingsFor(languageCode);
  }

  print(subject: Subject, content: PublishedContent, isBrief: boolean): string[] {
    const { isUnsaid } = subject;
    this.#head(subject, content, isBrief && !isUnsaid);
    if (!isBrief) this.#section(this.#headings.background, content.background.map(this.#sentence));
    for (const point of content.notablePoints) if (point.label !== null) this.#callout(point, point.label);
    if (!isBrief) this.#changes(content.mainChanges);
    else if (isUnsaid) this.#section(this.#headings.changes, content.mainChanges.map(this.#inOneLine));
    if (!isBrief || isUnsaid)
      this.#section(
        this.#headings.also,
        content.also.map((row) => this.#row(row)),
      );
    this.#section(
      this.#headings.points,
      content.notablePoints
        .filter(({ label }) => label === null)
        .map(({ categories, statements }) => `${categories.join(', ')}: ${this.#told(statements)}`),
    );
    if (!isBrief) this.#foot(content);
    return this.#lines;
  }

  #head({ name, author, state, url }: Subject, content: PublishedContent, isStandfirstAlone: boolean): void {
    this.#text(content.aiGeneratedTitle, { style: 'bold' });
    const about = [name, author, state && this.#words.states[state], content.headSha.slice(0, 10)];
    this.#text(about.filter(Boolean).join(' · '), { style: 'dim' });
    if (url) this.#text(url, { style: 'dim' });
    if (content.quote) {
      this.#gap();
      const { text, from } = content.quote;
      this.#text(text, { indent: '  ' });
      this.#text(`— ${author}${this.#words.quotedFrom[from]}`, { indent: '  ', style: 'dim' });
    }
    if (content.standfirst && (isStandfirstAlone || !isToldAgain(content))) {
      this.#gap();
      this.#text(content.standfirst.text);
    }
    this.#gap();
    this.#text(this.#counts(content), { style: 'dim' });
  }

  #counts({ counts: { files, additions, deletions, commits, parts } }: PublishedContent): string {
    return [
      this.#words.files(files),
      ...(additions + deletions > 0 ? [`+${additions} −${deletions}`] : []),
      ...(parts.length > 0 ? [parts.map((part) => this.#words.parts[part.kind](part.files)).join(', ')] : []),
      ...(commits > 0 ? [this.#words.commits(commits)] : []),
    ].join(' · ');
  }

  #callout(
    { statements }: PublishedContent['notablePoints'][number],
    label: keyof ArticleWords['labels'],
  ): void {
    this.#gap();
    this.#text(this.#words.labels[label], { style: 'yellow' });
    this.#text(this.#told(statements), { indent: '  ' });
  }

  #changes(changes: Change[]): void {
    if (changes.length === 0) return;
    this.#heading(this.#headings.changes);
    for (const [index, { fileName, changeTypes, statements, excerpts }] of changes.entries()) {
      this.#gap();
      if (changes[index - 1]?.fileName !== fileName) {
        const types = changeTypes.length > 0 ? ` (${changeTypes.join(', ')})` : '';
        this.#text(`${fileName}${types}`, { style: 'cyan' });
      }
      for (const beat of beatsOf<Statement, Excerpt>(statements, excerpts)) {
        const said = this.#told(beat.statements);
        this.#text(said);
        for (const excerpt of beat.excerpts) this.#excerpt(excerpt, fileName, said);
      }
    }
  }

  /** What a stop says, without the colon that leads to its lines. */
  #inOneLine = ({ fileName, statements }: Change): string =>
    `${fileName}: ${this.#told(statements).replace(/[:：]$/, '')}`;

  #excerpt({ fileName, heading, lines }: Excerpt, known: string, said: string): void {
    this.#gap();
    const within = shownHeading(heading);
    const where = [
      fileName === known ? '' : fileName,
      within === null || said.includes(within) ? '' : within,
    ];
    this.#text(where.filter(Boolean).join(' › '), { indent: '  ', style: 'dim' });
    for (const { kind, text } of lines) {
      const [sign, style] = signs[kind];
      const code = safeLine(kind === 'gap' ? '⋯' : text.replace(/\r$/, ''), this.#terminal);
      const [start = '', ...rest] = wrap(code, this.#terminal.columns - 4);
      this.#lines.push(this.#styled(`  ${sign} ${start}`.trimEnd(), style));
      for (const part of rest) this.#lines.push(this.#styled(`    ${part}`, style));
    }
    this.#gap();
  }

  #row({
    kind,
    statement,
    times,
    files,
    filesTotal,
    additions,
    deletions,
  }: PublishedContent['also'][number]): string {
    const shown = files.slice(0, mostNames);
    const more = filesTotal - shown.length;
    const where = `${shown.join(', ')}${more > 0 ? ` ${this.#words.andMore(more)}` : ''}`;
    const said = this.#sentence(statement);
    if (kind === 'sameEdit')
      return `${this.#words.sameEdit} ${said}${times === null ? '' : ` · ${this.#words.times(times)}`} · ${where}`;
    return `${kind === 'test' ? `${this.#words.tests} (${where})` : where}: ${said} · +${additions} −${deletions}`;
  }

  #foot({ coverage, verification, writer }: PublishedContent): void {
    this.#gap();
    const told = [
      ...writtenBy(this.#words, writer),
      this.#headings.footer(coverage),
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
    const sentence = basis === 'judgement' ? `${this.#headings.judgement}: ${text}` : text;
    return source ? `${sentence} (${this.#headings.author}${this.#words.quotedFrom[source]})` : sentence;
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

const mostNames = 8;

const signs: Record<Excerpt['lines'][number]['kind'], [sign: string, style: Style | undefined]> = {
  context: [' ', 'dim'],
  added: ['+', 'green'],
  removed: ['-', 'red'],
  gap: [' ', 'dim'],
};
