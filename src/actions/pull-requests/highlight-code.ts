import { createRequire } from 'node:module';

/** The part of highlight.js that we use. Its own types would add browser types to the whole service. */
interface Library {
  newInstance: () => Library;
  configure: (options: { __emitter: new () => TokenCollector }) => void;
  registerLanguage: (name: string, define: unknown) => void;
  highlight: (code: string, options: { language: string; ignoreIllegals: boolean }) => { _emitter: unknown };
}

const load = createRequire(import.meta.url);

/** The kinds of tokens with a color of their own. A span refers to a kind by its index; index 0 has no color. */
export const syntaxKinds = [null, 'keyword', 'name', 'string', 'number', 'comment'] as const;
type SyntaxKind = (typeof syntaxKinds)[number];

export interface CodeBlock {
  language: string;
  texts: string[];
}

/**
 * The colors of a block as pairs of kind and length, line after line, without line breaks. Empty if the block has no
 * colors. Numbers, because they are copied between threads and kept in memory.
 */
export type Spans = Uint16Array;

const otherNames: Record<string, string> = {
  'C#': 'csharp',
  'C++': 'cpp',
  'F#': 'fsharp',
  'Common Lisp': 'lisp',
  'Emacs Lisp': 'lisp',
  'Objective-C': 'objectivec',
  'Objective-C++': 'objectivec',
  'Protocol Buffers': 'protobuf',
  'Property List': 'xml',
  'Vim Script': 'vim',
  'Visual Basic': 'vbnet',
  'Jupyter Notebook': 'json',
  'Go Module': 'go',
  Assembly: 'x86asm',
  Astro: 'xml',
  Batchfile: 'dos',
  Blade: 'php',
  CUDA: 'cpp',
  Cython: 'python',
  Dotenv: 'bash',
  HCL: 'ini',
  HTML: 'xml',
  Jinja: 'django',
  JSON5: 'json',
  PLpgSQL: 'pgsql',
  Sass: 'scss',
  Shell: 'bash',
  Solidity: 'javascript',
  Starlark: 'python',
  Svelte: 'xml',
  SVG: 'xml',
  TOML: 'ini',
  Terraform: 'ini',
  TSX: 'typescript',
  JSX: 'javascript',
  Vue: 'xml',
  XML: 'xml',
};

const kinds: Record<string, SyntaxKind> = {
  keyword: 'keyword',
  literal: 'keyword',
  meta: 'keyword',
  'selector-tag': 'keyword',
  'template-tag': 'keyword',
  built_in: 'name',
  type: 'name',
  title: 'name',
  name: 'name',
  section: 'name',
  class: 'name',
  'selector-class': 'name',
  'selector-id': 'name',
  string: 'string',
  regexp: 'string',
  char: 'string',
  code: 'string',
  number: 'number',
  attr: 'number',
  attribute: 'number',
  property: 'number',
  symbol: 'number',
  bullet: 'number',
  comment: 'comment',
  doctag: 'comment',
  quote: 'comment',
};

/**
 * Longer blocks of code stay plain: coloring them takes too long. No colored span is longer, so 16 bits hold its
 * length.
 */
const mostCharacters = 20_000;

/** Many grammars take quadratic time or worse on a line, so the rest of a longer line is plain. */
const longestLine = 500;

interface Token {
  kind: SyntaxKind;
  text: string;
}

/** Collects tokens. Its output contains only text, never markup. */
class TokenCollector {
  readonly tokens: Token[] = [];
  readonly #scopes: SyntaxKind[] = [];

  startScope(name: string): void {
    const own = kinds[name] ?? kinds[name.split('.')[0] ?? ''];
    // Interpolated code in a string does not have the color of the string; other scopes keep the outer color.
    this.#scopes.push(name === 'subst' ? null : (own ?? this.#scopes.at(-1) ?? null));
  }
  endScope(): void {
    this.#scopes.pop();
  }
  addText(text: string): void {
    const kind = this.#scopes.at(-1) ?? null;
    const last = this.tokens.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== '') this.tokens.push({ kind, text });
  }
  __addSublanguage(emitter: unknown): void {
    if (emitter instanceof TokenCollector) this.tokens.push(...emitter.tokens);
  }
  /** The library also uses the former name of this function. */
  openNode(name: string): void {
    this.startScope(name);
  }
  closeNode(): void {
    this.endScope();
  }
  closeAllNodes(): void {
    this.#scopes.length = 0;
  }
  toHTML(): string {
    return '';
  }
  finalize(): void {}
}

let library: Library | null = null;
const known = new Map<string, boolean>();

/**
 * Highlights code. Hostile text can keep a grammar busy for minutes, so this runs in a thread that can be terminated.
 */
export async function highlightCode(blocks: CodeBlock[], _parent: object): Promise<Spans[]> {
  library ??= createLibrary();
  const ready = library;
  return blocks.map((block) => Uint16Array.from(spansOf(ready, block)));
}

function spansOf(library: Library, { language, texts }: CodeBlock): number[] {
  const code = texts.map((text) => text.slice(0, longestLine)).join('\n');
  const name = grammarName(language);
  if (code.length > mostCharacters || !hasGrammar(library, name)) return [];
  try {
    const { _emitter } = library.highlight(code, { language: name, ignoreIllegals: true });
    const lines = _emitter instanceof TokenCollector ? splitLines(_emitter.tokens) : [];
    if (lines.length !== texts.length) return [];
    return lines.flatMap((tokens, index) => {
      const spans = tokens.flatMap(({ kind, text }) => [syntaxKinds.indexOf(kind), text.length]);
      const beyond = (texts[index]?.length ?? 0) - longestLine;
      return beyond > 0 ? [...spans, 0, beyond] : spans;
    });
  } catch {
    return [];
  }
}

const grammarName = (language: string): string => otherNames[language] ?? language.toLowerCase();

function hasGrammar(library: Library, name: string): boolean {
  const isKnown = known.get(name) ?? registerLanguage(library, name);
  known.set(name, isKnown);
  return isKnown;
}

function createLibrary(): Library {
  const core: Library = load('highlight.js/lib/core');
  const library = core.newInstance();
  library.configure({ __emitter: TokenCollector });
  return library;
}

function registerLanguage(library: Library, name: string): boolean {
  if (!/^[a-z0-9]+$/.test(name)) return false;
  try {
    library.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));
    return true;
  } catch {
    return false;
  }
}

function splitLines(tokens: Token[]): Token[][] {
  const lines: Token[][] = [[]];
  for (const { kind, text } of tokens) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ kind, text: part });
    }
  }
  return lines;
}
