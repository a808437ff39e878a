import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareSignatures } from './signature.ts';

const compared = (name: string, before: string, after: string, language: string) =>
  compareSignatures({ signature: before, name }, { signature: after, name }, language);

test('Java: `synchronized` and annotations do not change a signature', () => {
  assert.deepEqual(
    compared('read', 'public synchronized int read(Key key)', 'public int read(Key key)', 'Java'),
    [],
  );
  assert.deepEqual(compared('getKey', 'public K getKey()', '@Override public K getKey()', 'Java'), []);
  assert.deepEqual(compared('read', 'int read(String key)', 'int read(@Nullable String key)', 'Java'), []);
});

test('PHP: a null default equals a nullable type, and an added return type is a change', () => {
  assert.deepEqual(
    compared('add', 'public function add(Key $key = null)', 'public function add(?Key $key = null)', 'PHP'),
    [],
  );
  assert.deepEqual(compared('add', 'function add(Key $key)', 'function add(Key $key): void', 'PHP'), [
    { kind: 'returns', from: '', to: 'void' },
  ]);
});

test('Ruby: `...` in place of `*args, &block` is not compared', () => {
  assert.deepEqual(compared('call', 'def call(env, *args, &block)', 'def call(env, ...)', 'Ruby'), null);
});

test('an added Ruby keyword with a default and C# `params` are optional, a nullable type alone is required', () => {
  assert.deepEqual(compared('call', 'def call(env)', 'def call(env, allowed: ALL, block:)', 'Ruby'), [
    { kind: 'parameterAdded', name: 'allowed', type: '', isOptional: true },
    { kind: 'parameterAdded', name: 'block', type: '', isOptional: false },
  ]);
  assert.deepEqual(
    compared('Log', 'void Log(string text)', 'void Log(string text, params object[] values)', 'C#'),
    [{ kind: 'parameterAdded', name: 'values', type: 'params object[]', isOptional: true }],
  );
  assert.deepEqual(compared('Wait', 'void Wait(int by)', 'void Wait(int by, TimeSpan? most)', 'C#'), [
    { kind: 'parameterAdded', name: 'most', type: 'TimeSpan?', isOptional: false },
  ]);
});

test('a parameter named like its type changes name and type together', () => {
  assert.deepEqual(compared('map', 'func map(setter setter) error', 'func map(placer placer) error', 'Go'), [
    { kind: 'parameterRenamed', from: 'setter', to: 'placer' },
    { kind: 'parameterType', name: 'placer', from: 'setter', to: 'placer' },
  ]);
});

test('a Kotlin expression body and a C# constructor initializer are not return types', () => {
  assert.deepEqual(
    compared('size', 'fun size(): Int = all.size', 'fun size(): Int = some.size', 'Kotlin'),
    [],
  );
  assert.deepEqual(compared('size', 'fun size() = of(a: 1)', 'fun size() = of(b: 1)', 'Kotlin'), []);
  assert.deepEqual(compared('Box', 'public Box(int a) : base(a)', 'public Box(int a) : this(a)', 'C#'), []);
});

test('a parameter with another name and type is removed and added; Elixir clauses are not compared', () => {
  assert.deepEqual(
    compared('Bound', 'Bound(String name, String fieldName)', 'Bound(String name, Field field)', 'Java'),
    [
      { kind: 'parameterAdded', name: 'field', type: 'Field', isOptional: false },
      { kind: 'parameterRemoved', name: 'fieldName', type: 'String' },
    ],
  );
  assert.equal(compared('mode', 'def mode(pool)', 'def mode(%{repo: repo}, mode)', 'Elixir'), null);
});

test('a return type is not confused with an arrow in a bound, a parameter or a call', () => {
  for (const [language, before, after] of [
    [
      'Rust',
      'fn run<F>(self, f: F) where F: FnOnce() -> Router,',
      'fn run<F, S>(self, f: F) where F: FnOnce() -> Router<S>, S: Clone,',
    ],
    ['Rust', 'fn run<F: Fn(u8) -> A>(&self, f: F) {', 'fn run<F: Fn(u16) -> B>(&self, f: F) {'],
    ['Rust', 'fn run<T>(&self) -> A where T: Fn() -> A', 'fn run<T>(&self) -> A where T: Fn() -> B'],
    ['Kotlin', 'fun <T> run(f: T) where T : Opened {', 'fun <T> run(f: T) where T : Closed {'],
    ['Swift', 'func run<T>(_ f: T) where T: Opened {', 'func run<T>(_ f: T) where T: Closed {'],
    ['Go', 'func run[T interface{ Open() A }](f T) {', 'func run[T interface{ Open() B }](f T) {'],
    ['TypeScript', 'run<T extends (a: A) => A>(f: T): void {', 'run<T extends (b: B) => B>(f: T): void {'],
    ['TypeScript', 'const run: Of<(a: A) => A> = (f) =>', 'const run: Of<(b: B) => B> = (f) =>'],
    ['Scala', 'def run(f: T)(g: A => A): T =', 'def run(f: T)(g: B => B): T ='],
  ] as const)
    assert.deepEqual(compared('run', before, after, language), [], `${language}: ${after}`);
  for (const [language, before, after] of [
    ['TypeScript', 'run(f: (a: A) => A): void {', 'run(f: (b: B) => B): void {'],
    ['Python', 'def run(f: Callable[[A], A]) -> None:', 'def run(f: Callable[[B], B]) -> None:'],
    ['Kotlin', 'fun run(f: (A) -> A) {', 'fun run(f: (B) -> B) {'],
    ['Swift', 'func run(f: @escaping (A) -> A) {', 'func run(f: @escaping (B) -> B) {'],
    ['Go', 'func run(f func(A) A) error {', 'func run(f func(B) B) error {'],
  ] as const)
    assert.deepEqual(
      compared('run', before, after, language)?.map(({ kind }) => kind),
      ['parameterType'],
      `${language}: ${after}`,
    );
  for (const [language, before, after, from, to] of [
    [
      'Swift',
      'func run() async throws -> A where T: C {',
      'func run() async throws -> B where T: C {',
      'A',
      'B',
    ],
    ['Rust', 'fn run() -> impl Fn() -> A', 'fn run() -> impl Fn() -> B', 'impl Fn() -> A', 'impl Fn() -> B'],
    ['C++', 'auto run(int a) const noexcept -> A {', 'auto run(int a) const noexcept -> B {', 'A', 'B'],
    ['TypeScript', 'const run = async (a: C): A =>', 'const run = async (a: C): B =>', 'A', 'B'],
    ['Go', 'func run[T any](f T) A {', 'func run[T any](f T) B {', 'A', 'B'],
  ] as const)
    assert.deepEqual(compared('run', before, after, language), [{ kind: 'returns', from, to }], language);
  const wrapped = (type: string) => `const run = memo((a: ${type}): ${type} =>`;
  assert.equal(compared('run', wrapped('A'), wrapped('B'), 'TypeScript'), null);
});
