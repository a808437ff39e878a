import {
  asContainer,
  defineLanguage,
  type LanguageRules,
  type Place,
  type SymbolKind,
  type Visibility,
} from './language-rules.ts';
import { cpp, cSharp, java } from './languages/c-family.ts';
import { go, rust } from './languages/go-and-rust.ts';
import { javaScript } from './languages/javascript.ts';
import { php, python, ruby } from './languages/scripting.ts';

type Pattern = [kind: SymbolKind, line: RegExp, holds?: Place];

interface Look extends Partial<LanguageRules> {
  patterns: Pattern[];
  hasMethods?: boolean;
}

function byLook({ patterns, hasMethods = true, ...look }: Look): LanguageRules {
  return defineLanguage({
    comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$))/,
    lineComment: '//',
    hasBlockComments: look.comment === undefined,
    longQuotes: [],
    blocks: 'braces',
    hasLooseApostrophes: true,
    isPublic: () => null,
    ...look,
    find: (line, place) => {
      for (const [kind, pattern, holds] of patterns) {
        const name = pattern.exec(line)?.[1];
        if (!name || (kind === 'field' && place !== 'members')) continue;
        if (holds) return { kind, name, holds };
        return { kind: kind === 'function' && place === 'members' && hasMethods ? 'method' : kind, name };
      }
      return null;
    },
  });
}

const hash = { comment: /^#/, lineComment: '#' } as const;
const words = (modifiers: string): string => `^(?:@\\w+\\s+)*(?:(?:${modifiers})\\s+)*`;
const isNotPrivate = (declaration: Visibility): boolean | null =>
  asContainer(!/\b(?:private|internal|protected)\b/.test(declaration.line), declaration);

const kotlinModifiers = words(
  'public|private|internal|protected|open|abstract|final|sealed|data|inner|value|inline|suspend|override|operator|infix|tailrec|external|expect|actual|enum|annotation|companion|fun(?=\\s+interface)',
);
const swiftModifiers = words(
  'public|private|internal|fileprivate|open|final|static|class(?=\\s+func)|override|mutating|nonisolated|required|convenience|indirect|async',
);
const scalaModifiers = words(
  'private|protected|final|sealed|abstract|implicit|lazy|override|case|inline|given',
);

const kotlin = byLook({
  longQuotes: ['"""'],
  isPublic: isNotPrivate,
  patterns: [
    ['function', new RegExp(`${kotlinModifiers}fun\\s+(?:<[^>]*>\\s*)?(?:[\\w<>?]+\\.)?(\\w+)\\s*\\(`)],
    ['class', new RegExp(`${kotlinModifiers}(?:class|object)\\s+(\\w+)`), 'members'],
    ['type', new RegExp(`${kotlinModifiers}interface\\s+(\\w+)`), 'members'],
    ['type', new RegExp(`${kotlinModifiers}typealias\\s+(\\w+)`)],
    ['field', new RegExp(`${kotlinModifiers}(?:const\\s+|lateinit\\s+)?va[lr]\\s+(\\w+)`)],
  ],
});

const swift = byLook({
  longQuotes: ['"""'],
  isPublic: (declaration) => asContainer(/\b(?:public|open)\s/.test(declaration.line), declaration),
  patterns: [
    ['function', new RegExp(`${swiftModifiers}func\\s+(\\w+)`)],
    ['class', new RegExp(`${swiftModifiers}(?:class|actor)\\s+(\\w+)`), 'members'],
    ['type', new RegExp(`${swiftModifiers}(?:struct|enum|protocol)\\s+(\\w+)`), 'members'],
    ['field', new RegExp(`${swiftModifiers}(?:let|var)\\s+(\\w+)`)],
  ],
});

const scala = byLook({
  longQuotes: ['"""'],
  isPublic: isNotPrivate,
  patterns: [
    ['function', new RegExp(`${scalaModifiers}def\\s+(\\w+)`)],
    ['class', new RegExp(`${scalaModifiers}(?:class|object)\\s+(\\w+)`), 'members'],
    ['type', new RegExp(`${scalaModifiers}(?:trait|enum)\\s+(\\w+)`), 'members'],
  ],
});

const shell = byLook({
  ...hash,
  // A shell script is called as a whole and does not say which of its functions others use.
  isPublic: () => false,
  patterns: [['function', /^(?:function\s+)?([A-Za-z_][\w:-]*)\s*\(\)\s*\{?/]],
});

const lua = byLook({
  comment: /^--/,
  lineComment: '--',
  blocks: 'end',
  isPublic: ({ line }) => (line.startsWith('local') ? false : null),
  patterns: [['function', /^(?:local\s+)?function\s+(\w+(?:[.:]\w+)*)/]],
});

const elixir = byLook({
  ...hash,
  hasMethods: false,
  blocks: 'end',
  longQuotes: ['"""'],
  isPublic: (declaration) => asContainer(!/^def(?:macro)?p\b/.test(declaration.line), declaration),
  patterns: [
    ['class', /^defmodule\s+([A-Z][\w.]*)/, 'members'],
    ['function', /^def(?:macro)?p?\s+([a-z_]\w*[?!]?)/],
  ],
});

const dart = byLook({
  isPublic: ({ name }) => (name.startsWith('_') ? false : null),
  patterns: [
    ['class', /^(?:(?:abstract|sealed|base|final|interface|mixin)\s+)*class\s+(\w+)/],
    ['type', /^(?:enum|mixin|typedef|extension)\s+(\w+)/],
  ],
});

const rulesByLanguage: ReadonlyMap<string, LanguageRules> = new Map(
  Object.entries({
    // Scripts in these formats are TypeScript or similar.
    Astro: javaScript,
    Svelte: javaScript,
    Vue: javaScript,
    C: cpp,
    'C#': cSharp,
    'C++': cpp,
    CUDA: cpp,
    Cython: python,
    Dart: dart,
    Elixir: elixir,
    Go: go,
    Java: java,
    JavaScript: javaScript,
    Kotlin: kotlin,
    Lua: lua,
    PHP: php,
    Python: python,
    Ruby: ruby,
    Rust: rust,
    Scala: scala,
    Shell: shell,
    Swift: swift,
    TypeScript: javaScript,
  }),
);

export const rulesFor = (language: string | null): LanguageRules | null =>
  rulesByLanguage.get(language ?? '') ?? null;
