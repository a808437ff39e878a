import type { StatedFact } from '../../draft.ts';

/** On which side a fact puts something that it names: where it is now, where it was, on either, or on neither alone. */
export type Role = 'new' | 'old' | 'either' | 'both';

export interface NamedRole {
  name: string;
  role: Role;
}

/** What a fact says of each thing that it names. */
export function rolesOf(fact: StatedFact): NamedRole[] {
  switch (fact.relation) {
    case 'comes':
      return [{ name: fact.name, role: 'new' }];
    case 'goes':
      return [{ name: fact.name, role: 'old' }];
    case 'renamed':
    case 'becomes':
      return turned(fact.from, fact.to);
    case 'returns':
    case 'default':
      return [{ name: fact.of, role: 'both' }, ...turned(fact.from, fact.to)];
    case 'parameterRenamed':
      return [{ name: fact.of, role: 'both' }, ...turned(fact.from, fact.to)];
    case 'parameterType':
      return [
        { name: fact.of, role: 'both' },
        { name: fact.name, role: 'both' },
        ...turned(fact.from, fact.to),
      ];
    case 'moved':
    case 'wrapped':
      return [{ name: fact.name, role: 'both' }];
    case 'changes':
      return [{ name: fact.name, role: 'either' }];
    case 'parameter':
      return [{ name: fact.name, role: fact.change === 'added' ? 'new' : 'old' }];
    case 'version':
      return [
        ...(fact.from === null ? [] : [{ name: fact.from, role: 'old' as const }]),
        ...(fact.to === null ? [] : [{ name: fact.to, role: 'new' as const }]),
      ];
    case 'file':
      return [{ name: fact.path, role: fileRole(fact.status) }];
    default:
      return [];
  }
}

const turned = (from: string, to: string): NamedRole[] => [
  { name: from, role: 'old' },
  { name: to, role: 'new' },
];

const fileRole = (status: Extract<StatedFact, { relation: 'file' }>['status']): Role =>
  status === 'added' || status === 'copied' ? 'new' : status === 'removed' ? 'old' : 'either';
