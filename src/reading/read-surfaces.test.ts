import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { classifyFile } from './classify-file.ts';
import type { FileDiff } from './file-diff.ts';
import { GitAttributes } from './git-attributes.ts';
import { readSurfaces } from './read-surfaces.ts';
import { WholeDiff } from './whole-diff.ts';

function wholeOf(file: FileDiff): WholeDiff {
  const whole = new WholeDiff();
  whole.note(file);
  return whole;
}

function surfacesIn(path: string, body: string | string[], status: 'added' | 'modified' = 'modified') {
  const file = diffOf(path, body, { start: 20, status });
  const { kind, language } = classifyFile(file, new GitAttributes());
  return readSurfaces(file, kind, language, wholeOf(file)).map(({ change, name }) => `${change} ${name}`);
}

test('environment variables are read where the program reads them', () => {
  assert.deepEqual(
    surfacesIn(
      'src/a.ts',
      `
+const a = process.env.API_KEY ?? process.env['API_URL']
+const { DB_HOST, DB_PORT = '1' } = process.env
+process.env.WRITTEN = 'x'
+// process.env.COMMENTED
+if (process.env.NODE_ENV === 'test') process.env.lower`,
    ),
    ['added API_KEY', 'added API_URL', 'added DB_HOST', 'added DB_PORT'],
  );
  assert.deepEqual(
    surfacesIn('a.py', "+x = os.environ.get('A_KEY')\n+os.environ['SET_IT'] = x\n-os.getenv('B_KEY')"),
    ['removed B_KEY', 'added A_KEY'],
  );
  assert.deepEqual(surfacesIn('a.go', '+\tv, ok := os.LookupEnv("A_KEY")'), ['added A_KEY']);
  assert.deepEqual(surfacesIn('src/a.rs', '+let v = std::env::var("A_KEY");'), ['added A_KEY']);
  assert.deepEqual(surfacesIn('a.rb', "+ENV.fetch('A_KEY')"), ['added A_KEY']);
});

test('a variable that another visible line reads did not come or go', () => {
  assert.deepEqual(surfacesIn('src/a.ts', ' f(process.env.API_KEY)\n+g(process.env.API_KEY)'), []);
  assert.deepEqual(surfacesIn('src/a.ts', ['-f(process.env.API_KEY)', '+g(process.env.API_KEY)']), []);
});

test('example files of the environment name variables and show when a default changed', () => {
  assert.deepEqual(
    surfacesIn('.env.example', '-PORT=1\n+PORT=2\n+# HOST_NAME=localhost\n+# a sentence = this'),
    ['changed PORT', 'added HOST_NAME'],
  );
});

const routes: [string, string, string[]][] = [
  ['src/a.js', "app.get('/users/:id', handler)", ['GET /users/:id']],
  ['src/a.ts', '  .post("/items", async (c) => {', ['POST /items']],
  ['src/a.ts', '  .post("/items", body)', []],
  ['src/a.ts', "fastify.route({ method: 'PUT', url: '/x', handler })", ['PUT /x']],
  ['src/a.ts', "client.get('/users', options)", []],
  ['src/a.ts', "app.get('/setting')", []],
  ['a.py', '@router.post("/items/{id}")', ['POST /items/{id}']],
  ['a.py', "@app.route('/x', methods=['GET', 'POST'])", ['GET /x', 'POST /x']],
  ['shop/urls.py', "    path('cart/<int:id>/', views.cart),", ['cart/<int:id>/']],
  ['shop/views.py', "    path('cart/', views.cart),", []],
  ['a.go', '\tmux.HandleFunc("GET /health", s.health)', ['GET /health']],
  ['a.go', '\tr.POST("/items", create)', ['POST /items']],
  ['a.go', '\tresp, err := client.Get("/items", nil)', []],
  ['config/routes.rb', "  get '/about', to: 'pages#about'", ['GET /about']],
  ['src/A.java', '    @GetMapping("/users")', ['GET /users']],
  ['src/a.rs', '        .route("/users", get(list).post(create))', ['GET /users', 'POST /users']],
  ['src/a.rs', '#[delete("/users/{id}")]', ['DELETE /users/{id}']],
];

for (const [path, line, names] of routes) {
  test(`${line.trim()} in ${path} is ${names.length > 0 ? `the route ${names.join(', ')}` : 'no route'}`, () => {
    assert.deepEqual(
      surfacesIn(path, `+${line}`),
      names.map((name) => `added ${name}`),
    );
  });
}

const options: [string, string, string[]][] = [
  ['src/cli.ts', "+  .option('-p, --port <port>', 'the port')", ['added --port']],
  ['src/cli.ts', "+  .option('depth', { type: 'number' })", ['added --depth']],
  ['src/cli.ts', "+const o = parseArgs({\n+  'dry-run': { type: 'boolean' },", ['added --dry-run']],
  ['src/other.ts', "+  name: { type: 'string' },", []],
  ['a.py', '+parser.add_argument("-v", "--verbose", action="store_true")', ['added --verbose']],
  ['a.py', '+    parser.add_argument(\n+        "--level",', ['added --level']],
  ['a.py', '+@click.option("--name", default="x")', ['added --name']],
  ['cmd/a.go', '+\tcmd.Flags().BoolVarP(&o.clean, "clean", "c", false, "x")', ['added --clean']],
  ['cmd/a.go', '+\t_ = cmd.Flags().MarkHidden("clean")', []],
  ['src/a.rs', '+  #[clap(short, long)]\n+  pub no_bundle: bool,', ['added --no-bundle']],
  ['src/cli.ts', "-  .option('--a', 'old words')\n+  .option('--a', 'new words')", ['changed --a']],
  ['src/cli.ts', "-.option('--a', 'words')\n+    .option('--a', 'words')", []],
];

for (const [path, body, names] of options) {
  test(`command-line options of ${JSON.stringify(body)} in ${path}: ${names.join() || 'none'}`, () => {
    assert.deepEqual(surfacesIn(path, body), names);
  });
}

test('configuration keys carry the name of what is around them', () => {
  const body =
    ' {\n   "compilerOptions": {\n-    "strict": false,\n+    "strict": true,\n+    "lib": ["a"]\n   },';
  assert.deepEqual(surfacesIn('tsconfig.json', body), [
    'changed compilerOptions.strict',
    'added compilerOptions.lib',
  ]);
  assert.deepEqual(surfacesIn('netlify.toml', ' [build]\n+ignore = "x"\n-publish = "y"'), [
    'removed build.publish',
    'added build.ignore',
  ]);
  assert.deepEqual(surfacesIn('conf/app.yml', ' server:\n-  port: 1\n+  port: 2\n   tls:\n+    deep: true'), [
    'changed server.port',
  ]);
});

test('text blocks, lists of objects and keys that only moved are no configuration keys', () => {
  assert.deepEqual(surfacesIn('conf/app.yml', ' script: |\n+  not: a key\n+- name: x'), []);
  assert.deepEqual(surfacesIn('a.json', '   "windows": [\n     {\n-      "url": "x"\n     }\n   ]'), []);
  assert.deepEqual(surfacesIn('a.json', '-  "a": 1\n   "b": 2,\n+  "a": 1,'), []);
});

test('files that change hundreds of keys at once are data', () => {
  const lines = Array.from({ length: 100 }, (_, index) => `+  "key${index}": 1,`);
  assert.deepEqual(surfacesIn('a.json', lines.join('\n')), []);
});

test('tests, workflows, examples and documents have no surfaces', () => {
  assert.deepEqual(surfacesIn('test/a.ts', '+process.env.API_KEY'), []);
  assert.deepEqual(surfacesIn('.github/workflows/ci.yml', '+env:\n+  API_KEY: x'), []);
  assert.deepEqual(surfacesIn('docker-compose.yml', '+environment:\n+  API_KEY: x'), []);
  assert.deepEqual(surfacesIn('examples/a.js', "+app.get('/x', f)"), []);
  assert.deepEqual(surfacesIn('docs/a.ts', '+process.env.API_KEY'), []);
});

test('a line of a megabyte is passed over', () => {
  assert.deepEqual(
    surfacesIn('src/a.ts', `+process.env.A_B ${'a.get('.repeat(200_000)}\n+x(process.env.API_KEY)`),
    ['added API_KEY'],
  );
});

test('evidence is the line on the side where it stands', () => {
  const file = diffOf('src/a.ts', ' x\n-a(process.env.OLD_KEY)\n+a(process.env.NEW_KEY)', { start: 5 });
  assert.deepEqual(
    readSurfaces(file, 'source', 'TypeScript', wholeOf(file)).map(({ evidence }) => evidence),
    [
      { fileName: 'src/a.ts', startLine: 6, endLine: 6, side: 'old' },
      { fileName: 'src/a.ts', startLine: 6, endLine: 6, side: 'new' },
    ],
  );
});

test('what a hunk of carriage returns takes grows with its length, and not with its square', () => {
  const read = (path: string, length: number): number => {
    const file = diffOf(path, `+${'\r'.repeat(length)}x`);
    const { kind, language } = classifyFile(file, new GitAttributes());
    const before = process.threadCpuUsage();
    readSurfaces(file, kind, language, new WholeDiff());
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  for (const path of ['src/a.py', 'src/a.rb', 'src/a.ex']) {
    const small = Math.min(read(path, 20_000), read(path, 20_000), read(path, 20_000));
    const large = Math.min(read(path, 160_000), read(path, 160_000));
    // Eight times the length takes eight times as long, and 64 times where it is the square; the rest is for a busy machine.
    assert.ok(large <= 24 * Math.max(small, 5_000), `${path}: ${small} µs and ${large} µs`);
  }
});

test('routes that a test sets up beside the code are nobody else’s', () => {
  const route = '+    let app = Router::new().route("/users", get(list));';
  assert.deepEqual(surfacesIn('src/app.rs', route), ['added GET /users']);
  assert.deepEqual(surfacesIn('src/app.rs', ` #[tokio::test]\n async fn lists() {\n${route}`), []);
});

test('what is switched off in a comment is not gone, and the keys of items are data', () => {
  const commented = `
-network:
-  retries: 3
-  timeuot: 10
+#network:
+#  retries: 3
+#  timeout: 10
 cache: on`;
  assert.deepEqual(surfacesIn('config/app.yaml', commented), []);
  assert.deepEqual(surfacesIn('config/app.yaml', '\n-retries: 3\n+# Nobody tries again.\n cache: on'), [
    'removed retries',
  ]);
  const items = '\n - csr: mstatus\n-  description: Status\n-  address: 0x300\n   mode: M';
  assert.deepEqual(surfacesIn('config/registers.yaml', items), []);
});
