import { asContainer, defineLanguage, type Place, type SeenDeclaration } from '../language-rules.ts';

const definition = /^(?:async\s+)?def\s+([^\W\d]\w*|[\u0080-\uffff][^\s(]*)/;
const classDefinition = /^class\s+([^\W\d]\w*)/;
const constant = /^([A-Z][A-Z0-9_]+)\s*(?::[^=]{1,200})?=(?!=)/;
const field = /^([^\W\d]\w*)\s*(?::(?!=)|=(?!=))/;

function find(line: string, place: Place): SeenDeclaration | null {
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

// Names between double underscores are how Python lets others call operators and constructors.
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
  find,
  namesIn: (lines) => ({ listed: allIn(lines) }),
  isPublic: (declaration) => {
    const { name, container, isWhole, file } = declaration;
    if (isHidden(name) || (container && isHidden(container))) return false;
    if (container !== null) return asContainer(true, declaration);
    if (file.listed) return file.listed.has(name) || (isWhole ? false : null);
    return isWhole ? true : null;
  },
});
