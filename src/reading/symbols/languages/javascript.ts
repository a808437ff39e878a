import { wordSet } from '../../../domain/text.ts';
import {
  asContainer,
  defineLanguage,
  type FileNames,
  type Place,
  type SeenDeclaration,
  type Visibility,
} from '../language-rules.ts';

const identifier = '[A-Za-z_$\\u0080-\\uffff][\\w$\\u0080-\\uffff]*';
const functionValue = `(?:async\\b\\s*)?(?:function\\b|\\((?!\\()|<|${identifier}\\s*=>)`;

const declaration = new RegExp(
  `^(export\\s+)?(default\\s+)?(?:declare\\s+)?(?:abstract\\s+)?(?:async\\s+)?(function|class|interface|(?:const\\s+)?enum|type|namespace|module|global|const|let|var)\\b\\s*\\*?\\s*(${identifier})?`,
);
const commonJsExport = new RegExp(
  `^(?:module\\.exports|exports|module\\.exports\\.(${identifier})|exports\\.(${identifier}))\\s*=\\s*(?:async\\s+)?(function\\b|class\\b|\\(|${identifier}\\s*=>)\\s*\\*?\\s*(${identifier})?`,
);
const prototypeMethod = new RegExp(
  `^(${identifier})\\.prototype\\.(${identifier})\\s*=\\s*(?:async\\s+)?function\\b`,
);
const assignedFunction = new RegExp(`^[^=]*=\\s*${functionValue}`);
const modifiers =
  '(?:(?:public|private|protected|static|override|abstract|async|get|set|readonly|declare|accessor)\\s+)*';
const method = new RegExp(`^${modifiers}\\*?\\s*(#?${identifier})\\s*\\??[(<]`);
const fieldFunction = new RegExp(`^${modifiers}(#?${identifier})\\s*(?::[^=]*)?=\\s*${functionValue}`);
const field = new RegExp(`^${modifiers}(#?${identifier})\\s*[?!]?\\s*(?::(?!:)|=(?![=>])|;|$)`);
const statements = wordSet('if for while switch catch return await super new do with else case default');

function findInFile(line: string): SeenDeclaration | null {
  const match = declaration.exec(line);
  const found = match && describeExport(match, line);
  if (found) return found;
  const assigned = commonJsExport.exec(line);
  if (assigned) {
    const [, onModule, onExports, what, own] = assigned;
    const isNamed = own !== undefined && own !== 'extends' && (what === 'function' || what === 'class');
    const name = onModule ?? onExports ?? (isNamed ? own : 'module.exports');
    return what === 'class' ? { kind: 'class', name, holds: 'members' } : { kind: 'function', name };
  }
  const onPrototype = prototypeMethod.exec(line);
  if (onPrototype?.[1] && onPrototype[2]) {
    return { kind: 'method', name: onPrototype[2], container: onPrototype[1] };
  }
  return null;
}

function describeExport(
  [, , isDefault, keyword, written]: RegExpExecArray,
  line: string,
): SeenDeclaration | null {
  const name = written && written !== 'extends' && written !== 'implements' ? written : undefined;
  switch (keyword) {
    case 'namespace':
    case 'module':
    case 'global':
      // `namespace`, `module` and `global` are also valid names of variables.
      return /^[^=(.]*\{$/.test(line)
        ? { kind: 'type', name: name ?? '', holds: 'file', reported: 'never' }
        : null;
    case 'class':
      return name || isDefault ? { kind: 'class', name: name ?? 'default', holds: 'members' } : null;
    case 'function':
      return name || isDefault ? { kind: 'function', name: name ?? 'default' } : null;
    case 'const':
    case 'let':
    case 'var':
      if (!name) return null;
      return { kind: assignedFunction.test(line) ? 'function' : 'constant', name };
    default:
      if (!name) return null;
      return keyword === 'interface' || line.endsWith('{')
        ? { kind: 'type', name, holds: 'fields' }
        : { kind: 'type', name };
  }
}

function findMember(line: string, place: Place): SeenDeclaration | null {
  const called = method.exec(line)?.[1];
  if (called && !statements.has(called))
    return { kind: 'method', name: called, needsBody: place === 'members' };
  const assigned = fieldFunction.exec(line)?.[1];
  if (assigned) return { kind: 'method', name: assigned };
  const name = field.exec(line)?.[1];
  return name && !statements.has(name) && !called ? { kind: 'field', name } : null;
}

const findDeclaration = (line: string, place: Place): SeenDeclaration | null =>
  place === 'members' || place === 'fields' ? findMember(line, place) : findInFile(line);

/** Lists of exports: `export { a, b as c }` and `module.exports = { a, c: b }`. */
const exportList = /(?:\bexport\s+(?:type\s+)?|\bmodule\.exports\s*=\s*)\{([^{}]*)\}(?!\s*from\b)/g;
const listed = /(?:^|,)\s*(?:type\s+)?([\w$]+)\s*(?:(?:as\s+|:\s*)([\w$]+)\s*)?(?=,|$)/g;
const exportedName = /^(?:export\s+default|module\.exports\s*=|exports\.[\w$]+\s*=)\s*([\w$]+)\s*;?$/;

function declaredNamesIn(lines: string[]): FileNames {
  const names = new Set<string>();
  const code = lines.filter((line) => !/^(?:\/\/|\*)/.test(line));
  for (const [, list = ''] of code.join('\n').matchAll(exportList))
    for (const [, name = '', other] of list.matchAll(listed)) names.add(name).add(other ?? name);
  for (const line of code) names.add(exportedName.exec(line)?.[1] ?? '');
  return { listed: names };
}

const opensObject = '(?:[\\w$.]{1,100}\\()?\\{$';
const namedObject = new RegExp(
  `^(?:export\\s+)?(?:const|let|var)\\s+(${identifier})\\s*(?::[^=]{1,200})?=\\s*${opensObject}`,
);
const unnamedObject = new RegExp(`^(?:export\\s+default|module\\.exports\\s*=)\\s*${opensObject}`);
const assigned = new RegExp(`^(${identifier}(?:\\.${identifier}){1,4})\\s*=\\s*${functionValue}`);
const property = new RegExp(`^['"]?(${identifier})['"]?\\s*:\\s*${functionValue}`);
const opensFunction = /(?:=>|\bfunction\b).{0,300}[{(]$|=>$/;

function findInWhole(line: string, place: Place | null): SeenDeclaration | null {
  if (place === 'members') {
    const name = opensFunction.test(line) ? property.exec(line)?.[1] : undefined;
    return name ? { kind: 'method', name } : null;
  }
  if (place !== 'file') return null;
  if (unnamedObject.test(line)) return { kind: 'type', name: '', holds: 'members', reported: 'never' };
  const object = namedObject.exec(line)?.[1];
  if (object) return { kind: 'constant', name: object, holds: 'members' };
  const name = opensFunction.test(line) && !findInFile(line) ? assigned.exec(line)?.[1] : undefined;
  return name ? { kind: 'function', name } : null;
}

function isDeclarationPublic(declaration: Visibility): boolean | null {
  const { name, line, container, isWhole, file } = declaration;
  if (container !== null)
    return asContainer(!/^[#_]/.test(name) && !/\b(?:private|protected)\s/.test(line), declaration);
  if (/^(?:export|module\.exports|exports)\b/.test(line) || file.listed?.has(name)) return true;
  return isWhole ? false : null;
}

export const javaScript = defineLanguage({
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$))/,
  lineComment: '//',
  hasBlockComments: true,
  longQuotes: ['`'],
  regularExpression:
    '(?<=(?:^|[=(,:[!&|?{};]|return)\\s?)/(?![*/])(?:[^/\\\\[]|\\\\.|\\[(?:[^\\]\\\\]|\\\\.){0,100}\\]){1,200}/',
  blocks: 'braces',
  typeBefore: /(?:[:|&<,([?]|\b(?:extends|keyof|readonly|is|in|typeof))$/,
  functionValue: new RegExp(`^${functionValue}`),
  find: findDeclaration,
  findInWhole,
  isPublic: isDeclarationPublic,
  namesIn: declaredNamesIn,
  isDeclaration: ({ text }) => /^(?:\w+\s+)*abstract\s|\)\s*:/.test(text),
});
