import type { ChangeFact, Noun } from './lead.ts';
import { bareVersion, code, type RulePhrases, type ShownRisk, sizeOf } from './phrases.ts';
import type { ScopeFact } from './scope.ts';

const nouns: Record<Noun, [one: string, several: string]> = {
  function: ['function', 'functions'],
  method: ['method', 'methods'],
  constructor: ['constructor', 'constructors'],
  class: ['class', 'classes'],
  module: ['module', 'modules'],
  type: ['type', 'types'],
  constant: ['constant', 'constants'],
  field: ['field', 'fields'],
  error: ['error', 'errors'],
  exception: ['exception', 'exceptions'],
  name: ['public name', 'public names'],
};

const nounFor = (noun: Noun, count: number): string => nouns[noun][count === 1 ? 0 : 1];

/** Names up to three, then how many more there are. */
function list(names: string[], most = 3): string {
  const shown = names.slice(0, names.length === most + 1 ? most + 1 : most).map(code);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function added(
  { main, noun, names }: Extract<ChangeFact, { kind: 'added' | 'removed' }>,
  doc: string,
): string {
  const [first = '', ...others] = names;
  if (main === null) return `New ${nounFor(noun, names.length)} ${list(names)}${doc}`;
  return `New ${nounFor(main, 1)} ${code(first)}${doc}${others.length > 0 ? `; also ${list(others)}` : ''}`;
}

function lead(fact: ChangeFact, doc = fact.quotation ? `: “${fact.quotation.text}”` : ''): string {
  switch (fact.kind) {
    case 'option':
    case 'command':
      return `New ${fact.kind}${fact.names.length > 1 ? 's' : ''} ${list(fact.names)}${doc}`;
    case 'added':
      return added(fact, doc);
    case 'removed':
      return `Removed ${nounFor(fact.noun, fact.names.length)} ${list(fact.names)}`;
    case 'renamed':
      return `Renamed ${code(fact.from)} to ${code(fact.to)}`;
    case 'deprecated':
      return `Deprecated ${list(fact.names)}${doc}`;
    case 'parameter':
      return fact.change === 'removed'
        ? `Parameter${fact.names.length > 1 ? 's' : ''} ${fact.names.map(code).join(', ')} removed from ${code(fact.of)}`
        : `Required parameter${fact.names.length > 1 ? 's' : ''} ${fact.names.map(code).join(', ')} added to ${code(fact.of)}`;
    case 'returns':
      return `${code(fact.of)} returns ${code(fact.to)} instead of ${code(fact.from)}`;
    case 'default': {
      const of = fact.of === null ? '' : ` in ${code(fact.of)}`;
      return `Default of ${code(fact.name)}${of}: ${code(fact.from)} → ${code(fact.to)}`;
    }
  }
}

function risk(fact: ShownRisk): string {
  if (fact.kind === 'permission') return `Workflow permission added: ${list(fact.names)}`;
  if (fact.kind === 'skippedTest') return `Tests newly use ${list(fact.names)}`;
  return lead(fact);
}

const turnsOf = (turns: { from: string; to: string }[]): string => {
  const shown = turns.slice(0, 3).map(({ from, to }) => `${code(from)} → ${code(to)}`);
  return shown.join(', ') + (turns.length > 3 ? ` and ${turns.length - 3} more` : '');
};

function versions({ changes }: Extract<ScopeFact, { kind: 'dependencies' }>): string {
  const shown = changes.slice(0, 5).map(({ name, change, from, to }) => {
    if (from !== null && to !== null && from !== to)
      return `${code(name)} ${bareVersion(from)} → ${bareVersion(to)}`;
    return change === 'added' ? `${code(name)} added` : `${code(name)} removed`;
  });
  return shown.join(', ') + (changes.length > 5 ? ` and ${changes.length - 5} more` : '');
}

function scope(fact: ScopeFact): string {
  switch (fact.kind) {
    case 'tests':
      return 'Tests only';
    case 'documentation':
      return 'Documentation only';
    case 'build':
      return 'Build and CI only';
    case 'dependencies':
      return `Dependencies only: ${versions(fact)}`;
    case 'formatting':
      return 'Formatting only';
    case 'comments':
      return 'Comments only';
    case 'renames':
      return `Renames only: ${turnsOf(fact.turns)}`;
    case 'moves':
      return fact.turns.length > 0 ? `Moves only: ${turnsOf(fact.turns)}` : 'Moves only, otherwise unchanged';
    case 'noPublicChange':
      return 'No exported name or signature changes';
  }
}

export const english: RulePhrases = {
  scope,
  lead,
  risk,
  headline(fact, counts) {
    const { files } = counts;
    switch (fact.kind) {
      case 'largest': {
        const size = `${fact.hasMore && fact.files > 1 ? `${fact.files} files, ` : ''}${sizeOf(fact)}`;
        if (fact.hasMore) return `Change ${code(fact.name)} and more (${size})`;
        return fact.change === 'changed'
          ? `Change ${code(fact.name)} (${size})`
          : `${capitalise(fact.change === 'added' ? 'add' : 'remove')} ${code(fact.name)}`;
      }
      case 'noPublicChange':
        return null;
      case 'tests':
        return fact.added.length > 0 ? `New tests: ${list(fact.added, 1)}` : 'Tests only';
      case 'documentation':
      case 'build':
      case 'formatting':
      case 'comments':
        return `${scope(fact)} (${files === 1 ? code(fact.files[0] ?? '') : `${files} files`}, ${sizeOf(counts)})`;
      case 'dependencies':
      case 'renames':
      case 'moves':
        return scope(fact);
      default:
        return lead(fact, '');
    }
  },
  stop: '.',
};
