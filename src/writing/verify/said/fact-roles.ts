import type { FactOf, StatedFact } from '../../draft.ts';

/** On which side a fact puts something that it names: where it is now, where it was, on either, or on neither alone. */
type Role = 'new' | 'old' | 'either' | 'both';

interface NamedRole {
  name: string;
  role: Role;
}

/** What a fact says of each thing that it names. */
export function rolesOf(fact: StatedFact): NamedRole[] {
  switch (fact.relation) {
    case 'comes':
    case 'goes':
      return [{ name: fact.name, role: fact.relation === 'comes' ? 'new' : 'old' }];
    case 'becomes':
      return [
        { name: fact.from, role: 'old' },
        { name: fact.to, role: 'new' },
        ...fact.of.map((name): NamedRole => ({ name, role: 'both' })),
      ];
    case 'moved':
      return [{ name: fact.name, role: 'both' }];
    case 'changes':
      return [{ name: fact.name, role: 'either' }];
    case 'parameter':
      return [{ name: fact.name, role: fact.change === 'added' ? 'new' : 'old' }];
    case 'file':
      return [{ name: fact.path, role: fileRoles[fact.status] ?? 'either' }];
    default:
      return [];
  }
}

const fileRoles: Partial<Record<FactOf<'file'>['status'], Role>> = {
  added: 'new',
  removed: 'old',
};
