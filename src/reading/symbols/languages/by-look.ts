import {
  asContainer,
  defineLanguage,
  type LanguageRules,
  type Place,
  type SeenDeclaration,
  type SymbolKind,
  type Visibility,
} from '../language-rules.ts';

interface Pattern {
  kind: SymbolKind;
  /** Its first group is the name. */
  line: RegExp;
  holds?: Place;
}

interface Look {
  patterns: Pattern[];
  /** Whether functions that stand in something belong to it as methods do. */
  hasMethods?: boolean;
  comment?: RegExp;
  lineComment?: string;
  blocks?: LanguageRules['blocks'];
  longQuotes?: string[];
  isPublic?: LanguageRules['isPublic'];
}

/** A language that is known by the look of its declarations only. */
function byLook({ patterns, hasMethods = true, ...look }: Look): LanguageRules {
  return defineLanguage({
    comment: look.comment ?? /^(?:\/\/|\/\*|\*(?:\s|\/|$))/,
    lineComment: look.lineComment ?? '//',
    hasBlockComments: look.comment === undefined,
    longQuotes: look.longQuotes ?? [],
    blocks: look.blocks ?? 'braces',
    hasLooseApostrophes: true,
    find: (line, place) => firstMatch(patterns, hasMethods, line, place),
    isPublic: look.isPublic ?? (() => null),
  });
}

function firstMatch(
  patterns: Pattern[],
  hasMethods: boolean,
  line: string,
  place: Place,
): SeenDeclaration | null {
  for (const { kind, line: pattern, holds } of patterns) {
    const name = pattern.exec(line)?.[1];
    if (!name || (kind === 'field' && place !== 'members')) continue;
    if (holds) return { kind, name, holds };
    return { kind: kind === 'function' && place === 'members' && hasMethods ? 'method' : kind, name };
  }
  return null;
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
    {
      kind: 'function',
      line: new RegExp(`${kotlinModifiers}fun\\s+(?:<[^>]*>\\s*)?(?:[\\w<>?]+\\.)?(\\w+)\\s*\\(`),
    },
    { kind: 'class', line: new RegExp(`${kotlinModifiers}(?:class|object)\\s+(\\w+)`), holds: 'members' },
    { kind: 'type', line: new RegExp(`${kotlinModifiers}interface\\s+(\\w+)`), holds: 'members' },
    { kind: 'type', line: new RegExp(`${kotlinModifiers}typealias\\s+(\\w+)`) },
    { kind: 'field', line: new RegExp(`${kotlinModifiers}(?:const\\s+|lateinit\\s+)?va[lr]\\s+(\\w+)`) },
  ],
});

const swift = byLook({
  longQuotes: ['"""'],
  isPublic: (declaration) => asContainer(/\b(?:public|open)\s/.test(declaration.line), declaration),
  patterns: [
    { kind: 'function', line: new RegExp(`${swiftModifiers}func\\s+(\\w+)`) },
    { kind: 'class', line: new RegExp(`${swiftModifiers}(?:class|actor)\\s+(\\w+)`), holds: 'members' },
    {
      kind: 'type',
      line: new RegExp(`${swiftModifiers}(?:struct|enum|protocol)\\s+(\\w+)`),
      holds: 'members',
    },
    { kind: 'field', line: new RegExp(`${swiftModifiers}(?:let|var)\\s+(\\w+)`) },
  ],
});

const scala = byLook({
  longQuotes: ['"""'],
  isPublic: isNotPrivate,
  patterns: [
    { kind: 'function', line: new RegExp(`${scalaModifiers}def\\s+(\\w+)`) },
    { kind: 'class', line: new RegExp(`${scalaModifiers}(?:class|object)\\s+(\\w+)`), holds: 'members' },
    { kind: 'type', line: new RegExp(`${scalaModifiers}(?:trait|enum)\\s+(\\w+)`), holds: 'members' },
  ],
});

const shell = byLook({
  ...hash,
  // A script is called as a whole: which of its functions others use, it does not say.
  isPublic: () => false,
  patterns: [{ kind: 'function', line: /^(?:function\s+)?([A-Za-z_][\w:-]*)\s*\(\)\s*\{?/ }],
});

const powerShell = byLook({
  ...hash,
  patterns: [{ kind: 'function', line: /^function\s+([A-Za-z_][\w-]*)/i }],
});

const lua = byLook({
  comment: /^--/,
  lineComment: '--',
  blocks: 'end',
  isPublic: ({ line }) => (line.startsWith('local') ? false : null),
  patterns: [{ kind: 'function', line: /^(?:local\s+)?function\s+(\w+(?:[.:]\w+)*)/ }],
});

const elixir = byLook({
  ...hash,
  hasMethods: false,
  blocks: 'end',
  longQuotes: ['"""'],
  isPublic: (declaration) => asContainer(!/^def(?:macro)?p\b/.test(declaration.line), declaration),
  patterns: [
    { kind: 'class', line: /^defmodule\s+([A-Z][\w.]*)/, holds: 'members' },
    { kind: 'function', line: /^def(?:macro)?p?\s+([a-z_]\w*[?!]?)/ },
  ],
});

const perl = byLook({ ...hash, patterns: [{ kind: 'function', line: /^sub\s+(\w+)/ }] });

const dart = byLook({
  isPublic: ({ name }) => (name.startsWith('_') ? false : null),
  patterns: [
    { kind: 'class', line: /^(?:(?:abstract|sealed|base|final|interface|mixin)\s+)*class\s+(\w+)/ },
    { kind: 'type', line: /^(?:enum|mixin|typedef|extension)\s+(\w+)/ },
  ],
});

const zig = byLook({
  isPublic: ({ line }) => (line.startsWith('pub') ? null : false),
  patterns: [{ kind: 'function', line: /^(?:pub\s+)?(?:export\s+)?(?:inline\s+)?fn\s+(\w+)/ }],
});

const protocolBuffers = byLook({
  isPublic: () => true,
  patterns: [{ kind: 'type', line: /^(?:message|enum|service)\s+(\w+)/ }],
});

const solidity = byLook({
  isPublic: (declaration) =>
    asContainer(
      declaration.kind !== 'function' || /\b(?:public|external)\b/.test(declaration.line),
      declaration,
    ),
  patterns: [
    { kind: 'function', line: /^function\s+(\w+)/ },
    { kind: 'type', line: /^(?:abstract\s+)?(?:contract|library|interface)\s+(\w+)/, holds: 'members' },
    { kind: 'type', line: /^(?:struct|enum)\s+(\w+)/ },
  ],
});

export const languagesByLook: Record<string, LanguageRules> = {
  Dart: dart,
  Elixir: elixir,
  Kotlin: kotlin,
  Lua: lua,
  Perl: perl,
  PowerShell: powerShell,
  'Protocol Buffers': protocolBuffers,
  Scala: scala,
  Shell: shell,
  Solidity: solidity,
  Swift: swift,
  Zig: zig,
};
