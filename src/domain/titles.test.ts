import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorTitle, headlineOf } from './titles.ts';

test('`authorTitle` turns a Conventional type into a word, keeps its scope and breaking mark, and leaves other prefixes', () => {
  const table: [title: string, english: string, japanese: string][] = [
    ['fix: panic on Hijack', 'Fix: panic on Hijack', '修正：panic on Hijack'],
    [
      'fix(response): panic on Hijack (#12)',
      'Fix (response): panic on Hijack',
      '修正（response）：panic on Hijack',
    ],
    ['feat!: drop Node 18', 'Feature (breaking): drop Node 18', '新機能（互換性に影響）：drop Node 18'],
    [
      'Refactor(api)!: one name',
      'Refactoring (api, breaking): one name',
      'リファクタリング（api、互換性に影響）：one name',
    ],
    [':bug: fix: crash', 'Fix: crash', '修正：crash'],
    ['🐛 fix: crash', 'Fix: crash', '修正：crash'],
    ['docs：説明を直す', 'Documentation: 説明を直す', 'ドキュメント：説明を直す'],
    ['Router: keep order', 'Router: keep order', 'Router: keep order'],
    ['constructor: keep order', 'constructor: keep order', 'constructor: keep order'],
    ['fix the crash (really)', 'fix the crash (really)', 'fix the crash (really)'],
    ['fix:', 'fix:', 'fix:'],
  ];
  for (const [title, english, japanese] of table)
    assert.deepEqual([authorTitle(title, 'en'), authorTitle(title, 'ja')], [english, japanese]);
  assert.equal(authorTitle('fix: crash', 'de'), 'Fix: crash');
});

test("`headlineOf` returns the author's title, also for a shortened stored form, unless the writer chose other words", () => {
  const long = `fix(response): ${'panic on Hijack when unsupported '.repeat(4)}`.trim();
  const called = (aiGeneratedTitle: string, languageCode = 'en') =>
    headlineOf(long, { aiGeneratedTitle, languageCode });
  const whole = authorTitle(long, 'en');
  for (const stored of [long, 'Panic on Hijack when unsupported panic on Hijack…', 'Panic on `Hijack`'])
    assert.equal(called(stored), whole);
  assert.equal(called('Hijack no longer panics'), 'Hijack no longer panics');
  assert.equal(called('`Hijack` の修正', 'ja'), '`Hijack` の修正');
});
