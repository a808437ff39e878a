import type { LanguageRules } from './language-rules.ts';
import { languagesByLook } from './languages/by-look.ts';
import { cpp, cSharp, java } from './languages/c-family.ts';
import { go } from './languages/go.ts';
import { javaScript } from './languages/javascript.ts';
import { python } from './languages/python.ts';
import { rust } from './languages/rust.ts';
import { php, ruby } from './languages/scripting.ts';

const rulesByLanguage: ReadonlyMap<string, LanguageRules> = new Map(
  Object.entries({
    ...languagesByLook,
    // Their scripts are TypeScript or read like it.
    Astro: javaScript,
    Svelte: javaScript,
    Vue: javaScript,
    C: cpp,
    'C#': cSharp,
    'C++': cpp,
    CUDA: cpp,
    Cython: python,
    Go: go,
    Java: java,
    JavaScript: javaScript,
    PHP: php,
    Python: python,
    Ruby: ruby,
    Rust: rust,
    TypeScript: javaScript,
  }),
);

/** How to read the declarations of a file, or null where none are looked for. */
export const rulesFor = (language: string | null): LanguageRules | null =>
  rulesByLanguage.get(language ?? '') ?? null;
