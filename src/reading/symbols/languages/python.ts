import { defineLanguage, type Place, type SeenDeclaration } from '../language-rules.ts';

const definition = /^(?:async\s+)?def\s+([^\W\d]\w*|[\u0080-\uffff][^\s(]*)/;
const classDefinition = /^class\s+([^\W\d]\w*)/;
const constant = /^([A-Z][A-Z0-9_]+)\s*(?::[^=]{1,200})?=(?!=)/;

function find(line: string, place: Place): SeenDeclaration | null {
  const defined = definition.exec(line)?.[1];
  if (defined) return { kind: place === 'members' ? 'method' : 'function', name: defined };
  const className = classDefinition.exec(line)?.[1];
  if (className) return { kind: 'class', name: className, holds: 'members' };
  const constantName = place === 'file' ? constant.exec(line)?.[1] : undefined;
  return constantName ? { kind: 'constant', name: constantName } : null;
}

// Names between double underscores are how Python lets others call operators and constructors.
const isHidden = (name: string): boolean => /^_(?!_\w*__$)/.test(name);

export const python = defineLanguage({
  grammar: 'python',
  comment: /^#/,
  lineComment: '#',
  hasBlockComments: false,
  longQuotes: ['"""', "'''"],
  longQuotesDocument: true,
  blocks: 'colon',
  find,
  isPublic: ({ name, container }) => !isHidden(name) && !(container && isHidden(container)),
  declarationNodes: new Set(['function_definition', 'class_definition']),
});
