import { asContainer, defineLanguage, type Place, type SeenDeclaration } from '../language-rules.ts';

const definition = /^(?:async\s+)?def\s+([^\W\d]\w*|[\u0080-\uffff][^\s(]*)/;
const classDefinition = /^class\s+([^\W\d]\w*)/;
const constant = /^([A-Z][A-Z0-9_]+)\s*(?::[^=]{1,200})?=(?!=)/;
const field = /^([^\W\d]\w*)\s*(?::(?!=)|=(?!=))/;

function findInPython(line: string, place: Place): SeenDeclaration | null {
  const defined = definition.exec(line)?.[1];
  if (defined) return { kind: place === 'members' ? 'method' : 'function', name: defined };
  const className = classDefinition.exec(line)?.[1];
  if (className) return { kind: 'class', name: className, holds: 'members' };
  if (place === 'members') {
    const fieldName = /^(?:else|try|finally|lambda)\b/.test(line) ? undefined : field.exec(line)?.[1];
    return fieldName ? { kind: 'field', name: fieldName } : null;
  }
  const constantName = constant.exec(line)?.[1];
  return constantName ? { kind: 'constant', name: constantName } : null;
}

// Names with double underscores, such as `__init__`, are public operators and constructors in Python.
const isHidden = (name: string): boolean => /^_(?!_\w*__$)/.test(name);

const opensAll = /^__all__\s*(?::[^=]*)?\+?=\s*[[(]/;

function allIn(lines: string[]): ReadonlySet<string> | null {
  const start = lines.findIndex((line) => opensAll.test(line));
  if (start < 0) return null;
  const end = lines.findIndex((line, index) => index >= start && /[\])]\s*(?:#.*)?$/.test(line));
  const list = lines.slice(start, end < 0 ? undefined : end + 1).join('\n');
  return new Set(Array.from(list.matchAll(/["'](\w+)["']/g), ([, name = '']) => name));
}

export const python = defineLanguage({
  comment: /^#/,
  lineComment: '#',
  hasBlockComments: false,
  longQuotes: ['"""', "'''"],
  longQuotesDocument: true,
  blocks: 'colon',
  find: findInPython,
  namesIn: (lines) => ({ listed: allIn(lines) }),
  isPublic: (declaration) => {
    const { name, container, isWhole, file } = declaration;
    if (isHidden(name) || (container && isHidden(container))) return false;
    if (container !== null) return asContainer(true, declaration);
    if (file.listed) return file.listed.has(name) || (isWhole ? false : null);
    return isWhole ? true : null;
  },
});

const phpModifiers = '(?:(?:abstract|final|public|protected|private|static|readonly)\\s+)*';
const phpFunction = new RegExp(`^${phpModifiers}function\\s+&?\\s*([A-Za-z_\\u0080-\\uffff]\\w*)\\s*\\(`);
const phpType = new RegExp(`^${phpModifiers}(class|interface|trait|enum)\\s+([A-Za-z_]\\w*)`);
const phpConstant = new RegExp(`^${phpModifiers}const\\s+(?:\\??[A-Za-z_]\\w*\\s+)?([A-Z_][A-Z0-9_]*)\\s*=`);
const phpField = /^(?:(?:public|protected|private|static|readonly|var)\s+)+(?:[?\w|\\]+\s+)?(\$\w+)/;

function findInPhp(line: string, place: Place): SeenDeclaration | null {
  const called = phpFunction.exec(line)?.[1];
  if (called) return { kind: place === 'members' ? 'method' : 'function', name: called };
  const [, keyword, name] = phpType.exec(line) ?? [];
  if (keyword && name) return { kind: keyword === 'class' ? 'class' : 'type', name, holds: 'members' };
  const constant = phpConstant.exec(line)?.[1];
  if (constant) return { kind: 'constant', name: constant };
  const field = place === 'members' ? phpField.exec(line)?.[1] : undefined;
  return field ? { kind: 'field', name: field } : null;
}

export const php = defineLanguage({
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$)|#)/,
  lineComment: '//',
  hasBlockComments: true,
  longQuotes: [],
  heredoc: '<<<["\']?[A-Za-z_]\\w*["\']?',
  blocks: 'braces',
  hasBracesBelow: true,
  find: findInPhp,
  isPublic: (declaration) => {
    const own = !/\b(?:private|protected)\s/.test(declaration.line);
    // Classes in PHP are public; of a member of an anonymous class it is unknown who can use it.
    return declaration.container === null || declaration.isContainerPublic !== null
      ? own
      : own
        ? null
        : false;
  },
});

const rubyMethod =
  /^(?:(?:private|protected|public|module_function|private_class_method)\s+)?def\s+(?:self\.)?([A-Za-z_]\w*[?!=]?)/;
const rubyType = /^(class|module)\s+(?:[A-Za-z_]\w*::)*([A-Z]\w*)/;
const rubyConstant = /^([A-Z][A-Z0-9_]+)\s*=(?!=)/;

function findInRuby(line: string, place: Place): SeenDeclaration | null {
  const called = rubyMethod.exec(line)?.[1];
  if (called) return { kind: place === 'members' ? 'method' : 'function', name: called };
  const [, keyword, name] = rubyType.exec(line) ?? [];
  if (keyword && name) return { kind: keyword === 'class' ? 'class' : 'type', name, holds: 'members' };
  const constant = rubyConstant.exec(line)?.[1];
  return constant ? { kind: 'constant', name: constant } : null;
}

export const ruby = defineLanguage({
  comment: /^#/,
  lineComment: '#',
  hasBlockComments: false,
  longQuotes: [],
  heredoc: '<<[~-]["\'`]?[A-Za-z_]\\w*["\'`]?',
  blocks: 'end',
  outdented: /^(?:(?:private|protected|public)$|(?:rescue|ensure|else|elsif|when|in)\b)/,
  find: findInRuby,
  namesIn: (lines) => ({ hidden: hiddenIn(lines) }),
  isPublic: (declaration) => {
    const { name, line, container, section, file } = declaration;
    const isHidden =
      name.startsWith('_') ||
      /^(?:private|protected)/.test(line) ||
      section === 'private' ||
      section === 'protected' ||
      file.hidden?.has(name);
    // The word `private` alone does not hide methods of the class itself in Ruby.
    const isOwn = /^def\s+self\./.test(line) ? !file.hidden?.has(name) : !isHidden;
    return container === null && !/^(?:class|module)\s/.test(line) && !/^[A-Z]/.test(name)
      ? false
      : asContainer(isOwn, declaration);
  },
});

function hiddenIn(lines: string[]): ReadonlySet<string> {
  const hiding = lines.filter((line) =>
    /^(?:private|protected)(?:_constant|_class_method)?[\s(]+:/.test(line),
  );
  return new Set(Array.from(hiding.join(' ').matchAll(/:(\w+[?!=]?)/g), ([, name = '']) => name));
}
