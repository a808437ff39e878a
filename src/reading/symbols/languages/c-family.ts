import { wordSet } from '../../word-set.ts';
import { defineLanguage, type Place, type SeenDeclaration, type Visibility } from '../language-rules.ts';

const notNames = wordSet(`
  if for while switch catch return sizeof else new throw using lock do case delete goto typeof nameof defined assert
  static_assert public private protected internal static
`);

interface Called {
  name: string;
  /** What stands before the last "::". */
  owner: string | undefined;
  /** What stands before the name: a type, with modifiers. */
  before: string;
}

/** The name before the first parenthesis, if the line may declare a function of that name. */
function findCalled(line: string): Called | null {
  const parenthesis = line.indexOf('(');
  if (parenthesis < 1) return null;
  const head = line.slice(0, parenthesis).trimEnd();
  const match = /(?:([A-Za-z_]\w*)::)?(~?[A-Za-z_]\w*)$/.exec(head.slice(-200));
  const name = match?.[2];
  if (!match || !name || notNames.has(name)) return null;
  const before = head.slice(0, head.length - match[0].length).trim();
  // An assignment, a call on something, or an operator before the name makes it a call.
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

function findInClassLanguage(line: string, place: Place): SeenDeclaration | null {
  const [, keyword, className] = classLike.exec(line) ?? [];
  if (keyword && className) {
    const isClass = keyword === 'class' || keyword.startsWith('record');
    return { kind: isClass ? 'class' : 'type', name: className, holds: 'members' };
  }
  if (/^namespace\s/.test(line) && !line.endsWith(';')) {
    return { kind: 'type', name: '', holds: 'file', told: 'never' };
  }
  if (place !== 'members') return null;
  const field = constantField.exec(line)?.[1];
  if (field) return { kind: 'constant', name: field };
  const called = findCalled(line);
  return called ? { kind: 'method', name: called.name, isWeak: true } : null;
}

/** Members of an interface are public without saying so; everything else has to say it. */
function saysPublic({ line, isContainerPublic }: Visibility): boolean {
  return /\bpublic\s/.test(line) && isContainerPublic !== false;
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
  grammar: 'java',
  longQuotes: ['"""'],
  find: findInClassLanguage,
  isPublic: saysPublic,
  declarationNodes: wordSet(`
    class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration
    method_declaration constructor_declaration
  `),
  aroundMembers: ['class _ { ', ' }'],
});

export const cSharp = defineLanguage({
  ...braces,
  grammar: 'c-sharp',
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$)|#|\[)/,
  longQuotes: ['"""'],
  find: findInClassLanguage,
  isPublic: saysPublic,
  declarationNodes: wordSet(`
    class_declaration interface_declaration enum_declaration record_declaration struct_declaration
    method_declaration constructor_declaration
  `),
  aroundMembers: ['class _ { ', ' }'],
});

const cppType =
  /^(?:template\s*<[^>]*>\s*)?(?:typedef\s+)?(class|struct|union|enum(?:\s+(?:class|struct))?)\s+(?:[A-Z_]+\s+)?([A-Za-z_]\w*)\s*(?:final\s*)?(?::[^:]|\{|$)/;
const cppNamespace = /^(?:inline\s+)?namespace\b[^;=]*$|^extern\s+"C"/;

function findInCpp(line: string, place: Place): SeenDeclaration | null {
  if (cppNamespace.test(line)) return { kind: 'type', name: '', holds: 'file', told: 'never' };
  const [, keyword, typeName] = cppType.exec(line) ?? [];
  if (keyword && typeName) {
    if (keyword.startsWith('enum')) return { kind: 'type', name: typeName };
    return { kind: keyword === 'class' ? 'class' : 'type', name: typeName, holds: 'members' };
  }
  const called = findCalled(line);
  if (!called) return null;
  const { name, owner, before } = called;
  if (owner) return { kind: 'method', name, container: owner, isWeak: true };
  if (place === 'members') return { kind: 'method', name, isWeak: true };
  // Without a type before it, it is a macro that is called.
  return before === '' ? null : { kind: 'function', name, isWeak: true };
}

function isPublicInCpp({ kind, line, isContainerPublic, section }: Visibility): boolean {
  if (kind === 'method') return section === 'public' && isContainerPublic !== false;
  return !/^(?:static|namespace)\b/.test(line);
}

export const cpp = defineLanguage({
  ...braces,
  grammar: 'cpp',
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$)|#)/,
  longQuotes: [],
  outdented: /^(?:\w+|(?:public|private|protected)(?:\s+\w+)?)\s*:$/,
  find: findInCpp,
  isPublic: isPublicInCpp,
  declarationNodes: wordSet(`
    function_declarator class_specifier struct_specifier union_specifier enum_specifier
  `),
  aroundMembers: ['class _ { ', ' };'],
});
