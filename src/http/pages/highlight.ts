import { hash } from 'node:crypto';
import type { RunInThread } from '../../actions/articles/thread-tasks.ts';
import { type CodeBlock, type Spans, syntaxKinds } from '../../actions/pull-requests/highlight-code.ts';
import { Failure } from '../../domain/errors.ts';
import type { CodeLine, CodeToken } from '../../pages/articles/shown-article.ts';

export interface SetBlock {
  language: string | null;
  texts: string[];
  lines: CodeLine[];
}

/** Code by people takes a few milliseconds, and loading a grammar takes fifty. */
export const highlightingMs = 300;

/** If more pages are waiting, the next ones are sent without colors. */
const mostJobs = 8;

/** The size of the cache, enough for about a thousand pages. */
const mostBytes = 16 * 1024 * 1024;
const bytesPerEntry = 300;

const noSpans: Spans = new Uint16Array();

export class Highlighter {
  readonly #runInThread: RunInThread;
  readonly #kept = new Map<string, Spans>();
  readonly #underWay = new Map<string, Promise<Spans | null>>();
  #bytes = 0;
  #jobs = 0;

  constructor(runInThread: RunInThread) {
    this.#runInThread = runInThread;
  }

  /** Returns false if colors are missing, which a later view may have. */
  async highlight(blocks: SetBlock[]): Promise<boolean> {
    const wanted = blocks.flatMap(({ language, texts, lines }) =>
      language === null ? [] : [{ key: blockKey({ language, texts }), language, texts, lines }],
    );
    const missing = new Map<string, CodeBlock>();
    for (const { key, language, texts } of wanted)
      if (!this.#kept.has(key) && !this.#underWay.has(key)) missing.set(key, { language, texts });
    if (missing.size > 0 && this.#jobs < mostJobs) this.#start(missing);
    const found = await Promise.all(wanted.map(({ key }) => this.#underWay.get(key) ?? this.#use(key)));
    for (const [index, { texts, lines }] of wanted.entries()) colour(lines, texts, found[index] ?? noSpans);
    return found.every((spans) => spans !== null);
  }

  #start(missing: Map<string, CodeBlock>): void {
    this.#jobs += 1;
    // Hostile code takes one time limit; from then on it is plain, as is its page.
    const job = this.#runInThread('highlightCode', [...missing.values()], {})
      .catch((error: unknown) => (error instanceof Failure && error.code === 'UNREADABLE' ? [] : null))
      .finally(() => {
        this.#jobs -= 1;
      });
    for (const [index, key] of [...missing.keys()].entries()) {
      const one = job.then((all) => {
        this.#underWay.delete(key);
        if (!all) return null;
        const spans = all[index] ?? noSpans;
        this.#keep(key, spans);
        return spans;
      });
      this.#underWay.set(key, one);
    }
  }

  #use(key: string): Spans | null {
    const spans = this.#kept.get(key);
    if (!spans) return null;
    this.#kept.delete(key);
    this.#kept.set(key, spans);
    return spans;
  }

  #keep(key: string, spans: Spans): void {
    this.#kept.set(key, spans);
    this.#bytes += spans.byteLength + bytesPerEntry;
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#bytes <= mostBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= byteLength + bytesPerEntry;
    }
  }
}

const blockKey = ({ language, texts }: CodeBlock): string =>
  hash('sha256', `${language}\n${texts.join('\n')}`, 'base64');

function colour(lines: CodeLine[], texts: string[], spans: Spans): void {
  let next = 0;
  for (const [index, line] of lines.entries()) {
    const text = texts[index] ?? '';
    const indent = text.length - line.length;
    const tokens: CodeToken[] = [];
    for (let at = 0; at < text.length && next < spans.length; next += 2) {
      const kind = syntaxKinds[spans[next] ?? 0] ?? null;
      const end = at + (spans[next + 1] ?? 0);
      const shown = text.slice(Math.max(at, indent), end);
      if (shown !== '') tokens.push({ kind, text: shown });
      at = end;
    }
    if (spans.length > 0) line.tokens = tokens;
  }
}
