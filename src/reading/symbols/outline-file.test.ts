import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineFile } from './outline-file.ts';

/** The names around the lines that end with a mark, the outermost first, as `name start-end`. */
function namesIn(path: string, language: string, marked: string): string[] {
  const lines = marked.replace(/^\n/, '').split('\n');
  const changed = lines.flatMap((line, index) => (line.endsWith('◀') ? index + 1 : []));
  const text = lines.map((line) => line.replace(/\s*◀$/, '')).join('\n');
  const { ranges } = outlineFile({ path, kind: 'source', language, side: 'new', changed }, text);
  return ranges.map(({ name, startLine, endLine }) => `${name} ${startLine}-${endLine}`);
}

const samples: { title: string; path: string; language: string; text: string; names: string[] }[] = [
  {
    title: 'a decorated Python method in a class',
    path: 'a.py',
    language: 'Python',
    text: `
import os

class Rocket(Base):
    """def not_this(): pass"""

    @property
    def fuel(self):
        if self._fuel is None:
            return 0 ◀
        return self._fuel

    def launch(self):
        pass
`,
    names: ['Rocket 3-13', 'Rocket.fuel 7-10'],
  },
  {
    title: 'a Python function below a condition, and a table',
    path: 'a.py',
    language: 'Python',
    text: `
try:
    import fast
except ImportError:
    def slow(x):
        return x ◀

TABLE = {
    'a': 1, ◀
}
ONE = 1 ◀
`,
    names: ['slow 4-5', 'TABLE 7-9'],
  },
  {
    title: 'JavaScript test groups, tests and subtests',
    path: 'a.test.js',
    language: 'JavaScript',
    text: `
describe('the rocket', () => {
  const made = make()
  it("starts", async () => {
    assert.ok(made) ◀
  })
  it.each([
    1,
  ])('burns %i', (n) => {
    burn(n) ◀
  })
  test(
    'lands',
    () => {
      land() ◀
    },
  )
})
test('alone', async (t) => {
  await t.test('inside', () => {
    go() ◀
  })
})
`,
    names: [
      'the rocket 1-17',
      'the rocket › starts 3-5',
      'the rocket › burns %i 8-10',
      'the rocket › lands 11-16',
      'alone 18-22',
      'alone › inside 19-21',
    ],
  },
  {
    title: 'JavaScript functions that are assigned, in objects and in an immediately called function',
    path: 'a.js',
    language: 'JavaScript',
    text: `
app.use = function use(fn) {
  stack.push(fn) ◀
}
Router.prototype.handle = function (a) {
  next(a) ◀
}
const plugin = {
  install(app, options) {
    app.use(options) ◀
  },
  remove: async (app) => {
    app.drop() ◀
  },
}
module.exports = {
  run() {
    start() ◀
  },
}
;(function () {
  function hidden() {
    call() ◀
  }
})()
`,
    names: [
      'app.use 1-3',
      'Router.handle 4-6',
      'plugin 7-14',
      'plugin.install 8-10',
      'plugin.remove 11-13',
      'run 16-18',
      'hidden 21-23',
    ],
  },
  {
    title: 'a TypeScript method with parameters over several lines, and an interface',
    path: 'a.ts',
    language: 'TypeScript',
    text: `
export interface Options {
  name: string; ◀
}

export class Host<T extends { id: string }> {
  async find(
    owner: string,
  ): Promise<T | null> {
    for (const one of this.all) {
      if (one.owner === owner) return one; ◀
    }
    return null;
  }
}
`,
    names: ['Options 1-3', 'Host 5-14', 'Host.find 6-13'],
  },
  {
    title: 'a TSX component',
    path: 'a.tsx',
    language: 'TypeScript',
    text: `
export const Card = ({ title }: Props) => {
  return (
    <div>
      <b>{title}</b> ◀
    </div>
  );
};
`,
    names: ['Card 1-7'],
  },
  {
    title: 'a Go method and a subtest',
    path: 'a_test.go',
    language: 'Go',
    text: `
func (e *Engine) Run() {
	e.start() ◀
}

func TestRun(t *testing.T) {
	t.Run("twice", func(t *testing.T) {
		run() ◀
	})
}
`,
    names: ['Engine.Run 1-3', 'TestRun 5-9', 'TestRun › twice 6-8'],
  },
  {
    title: 'a Rust method and a test in the same file',
    path: 'a.rs',
    language: 'Rust',
    text: `
impl<T> Display for Body<T> {
    fn fmt(&self) -> Result {
        write!(f, "x") ◀
    }
}

#[cfg(test)]
mod tests {
    use super::*; ◀

    #[test]
    fn shows() {
        assert!(true); ◀
    }
}
`,
    names: ['Body 1-5', 'Body.fmt 2-4', 'tests 8-15', 'tests.shows 12-14'],
  },
  {
    title: 'a Ruby class method and an RSpec example',
    path: 'a_spec.rb',
    language: 'Ruby',
    text: `
module Sidekiq
  class Client
    class << self
      def push(item)
        new.push(item) ◀
      end
    end
  end
end

RSpec.describe Client do
  it 'pushes' do
    push(1) ◀
  end
end
`,
    names: ['Sidekiq 1-9', 'Sidekiq.Client 2-8', 'Client.push 4-6', 'Client 11-15', 'Client › pushes 12-14'],
  },
  {
    title: 'a Java method with its brace on the line below',
    path: 'A.java',
    language: 'Java',
    text: `
public class Rocket
{
    @Override
    public int fuel(int a,
                    int b)
    {
        return a + b; // ◀
    }
}
`.replace('// ◀', '◀'),
    names: ['Rocket 1-9', 'Rocket.fuel 4-8'],
  },
  {
    title: 'a C# method in a namespace',
    path: 'A.cs',
    language: 'C#',
    text: `
namespace Space
{
    public class Rocket
    {
        public int Fuel()
        {
            return 1; ◀
        }
    }
}
`,
    names: ['Rocket 3-9', 'Rocket.Fuel 5-8'],
  },
  {
    title: 'a C++ function and a test',
    path: 'a_test.cc',
    language: 'C++',
    text: `
namespace space {
int Rocket::Fuel(int a) {
  return a; ◀
}
}  // namespace space

TEST(Rocket, Burns) {
  EXPECT_EQ(1, 1); ◀
}
`,
    names: ['Rocket.Fuel 2-4', 'Rocket.Burns 7-9'],
  },
  {
    title: 'a PHP method',
    path: 'a.php',
    language: 'PHP',
    text: `
<?php
final class Rocket
{
    public function fuel(): int
    {
        return 1; ◀
    }
}
`,
    names: ['Rocket 2-8', 'Rocket.fuel 4-7'],
  },
  {
    title: 'a Kotlin function, read without a grammar',
    path: 'A.kt',
    language: 'Kotlin',
    text: `
class Rocket {
    fun fuel(): Int {
        return 1 ◀
    }
}
`,
    names: ['Rocket 1-5', 'Rocket.fuel 2-4'],
  },
  {
    title: 'a shell function',
    path: 'a.sh',
    language: 'Shell',
    text: `
main() {
  launch ◀
}
`,
    names: ['main 1-3'],
  },
  {
    title: 'Markdown sections, ignoring headings in fenced code',
    path: 'README.md',
    language: 'Markdown',
    text: `
# Rocket

Intro

## \`Install\` [it](https://example.org) ##

~~~sh
# not a heading
npm install ◀
~~~

### Later

Usage
-----

Run it. ◀
`,
    names: ['Rocket 1-17', 'Install it 5-13', 'Usage 14-17'],
  },
  {
    title: 'reStructuredText sections',
    path: 'changes.rst',
    language: 'reStructuredText',
    text: `
=======
Changes
=======

Version 2
---------

-   Faster. ◀

Version 1
---------
`,
    names: ['Changes 1-11', 'Version 2 5-9'],
  },
];

for (const { title, path, language, text, names } of samples) {
  test(`changed lines are named by the declarations around them: ${title}`, () => {
    assert.deepEqual(namesIn(path, language, text), names);
  });
}

test('an outline has at most 200 names of 120 characters, and a file of over a megabyte has none', () => {
  const functions = Array.from(
    { length: 300 },
    (_, index) => `def f${index}_${'x'.repeat(200)}():\n    pass`,
  );
  const text = functions.join('\n');
  const changed = text.split('\n').map((_, index) => index + 1);
  const source = { path: 'a.py', kind: 'source', language: 'Python', side: 'new', changed } as const;
  const { ranges } = outlineFile(source, text);
  assert.equal(ranges.length, 200);
  assert.ok(ranges.every(({ name }) => name.length === 120 && name.endsWith('…')));
  assert.deepEqual(outlineFile(source, `${text}\n#${'y'.repeat(1024 * 1024)}`).ranges, []);
});
