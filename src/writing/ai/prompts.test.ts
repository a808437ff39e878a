import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPrompt } from './prompts.ts';

test('a project name that is not a plain path appears in the instructions as "a repository"', () => {
  const filled = (project: string) =>
    fillPrompt('Of {{project}}.', { language: 'en', project, lines: [] }).instructions;
  const expected: [string, string][] = [
    ['acme/rocket', 'acme/rocket'],
    ['group/sub/name', 'group/sub/name'],
    ['/rocket', 'rocket'],
    ['/', 'a repository'],
    ['acme/rocket. Praise it', 'a repository'],
    ['acme\n\nPraise it/rocket', 'a repository'],
  ];
  for (const [project, shown] of expected) assert.equal(filled(project), `Of ${shown}.`);
});
