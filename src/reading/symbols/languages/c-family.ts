import { wordSet } from '../../../domain/text.ts';
import {
  asContainer,
  defineLanguage,
  type Header,
  type Place,
  type SeenDeclaration,
  type Visibility,
} from '../language-rules.ts';

const notNames = wordSet(`
  if for while switch catch return sizeof else new throw using lock do case delete goto typeof nameof defined assert
  static_assert public private protected internal static
`);

interface Called {
  name: string;
  owner: string | undefined;
  before: string;
}

function findCalled(line: string): Called | null {
  const parenthesis = line.indexOf('(');
  if (parenthesis < 1) return null;
  const head = line.slice(0, parenthesis).trimEnd();
  const match = /(?:([A-Za-z_]\w*)::)?(~?[A-Za-z_]\w*)$/.exec(head.slice(-200));
  const name = match?.[2];
  if (!match || !name || notNames.has(name)) return null;
  const before = head.slice(0, head.length - match[0].length).trim();
  // After an assignment, an operator or one of these words, the name is called and not declared.
  if (/[=.!+/|%"]|->|^(?:return|throw|else|await|yield|delete|goto|case|new|typedef)\b/.test(before))
    return null;
  return { name, owner: match[1], before };
}

const javaModifiers =
  '(?:(?:public|private|protected|internal|static|abstract|final|sealed|partial|readonly|unsafe|strictfp|non-sealed|file|ref|new)\\s+)*';
const classLike = new RegExp(
  `^(?:@\\w+\\s+)*${javaModifiers}(class|interface|enum|record\\s+struct|record|struct|@interface)\\s+([A-Za-z_]\\w*)`,
);
const constantField =
  /^(?:(?:public|private|protected|internal|new)\s+)*(?:static\s+final|final\s+static|const)\s+[\w<>[\],.?]+\s+([A-Za-z_]\w*)\s*=/;

const field = /^((?:[\w<>[\],.?:@]+\s+)*?)[\w<>[\],.?:]+\s+([A-Za-z_]\w*)\s*(?:[=;{]|$)/;
const modifiersOnly =
  /^(?:(?:@\w+(?:\([^)]*\))?|public|private|protected|internal|static|explicit|inline|constexpr|virtual)\s*)*$/;

function findMethod(line: string, around: string | null): SeenDeclaration | null {
  const called = findCalled(line);
  if (!called || called.owner) return null;
  const { name, before } = called;
  if (modifiersOnly.test(before)) {
    const isOwn = name.replace('~', '') === around;
    return isOwn || (around === null && /^[A-Z]/.test(name))
      ? { kind: 'method', name, needsBody: !isOwn }
      : null;
  }
  return { kind: 'method', name };
}

function findField(line: string): SeenDeclaration | null {
  const [, before = '', name] = field.exec(line) ?? [];
  const isStatement = /^(?:return|throw|using|import|package|goto|case|else|new|await|event)\b/.test(line);
  return name && !isStatement && !notNames.has(name) && !before.includes('(')
    ? { kind: 'field', name }
    : null;
}

function findInClassLanguage(line: string, place: Place, around: string | null): SeenDeclaration | null {
  const [, keyword, className] = classLike.exec(line) ?? [];
  if (keyword && className) {
    const isClass = keyword === 'class' || keyword.startsWith('record');
    return { kind: isClass ? 'class' : 'type', name: className, holds: 'members' };
  }
  if (/^namespace\s/.test(line) && !line.endsWith(';'))
    return { kind: 'type', name: '', holds: 'file', reported: 'never' };
  if (place !== 'members') return null;
  const constant = constantField.exec(line)?.[1];
  if (constant) return { kind: 'constant', name: constant };
  return findMethod(line, around) ?? findField(line);
}

function saysPublic(declaration: Visibility): boolean | null {
  const { line, containerLine } = declaration;
  const isOfInterface = containerLine !== null && /\b(?:@?interface)\s/.test(containerLine);
  const says = /\bpublic\s/.test(line) || (isOfInterface && !/\bprivate\s/.test(line));
  return asContainer(says, declaration);
}

const braces = {
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$))/,
  lineComment: '//',
  hasBlockComments: true,
  blocks: 'braces',
  hasBracesBelow: true,
} as const;

export const java = defineLanguage({
  ...braces,
  longQuotes: ['"""'],
  find: findInClassLanguage,
  isPublic: saysPublic,
});

export const cSharp = defineLanguage({
  ...braces,
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$)|#|\[)/,
  longQuotes: ['"""'],
  find: findInClassLanguage,
  isPublic: saysPublic,
});

const cppType =
  /^(?:template\s*<[^>]*>\s*)?(?:typedef\s+)?(class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:[A-Z_]+\s+)?([A-Za-z_]\w*)\s*(?:final\s*)?(?::[^:]|\{|$)/;
const cppNamespace = /^(?:inline\s+)?namespace\b[^;=]*$|^extern\s+"C"/;

function findInCpp(line: string, place: Place, around: string | null): SeenDeclaration | null {
  if (cppNamespace.test(line)) return { kind: 'type', name: '', holds: 'file', reported: 'never' };
  const [, keyword, typeName] = cppType.exec(line) ?? [];
  if (keyword && typeName) {
    if (keyword.startsWith('enum')) return { kind: 'type', name: typeName };
    return { kind: keyword === 'class' ? 'class' : 'type', name: typeName, holds: 'members' };
  }
  if (place === 'members') return findMethod(line, around) ?? findField(line);
  const called = findCalled(line);
  if (!called) return null;
  const { name, owner, before } = called;
  if (owner) return { kind: 'method', name, container: owner, needsBody: true };
  // Without a return type, this is a call of a macro.
  return modifiersOnly.test(before) ? null : { kind: 'function', name, needsBody: true };
}

/** A declaration without a body is a prototype if its parameters have types and names. */
const isPrototype = ({ text, endedBy }: Header): boolean =>
  endedBy === 'semicolon' && /\((?:void)?\)|\([^()"'\d]*\w[\s*&]+\w/.test(text);

/** In C++, other files can use only the declarations in headers, which the path shows. */
function isPublicInCpp(declaration: Visibility): boolean | null {
  const { line, container, containerLine, section, isWhole } = declaration;
  if (container === null) return !/^(?:static|namespace)\b/.test(line);
  if (containerLine === null) return isWhole ? false : null;
  const isOpen = section === null ? !/\bclass\s/.test(containerLine) : section === 'public';
  return asContainer(isOpen, declaration);
}

export const cpp = defineLanguage({
  ...braces,
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$)|#)/,
  longQuotes: [],
  outdented: /^(?:\w+|(?:public|private|protected)(?:\s+\w+)?)\s*:$/,
  find: findInCpp,
  isDeclaration: isPrototype,
  isPublic: isPublicInCpp,
});
