import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../../test/diff-of.ts';
import { write } from '../../../../test/write-offline.ts';
import type { FileDiff } from '../../../reading/file-diff.ts';
import { thirdPerson } from './english/verbs.ts';
import { titleFromEnglish } from './japanese/translate-title.ts';

test('an English title says what the change does', () => {
  assert.equal(
    thirdPerson('add msgpack as a compressible content type').text,
    'Adds msgpack as a compressible content type',
  );
  assert.equal(thirdPerson('Fix crash on empty input').text, 'Fixes crash on empty input');
  assert.equal(thirdPerson('apply the limit twice').text, 'Applies the limit twice');
  assert.equal(thirdPerson("don't publish build info").text, 'No longer publishes build info');
  assert.equal(thirdPerson('always return a list').text, 'Always returns a list');
});

test('a title that begins with something else keeps its words and spelling', () => {
  assert.equal(thirdPerson('useState keeps its value').text, 'useState keeps its value');
  assert.equal(thirdPerson('test coverage for the router').text, 'Test coverage for the router');
  assert.equal(thirdPerson('better errors').text, 'Better errors');
  assert.equal(thirdPerson('Support for hcat and cat').text, 'Support for hcat and cat');
  assert.equal(thirdPerson('look for a manifest').text, 'Looks for a manifest');
});

test('a word that may be a noun or a verb is taken for a verb only where something follows that it is done to', () => {
  assert.equal(thirdPerson('Lock file implementation').text, 'Lock file implementation');
  assert.equal(thirdPerson('Lock the file').text, 'Locks the file');
  assert.equal(thirdPerson('Test api coverage').text, 'Test api coverage');
  assert.equal(thirdPerson('Fix add optional reason').text, 'Fix add optional reason');
  assert.equal(titleFromEnglish('Cache headers'), null);
});

test('a version by itself is no package', () => {
  assert.equal(titleFromEnglish('update version to v1.37.0-rc.1'), 'バージョンを v1.37.0-rc.1 に更新');
});

test('what is used in a place is not said to belong to it', () => {
  assert.equal(
    titleFromEnglish('Use `Process.exec` in `shards run`'),
    '`shards run` で `Process.exec` を使用',
  );
  assert.equal(
    titleFromEnglish('Fix `Process.exec` in `shards run`'),
    '`shards run` の `Process.exec` を修正',
  );
});

test('what "in" means in a title depends on what is done', () => {
  assert.equal(titleFromEnglish('Resolve metadata in the correct scope'), null);
  assert.equal(titleFromEnglish('Add `limit` in `Router`'), '`Router` に `limit` を追加');
});

test('a title that is only a name stands before what is done to it', () => {
  const diff = diffOf('src/gleam/iterator.gleam', '\n+pub fn each(over, with) {\n+  todo\n+}\n');
  assert.match(write([diff], { title: '`iterator.each`' }).en.title, /^`iterator\.each`/);
});

test('a title that names its file is not told that the file changes', () => {
  const diff = diffOf('vignettes/introduction.Rmd', '\n-one\n-two\n+three\n+four\n');
  assert.equal(write([diff], { title: 'Update introduction.Rmd' }).en.title, 'Updates introduction.Rmd');
});

test('English titles of a known pattern are put into Japanese, names as they are', () => {
  assert.equal(titleFromEnglish('add support for `msgpack`'), '`msgpack` に対応');
  assert.equal(
    titleFromEnglish('remove obsolete version field from docker-compose.yml'),
    'docker-compose.yml から古いバージョンフィールドを削除',
  );
  assert.equal(titleFromEnglish('bump vite from 5.0.1 to 5.1.0'), 'vite を 5.0.1 から 5.1.0 に更新');
  assert.equal(titleFromEnglish('fix typos in docs'), 'ドキュメントの誤字を修正');
  assert.equal(titleFromEnglish('rename `open` to `read`'), '`open` を `read` に改名');
});

test('every verb of an English title has the same form, or the title stays as its author wrote it', () => {
  const said = (title: string) => thirdPerson(title).text;
  assert.equal(
    said('Introduce `Request.allowlist` and deprecate the constant'),
    'Introduces `Request.allowlist` and deprecates the constant',
  );
  assert.equal(
    said('Reuse `HashSet` instances, reduce LINQ usage, avoid reallocating'),
    'Reuses `HashSet` instances, reduces LINQ usage, avoids reallocating',
  );
  assert.equal(said('Add a router and test the limits'), 'Add a router and test the limits');
  assert.equal(said('Add support for 0.35. Drop 0.34 too'), 'Adds support for 0.35. Drops 0.34 too');
});

test('common titles get a Japanese one; a name stays as it is inside of it, and with any other word that is not known there is none', () => {
  const titles: [string, string][] = [
    ['Fix indentation in Usage.md', 'Usage.md のインデントを修正'],
    ['Bump decimal', 'decimal を更新'],
    ['Bump Json from 13.0.1 to 13.0.2 in /test/Tests', '/test/Tests の Json を 13.0.1 から 13.0.2 に更新'],
    ['Use `Map` instead of `Object`', '`Object` の代わりに `Map` を使用'],
    ['Allow ^1.0 || ^2.0 in psr/container', 'psr/container で ^1.0 || ^2.0 を許可'],
    ['Support Elixir 1.12', 'Elixir 1.12 に対応'],
    ['Drop support for Ruby 2.3', 'Ruby 2.3 のサポートを終了'],
    ['Improve exception message for duplicate field names', '重複したフィールド名の例外メッセージを改善'],
    ['Updated docs', 'ドキュメントを更新'],
    ['Dropped support for Ruby 2.3', 'Ruby 2.3 のサポートを終了'],
  ];
  for (const [title, expected] of titles) assert.equal(titleFromEnglish(title), expected);
  const mixed = [
    'Add cooldown to Dependabot config',
    'Fix concat of class array',
    'Remove char[] allocation',
    'Remove obsolescent ISSUE_TEMPLATE',
    'Rename variable handle -> handler',
    'Use the new perltidy',
  ];
  const sentences = ['Log and instrument UserSocket connect', "Document maps don't allow null anywhere"];
  for (const title of [...mixed, ...sentences]) assert.equal(titleFromEnglish(title), null, title);
});

test('titles with a sentence, an adverb or a second verb in them are not guessed at', () => {
  assert.equal(titleFromEnglish('fix crash when the list is empty'), null);
  assert.equal(titleFromEnglish('set headers values correctly'), null);
  assert.equal(titleFromEnglish('update module count and fix typo'), null);
  assert.equal(titleFromEnglish('fetch the latest events in one query'), null);
  assert.equal(titleFromEnglish('types audit'), null);
});

test('an English title that cannot be put into Japanese is quoted there, whole where it fits', () => {
  const diff = [diffOf('src/limits.ts', '-const most = 1;\n+const most = 2;')];
  const titleOf = (title: string) => write(diff, { title }).ja.title;
  assert.equal(titleOf('configurable streaming of bodies'), '「configurable streaming of bodies」');
  assert.equal(titleOf('fix: code actions not working'), '「code actions not working」(修正)');
  assert.equal(titleOf('chore(parser): v7.0.1'), 'バージョン v7.0.1 (parser)');
  assert.match(titleOf(`pass along ${'every word '.repeat(20)}`), /^「pass along .{40,70}…」$/);
});

test('what takes the place of another is not what a title says to come, and a new file says more than a changed one', () => {
  const merged = { title: 'Merge branch main' };
  const replaced = diffOf(
    'src/store.ts',
    '\n-export function openDocument(uri: string) {\n-  return load(uri);\n-}\n+export function openSynced(path: URL, lock: Lock) {\n+  hold(lock);\n+  return store.find(path);\n+}\n',
  );
  assert.equal(write([replaced], merged).en.title, 'Changes `src/store.ts`');
  const changed = diffOf('src/core.cljc', '\n-(expand ExpandArgs)\n+(expand Expand)\n');
  const added = diffOf('src/regex.cljc', '\n+(ns regex)\n+(defn matches [path])\n', { status: 'added' });
  assert.equal(
    write([changed, added], { title: 'Router & stuff', commitMessages: ['feat: x', 'feat: y'] }).en.title,
    'Router & stuff: adds `src/regex.cljc` and more',
  );
});

test('a feature or a fix that is called after a thing is told as one, and no verb is put before it', () => {
  const titleOf = (title: string) =>
    write([diffOf('src/widget.ts', '\n-const rows = 1;\n+const rows = 2;\n')], { title }).en.title;
  assert.equal(titleOf('feat: delivery windows for parcels'), 'Delivery windows for parcels (feature)');
  assert.equal(titleOf('feat: choose a delivery window'), 'Chooses a delivery window');
  assert.equal(titleOf('feat: retry failed deliveries'), 'Retry failed deliveries (feature)');
  assert.equal(
    titleOf('fix: comparison of tokens in constant time'),
    'Comparison of tokens in constant time (fix)',
  );
  assert.equal(titleOf('feat: mull the delivery window over'), 'Mull the delivery window over');
});

test('tickets, kinds in brackets and closed issues before and behind a title are no part of it', () => {
  const titleOf = (title: string) =>
    write([diffOf('src/widget.ts', '\n-const rows = 1;\n+const rows = 2;\n')], { title }).en.title;
  assert.equal(titleOf('(#13073) Add missing rows of widgets'), 'Adds missing rows of widgets');
  assert.equal(titleOf('(maint) Release version 5.7.0 of widgets'), 'Release version 5.7.0 of widgets');
  assert.equal(titleOf('(MODULES-2432): Add rows to all widgets'), 'Adds rows to all widgets');
  assert.equal(titleOf('[silence-errors]: adds a row to all widgets'), 'Adds a row to all widgets');
  assert.equal(titleOf('Watch: avoid several rows of it, closes #1886'), 'Avoids several rows of it (Watch)');
  assert.equal(titleOf('Add rows to all widgets. (Fixes #54, #55)'), 'Adds rows to all widgets');
  assert.equal(titleOf('Fix for #688, #689: rows of widgets keep dots'), 'Rows of widgets keep dots (fix)');
  assert.equal(titleOf('5677: Rebuild rows of all widgets'), 'Rebuilds rows of all widgets');
  assert.equal(titleOf('Fix styles of all widgets [CI skip]'), 'Fixes styles of all widgets');
  assert.equal(titleOf('Release v2.13.0'), 'Release v2.13.0');
  assert.equal(titleOf('(Un)lock rows of all widgets'), '(Un)lock rows of all widgets');
});

test('what is done by itself is done to the part that stands before it', () => {
  const diff = diffOf('src/scrub.zig', '\n-const a = [_]u8{1};\n-x();\n+const b = [_]u8{2};\n+y();\n');
  const { en, ja } = write([diff], { title: 'darwinScrublist: update' });
  assert.match(en.title, /^Updates darwinScrublist(?:$|:)/);
  assert.match(ja.title, /^darwinScrublist を更新/);
  assert.match(write([diff], { title: 'fix(parser): cleanup' }).en.title, /^Cleans up parser/);
});

test('a title that is too long ends where something in it ends', () => {
  const titleOf = (title: string) =>
    write([diffOf('src/widget.ts', '\n-const rows = 1;\n+const rows = 2;\n')], { title }).en.title;
  assert.equal(
    titleOf('fix bug in scriptalias code that keeps scriptalias from being included in default vhost'),
    'Fixes bug in scriptalias code that keeps scriptalias from being included…',
  );
  assert.equal(
    titleOf('support TRACEPARENT and TRACESTATE variables for OpenTelemetry context propagation inside'),
    'Supports TRACEPARENT and TRACESTATE variables…',
  );
  assert.equal(
    titleOf(
      'Use the silent logger without any sinks (as in the documentation) so that no line of any of them is ever lost again',
    ),
    'Uses the silent logger without any sinks',
  );
  assert.equal(
    titleOf('refactor: simplify review effort label format and remove maximal effo…'),
    'Simplifies review effort label format…',
  );
  for (const title of [
    `a${' [x] :'.repeat(5_000)}`,
    `${'[x] '.repeat(5_000)}`,
    `fix ${'a, of '.repeat(5_000)}`,
  ])
    assert.ok([...titleOf(title)].length <= 80);
});

test('where nothing but documents or tests change, the title says so, unless its author does', () => {
  const readme = diffOf(
    'README.md',
    '\n-A port of it.\n-It has targets.\n+A library for games.\n+It is free.\n',
  );
  const spec = diffOf('tests/limits.test.ts', "\n-test('one', () => {});\n+test('two', () => {});\n");
  const source = diffOf('src/widget.ts', '\n-const rows = 1;\n+const rows = 2;\n');
  const titles = (title: string, ...diff: FileDiff[]) => {
    const { en, ja } = write(diff, { title });
    return [en.title, ja.title];
  };
  assert.deepEqual(titles('Update flixelNME', readme), [
    'Updates flixelNME (documentation)',
    'flixelNME を更新 (ドキュメント)',
  ]);
  assert.deepEqual(titles('docs: word about limits of parcels', readme), [
    'Word about limits of parcels (documentation)',
    '「word about limits of parcels」(ドキュメント)',
  ]);
  assert.deepEqual(titles('fix(limits): show all parcels twice', spec), [
    'Shows all parcels twice (limits, fix, tests)',
    '「show all parcels twice」(limits、修正、テスト)',
  ]);
  assert.equal(titles('Fix typo in limits of parcels', readme)[0], 'Fixes typo in limits of parcels');
  assert.equal(titles('Make LimitsTest of parcels stable', spec)[0], 'Makes LimitsTest of parcels stable');
  assert.equal(titles('Update flixelNME', readme, source)[0], 'Updates flixelNME');
  const long = `Update flixelNME ${'a'.repeat(55)}`;
  assert.equal(titles(long, readme)[0], long.replace('Update', 'Updates'));
});

test('where a title says nothing or only a word, what a small change does is told, in full or by its first names', () => {
  const pointer = diffOf(
    'flixel/ui/FlxAnalog.hx',
    '\n-_point.set(FlxG.mouse.screenX, FlxG.mouse.screenY);\n+_point.set(FlxG.mouse.viewX, FlxG.mouse.viewY);\n #if FLX_TOUCH\n if (Touch != null)\n {\n-TouchPoint.set(Touch.screenX, Touch.screenY);\n+TouchPoint.set(Touch.viewX, Touch.viewY);\n }\n',
  );
  const small = diffOf('src/widget.rb', '\n-rows = 1\n+rows = 2\n');
  const titles = (diff: FileDiff, title: string) => {
    const { en, ja } = write([diff], { title });
    return [en.title, ja.title];
  };
  assert.deepEqual(titles(pointer, 'Pointer'), [
    'Pointer: `screenX` becomes `viewX`, among other edits',
    '「Pointer」: `screenX` が `viewX` に変わるなど、いくつかの変更があります',
  ]);
  assert.equal(titles(small, 'Fixes #12')[0], '`rows = 1` becomes `rows = 2`');
  assert.equal(titles(small, 'wip')[0], '`rows = 1` becomes `rows = 2`');
  assert.equal(titles(small, 'Use valid value')[0], 'Uses valid value: `rows = 1` becomes `rows = 2`');
  assert.equal(titles(small, 'Two rows of each widget')[0], 'Two rows of each widget');
  assert.equal(
    titles(small, 'Bump https://github.com/astral-sh/ruff-pre-commit')[0],
    'Bumps astral-sh/ruff-pre-commit',
  );
});

test('a title that only says that documents change gets what is told of them', () => {
  const readme = diffOf('docs/setup.md', '\n # Setup\n \n+## Parcels\n+\n+They are weighed twice.\n');
  assert.equal(
    write([readme], { title: 'Small update to documentation' }).en.title,
    'Small update to documentation: adds the section “Parcels”',
  );
});

test('a Japanese title has no half of an English one in it', () => {
  assert.equal(titleFromEnglish('Fix cache 2'), null);
  assert.equal(titleFromEnglish('Fix 2020 and 2021 Deprecation Warnings'), null);
  assert.equal(titleFromEnglish('Stabilize CI And Fix Bugs'), null);
  assert.equal(titleFromEnglish('Fix option name'), 'オプション名を修正');
  assert.equal(titleFromEnglish('Drop dependency on `CGI`'), '`CGI` への依存関係を廃止');
  assert.equal(titleFromEnglish('Include `template` on ECOSYSTEM.md'), 'ECOSYSTEM.md に `template` を含める');
  assert.equal(titleFromEnglish('Revert "Shorter timeout"'), '「Shorter timeout」を差し戻し');
  assert.equal(titleFromEnglish('Support Google AI Studio'), 'Google AI Studio に対応');
});

test('a word beside the name of a file says more than that alone', () => {
  const diff = ['a', 'b'].map((name) =>
    diffOf(`src/${name}.zig`, '\n-const a = [_]u8{1};\n-x();\n+const b = [_]u8{2};\n+y();\n'),
  );
  const { en, ja } = write(diff, { title: 'fix: typo' });
  assert.equal(en.title, 'Typo (fix): changes `src/a.zig` and more');
  assert.equal(ja.title, '「typo」(修正): `src/a.zig` などを変更');
});

test('where the title is the name of a branch, the commit that has most in common with the others speaks for them', () => {
  const changed = diffOf(
    'src/urls.ts',
    '\n const a = 1;\n-const b = next(a, 2);\n+const b = last(a, 3, 4);\n',
  );
  const title = 'Merge pull request #3 from ada/refactor-scheme';
  const titleOf = (...commitMessages: string[]) => write([changed], { title, commitMessages }).en.title;
  const commits = [
    'ffi: Add register-custom-scheme',
    'urls: Refactor scheme class',
    'renderer: Refactor scheme handling',
    'Move the comment of the scheme',
    'changelog: Mention scheme handling',
  ];
  assert.equal(titleOf(...commits), 'Refactors scheme class (urls)');
  const apart = ['Add a window', 'Close the door', 'Move the table', 'Paint walls green'];
  assert.doesNotMatch(titleOf(...apart), /window|door|table|walls/);
  const said = 'buffer: Fix bug.\n\nImproves responsiveness of the set-url command.\n\nFixes #3349.';
  assert.equal(
    titleOf(said, 'changelog: Mention set-url fix.'),
    'Improves responsiveness of the set-url command',
  );
});

test('an address of an issue is told by its number, and a long path by the name of its file', () => {
  const changed = diffOf(
    'src/urls.ts',
    '\n const a = 1;\n-const b = next(a, 2);\n+const b = last(a, 3, 4);\n',
  );
  const titleOf = (title: string) => write([changed], { title }).en.title;
  assert.equal(titleOf('Adapt to https://github.com/ada/engine/pull/21159'), 'Adapts to ada/engine#21159');
  assert.equal(
    titleOf(
      'Prefer contradiction over elimination in `Data/List/Relation/Binary/Prefix/Heterogeneous/Properties`',
    ),
    'Prefers contradiction over elimination in `Properties`',
  );
});

test('something that is published is called by its name and its version', () => {
  const added = diffOf('packages/nerd-icons/lib.ts', '\n+export const icon = 1;\n', { status: 'added' });
  const { en, ja } = write([added], { title: 'nerd-icons:0.2.0' });
  assert.equal(en.title, 'nerd-icons:0.2.0');
  assert.equal(ja.title, '「nerd-icons:0.2.0」');
});

test('what somebody says of their own doing gives way to what is done', () => {
  const servers = {
    ...diffOf('tests/login/multiple-servers.yml', '\n+- name: log in to two servers\n'),
    status: 'added' as const,
  };
  assert.equal(
    write([servers], { title: 'Added file I forgot to add to community.general' }).en.title,
    'Adds `tests/login/multiple-servers.yml`',
  );
});

test('where a title names only an issue, the entry of the changelog says what it was', () => {
  const entry = diffOf('CHANGELOG.md', '\n ### Fixed\n+- Some state was not reset by nested keys\n \n');
  const source = diffOf('src/keys.rb', '\n-reset(state)\n+reset(state, :all)\n \n+done = 1\n');
  assert.equal(
    write([entry, source], { title: 'Fix gh1667' }).en.title,
    '“Some state was not reset by nested keys”',
  );
});

test('a scope that stands in another word by chance is not said', () => {
  const page = diffOf('docs/fr/index.mdx', '\n-a\n+b\n');
  assert.equal(
    write([page], { title: 'i18n(fr): Update `index.mdx` & `frontmatter.mdx`' }).en.title,
    'Updates `index.mdx` & `frontmatter.mdx` (fr)',
  );
});

test('whose branch it was is no part of a title that a code host made out of its name', () => {
  const source = diffOf('lib/io.scm', '\n-(define a 1)\n+(define a 2)\n');
  assert.equal(write([source], { title: 'Feeley/improve univlib' }).en.title, 'Improves univlib');
  assert.equal(write([source], { title: 'TCP/IP stack for all' }).en.title, 'TCP/IP stack for all');
});
