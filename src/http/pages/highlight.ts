import { createRequire } from 'node:module';
import type { CodeToken, SyntaxKind } from '../../pages/article/cited-code.ts';

/** What we use of highlight.js. Its own types would bring those of a browser into the whole service. */
interface Library {
  newInstance: () => Library;
  configure: (options: { __emitter: new () => TokenCollector }) => void;
  registerLanguage: (name: string, define: unknown) => void;
  highlight: (code: string, options: { language: string; ignoreIllegals: boolean }) => { _emitter: unknown };
}

const load = createRequire(import.meta.url);

/** What our languages are called there, where it is not the same in small letters. */
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

/** Beyond this, colours are not worth the time that it takes to find them. */
const mostCharacters = 20_000;

/** Collects what is found as tokens. Only text comes out of it, never markup. */
class TokenCollector {
  readonly tokens: CodeToken[] = [];
  readonly #scopes: (SyntaxKind | null)[] = [];

  startScope(name: string): void {
    const own = kinds[name] ?? kinds[name.split('.')[0] ?? ''];
    // Inside of a string, what is put in is code again; elsewhere what stands around it goes on.
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
  /** The library calls scopes by their older name too. */
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

/** Colours code. The library is loaded when there is some to colour, and each language when it is first needed. */
export class Highlighter {
  #library: Library | null = null;
  /** Whether each language that was asked for is there. */
  readonly #known = new Map<string, boolean>();

  /** The tokens of each of some lines that follow one another. */
  highlight(lines: string[], language: string | null): CodeToken[][] {
    const plain = () => lines.map((text) => [{ kind: null, text }]);
    const code = lines.join('\n');
    if (language === null || code.length > mostCharacters) return plain();
    this.#library ??= createLibrary();
    const name = otherNames[language] ?? language.toLowerCase();
    if (!this.#knows(this.#library, name)) return plain();
    try {
      const { _emitter } = this.#library.highlight(code, { language: name, ignoreIllegals: true });
      const split = _emitter instanceof TokenCollector ? splitLines(_emitter.tokens) : [];
      return split.length === lines.length ? split : plain();
    } catch {
      // Code that a language makes nothing of is shown as it is.
      return plain();
    }
  }

  #knows(library: Library, name: string): boolean {
    const known = this.#known.get(name) ?? registerLanguage(library, name);
    this.#known.set(name, known);
    return known;
  }
}

function createLibrary(): Library {
  const core: Library = load('highlight.js/lib/core');
  const library = core.newInstance();
  library.configure({ __emitter: TokenCollector });
  return library;
}

/** Says whether there is such a language. */
function registerLanguage(library: Library, name: string): boolean {
  if (!/^[a-z0-9]+$/.test(name)) return false;
  try {
    library.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));
    return true;
  } catch {
    return false;
  }
}

function splitLines(tokens: CodeToken[]): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  for (const { kind, text } of tokens) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ kind, text: part });
    }
  }
  return lines;
}
