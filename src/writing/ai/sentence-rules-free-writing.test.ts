import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import type { Evidence } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { emptyDraft, emptySentence, type Sentence, type SpokenWords } from '../draft.ts';
import { Ground } from '../verify/ground.ts';
import { checkFreeWriting } from './sentence-rules.ts';
import { restSummaries } from './summaries.ts';

/** The place of each changed or unchanged line that holds one of these texts. */
function linesWith(diff: FileDiff[], texts: string[]): Evidence[] {
  return texts.map((wanted) => {
    for (const { path, hunks } of diff)
      for (const { text, side, newLine, oldLine } of hunks.flatMap(linesOf))
        if (text.includes(wanted)) {
          const line = (side === 'removed' ? oldLine : newLine) ?? 0;
          return { fileName: path, side: side === 'removed' ? 'old' : 'new', startLine: line, endLine: line };
        }
    return assert.fail(`no line has ${wanted}`);
  });
}

interface Change {
  diff: FileDiff[];
  words?: SpokenWords[];
  repository?: string;
}

/** Why a sentence that cites these lines is refused; null where it passes. */
function reasonsIn({ diff, words = [], repository = 'owner/name' }: Change) {
  const ground = new Ground({ diff, words, repository });
  const check = checkFreeWriting({ ground, diff, words, findings: [] });
  const cited = (text: string, lines: string[], more: Partial<Sentence>): Sentence => ({
    ...emptySentence,
    quote: more.basis === 'judgement' ? null : (lines[0] ?? 'first attempt'),
    text,
    evidence: linesWith(diff, lines),
    ...more,
  });
  return {
    ofSentence: (text: string, lines: string[], more: Partial<Sentence> = {}): string | null => {
      const before = cited('It changes.', lines, {});
      const said = cited(text, lines, more);
      const isJudgement = said.basis === 'judgement';
      const outcomes = check({
        ...emptyDraft,
        notablePoints: [
          {
            categories: ['RISK'],
            label: null,
            severity: null,
            sentences: isJudgement ? [before, said] : [said],
          },
        ],
      });
      const outcome = outcomes.at(-1);
      return outcome?.kept === null ? outcome.reason : null;
    },
    ofTitle: (text: string, lines: string[]): string | null => {
      const title = cited(text, lines, { quote: null });
      const [outcome] = check({ ...emptyDraft, title });
      return outcome?.kept === null ? outcome.reason : null;
    },
  };
}

const options = diffOf(
  'src/options.rs',
  `
 fn build() -> Command {
+    Arg::new("style")
+        .long("style")
+        .short('s')
+        .value_parser(["auto", "basic", "full"])
+        .help("Set the output style"),
+    OutputStyle::Basic => progress.hide_and_set_colors(false),
 }
`,
);

test('an option with its value may be named if cited lines show both', () => {
  const { ofSentence } = reasonsIn({ diff: [options] });
  const lines = ['.value_parser(', '.long("style")', 'OutputStyle::Basic'];
  assert.equal(ofSentence('`--style basic` turns off colors and hides the progress bars.', lines), null);
  assert.equal(ofSentence('`--style=basic` turns off colors and hides the progress bars.', lines), null);
  assert.equal(ofSentence('`-s basic` turns off colors and hides the progress bars.', lines), null);
  for (const said of ['--style plain', '--style=plain', '--color basic', '-c basic'])
    assert.match(
      ofSentence(`\`${said}\` turns off colors and hides the progress bars.`, lines) ?? '',
      /does not stand/,
      said,
    );
});

const gemspec = diffOf(
  'devise.gemspec',
  `
-  s.required_ruby_version = '>= 2.1.0'
+  s.required_ruby_version = '>= 2.7.0'
-  s.add_dependency("railties", ">= 4.1.0")
+  s.add_dependency("railties", ">= 6.0.0")
`,
);

test('a version may be named without its last zeros', () => {
  const { ofSentence } = reasonsIn({ diff: [gemspec], repository: 'heartcombo/devise' });
  const lines = ["'>= 2.7.0'", '">= 6.0.0"'];
  assert.equal(ofSentence('Devise requires Ruby 2.7 and Rails 6.0 or newer.', lines), null);
  for (const said of ['Ruby 2.8 and Rails 6.0', 'Ruby 2.7 and Rails 6.1', 'Ruby 2.70 and Rails 6.0'])
    assert.match(ofSentence(`Devise requires ${said} or newer.`, lines) ?? '', /does not stand/, said);
});

const gemfiles = ['4-1', '4-2', '5-0', '5-2'].map((version) =>
  diffOf(`gemfiles/Gemfile-rails-${version}`, `\n-gem "rails", "~> ${version.replace('-', '.')}.0"\n`, {
    status: 'removed',
  }),
);

test('a range of removed files is not accepted as a rename', () => {
  const { ofSentence } = reasonsIn({ diff: gemfiles });
  const [from, to] = ['gemfiles/Gemfile-rails-4-1', 'gemfiles/Gemfile-rails-5-2'];
  for (const lines of [['4.1.0', '5.2.0'], ['4.1.0']]) {
    assert.equal(ofSentence(`The files from \`${from}\` to \`${to}\` are gone.`, ['4.1.0', '5.2.0']), null);
    assert.match(ofSentence(`\`${from}\` becomes \`${to}\`.`, lines) ?? '', /does not/);
    assert.match(ofSentence(`\`${from}\` is renamed to \`${to}\`.`, lines) ?? '', /does not/);
  }
});

const server = diffOf(
  'uvicorn/server.py',
  `
-            server = await _start_unix_server(
-                handler, path=config.uds, ssl=config.ssl, backlog=config.backlog
+            server = await loop.create_server(  # type: ignore[call-overload]
+                create_protocol, path=config.uds, ssl=config.ssl, backlog=config.backlog
             )
`,
);

test('a judgement may name parts of the language and its libraries, and a sentence about lines may not', () => {
  const { ofSentence } = reasonsIn({ diff: [server] });
  const lines = ['loop.create_server(', 'create_protocol, path'];
  const text =
    'In asyncio, `path` is a parameter of `create_unix_server` and not of `create_server`, so the server cannot start this way.';
  assert.equal(ofSentence(text, lines, { basis: 'judgement' }), null);
  assert.match(ofSentence(text, lines) ?? '', /`create_unix_server` does not stand/);
});

test('a judgement may name errors of languages, and no package or function whose words no line contains', () => {
  const { ofSentence } = reasonsIn({ diff: [server] });
  const judge = (text: string) => ofSentence(text, ['loop.create_server('], { basis: 'judgement' });
  assert.equal(judge('Starting the server then raises `TypeError`.'), null);
  assert.equal(judge('The server then gets "undefined".'), null);
  assert.match(judge('Use `FreeVpn` instead of the loop.') ?? '', /`FreeVpn` does not stand/);
});

test('the members of a class may be gone, and how it was until now is not how it is', () => {
  const { ofSentence } = reasonsIn({
    diff: [
      diffOf(
        'a.js',
        ' class Option {\n-  fullDescription() {}\n-  attach(...any) {}\n+  attach(...text) {}\n }',
      ),
    ],
  });
  const lines = ['fullDescription() {}', 'attach(...text)', 'class Option'];
  assert.equal(ofSentence('The old methods of `Option` are gone.', lines), null);
  assert.match(ofSentence('The class `Option` is gone.', lines) ?? '', /`Option` is not removed/);
  assert.equal(ofSentence('`attach` takes `...text`; until now it took `...any`.', lines), null);
});

const orm = diffOf(
  'lib/devise/failure_app.rb',
  `
-      if Rails::VERSION::MAJOR >= 5 && Rails.gem_version >= Gem::Version.new("6.0.0")
-        config.relative_url_root
-      end
+      config.relative_url_root
`,
);

test('a judgement may name no version and no number that its lines lack', () => {
  const { ofSentence } = reasonsIn({ diff: [orm], repository: 'heartcombo/devise' });
  const lines = ['Gem::Version.new("6.0.0")', 'config.relative_url_root'];
  const text = 'Under Rails 6.0, these conditions already came out this way, so it sees no difference here.';
  assert.equal(ofSentence(text, lines, { basis: 'judgement' }), null);
  assert.match(
    ofSentence(text.replace('6.0', '5.0'), lines, { basis: 'judgement' }) ?? '',
    /`5\.0` does not stand/,
  );
});

const ky = [
  diffOf(
    'source/core/Ky.ts',
    `
-			if (error instanceof HTTPError || error instanceof TimeoutError) return true;
+			if (!isKnownError(error)) throw error;
+			throw wrapFetchError(error, request);
`,
  ),
  diffOf('source/errors/NetworkError.ts', '\n+export class NetworkError extends KyError {\n+}\n', {
    status: 'added',
  }),
];

test('a title may use names in the path of any changed file', () => {
  const { ofTitle } = reasonsIn({ diff: ky });
  const lines = ['throw wrapFetchError'];
  const title = 'ky throws `NetworkError` for network failures and stops retrying unknown errors';
  assert.equal(ofTitle(title, lines), null);
  assert.match(ofTitle(title.replace('Network', 'Abort'), lines) ?? '', /`AbortError` does not stand/);
});

const setting = diffOf('lib/setting.rb', '\n+  GLOBAL_FLAG = true\n');
const spoken = [
  {
    speaker: 'Stephen Pentland',
    where: 'description' as const,
    text: 'It is a global setting because my first attempt, a flag for each call, leaked into other threads.',
  },
  { speaker: 'Ann Bell', where: 'comment' as const, text: 'My first attempt set the flag directly.' },
];

test('"he", "his" and the like stand for the author only', () => {
  const { ofSentence } = reasonsIn({ diff: [setting], words: spoken });
  const [author, other] = spoken.map((one): Partial<Sentence> => ({ basis: 'words', words: [one] }));
  assert.ok(author && other);
  for (const text of [
    'The author, Stephen Pentland, explains why it is a global setting: his first attempt leaked into other threads.',
    'His first attempt leaked into other threads.',
    'Her first attempt leaked into other threads.',
  ])
    assert.equal(ofSentence(text, [], author), null, text);
  for (const text of ['Her first attempt set the flag directly.', 'The author first set the flag directly.'])
    assert.match(ofSentence(text, [], other) ?? '', /does not say who says it/, text);
});

const zone = diffOf(
  'src/zone.ts',
  `
 export function dayIn(zone: string, at: Date) {
+  if (!zones.has(zone)) throw new RangeError(\`Unknown zone: \${zone}\`);
+  for (const retry of retries) await retry.run(zone, 12);
 }
`,
);

test('a call may be said to end in an error that the cited lines throw', () => {
  const { ofSentence } = reasonsIn({ diff: [zone] });
  const text = 'A call with an unknown `zone` ends in a `RangeError`.';
  assert.equal(ofSentence(text, ['throw new RangeError']), null);
  assert.match(
    ofSentence(text.replace('Range', 'Type'), ['throw new RangeError']) ?? '',
    /`TypeError` does not stand/,
  );
});

test('plurals and verb forms of names, keywords, and numbers as words pass', () => {
  const { ofSentence } = reasonsIn({ diff: [zone], repository: 'acme/almanac' });
  const lines = ['throw new RangeError', 'for (const retry'];
  for (const text of [
    'Unknown zones end in `RangeErrors`.',
    'Each of the `retries` gets the `zone`.',
    'Every retry `runs` with the `zone`, one at a time, twelve in all.',
    'They are run in a `for` loop with an `await` in its body, not with `while`.',
    'In `almanac`, an unknown `zone` is an error.',
    'The `acme/almanac` calendar knows no such `zone`.',
  ])
    assert.equal(ofSentence(text, lines), null, text);
  for (const text of [
    'Unknown zones end in `TypeErrors`.',
    'Each of the `tries` gets the `zone`.',
    'In `calendar`, an unknown `zone` is an error.',
    'The default is `null`.',
    'Every retry runs with 13.',
  ])
    assert.match(ofSentence(text, lines) ?? '', /does not stand/, text);
});

test('an option may be called by either of the spellings that its line defines', () => {
  const declared = [
    '    flags.BoolVarP(&all, "all", "a", false, "Show all")',
    '    parser.add_argument("-a", "--all")',
    '    #[arg(short, long)] all: bool,',
    "    #[arg(short = 'a', long)] all: bool,",
    '    .option("-a, --all", "Show all")',
    "    opts.on('-a', '--all')",
  ];
  for (const line of declared) {
    const { ofSentence } = reasonsIn({ diff: [diffOf('cmd/list', `\n+${line}\n`)] });
    for (const said of ['-a', '--all'])
      assert.equal(ofSentence(`\`${said}\` shows all of them.`, [line]), null, `${said} in ${line}`);
    for (const said of ['-b', '--every'])
      assert.match(ofSentence(`\`${said}\` shows all of them.`, [line]) ?? '', /does not stand/, line);
  }
});

const wait = diffOf('src/wait.ts', [
  `
 export function wait(options) {
-  const timeout = oldLimit(30);
+  const timeout = newLimit(60);
   return open(options);
 }
`,
  `
 export function check(token) {
+  if (!token) return deny(token);
   return allow(token);
 }
`,
  `
 export function close(door) {
-  lock(door);
   shut(door);
 }
`,
]);

test('a statement about the past needs removed lines, and one about the present added lines; unchanged lines support both', () => {
  const { ofSentence } = reasonsIn({ diff: [wait] });
  for (const [text, lines] of [
    ['`wait` used to call `oldLimit`.', ['oldLimit']],
    ['`wait` previously waited for `30`.', ['oldLimit']],
    ['Before, `timeout` was `30`; now it is `60`.', ['newLimit']],
    ['`wait` now goes by `newLimit`, where `oldLimit` was before.', ['newLimit']],
    ['`timeout` is now `60` instead of `30`.', ['newLimit']],
    ['これまでは `30` でしたが、今後は `60` です。', ['newLimit']],
    ['A call without a token is now denied.', ['deny(']],
    ['Tokens weren’t checked before.', ['deny(']],
    ['Previously, nothing checked tokens.', ['deny(']],
    ['以前はトークンを確認していませんでした。', ['deny(']],
    ['A call without a token used to reach `allow`.', ['deny(', 'return allow']],
    ['`close` no longer locks.', ['lock(door)']],
    ['`close` now only calls `shut`.', ['lock(door)', 'shut(door)']],
    ['`shut` is called as before.', ['shut(door)']],
  ] as const)
    assert.equal(ofSentence(text, [...lines]), null, text);
  for (const [text, lines] of [
    ['`wait` used to call `newLimit`.', ['newLimit']],
    ['`wait` previously waited for `60`.', ['newLimit']],
    ['Before, `timeout` was `60`; now it is `30`.', ['newLimit']],
    ['`timeout` is now `30`.', ['newLimit']],
    ['これまでは `60` でした。', ['newLimit']],
    ['現在は `30` です。', ['newLimit']],
    ['A call without a token used to be let through.', ['deny(']],
    ['The answer no longer depends on whether there is a token.', ['deny(']],
    ['The door now only shuts.', ['lock(door)']],
    ['`shut` is now called.', ['shut(door)']],
    ['It no longer calls `shut`.', ['shut(door)']],
  ] as const)
    assert.notEqual(ofSentence(text, [...lines]), null, text);
});

test('unchanged lines may be cited alone for a statement without a change', () => {
  const { ofSentence } = reasonsIn({ diff: [wait] });
  assert.equal(ofSentence('Everything with a token goes to `allow`.', ['return allow']), null);
  for (const text of [
    'Everything with a token now goes to `allow`.',
    '`allow` is added.',
    '`allow` を追加しています。',
  ])
    assert.match(ofSentence(text, ['return allow']) ?? '', /no lines that changed/, text);
});

test('a name passes with what qualifies it, as a call, as an annotation, and if the author’s title has it', () => {
  const router = diffOf('lib/router/mod.rs', '\n-fn walk(list: Routes) {}\n+fn visit(list: Routes) {}\n');
  const words = [{ speaker: 'ann', where: 'title' as const, text: 'Walk cmd.exe routes in order' }];
  const { ofSentence } = reasonsIn({ diff: [router], words });
  for (const text of [
    '`router::walk` becomes `router::visit`.',
    '`router::walk` is removed.',
    '`Routes()` can be visited.',
    '`@Routes` can be visited.',
    'This is for `cmd.exe`.',
  ])
    assert.equal(ofSentence(text, ['fn visit']), null, text);
  for (const text of [
    '`router::visit` becomes `router::walk`.',
    '`router::visit` is removed.',
    '`engine::visit` is new.',
    '`router::find` is new.',
    '`Router()` can be visited.',
    'It is all in `order`.',
  ])
    assert.notEqual(ofSentence(text, ['fn visit']), null, text);
});

test('a statement about run time passes with the verb of a cited line', () => {
  const channel = diffOf('src/channel.rs', '\n-  drop(receiver);\n+  drop(sender);\n+  list.insert(item);\n');
  const { ofSentence } = reasonsIn({ diff: [channel] });
  assert.equal(ofSentence('The signal drops `sender`.', ['drop(sender)']), null);
  assert.equal(ofSentence('It inserts `item`.', ['list.insert']), null);
  assert.match(ofSentence('The signal removes `sender`.', ['drop(sender)']) ?? '', /is not removed/);
});

test('a statement about callers needs a line with a call, and one that there are no other callers is rejected', () => {
  const { ofSentence } = reasonsIn({ diff: [wait] });
  const lines = ['export function wait', 'return open(options)'];
  for (const text of [
    '`wait` calls `open`.',
    '`open` is called by `wait`.',
    '`wait` が `open` を呼び出します。',
  ])
    assert.equal(ofSentence(text, lines), null, text);
  for (const text of [
    '`open` calls `wait`.',
    '`wait` is called by `open`.',
    '`open` が `wait` を呼び出します。',
  ])
    assert.match(ofSentence(text, lines) ?? '', /calls `wait`/, text);
  for (const text of [
    '`wait` is the only caller of `open`.',
    'All callers of `open` pass `options`.',
    '`open` の呼び出し元は `wait` だけです。',
  ])
    assert.match(ofSentence(text, lines) ?? '', /something of all cases/, text);
});

test('a title may use the names of all sentences it rests on, and after one is mended those of the mended one', () => {
  const ground = new Ground({ diff: [server], words: [] });
  const check = checkFreeWriting({ ground, diff: [server], words: [], findings: [] });
  const evidence = linesWith([server], ['loop.create_server(']);
  const outcomeOf = (title: string, judged: string) => {
    const sentences: Sentence[] = [
      { ...emptySentence, text: 'It calls `create_server`.', quote: 'loop.create_server(', evidence },
      { ...emptySentence, text: judged, basis: 'judgement', evidence },
    ];
    const change = { fileName: server.path, heading: null, changeTypes: [], sentences, hunk: null };
    const draft = { ...emptyDraft, title: { ...emptySentence, text: title }, mainChanges: [change] };
    const [outcome] = check(restSummaries({ draft, rests: [[1, 2]] }).draft);
    return outcome?.kept === null ? outcome.reason : null;
  };
  const title = 'A start with `--uds` ends in a `TypeError`';
  assert.equal(outcomeOf(title, 'With `--uds` this ends in a `TypeError`.'), null);
  assert.match(
    outcomeOf(title, 'With `--uds` this ends in a `ValueError`.') ?? '',
    /`TypeError` does not stand/,
  );
  assert.match(outcomeOf(title, '') ?? '', /does not stand/);
});

test('a key with its value, an HTTP status and its name, and numbers in judgements pass', () => {
  const limit = diffOf(
    'lib/limit.go',
    `
+  header.Set("Content-Encoding", "zstd")
+  if length == 0 { return http.StatusUnsupportedMediaType }
`,
  );
  const { ofSentence } = reasonsIn({ diff: [limit] });
  const lines = ['header.Set', 'length == 0'];
  assert.equal(
    ofSentence('`Content-Encoding: zstd` is set, and a body without length gets a 415.', lines),
    null,
  );
  assert.equal(ofSentence('In Go, a `length` of 17 gets no 415.', lines, { basis: 'judgement' }), null);
  for (const text of [
    '`Content-Encoding: gzip` is set.',
    '`Content-Type: zstd` is set.',
    'A body without length gets a 413.',
    'A `length` of 17 gets through.',
  ])
    assert.match(ofSentence(text, lines) ?? '', /does not stand/, text);
});

test('unchanged lines support "no longer" and "now" if a condition before them is new', () => {
  const guarded = diffOf(
    'lib/decode.py',
    `
 def flush(self):
+    if not self.seen:
+        return b""
     if not self.eof:
         raise DecodingError("incomplete")
     finish(self)
`,
  );
  const { ofSentence, ofTitle } = reasonsIn({ diff: [guarded] });
  const lines = ['if not self.seen', 'raise DecodingError'];
  assert.equal(ofSentence('An empty body no longer raises `DecodingError`.', lines), null);
  assert.equal(ofSentence('`flush` now calls `finish` only for what was seen.', lines), null);
  assert.equal(ofTitle('Empty bodies no longer fail', ['if not self.seen']), null);
  assert.notEqual(ofSentence('An empty body no longer reads `seen`.', lines), null);
  assert.notEqual(ofTitle('Empty bodies no longer read `seen`', ['if not self.seen']), null);
});
