import { wordSet } from '../../word-set.ts';
import { defineLanguage, type Place, type SeenDeclaration } from '../language-rules.ts';

const phpModifiers = '(?:(?:abstract|final|public|protected|private|static|readonly)\\s+)*';
const phpFunction = new RegExp(`^${phpModifiers}function\\s+&?\\s*([A-Za-z_\\u0080-\\uffff]\\w*)\\s*\\(`);
const phpType = new RegExp(`^${phpModifiers}(class|interface|trait|enum)\\s+([A-Za-z_]\\w*)`);
const phpConstant = new RegExp(`^${phpModifiers}const\\s+(?:\\??[A-Za-z_]\\w*\\s+)?([A-Z_][A-Z0-9_]*)\\s*=`);

function findInPhp(line: string, place: Place): SeenDeclaration | null {
  const called = phpFunction.exec(line)?.[1];
  if (called) return { kind: place === 'members' ? 'method' : 'function', name: called };
  const [, keyword, name] = phpType.exec(line) ?? [];
  if (keyword && name) return { kind: keyword === 'class' ? 'class' : 'type', name, holds: 'members' };
  const constant = phpConstant.exec(line)?.[1];
  return constant ? { kind: 'constant', name: constant } : null;
}

export const php = defineLanguage({
  grammar: 'php',
  comment: /^(?:\/\/|\/\*|\*(?:\s|\/|$)|#)/,
  lineComment: '//',
  hasBlockComments: true,
  longQuotes: [],
  heredoc: '<<<["\']?[A-Za-z_]\\w*["\']?',
  blocks: 'braces',
  hasBracesBelow: true,
  find: findInPhp,
  isPublic: ({ line }) => !/\b(?:private|protected)\s/.test(line),
  declarationNodes: wordSet(`
    function_definition method_declaration class_declaration interface_declaration trait_declaration
    enum_declaration
  `),
  preamble: '<?php ',
  aroundMembers: ['class _ { ', ' }'],
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
  grammar: 'ruby',
  comment: /^#/,
  lineComment: '#',
  hasBlockComments: false,
  longQuotes: [],
  heredoc: '<<[~-]["\'`]?[A-Za-z_]\\w*["\'`]?',
  blocks: 'end',
  outdented: /^(?:(?:private|protected|public)$|(?:rescue|ensure|else|elsif|when|in)\b)/,
  find: findInRuby,
  isPublic: ({ name, line, section }) =>
    !name.startsWith('_') &&
    !/^(?:private|protected)/.test(line) &&
    section !== 'private' &&
    section !== 'protected',
  declarationNodes: new Set(['method', 'singleton_method', 'class', 'module']),
});
