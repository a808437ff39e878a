import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareSignatures } from './compare-signatures.ts';

const compared = (name: string, before: string, after: string, language: string) =>
  compareSignatures({ signature: before, name }, { signature: after, name }, language);

test('words that are no types, and annotations, make no other signature', () => {
  assert.deepEqual(
    compared('read', 'public synchronized int read(Key key)', 'public int read(Key key)', 'Java'),
    [],
  );
  assert.deepEqual(compared('getKey', 'public K getKey()', '@Override public K getKey()', 'Java'), []);
  assert.deepEqual(compared('read', 'int read(String key)', 'int read(@Nullable String key)', 'Java'), []);
});

test('in PHP what is null by default may be null, whether the type says so or not; and no type is no type', () => {
  assert.deepEqual(
    compared('add', 'public function add(Key $key = null)', 'public function add(?Key $key = null)', 'PHP'),
    [],
  );
  assert.deepEqual(compared('add', 'function add(Key $key)', 'function add(Key $key): void', 'PHP'), [
    { kind: 'returns', from: '', to: 'void' },
  ]);
});

test('Ruby hands everything on in two ways', () => {
  assert.deepEqual(compared('call', 'def call(env, *args, &block)', 'def call(env, ...)', 'Ruby'), []);
});

test('what may be left out is no duty: keywords with a default in Ruby, and as many as one likes in C#', () => {
  assert.deepEqual(compared('call', 'def call(env)', 'def call(env, allowed: ALL, block:)', 'Ruby'), [
    { kind: 'parameterAdded', name: 'allowed', isOptional: true },
    { kind: 'parameterAdded', name: 'block', isOptional: false },
  ]);
  assert.deepEqual(
    compared('Log', 'void Log(string text)', 'void Log(string text, params object[] values)', 'C#'),
    [{ kind: 'parameterAdded', name: 'values', isOptional: true }],
  );
  assert.deepEqual(compared('Wait', 'void Wait(int by)', 'void Wait(int by, TimeSpan? most)', 'C#'), [
    { kind: 'parameterAdded', name: 'most', isOptional: false },
  ]);
});

test('a parameter that is called like its type gets another name with it', () => {
  assert.deepEqual(compared('map', 'func map(setter setter) error', 'func map(placer placer) error', 'Go'), [
    { kind: 'parameterRenamed', from: 'setter', to: 'placer' },
    { kind: 'parameterType', name: 'placer', from: 'setter', to: 'placer' },
  ]);
});

test('what a function is in Kotlin, or a constructor hands on in C#, is not what it returns', () => {
  assert.deepEqual(
    compared('size', 'fun size(): Int = all.size', 'fun size(): Int = some.size', 'Kotlin'),
    [],
  );
  assert.deepEqual(compared('size', 'fun size() = of(a: 1)', 'fun size() = of(b: 1)', 'Kotlin'), []);
  assert.deepEqual(compared('Box', 'public Box(int a) : base(a)', 'public Box(int a) : this(a)', 'C#'), []);
});

test('a parameter with another name and another type is another one; clauses of Elixir have none to compare', () => {
  assert.deepEqual(
    compared('Bound', 'Bound(String name, String fieldName)', 'Bound(String name, Field field)', 'Java'),
    [
      { kind: 'parameterAdded', name: 'field', isOptional: false },
      { kind: 'parameterRemoved', name: 'fieldName' },
    ],
  );
  assert.equal(compared('mode', 'def mode(pool)', 'def mode(%{repo: repo}, mode)', 'Elixir'), null);
});
