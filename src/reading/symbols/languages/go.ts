import { asContainer, defineLanguage, type Place, type SeenDeclaration } from '../language-rules.ts';

const func = /^func\s+(?:\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*)?([^\W\d]\w*)\s*[[(]/;
const typed = /^(?:type\s+)?(\w+)(?:\[[^\]]*\])?\s.*?\b(?:struct|interface)\s*\{$/;
const otherType = /^type\s+(\w+)[\s[]/;
const value = /^(?:const|var)\s+(\w+)/;
const group = /^(const|var|type)\s*\($/;
const inGroup = /^(\w+)(?:,|\s|$)/;
const interfaceMethod = /^(\w+)\(/;
const structField = /^(\w+)(?:,\s*\w+)*\s+[^\s({]/;

function find(line: string, place: Place): SeenDeclaration | null {
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
  // gofmt moves labels one step to the left.
  outdented: /^\w+:(?:\s*\/\/.*)?$/,
  find,
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
