import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { allOf, backgroundOf, toldOf, write } from '../../../test/write-offline.ts';

const told = (path: string, body: string | string[], words: Parameters<typeof write>[1] = {}): string =>
  allOf(write([diffOf(path, body)], words).en);

test('a quotation out of which an address would be missing is not made', () => {
  const support = diffOf(
    '.github/SUPPORT_QUESTION.md',
    '\n ---\n+about: See https://example.com/support for questions about using the library and its parts\n',
  );
  assert.doesNotMatch(allOf(write([support]).en), /See for questions/);
  const comment = diffOf(
    'test.yml',
    '\n jobs:\n-  # With JRuby, tests are flaky: https://example.com/issues/2027\n+  # With JRuby, tests are notably flaky\n',
  );
  assert.doesNotMatch(allOf(write([comment]).en), /tests are flaky:”/);
});

test('what documents code is no code, even where its beginning is not shown', () => {
  const documented = diffOf(
    'lib/token.ex',
    [
      `
   The token is valid for
-  86400 seconds (1 day) and it may be overridden on verify/4.
+  86400 seconds (1 day) and it may be overridden on \`decrypt/4\`.
   """
   def encrypt(context, secret) do
`,
      '\n       use Routes,\n         router: Router,\n-        statics: ~(images)\n+        statics: ~w(images)\n \n   ## Usage\n \n',
    ],
    { start: 40 },
  );
  const { en } = write([documented], { title: 'Fix the docs of tokens' });
  assert.doesNotMatch(allOf(en), /cryptography|No test is among/);
  assert.doesNotMatch(allOf(en), /`statics: ~\(images\)` becomes/);
});

test('a comment in an example is no section of a document', () => {
  const examples = diffOf('README.md', [
    '\n run\n ```\n \n+### Threads\n+\n+Every thread has an app of its own here.\n+\n+```ruby\n+# app.rb\n+run App\n+```\n',
    "\n ```ruby\n get '/foo' do\n+  # Not the same as that\n end\n ```\n",
  ]);
  const lines = toldOf(write([examples]).en, 'README.md');
  assert.match(lines, /Adds the section “Threads”/);
  assert.doesNotMatch(lines, /“app\.rb|“Not the same/);
});

test('comments that are changed are documentation, for whoever says that it was updated', () => {
  const comment = diffOf(
    'lib/policy.ts',
    '\n const a = 1;\n+// Sets the header that browsers need, because they ask for it.\n const b = 2;\n',
  );
  assert.doesNotMatch(allOf(write([comment], { body: 'Updated the docs.' }).en), /does not show it/);
});

test('a comment is not told to say something instead of what it says further down', () => {
  const policy = `
 ##
-# Description:: Content Policy, a mechanism that web applications have
+# Sets the policy header, based on options that are provided.
+#
+# Description:: Content Policy, is a mechanism that web applications have
 # can use
`;
  assert.doesNotMatch(
    told('lib/policy.rb', policy),
    /instead of “Description|“Description[^”]*” becomes “Sets/,
  );
});

test('a mark in a comment that a tool reads is no mere comment', () => {
  const marked =
    '\n class PoolTest {\n+    /**\n+     * @doesNotPerformAssertions\n+     */\n     public function testOne() {}\n';
  assert.doesNotMatch(told('tests/PoolTest.php', marked), /Only comments/);
});

test('what a later commit takes back is not told of a change, nor is one step out of several', () => {
  const small = diffOf('src/a.ts', '\n const a = 1;\n-const limit = first();\n+const limit = second();\n');
  const { en } = write([small], {
    title: 'Forbid old builds',
    commitMessages: ['Disable travis for the main branch', 'Allow old builds only there', 'Remove travis'],
  });
  assert.doesNotMatch(backgroundOf(en), /Disable travis/);
  const steps =
    'The following could happen:\n\n1. The user connects to the server\n2. The server is shut down because it is idle\n3. The user comes back';
  assert.doesNotMatch(backgroundOf(write([small], { body: steps }).en), /shut down/);
});

test('calls with words in them are no comments, and a rule is no reason', () => {
  const calls =
    '\n \tserve(t)\n+\ttestRequest(t, ts.URL+"/c1/d/e", "", "/c1/:dd/e")\n+\ttestRequest(t, ts.URL+"/c1/d/f", "", "/:cc/:dd/f")\n';
  assert.doesNotMatch(allOf(write([diffOf('a_test.go', calls, { start: 50 })]).en), /comment/);
  const rule =
    '\n const a = 1;\n+// Requests of this kind must not have a path that begins with a star.\n+check(a);\n';
  assert.doesNotMatch(told('src/lint.ts', rule), /reason/);
});

test('entries of a table are no documentation', () => {
  const models = `
     'gpt-4-turbo': 128000,  # 128K, but may be limited by config
+    'gpt-4o': 128000,  # 128K, but may be limited by config
     'gpt-4o-mini': 128000,  # 128K, but may be limited by config
`;
  const file = diffOf('lib/models.py', models, { start: 30 });
  assert.doesNotMatch(allOf(write([file]).en), /documentation|comment/);
  assert.match(allOf(write([file]).en), /Adds `'gpt-4o': 128000/);
});

test('one item of a list is not what a whole paragraph became, nor is what tests work on a document', () => {
  const browsers = `
 class Options
-  # Supported browsers:: Internet Explorer 8, Firefox 3.6.9, Opera 10.50, Safari 4.0, Chrome 4.1 and later
+  # Supported browsers::
+  # * Chrome 4 and later
+  #
+  # * Firefox 4 and later
 end
`;
  assert.doesNotMatch(told('lib/options.rb', browsers), /becomes “\* Firefox/);
  const fixture = diffOf(
    'test/fixtures/tables.txt',
    '\n .\n+Pipes inside backticks do not split cells here:\n+.\n',
  );
  assert.doesNotMatch(allOf(write([fixture]).en), /document/);
});

test('a text in which only the last line of a paragraph is short is a text still, and a star no comment', () => {
  const documentation = `
   interested in that event will have to export
   \`render_view/3\`.
 
+  **Note**: since the configuration for the list of instrumenters is specified
+  at compile time, you have to recompile it by hand:
+
+      $ mix deps.compile phoenix
+
   ### Callbacks cycle
 
   The way event callbacks are called is the following.
`;
  const { en } = write([diffOf('lib/endpoint.ex', documentation, { start: 240 })]);
  assert.doesNotMatch(allOf(en), /A new comment|Adds `\$ mix/);
});

test('a branch that is asked in another file, by other signs, is not removed; examples need no tests', () => {
  const here = diffOf(
    'src/Client.php',
    '\n function send() {\n-    if ($errors & \\constant($name)) {\n-        $found[] = $name;\n-    }\n }\n',
  );
  const there = diffOf(
    'src/functions.php',
    '\n function convert() {\n+    if ($errors & constant($name)) {\n+        $found[] = $name;\n+    }\n }\n',
  );
  assert.doesNotMatch(allOf(write([here, there]).en), /branch on/i);
  const lines = Array.from({ length: 14 }, (_, index) => `+  run(${index});`).join('\n');
  const example = diffOf('examples/errors/src/main.ts', `\n+export function main() {\n${lines}\n+}\n`, {
    status: 'added',
  });
  assert.doesNotMatch(allOf(write([example], { title: 'feat: show how to fail' }).en), /No test/);
});

test('what makes an object is no method, and a comment is not quoted without its address', () => {
  const nested = `
   public static final class Builder {
     private int size;
+    // Builds what is described at https://example.com/builders in some detail.
+    public Builder() {
+      this.size = 1;
+    }
   }
`;
  const lines = told('src/Retrofit.java', nested);
  assert.doesNotMatch(lines, /method `Builder`|described at/);
});

test('the head of a function is code, however many words it has, and a brace is nothing that a branch does', () => {
  const broken = `
   * @return bool
   */
-  public static function shouldPersist(
-      Cookie $cookie,
-      $isAllowed = false
-  ) {
+  public static function shouldPersist(Cookie $cookie, bool $isAllowed = false): bool
+  {
     return $isAllowed;
`;
  assert.doesNotMatch(told('src/Jar.php', broken), /`Cookie \$cookie, \$isAllowed = false \) \{` becomes/);
  const branch = `
 function read(field) {
+  if (field.type === 'enum') {
+  } else {
+    run(field);
+  }
 }
`;
  assert.doesNotMatch(told('src/read.ts', branch), /with `\}/);
});

test('a quotation is not cut inside of code, and a branch is not what it does', () => {
  const cut = `
 def open_resource(self, resource):
-    """Open a resource file relative to the folder that is called \`root_path\` on whichever object has it, for reading."""
+    """Open a resource file relative to the folder that is called \`root\` on whichever object has it, for reading or writing."""
     return open(resource)
`;
  assert.doesNotMatch(told('src/app.py', cut), /“… `\s/);
  const line =
    '\n def best(candidate, best) do\n+  if compare(candidate, best) == :gt, do: candidate, else: best\n end\n';
  assert.doesNotMatch(told('lib/best.ex', line), /do: candidate, else: best` is added/);
});

test('an example that says what comes out of its lines is one, and needs no test', () => {
  const fields = Array.from({ length: 12 }, (_, index) => `+        field :name${index}`).join('\n');
  const example = `
       end
 
+      defmodule Item do
+        @primary_key {:id, :binary_id, autogenerate: true}
${fields}
+      end
+
       # The item is loaded with the order
       order.item #=> %Item{...}
`;
  const { en } = write([diffOf('lib/schema.ex', example, { start: 740 })], {
    title: 'feat: show embedded items',
  });
  assert.doesNotMatch(allOf(en), /Adds `@primary_key|No test|Adds the module/);
});

test('the rest of a comment whose beginning is too long to be read is not what it says now', () => {
  const long = `Override either ${'EmitBatch, or '.repeat(24)}EmitBatchAsync,`;
  const remarks = `
   /// <param name="events">The events to emit.</param>
-  /// Override either EmitBatch or EmitBatchAsync of the sink,
-  /// not both of them.
+  /// ${long}
+  /// not both of them.
   void Emit();
`;
  assert.doesNotMatch(told('src/Sink.cs', remarks), /now says “not both/);
});

test('what documents something in Julia is told as words, and a text that is handed to a call as neither', () => {
  const signature = `
 # Forward

-    rnn(x, h)
+    rnn(x, [h])

 The arguments of the forward pass are:

 - \`x\`: The input to the network, which is a matrix.
`;
  assert.doesNotMatch(allOf(write([diffOf('src/recurrent.jl', signature, { start: 120 })]).en), /rnn\(x/);
  const removed = `
 """
 testmode!(m) = testmode!(m, true)

-"""
-    testmode!(model, inactive)
-
-This method is largely internal. It recurses into the model.
-- \`true\` for testing, i.e. \`active=false\`
-"""
 function testmode!(m, mode)
`;
  const said = allOf(write([diffOf('src/functor.jl', removed, { start: 30 })]).en);
  assert.doesNotMatch(said, /testmode!\(model|for testing/);
  const message = `
 function gradient(f)
   error("""The option is unknown.
-      If that worked before, calling Zygote.gradiet directly should still work.
+      If that worked before, calling Zygote.gradient directly should still work.
       """)
 end
`;
  assert.doesNotMatch(
    allOf(write([diffOf('src/gradient.jl', message, { start: 30 })]).en),
    /[Oo]nly comments|comment says|documentation says/,
  );
});

test('what is typed into a shell in a docstring, and what it answers, is no code', () => {
  const diff = [
    diffOf(
      'lib/money.ex',
      '\n   Rounds an amount.\n \n+      iex> Money.round(amount(1))\n+      new_amount(1, 0)\n \n   More of it.\n',
      { start: 40 },
    ),
  ];
  assert.doesNotMatch(allOf(write(diff).en), /new_amount|Money\.round/);
});

test('the title of a commit is quoted with what stands before a colon in it', () => {
  const changed = diffOf('src/a.ts', '\n const a = 1;\n-const b = next(a, 2);\n+const b = last(a, 3, 4);\n');
  const commitMessages = ['flattenOn: checks for a class and then does it once more'];
  const { en } = write([changed], { title: 'Flatten collections by what they are', commitMessages });
  assert.match(backgroundOf(en), /titled “flattenOn: checks for a class and then does it once more”/);
});
