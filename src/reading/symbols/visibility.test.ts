import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineFile } from './outline-file.ts';
import { handedOn, isReachable } from './visibility.ts';

interface Case {
  path: string;
  language: string;
  text: string;
  public: string[];
  /** Names that may or may not be public. */
  unknown?: string[];
}

function namesIn({ path, language, text }: Case) {
  const source = text.replace(/^\n/, '');
  const changed = source.split('\n').map((_, index) => index + 1);
  const { names } = outlineFile({ path, kind: 'source', language, side: 'new', changed }, source);
  return names;
}

const cases: Record<string, Case> = {
  'Go: name and container begin with a capital letter': {
    path: 'engine.go',
    language: 'Go',
    text: `
package gin

const MaxSize = 1
var hidden = 2

type Engine struct {
	Name string
	pool sync.Pool
}

type node struct {
	Path string
}

type Router interface {
	Use(h Handler) Router
	close()
}

func (e *Engine) Run() {}
func (e *Engine) run() {}
func (n *node) Walk() {}
func New() *Engine { return nil }
`,
    public: ['MaxSize', 'Engine', 'Engine.Name', 'Router', 'Router.Use', 'Engine.Run', 'New'],
  },
  'Go: none in package main': {
    path: 'cmd/tool/run.go',
    language: 'Go',
    text: 'package main\n\nfunc Run() {}\n',
    public: [],
  },
  'Rust: pub, not pub(crate), and none below cfg(test)': {
    path: 'src/lib.rs',
    language: 'Rust',
    text: `
pub struct Window {
    pub title: String,
    size: u8,
}

pub enum Kind {
    Small,
}

struct Inner {
    pub open: bool,
}

impl Window {
    pub fn open(&self) {}
    pub(crate) fn close(&self) {}
    fn hide(&self) {}
}

impl Inner {
    pub fn seen(&self) {}
}

impl Elsewhere {
    pub fn open(&self) {}
}

pub trait Draw {
    fn draw(&self);
}

pub(crate) fn helper() {}

#[cfg(test)]
mod tests {
    pub fn sample() {}
}
`,
    public: ['Window', 'Window.title', 'Kind', 'Kind.Small', 'Window.open', 'Draw', 'Draw.draw'],
    unknown: ['Elsewhere.open'],
  },
  'Python: those without a leading underscore': {
    path: 'app/client.py',
    language: 'Python',
    text: `
LIMIT = 1
_SECRET = 2

class Client:
    timeout: int = 3
    _cache = None

    def __init__(self):
        pass

    def get(self):
        pass

    def _send(self):
        pass

class _Inner:
    def get(self):
        pass

def fetch():
    pass
`,
    public: ['LIMIT', 'Client', 'Client.timeout', 'Client.__init__', 'Client.get', 'fetch'],
  },
  'Python: those in __all__': {
    path: 'app/client.py',
    language: 'Python',
    text: `
__all__ = [
    "fetch",
]

def fetch():
    pass

def other():
    pass
`,
    public: ['fetch'],
  },
  'TypeScript: exported declarations and export lists': {
    path: 'source/index.ts',
    language: 'TypeScript',
    text: `
export interface Options {
  timeout?: number;
  retry(times: number): void;
}

interface Hidden {
  a: string;
}

export class Store {
  size = 1;
  #open = true;
  private rest = 2;

  constructor(size: number) {
    this.size = size;
  }

  get(key: string): string {
    return key;
  }

  protected grow(): void {
    this.size++;
  }
}

class Other {
  get(): void {
    return;
  }
}

const create = () => 1;
const inner = () => 2;
function load() {
  return 3;
}

export { create, load as read };
`,
    public: [
      'Options',
      'Options.timeout',
      'Options.retry',
      'Store',
      'Store.size',
      'Store.constructor',
      'Store.get',
      'create',
      'load',
    ],
  },
  'JavaScript: module.exports': {
    path: 'index.js',
    language: 'JavaScript',
    text: `
function create () {
  return 1
}
function inner () {
  return 2
}
exports.build = function () {
  return 3
}
module.exports = { create }
`,
    public: ['create', 'build'],
  },
  'Java: public in a public class, and interfaces': {
    path: 'src/main/java/Cart.java',
    language: 'Java',
    text: `
public class Cart {
    public static final int LIMIT = 5;
    public int size;
    private int rest;

    public Cart(int size) {
        this.size = size;
    }

    public int count() {
        return 1;
    }

    int local() {
        return 2;
    }

    protected void grow() {
    }
}

class Hidden {
    public void open() {
    }
}

public interface Shop {
    void open();
}
`.replace('public interface', 'public interface'),
    public: ['Cart', 'Cart.LIMIT', 'Cart.size', 'Cart.Cart', 'Cart.count', 'Shop', 'Shop.open'],
  },
  'C#: public in a public class': {
    path: 'Cart.cs',
    language: 'C#',
    text: `
namespace Shop
{
    public class Cart
    {
        public int Size { get; set; }
        private int rest;

        public int Count()
        {
            return 1;
        }

        internal void Grow()
        {
        }
    }

    internal class Hidden
    {
        public void Open()
        {
        }
    }
}
`,
    public: ['Cart', 'Cart.Size', 'Cart.Count'],
  },
  'Kotlin: all without a modifier that hides them': {
    path: 'Cart.kt',
    language: 'Kotlin',
    text: `
class Cart {
    val size = 1
    private val rest = 2

    fun count(): Int {
        return 1
    }

    internal fun grow() {
    }
}

private class Hidden {
    fun open() {
    }
}

fun open(): Cart {
    return Cart()
}
`,
    public: ['Cart', 'Cart.size', 'Cart.count', 'open'],
  },
  'Ruby: all outside private sections and lists': {
    path: 'lib/cart.rb',
    language: 'Ruby',
    text: `
module Shop
  class Cart
    LIMIT = 5
    SECRET = 6
    private_constant :SECRET

    def count
      1
    end

    def listed
      2
    end
    private :listed

    private

    def reset
    end

    def self.open
    end
  end
end
`,
    public: ['Shop', 'Shop.Cart', 'Cart.LIMIT', 'Cart.count', 'Cart.open'],
  },
  'PHP: all that are not private or protected': {
    path: 'src/Cart.php',
    language: 'PHP',
    text: `
<?php
class Cart
{
    public const LIMIT = 5;
    public int $size = 1;
    private $rest;

    public function count(): int
    {
        return 1;
    }

    protected function grow(): void
    {
    }
}

function open_cart()
{
}
`,
    public: ['Cart', 'Cart.LIMIT', 'Cart.$size', 'Cart.count', 'open_cart'],
  },
  'C++: public declarations in a header': {
    path: 'include/shape.hpp',
    language: 'C++',
    text: `
class Shape {
  int hidden;

 public:
  Shape(int sides);
  double area(int scale) const;
  int sides;

 private:
  void reset();
};

struct Point {
  int x;
};

static int local(int a) {
  return a;
}

int sum(int a, int b);
`,
    public: ['Shape', 'Shape.Shape', 'Shape.area', 'Shape.sides', 'Point', 'Point.x', 'sum'],
  },
  'C: none outside a header': {
    path: 'src/parse.c',
    language: 'C',
    text: 'int parse(const char *text)\n{\n\treturn 1;\n}\n',
    public: [],
  },
};

for (const [title, one] of Object.entries(cases)) {
  test(`names that other code can use: ${title}`, () => {
    const names = namesIn(one);
    assert.deepEqual(names?.public, one.public);
    for (const name of one.unknown ?? []) assert.ok(!names?.hidden.includes(name), name);
  });
}

test('tests, examples, programs, internal folders and build scripts are not reachable', () => {
  const table: [path: string, language: string, isReached: boolean | null][] = [
    ['examples/a.go', 'Go', false],
    ['internal/a/b.go', 'Go', false],
    ['scripts/build.ts', 'TypeScript', false],
    ['src/main.rs', 'Rust', false],
    ['build.rs', 'Rust', false],
    ['src/lib.rs', 'Rust', true],
    ['src/walk.rs', 'Rust', null],
    ['httpx/_client.py', 'Python', null],
    ['httpx/__init__.py', 'Python', true],
    ['setup.py', 'Python', false],
    ['src/a.cc', 'C++', false],
    ['src/a.h', 'C++', true],
    ['src/a.ts', 'TypeScript', true],
  ];
  for (const [path, language, isReached] of table)
    assert.equal(isReachable(path, 'source', language), isReached, path);
  assert.equal(isReachable('a_test.go', 'test', 'Go'), false);
});

test('a module is reachable through the modules that re-export it, in Rust, Python and TypeScript', () => {
  const rust: Record<string, string> = {
    'src/lib.rs':
      'pub mod open;\nmod shut;\nmod spread;\npub use shut::{Listed, other::More};\npub use spread::*;\n',
    'src/open.rs': 'pub mod inner;\nmod hidden;\n',
  };
  const reached = (path: string) => handedOn(path, 'Rust', (module) => rust[module]);
  assert.equal(reached('src/open.rs')?.all, true);
  assert.equal(reached('src/open/inner.rs')?.all, true);
  assert.equal(reached('src/open/hidden.rs')?.all, false);
  assert.equal(reached('src/spread.rs')?.all, true);
  assert.equal(reached('src/shut.rs')?.all, false);
  assert.ok(reached('src/shut.rs')?.names.has('Listed'));
  assert.equal(reached('src/unknown/inner.rs'), null);
  const init =
    'from ._client import Client, AsyncClient\nfrom ._api import *\n\n__all__ = ["Client", "get"]\n';
  const python = handedOn('httpx/_client.py', 'Python', (module) =>
    module === 'httpx/__init__.py' ? init : undefined,
  );
  assert.deepEqual([python?.names.has('Client'), python?.names.has('AsyncClient')], [true, false]);
  const index =
    "export { a, default as b } from './a.js';\nexport * from './open.js';\nexport * from './core/index.js';\n";
  const script = (path: string) =>
    handedOn(path, 'TypeScript', (module) => (module === 'source/index.ts' ? index : undefined));
  assert.equal(script('source/open.ts')?.all, true);
  assert.deepEqual([...(script('source/utils/deep.ts')?.names ?? [])].slice(0, 1), ['a']);
  assert.equal(script('source/utils/deep.ts')?.all, false);
  assert.equal(script('source/core/inner.ts')?.all, null);
  assert.equal(script('app/page.ts'), null);
});
