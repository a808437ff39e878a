import type { GrammarName } from './grammar.ts';
import type { LanguageRules } from './language-rules.ts';
import { cpp, cSharp, java } from './languages/c-family.ts';
import { go } from './languages/go.ts';
import { javaScript, typeScript } from './languages/javascript.ts';
import { python } from './languages/python.ts';
import { rust } from './languages/rust.ts';
import { php, ruby } from './languages/scripting.ts';
import { languagesWithoutGrammar } from './languages/without-grammar.ts';

const tsx: LanguageRules = { ...typeScript, grammar: 'tsx' };

const rulesByLanguage: ReadonlyMap<string, LanguageRules> = new Map(
  Object.entries({
    ...languagesWithoutGrammar,
    // Their scripts are TypeScript or read like it.
    Astro: typeScript,
    Svelte: typeScript,
    Vue: typeScript,
    C: cpp,
    'C#': cSharp,
    'C++': cpp,
    CUDA: cpp,
    Cython: { ...python, grammar: null },
    Go: go,
    Java: java,
    JavaScript: javaScript,
    PHP: php,
    Python: python,
    Ruby: ruby,
    Rust: rust,
    TypeScript: typeScript,
  }),
);

/** How to read the declarations of a file, or null where none are looked for. */
export function rulesFor(path: string, language: string | null): LanguageRules | null {
  if (language === null) return null;
  if (language === 'TSX' || (language === 'TypeScript' && path.endsWith('.tsx'))) return tsx;
  return rulesByLanguage.get(language) ?? null;
}

/** The grammar that reading a file is better with, or null where there is none. */
export function grammarFor(path: string, language: string | null): GrammarName | null {
  return rulesFor(path, language)?.grammar ?? null;
}
