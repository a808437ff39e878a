import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrammarLibrary } from './grammars.ts';

test('only the grammars of the files at hand are loaded', async () => {
  const grammars = await new GrammarLibrary().loadFor([
    { path: 'README.md', language: 'Markdown' },
    { path: 'main.go', language: 'Go' },
    { path: 'data.bin', language: null },
  ]);
  assert.deepEqual([...grammars.keys()], ['go']);
});

test('a grammar is loaded once, however many ask for it at the same time', async () => {
  const library = new GrammarLibrary();
  const file = { path: 'a.py', language: 'Python' };
  const [first, second] = await Promise.all([library.loadFor([file]), library.loadFor([file])]);
  assert.ok(first.get('python'));
  assert.equal(first.get('python'), second.get('python'));
  assert.equal((await library.loadFor([file])).get('python'), first.get('python'));
});

test('TypeScript with and without JSX have grammars of their own', async () => {
  const grammars = await new GrammarLibrary().loadFor([
    { path: 'a.ts', language: 'TypeScript' },
    { path: 'a.tsx', language: 'TypeScript' },
  ]);
  assert.deepEqual([...grammars.keys()].sort(), ['tsx', 'typescript']);
});
