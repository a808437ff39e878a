import type { ChangeType } from '../../domain/change-types.ts';

const namesOf: [ChangeType, string[]][] = [
  ['FEAT', ['feat', 'feature', 'features', 'enhancement', 'new feature', 'feature request']],
  ['FIX', ['bug', 'bugs', 'fix', 'bugfix', 'bug fix', 'regression', 'hotfix']],
  [
    'REFACTOR',
    ['refactor', 'refactoring', 'refactors', 'cleanup', 'code quality', 'tech debt', 'technical debt'],
  ],
  ['DOCS', ['doc', 'docs', 'documentation']],
  ['TEST', ['test', 'tests', 'testing']],
  ['PERF', ['perf', 'performance', 'optimization']],
  ['BUILD', ['build', 'ci', 'ci cd', 'dependency', 'dependencies', 'deps', 'github actions', 'packaging']],
  ['CHORE', ['chore', 'housekeeping', 'maintenance', 'release']],
];

const typeOfName = new Map(namesOf.flatMap(([type, names]) => names.map((name) => [name, type])));

// "area/docs" and "component: build" say where a change is made, so that only these introductions are passed over.
const introduction = /^(?:type|kind|category|changelog|pr|semver|c|t) (?=.)/;

/** What the labels of its host call a pull request; null where they say nothing, or different things. */
export function labelType(labels: string[]): ChangeType | null {
  const types = new Set(labels.flatMap((label) => typeOfName.get(plainNameOf(label)) ?? []));
  const [type = null] = types;
  return types.size === 1 ? type : null;
}

/** Without emoji, capitals and punctuation: "🐛 Type: Bug" is "bug". */
const plainNameOf = (label: string): string =>
  label
    .toLowerCase()
    .replace(/:[a-z_]+:/g, ' ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(introduction, '');
