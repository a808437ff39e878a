import type { Parser, Tree } from 'web-tree-sitter';

// A file written by hand needs a tenth of this.
const mostCharacters = 100_000;
// Mending what is wrong takes a grammar a hundred times as long as reading what is right.
const mostFailures = 30;

/** A grammar for the declarations of one file. When it has been asked too much, or breaks, it says nothing more. */
export class HeaderParser {
  readonly #parser: Parser;
  #characters = mostCharacters;
  #failures = mostFailures;

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** Hands the tree of a text without mistakes to `read`; null when there are some. */
  parse<T>(source: string, read: (tree: Tree) => T): T | null {
    this.#characters -= source.length;
    if (this.#characters < 0 || this.#failures <= 0) return null;
    try {
      const tree = this.#parser.parse(source);
      if (!tree) return null;
      try {
        if (!tree.rootNode.hasError) return read(tree);
        this.#failures--;
      } finally {
        tree.delete();
      }
    } catch {
      // A grammar that gives up must not take the pull request with it: the look of the lines has to do.
      this.#failures = 0;
    }
    return null;
  }
}
