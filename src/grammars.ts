import { createRequire } from 'node:module';
import type { Language, Parser } from 'web-tree-sitter';
import type { GrammarName, Grammars } from './reading/symbols/grammar.ts';
import { grammarFor } from './reading/symbols/rules-for.ts';

/**
 * Loads grammars when a file first needs them and keeps them: all would cost 100 ms and 65 MB, and most repositories
 * need two. Nothing is loaded, not even the runtime, before the first file that has a grammar.
 */
export class GrammarLibrary {
  readonly #loaded = new Map<GrammarName, Parser>();
  readonly #loading = new Map<GrammarName, Promise<void>>();
  #runtime: Promise<Runtime> | null = null;
  readonly #onProblem: (grammar: GrammarName, problem: unknown) => void;

  constructor(onProblem: (grammar: GrammarName, problem: unknown) => void = () => {}) {
    this.#onProblem = onProblem;
  }

  /** Grammars for these files. One that cannot be loaded is missing, and files are then read without it. */
  async loadFor(files: Iterable<{ path: string; language: string | null }>): Promise<Grammars> {
    const needed = new Set<GrammarName>();
    for (const { path, language } of files) {
      const grammar = grammarFor(path, language);
      if (grammar) needed.add(grammar);
    }
    await Promise.all([...needed].map((grammar) => this.#load(grammar)));
    return this.#loaded;
  }

  #load(grammar: GrammarName): Promise<void> {
    const known = this.#loading.get(grammar);
    if (known) return known;
    const loading = this.#loadOnce(grammar).catch((problem) => this.#onProblem(grammar, problem));
    this.#loading.set(grammar, loading);
    return loading;
  }

  async #loadOnce(grammar: GrammarName): Promise<void> {
    this.#runtime ??= startRuntime();
    const { Parser, Language } = await this.#runtime;
    const path = createRequire(import.meta.url).resolve(
      `@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`,
    );
    const parser = new Parser();
    parser.setLanguage(await Language.load(path));
    this.#loaded.set(grammar, parser);
  }
}

interface Runtime {
  Parser: typeof Parser;
  Language: typeof Language;
}

async function startRuntime(): Promise<Runtime> {
  const { Parser, Language } = await import('web-tree-sitter');
  await Parser.init();
  return { Parser, Language };
}
