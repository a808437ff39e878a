import { defineLanguage, type Place, type SeenDeclaration } from '../language-rules.ts';

const func = /^func\s+(?:\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*)?([^\W\d]\w*)\s*[[(]/;
const typed = /^type\s+(\w+)\s/;
const value = /^(?:const|var)\s+(\w+)/;
const group = /^(const|var|type)\s*\($/;
const inGroup = /^(\w+)(?:,|\s|$)/;

function find(line: string, place: Place): SeenDeclaration | null {
  if (place === 'types' || place === 'constants') {
    const name = inGroup.exec(line)?.[1];
    return name && name !== '_' ? { kind: place === 'types' ? 'type' : 'constant', name } : null;
  }
  const [, receiver, called] = func.exec(line) ?? [];
  if (called) {
    if (receiver) return { kind: 'method', name: called, container: receiver };
    return { kind: 'function', name: called };
  }
  const typeName = typed.exec(line)?.[1];
  if (typeName) return { kind: 'type', name: typeName };
  const opened = group.exec(line)?.[1];
  if (opened)
    return { kind: 'type', name: '', holds: opened === 'type' ? 'types' : 'constants', told: 'never' };
  const valueName = value.exec(line)?.[1];
  return valueName && valueName !== '_' ? { kind: 'constant', name: valueName } : null;
}

const isCapitalised = (name: string): boolean => /^\p{Lu}/u.test(name);

export const go = defineLanguage({
  grammar: 'go',
  comment: /^(?:\/\/|\/\*)/,
  lineComment: '//',
  hasBlockComments: true,
  longQuotes: ['`'],
  blocks: 'braces',
  typeBeforeInFunction: /\b(?:interface|struct)$/,
  // gofmt moves labels one step to the left.
  outdented: /^\w+:$/,
  find,
  isPublic: ({ name, container }) => isCapitalised(name) && (container === null || isCapitalised(container)),
  declarationNodes: new Set(['function_declaration', 'method_declaration', 'type_spec', 'type_alias']),
});
