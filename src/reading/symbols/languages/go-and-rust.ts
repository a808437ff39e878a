import { wordSet } from '../../../domain/text.ts';
import { asContainer, defineLanguage, type Place, type SeenDeclaration } from '../language-rules.ts';

const func = /^func\s+(?:\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*)?([^\W\d]\w*)\s*[[(]/;
const typed = /^(?:type\s+)?(\w+)(?:\[[^\]]*\])?\s.*?\b(?:struct|interface)\s*\{$/;
const otherType = /^type\s+(\w+)[\s[]/;
const value = /^(?:const|var)\s+(\w+)/;
const group = /^(const|var|type)\s*\($/;
const inGroup = /^(\w+)(?:,|\s|$)/;
const interfaceMethod = /^(\w+)\(/;
const structField = /^(\w+)(?:,\s*\w+)*\s+[^\s({]/;

function findInGo(line: string, place: Place): SeenDeclaration | null {
  if (place === 'fields') {
    const method = interfaceMethod.exec(line)?.[1];
    if (method) return { kind: 'method', name: method };
    const field = structField.exec(line)?.[1];
    return field && field !== '_' ? { kind: 'field', name: field } : null;
  }
  const opened = place === 'constants' ? undefined : typed.exec(line)?.[1];
  if (opened && (place === 'types' || line.startsWith('type ')))
    return { kind: 'type', name: opened, holds: 'fields' };
  if (place === 'types' || place === 'constants') {
    const name = inGroup.exec(line)?.[1];
    return name && name !== '_' ? { kind: place === 'types' ? 'type' : 'constant', name } : null;
  }
  const [, receiver, called] = func.exec(line) ?? [];
  if (called)
    return receiver
      ? { kind: 'method', name: called, container: receiver }
      : { kind: 'function', name: called };
  const typeName = otherType.exec(line)?.[1];
  if (typeName) return { kind: 'type', name: typeName };
  const keyword = group.exec(line)?.[1];
  if (keyword)
    return { kind: 'type', name: '', holds: keyword === 'type' ? 'types' : 'constants', reported: 'never' };
  const valueName = value.exec(line)?.[1];
  return valueName && valueName !== '_' ? { kind: 'constant', name: valueName } : null;
}

const isCapitalised = (name: string): boolean => /^\p{Lu}/u.test(name);
const packageLine = /^package\s+(\w+)/;

export const go = defineLanguage({
  comment: /^(?:\/\/|\/\*)/,
  lineComment: '//',
  hasBlockComments: true,
  longQuotes: ['`'],
  blocks: 'braces',
  typeBeforeInFunction: /\b(?:interface|struct)$/,
  // gofmt indents labels one level less.
  outdented: /^\w+:(?:\s*\/\/.*)?$/,
  find: findInGo,
  namesIn: (lines) => {
    const name = lines.map((line) => packageLine.exec(line)?.[1]).find((found) => found !== undefined);
    return name === undefined ? {} : { package: name };
  },
  isPublic: (declaration) => {
    const { name, container, kind, file } = declaration;
    if (!isCapitalised(name) || (container !== null && !isCapitalised(container)) || file.package === 'main')
      return false;
    const isOwn = kind === 'field' ? asContainer(true, declaration) : true;
    return file.package === undefined ? null : isOwn;
  },
});

const visibility = '(?:pub(?:\\([^)]*\\))?\\s+)?';
const fn = new RegExp(
  `^${visibility}(?:default\\s+)?(?:const\\s+)?(?:async\\s+)?(?:unsafe\\s+)?(?:extern\\s+(?:"[^"]*"\\s+)?)?fn\\s+(\\w+)`,
);
const item = new RegExp(
  `^${visibility}(?:unsafe\\s+)?(struct|enum|union|trait|type|mod|const|static)\\s+(?:mut\\s+)?(\\w+)`,
);
const macro = /^macro_rules!\s*(\w+)/;
const field = new RegExp(`^${visibility}([a-z_]\\w*)\\s*:(?!:)`);
const variant = /^([A-Z]\w*)\s*(?:[({,=]|$)/;
const keywords = wordSet('if match for while loop let return else use');

function findInRust(line: string, place: Place): SeenDeclaration | null {
  if (place === 'fields') {
    const name = field.exec(line)?.[1] ?? variant.exec(line)?.[1];
    return name && !keywords.has(name) ? { kind: 'field', name } : null;
  }
  const called = fn.exec(line)?.[1];
  if (called) return { kind: place === 'members' ? 'method' : 'function', name: called };
  if (place === 'members') return null;
  const [, keyword, name] = item.exec(line) ?? [];
  if (keyword && name) return describeGoOrRust(keyword, name, line);
  if (/^(?:unsafe\s+)?impl\b/.test(line)) return describeImplementation(line);
  const macroName = macro.exec(line)?.[1];
  return macroName ? { kind: 'function', name: macroName } : null;
}

function describeGoOrRust(keyword: string, name: string, line: string): SeenDeclaration | null {
  if (keyword === 'mod')
    return line.endsWith(';') ? null : { kind: 'type', name, holds: 'file', reported: 'never' };
  if (keyword === 'trait') return { kind: 'type', name, holds: 'members' };
  if (keyword === 'const' || keyword === 'static') return name === '_' ? null : { kind: 'constant', name };
  return keyword === 'type' ? { kind: 'type', name } : { kind: 'type', name, holds: 'fields' };
}

/** In `impl<T> Trait<X> for Type<T>`, the functions belong to the type, and the trait distinguishes them. */
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
  return { kind: 'type', name, variant: trait, holds: 'members', reported: 'body' };
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
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$)|#!?\[)/,
  lineComment: '//',
  hasBlockComments: true,
  longQuotes: [],
  blocks: 'braces',
  hasLooseApostrophes: true,
  doubtfulHeading: /^fn main\(\)/,
  testMark: /^#\[cfg\((?:all\()?test\b/,
  find: findInRust,
  isPublic: (declaration) => {
    const { line, kind, containerLine } = declaration;
    const isPub = /^pub\s/.test(line);
    // Items of a trait and variants of an enum are as public as the trait or enum.
    const isLikeContainer =
      containerLine !== null &&
      (/\btrait\s/.test(containerLine) || (kind === 'field' && /\benum\s/.test(containerLine)));
    if (isLikeContainer) return asContainer(true, declaration);
    if (kind === 'method' || kind === 'field') return asContainer(isPub, declaration);
    // The attribute that exports a macro is on a line above it.
    return line.startsWith('macro_rules!') ? null : isPub;
  },
});
