import { wordSet } from '../../word-set.ts';
import { defineLanguage, type Place, type SeenDeclaration } from '../language-rules.ts';

const visibility = '(?:pub(?:\\([^)]*\\))?\\s+)?';
const fn = new RegExp(
  `^${visibility}(?:default\\s+)?(?:const\\s+)?(?:async\\s+)?(?:unsafe\\s+)?(?:extern\\s+(?:"[^"]*"\\s+)?)?fn\\s+(\\w+)`,
);
const item = new RegExp(
  `^${visibility}(?:unsafe\\s+)?(struct|enum|union|trait|type|mod|const|static)\\s+(?:mut\\s+)?(\\w+)`,
);
const macro = /^macro_rules!\s*(\w+)/;

function find(line: string, place: Place): SeenDeclaration | null {
  const called = fn.exec(line)?.[1];
  if (called) return { kind: place === 'members' ? 'method' : 'function', name: called };
  if (place === 'members') return null;
  const [, keyword, name] = item.exec(line) ?? [];
  if (keyword && name) return describe(keyword, name, line);
  if (/^(?:unsafe\s+)?impl\b/.test(line)) return describeImplementation(line);
  const macroName = macro.exec(line)?.[1];
  return macroName ? { kind: 'function', name: macroName } : null;
}

function describe(keyword: string, name: string, line: string): SeenDeclaration | null {
  if (keyword === 'mod') {
    return line.endsWith(';') ? null : { kind: 'type', name, holds: 'file', told: 'never' };
  }
  if (keyword === 'trait') return { kind: 'type', name, holds: 'members' };
  if (keyword === 'const' || keyword === 'static') return name === '_' ? null : { kind: 'constant', name };
  return { kind: 'type', name };
}

/** impl<T> Trait<X> for Type<T>: the type is what its functions belong to, the trait sets them apart. */
function describeImplementation(line: string): SeenDeclaration | null {
  const text = withoutGenerics(line.slice(line.indexOf('impl') + 4));
  const [first = '', second] = text.split(/\sfor\s/);
  const name = /(?<!\w)(\w+)$/.exec(
    (second ?? first)
      .replace(/\swhere\b.*$/, '')
      .replace(/\{.*$/, '')
      .trimEnd(),
  )?.[1];
  if (!name) return null;
  const trait = second === undefined ? '' : line.slice(0, line.lastIndexOf(' for '));
  return { kind: 'type', name, variant: trait, holds: 'members', told: 'body' };
}

function withoutGenerics(text: string): string {
  let depth = 0;
  let kept = '';
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '<') depth++;
    else if (character === '>' && text[index - 1] !== '-') depth--;
    else if (depth <= 0) kept += character;
  }
  return kept;
}

export const rust = defineLanguage({
  grammar: 'rust',
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$)|#!?\[)/,
  lineComment: '//',
  hasBlockComments: true,
  longQuotes: [],
  blocks: 'braces',
  hasLooseApostrophes: true,
  doubtfulHeading: /^fn main\(\)/,
  find,
  // What a trait asks for is as public as the trait.
  isPublic: ({ line, kind, isContainerPublic }) =>
    /^pub\s/.test(line) || (kind === 'method' && isContainerPublic === true),
  declarationNodes: wordSet(`
    function_item function_signature_item struct_item enum_item union_item trait_item impl_item type_item
    macro_definition
  `),
});
