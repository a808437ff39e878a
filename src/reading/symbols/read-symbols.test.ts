import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentSignsIn } from '../comment-signs.ts';
import type { SymbolChange } from '../facts.ts';
import { WholeDiff } from '../file-diff.ts';
import { readHunkLines } from '../hunk-lines.ts';
import { parseDiff } from '../parse-diff.ts';
import { readSymbols } from './read-symbols.ts';

const languages: Record<string, string> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  js: 'JavaScript',
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  cs: 'C#',
  cpp: 'C++',
  c: 'C',
  rb: 'Ruby',
  php: 'PHP',
  kt: 'Kotlin',
  ex: 'Elixir',
  md: 'Markdown',
};

interface Piece {
  heading?: string;
  start?: number;
  lines: string;
}

/** Writes the diff of a file whose hunks are given without the lines that count. */
function diffOf(path: string, pieces: Piece[]): Buffer {
  const hunks = pieces.map(({ heading = '', start = 1, lines }) => {
    const all = lines.replace(/^\n/, '').trimEnd().split('\n');
    const old = all.filter((line) => !line.startsWith('+')).length;
    const current = all.filter((line) => !line.startsWith('-')).length;
    const [oldStart, newStart] = [old === 0 ? 0 : start, current === 0 ? 0 : start];
    return `@@ -${oldStart},${old} +${newStart},${current} @@ ${heading}\n${all.join('\n')}\n`;
  });
  return Buffer.from(
    `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n${hunks.join('')}`,
  );
}

function read(path: string, pieces: string | Piece[]): SymbolChange[] {
  const [file] = parseDiff(diffOf(path, typeof pieces === 'string' ? [{ lines: pieces }] : pieces));
  assert.ok(file);
  const whole = new WholeDiff();
  whole.note(file);
  const hunks = readHunkLines(file.hunks, commentSignsIn(file));
  const language = languages[path.split('.').pop() ?? ''] ?? null;
  return readSymbols(file, { hunks, language, whole, isReachable: true, fresh: null }).changes;
}

/** A change on one line: what happened, to what, and whether others can use it. */
function told(changes: SymbolChange[]): string[] {
  return changes.map(({ change, kind, container, name, previousName, isPublic, mayBePublic }) =>
    [
      change,
      isPublic ? 'public' : mayBePublic ? 'maybe' : 'hidden',
      kind,
      container === null ? name : `${container}.${name}`,
      ...(previousName === null ? [] : [`was ${previousName}`]),
    ].join(' '),
  );
}

test('TypeScript: new declarations are reported as added, with signature, visibility and line range', () => {
  const changes = read(
    'a.ts',
    `
+export interface Options { depth: number }
+export type Id = string | number
+export const limit: number = 3
+const secret = 4
+export async function load(
+  id: Id,
+  { depth }: Options = { depth: 1 },
+): Promise<{ ok: boolean }> {
+  const inner = () => 1
+  return { ok: true }
+}
+export class Store<T> extends Base {
+  static make = (size: number) => new Store()
+  private grow(by: number): void {
+    if (by) {
+    }
+  }
+}
`,
  );
  assert.deepEqual(told(changes), [
    'added public type Options',
    'added public type Id',
    'added public constant limit',
    'added maybe constant secret',
    'added public function load',
    'added public class Store',
    'added public method Store.make',
    'added hidden method Store.grow',
  ]);
  assert.deepEqual(
    changes.map(({ signature }) => signature),
    [
      'export interface Options',
      'export type Id = string | number',
      'export const limit: number',
      'const secret',
      'export async function load(id: Id, { depth }: Options = { depth: 1 }): Promise<{ ok: boolean }>',
      'export class Store<T> extends Base',
      'static make = (size: number)',
      'private grow(by: number): void',
    ],
  );
  assert.deepEqual(changes[4]?.evidence, { fileName: 'a.ts', startLine: 5, endLine: 11, side: 'new' });
});

test('TypeScript: another parameter is a changed signature, and another line in the body a changed body', () => {
  const changes = read(
    'a.ts',
    `
-export function sum(a: number): number {
+export function sum(a: number, b = 0): number {
   return a
 }
 
 function twice(a: number) {
-  return a + a
+  return 2 * a
 }
`,
  );
  assert.deepEqual(told(changes), [
    'signatureChanged public function sum',
    'bodyChanged maybe function twice',
  ]);
  assert.equal(changes[0]?.previousSignature, 'export function sum(a: number): number');
  assert.equal(changes[0]?.signature, 'export function sum(a: number, b = 0): number');
  assert.equal(changes[1]?.signature, null);
  assert.deepEqual(changes[1]?.evidence, { fileName: 'a.ts', startLine: 6, endLine: 6, side: 'new' });
});

test('a signature is compared whole if only one of its later lines changed', () => {
  const changes = read(
    'a.ts',
    `
 export function sum(
   a: number,
+  b: number,
 ): number {
`,
  );
  assert.deepEqual(
    changes.map(({ change, signature }) => [change, signature]),
    [['signatureChanged', 'export function sum(a: number, b: number): number']],
  );
});

test('a function header that begins above the hunk gives no change', () => {
  const lines = '   first: string,\n-  second: string,\n   third: string,\n ): string {\n   return first\n';
  assert.deepEqual(read('a.ts', [{ heading: 'export function resolve(', start: 40, lines }]), []);
});

test('code that is only reformatted is unchanged, and a moved function is "moved"', () => {
  assert.deepEqual(
    read(
      'a.ts',
      `
-export function sum(a: number, b: number) {
-  return add(a, b)
-}
+export function sum(
+  a: number,
+  b: number,
+) {
+  return add(
+    a,
+    b,
+  )
+}
`,
    ),
    [],
  );
  const moved = 'def one(a):\n    return a + 1\n\n\n';
  assert.deepEqual(
    read('a.py', [
      { start: 1, lines: moved.replace(/^/gm, '-').replace(/-$/, '') },
      { start: 90, lines: moved.replace(/^/gm, '+').replace(/\+$/, '') },
    ]).map(({ change, name, isEdited, movedFrom, movedTo }) => [
      change,
      name,
      isEdited,
      movedFrom?.startLine,
      movedTo?.startLine,
    ]),
    [['moved', 'one', false, 1, 90]],
  );
});

test('changed comments and docstrings are not code changes', () => {
  assert.deepEqual(
    read(
      'a.py',
      `
 def one(a):
-    """Adds."""
+    """Adds one.
+
+    def sample(b):
+    """
     return a + 1  # type: ignore
+    # def two(b):
`,
    ),
    [],
  );
});

test('a replaced name above an unchanged body is a rename', () => {
  const changes = read(
    'a.go',
    `
-func Copying(r io.Reader, w io.Writer) error {
+func Copy(r io.Reader, w io.Writer) error {
 	n, err := io.Copy(w, r)
 	log.Info(n)
 	return err
 }
`,
  );
  assert.deepEqual(told(changes), ['renamed maybe function Copy was Copying']);
  assert.equal(changes[0]?.previousSignature, 'func Copying(r io.Reader, w io.Writer) error');
});

test('a removed function and an unrelated added function are not a rename', () => {
  const changes = read(
    'a.go',
    `
-func first(a int) int {
-	return strings.Count(name, "a") + a
-}
+func second(a int) int {
+	panic("there is nothing in common here")
+}
`,
  );
  assert.deepEqual(told(changes).sort(), ['added hidden function second', 'removed hidden function first']);
  const removed = changes.find(({ change }) => change === 'removed');
  assert.deepEqual(removed?.evidence, { fileName: 'a.go', startLine: 1, endLine: 3, side: 'old' });
});

test('a function inserted before another one does not change that one', () => {
  const changes = read(
    'a.go',
    `
 func one() error {
 	prepare()
+	return nil
+}
+
+func two() error {
+	finish()
 	return nil
 }
`,
  );
  assert.deepEqual(told(changes), ['added hidden function two']);
});

test('a hunk heading names the changed function if the hunk shows no declaration', () => {
  const changes = read('a.js', [
    { heading: 'function boot (options) {', start: 30, lines: '   one()\n-  two()\n+  three()\n   four()\n' },
  ]);
  assert.deepEqual(told(changes), ['bodyChanged maybe function boot']);
  assert.deepEqual(changes[0]?.evidence, { fileName: 'a.js', startLine: 31, endLine: 31, side: 'new' });
});

test('a hunk heading is ignored if the hunk contradicts it', () => {
  const parameters = '         ("a", 1),\n+        ("b", 2),\n     ],\n )\n def test_next(a):\n     pass\n';
  assert.deepEqual(read('a.py', [{ heading: 'def test_before():', start: 9, lines: parameters }]), []);
  assert.deepEqual(
    read('a.ts', [{ heading: "type Verb = 'get'", start: 9, lines: '   a()\n+  b()\n })\n' }]),
    [],
  );
});

test('a hunk heading with a renamed class gives the new name', () => {
  const changes = read('a.py', [
    {
      start: 1,
      lines: `
-class Locker(Base):
+class Keeper(Base):
     name = "x"
     size = 1
     kind = 2
`,
    },
    {
      heading: 'class Locker(Base):',
      start: 40,
      lines: '-    def lock(self):\n+    def lock(self, hard):\n         pass\n',
    },
  ]);
  assert.deepEqual(told(changes), [
    'renamed maybe class Keeper was Locker',
    'signatureChanged maybe method Keeper.lock',
  ]);
});

test('TSX: components are functions, and their markup is their body', () => {
  const changes = read(
    'a.tsx',
    `
 export const Card = ({ title }: Props) => (
   <div>
-    <b>{title}</b>
+    <h1>{title}</h1>
   </div>
 )
+
+export function List({ items }: { items: string[] }) {
+  return <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>
+}
`,
  );
  assert.deepEqual(told(changes), ['bodyChanged public function Card', 'added public function List']);
});

test('JavaScript: CommonJS exports are public, prototype methods have a container, #methods are hidden', () => {
  const changes = read(
    'a.js',
    `
+function Reply (res) {}
+Reply.prototype.send = function (payload) {
+}
+exports.build = async function (options) {
+}
+module.exports = class Server {
+  #open (port) {
+  }
+}
`,
  );
  assert.deepEqual(told(changes), [
    'added maybe function Reply',
    'added maybe method Reply.send',
    'added public function build',
    'added public class Server',
    'added hidden method Server.#open',
  ]);
});

test('JavaScript: declarations in a template string are ignored', () => {
  const changes = read(
    'a.js',
    '+const sample = `\n+export function fake () {\n+}\n+`\n+export function real () {\n+}\n',
  );
  assert.deepEqual(told(changes), ['added maybe constant sample', 'added public function real']);
});

test('a method that becomes a field of the same name is a changed signature, not a removal', () => {
  const changes = read(
    'a.ts',
    `
 export class App {
-  fetch = (request: Request) => {
+  fetch: (request: Request) => Response = (request) => {
     return this.dispatch(request)
   }
 }
`,
  );
  assert.deepEqual(
    changes.map(({ change, name, signatureEdits }) => [change, name, signatureEdits]),
    [['signatureChanged', 'fetch', []]],
  );
});

test('Python: methods belong to their class, and local functions are ignored', () => {
  const changes = read(
    'a.py',
    `
+RETRIES = 3
+class Client(Base):
+    def __init__(self, url: str) -> None:
+        self.url = url
+
+    @property
+    def _cache(self) -> dict[str, int]:
+        def local():
+            pass
+        return {}
+async def fetch(
+    url, *, timeout=None
+):
+    pass
`,
  );
  assert.deepEqual(told(changes), [
    'added maybe constant RETRIES',
    'added maybe class Client',
    'added maybe method Client.__init__',
    'added hidden method Client._cache',
    'added maybe function fetch',
  ]);
  assert.equal(changes[4]?.signature, 'async def fetch(url, *, timeout=None)');
});

test('Go: methods belong to their receiver, and only exported constants of a group are listed', () => {
  const changes = read(
    'a.go',
    `
+type Server struct {
+	port int
+}
+func (s *Server) Handle(v interface{}) (interface{}, error) {
+	return v, nil
+}
+const (
+	MaxSize = 1 << 10
+	minSize = 1
+)
`,
  );
  assert.deepEqual(told(changes), [
    'added maybe type Server',
    'added maybe method Server.Handle',
    'added maybe constant MaxSize',
  ]);
  assert.equal(changes[1]?.signature, 'func (s *Server) Handle(v interface{}) (interface{}, error)');
});

test('Rust: methods belong to the implementing type, and equal methods of two traits stay separate', () => {
  const changes = read(
    'a.rs',
    `
+pub struct Window<'a>(&'a str);
+impl<'a> Window<'a> {
+    pub(crate) fn title(&self) -> &'a str {
+        self.0
+    }
+}
 impl From<u8> for Window<'_> {
-    fn from(value: u8) -> Self {
+    fn from(byte: u8) -> Self {
         todo!()
     }
 }
 impl From<String> for Window<'_> {
     fn from(value: String) -> Self {
         todo!()
     }
 }
+pub async fn open<T>(name: T) -> Result<(), Error>
+where
+    T: Into<String>,
+{
+}
`,
  );
  assert.deepEqual(told(changes), [
    'added public type Window',
    'added hidden method Window.title',
    'signatureChanged hidden method Window.from',
    'added public function open',
  ]);
  assert.equal(
    changes[3]?.signature,
    'pub async fn open<T>(name: T) -> Result<(), Error> where T: Into<String>,',
  );
});

test('Java and C#: methods are found with the brace on the same line or below', () => {
  const java = read(
    'a.java',
    `
 public class Cart {
+    public static final int LIMIT = 5;
+    @Override
+    public <T> List<T> items(Class<T> type) throws IOException {
+        return load(type);
+    }
-    void clear() { }
+    void clear(boolean all) { }
 }
`,
  );
  assert.deepEqual(told(java), [
    'added public constant Cart.LIMIT',
    'added public method Cart.items',
    'signatureChanged hidden method Cart.clear',
  ]);
  const cSharp = read(
    'a.cs',
    `
 namespace Shop
 {
     public class Cart
     {
+        public async Task<int> Count(string kind = null)
+        {
+            return await Load(kind);
+        }
     }
 }
`,
  );
  assert.deepEqual(told(cSharp), ['added public method Cart.Count']);
});

test('C and C++: definitions are found, and calls and macros are ignored', () => {
  const c = read(
    'a.c',
    `
+static int parse(const char *text, size_t size)
+{
+	return use(text, size);
+}
+MODULE_LICENSE("GPL");
+call(1, 2);
`,
  );
  assert.deepEqual(told(c), ['added hidden function parse']);
  const cpp = read(
    'a.cpp',
    `
+class Shape : public Base {
+public:
+  virtual double area(int scale) const override;
+private:
+  void reset();
+};
+double Shape::area(int scale) const {
+  return scale;
+}
`,
  );
  assert.deepEqual(told(cpp), [
    'added public class Shape',
    'added public method Shape.area',
    'added hidden method Shape.reset',
  ]);
});

test('Ruby: methods after "private" are hidden, and class methods and constants before it are public', () => {
  const changes = read(
    'a.rb',
    `
 module Shop
   class Cart
+    LIMIT = 5
+    def self.open(name, size: 1)
+      new(name)
+    end
+
     private
+
+    def reset!
+    end
   end
 end
`,
  );
  assert.deepEqual(told(changes), [
    'added public constant Cart.LIMIT',
    'added public method Cart.open',
    'added hidden method Cart.reset!',
  ]);
});

test('PHP: methods of traits keep their visibility, and functions are public', () => {
  const changes = read(
    'a.php',
    `
 trait Counts
 {
-    public function count(): int
+    public function count(?string $kind = null): int
     {
         return 1;
     }
+    private function reset(): void
+    {
+    }
 }
+function helper(array $items) {
+}
`,
  );
  assert.deepEqual(told(changes), [
    'signatureChanged public method Counts.count',
    'added hidden method Counts.reset',
    'added public function helper',
  ]);
});

test('Kotlin, a language without a grammar: functions are found by the form of their declarations', () => {
  const changes = read(
    'a.kt',
    `
 class Cart {
+    private fun reset(all: Boolean = false): Int {
+        return 1
+    }
 }
-fun open(name: String): Cart = Cart()
+fun open(name: String, size: Int): Cart = Cart()
`,
  );
  assert.deepEqual(told(changes), [
    'added hidden method Cart.reset',
    'signatureChanged public function open',
  ]);
});

test('Markdown and files of an unknown language have no symbols', () => {
  assert.deepEqual(read('a.md', '+function fake() {\n+}\n'), []);
  assert.deepEqual(read('a.unknown', '+function fake() {\n+}\n'), []);
});

test('every piece of evidence is within a hunk on its side', () => {
  const pieces = [
    { start: 5, lines: '-def gone(a):\n-    return a\n+def came(b):\n+    x = b\n+    return x * 2\n' },
    { heading: 'def kept():', start: 60, lines: '     one()\n-    two()\n     three()\n' },
  ];
  const [file] = parseDiff(diffOf('a.py', pieces));
  const changes = read('a.py', pieces);
  assert.equal(changes.length, 3);
  for (const { evidence } of changes) {
    assert.ok(
      file?.hunks.some((hunk) => {
        const [start, count] =
          evidence.side === 'new' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
        return start <= evidence.startLine && evidence.endLine < start + count;
      }),
      JSON.stringify(evidence),
    );
  }
});

test('hostile lines are read without an exception, and 450 nested classes give 450 symbols', () => {
  const cases = [
    `function f${'('.repeat(900)}`,
    "\\'".repeat(450),
    'a '.repeat(480),
    `const a${' = ('.repeat(200)}`,
    `${' '.repeat(400)}class A {`,
    `function f(${'x'.repeat(5000)}) {`,
  ];
  for (const ending of ['ts', 'py', 'rs', 'cpp', 'php', 'kt']) {
    for (const line of cases) read(`a.${ending}`, `+${line}\n`.repeat(60));
  }
  const nested = Array.from({ length: 450 }, (_, depth) => `+${' '.repeat(depth)}class C${depth}:`).join(
    '\n',
  );
  assert.equal(read('a.py', nested).length, 450);
});

test('Elixir: `def` is a function and `defmodule` a module; Java: a constructor is not a method', () => {
  const elixir = read('a.ex', '\n+defmodule A do\n+  def run(x) do\n+    x\n+  end\n+end\n');
  assert.deepEqual(
    elixir.map(({ kind, name }) => `${kind} ${name}`),
    ['module A', 'function run'],
  );
  const java = read('A.java', '\n class A {\n+  A(int size) {\n+    this.size = size;\n+  }\n }\n');
  assert.deepEqual(
    java.map(({ kind, name }) => `${kind} ${name}`),
    ['constructor A'],
  );
});

test('a renamed Go type is a rename, and a longer type name with the same beginning stays', () => {
  const changes = read(
    'a.go',
    `
-type Error struct {
+type Fault struct {
 	Err error
 }

-func (msg *Error) SetType(flags ErrorType) *Error {
+func (msg *Fault) SetType(flags ErrorType) *Fault {
 	msg.Type = flags
 	return msg
 }
`,
  );
  assert.ok(told(changes).includes('renamed maybe type Fault was Error'));
  const signatures = changes.flatMap(({ previousSignature }) => previousSignature ?? []);
  assert.doesNotMatch(signatures.join('\n'), /FaultType/);
});

test('a renamed file with one class does not add or remove that class', () => {
  const diff = `diff --git a/Types.java b/Utils.java
similarity index 80%
rename from Types.java
rename to Utils.java
index 1..2 100644
--- a/Types.java
+++ b/Utils.java
@@ -1,6 +1,7 @@
+final class Utils {
+  private static final int MOST = 3;
 
-class Types {
   /** Says what it is. */
   static Type of(Object object) {
     return object.type();
   }
`;
  const [file] = parseDiff(Buffer.from(diff));
  assert.ok(file);
  const hunks = readHunkLines(file.hunks, commentSignsIn(file));
  const { changes } = readSymbols(file, {
    hunks,
    language: 'Java',
    whole: new WholeDiff(),
    isReachable: true,
    fresh: null,
  });
  assert.deepEqual(
    told(changes).filter((line) => line.includes(' class ')),
    [],
  );
});

test('a function whose last line only gains a newline is unchanged', () => {
  const diff = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -1,3 +1,7 @@
 export function one() {
   return 1;
-}
\\ No newline at end of file
+}
+
+export function two() {
+  return 2;
+}
`;
  const [file] = parseDiff(Buffer.from(diff));
  assert.ok(file);
  const hunks = readHunkLines(file.hunks, commentSignsIn(file));
  const { changes } = readSymbols(file, {
    hunks,
    language: 'TypeScript',
    whole: new WholeDiff(),
    isReachable: true,
    fresh: null,
  });
  assert.deepEqual(told(changes), ['added public function two']);
});
