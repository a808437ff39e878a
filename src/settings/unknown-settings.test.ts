import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnknownSettings } from './unknown-settings.ts';

const known = ['GIT_REPOS', 'PORT', 'DATABASE_URL', 'LOG_LEVEL'];

test('a name that begins like ours and is nearly a setting is told with the one that was meant, and no other program’s is', () => {
  const environment = [
    'GIT_REPO',
    'DATABSE_URL',
    'LOGLEVEL',
    'git_repos',
    'PATH',
    'PORTS',
    'HOME',
    'GIT_EDITOR',
  ];
  assert.deepEqual(findUnknownSettings(known, { file: [], environment }), [
    { name: 'GIT_REPO', meant: 'GIT_REPOS' },
    { name: 'git_repos', meant: 'GIT_REPOS' },
  ]);
});

test('in the file of settings, every name that is none is told', () => {
  const file = ['PORT', 'COLOUR', 'GIT_REPO', 'LOGLEVEL'];
  assert.deepEqual(findUnknownSettings(known, { file, environment: ['COLOUR', 'COLOR'] }), [
    { name: 'COLOUR', meant: null },
    { name: 'GIT_REPO', meant: 'GIT_REPOS' },
    { name: 'LOGLEVEL', meant: 'LOG_LEVEL' },
  ]);
});
