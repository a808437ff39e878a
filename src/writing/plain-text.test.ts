import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, scriptOf, shorten } from './plain-text.ts';

test('links keep their text, and URLs, images and emphasis marks are removed', () => {
  assert.equal(
    plainText(
      'See [the **guide**](https://evil.example/x) and ![logo](https://evil.example/a.png) at https://evil.example.',
    ),
    'See the guide and at',
  );
  assert.equal(
    plainText('Use [`open`](https://docs.example/open) as __init__ does'),
    'Use `open` as __init__ does',
  );
});

test('text that looks like an HTML element becomes code', () => {
  assert.equal(
    plainText('Click <img src=x onerror=alert(1)> now'),
    'Click `<img src=x onerror=alert(1)>` now',
  );
  assert.equal(plainText('Returns Map<string, T> always'), 'Returns `Map<string, T>` always');
  assert.doesNotMatch(plainText('<script').replace(/`[^`]*`/g, ''), /<\w/);
});

test('hostile text of 200,000 characters does not hide the text after it', () => {
  for (const piece of ['[a](', '[', '![](', '[a](<', '[`a`](', '1.', ' ', ' (', '`', '**a ', '<b ', '<b>']) {
    const hostile = piece.repeat(200_000 / piece.length);
    assert.ok(plainText(`${hostile} and more`).endsWith('and more'), piece);
  }
});

test('plain text has no invisible characters', () => {
  assert.equal(plainText('safe\u200b\u{E0041}\u{E0042}\u202etext'), 'safetext');
});

test('`shorten` cuts at a word, never inside a code span, and counts an emoji as one character', () => {
  assert.equal(shorten('short enough', 80), 'short enough');
  const cut = shorten(`Adds ${'🦑'.repeat(100)}`, 80);
  assert.equal([...cut].length, 80);
  const code = shorten('Explains at some length what `aVeryLongIdentifierThatGoesOn` is', 40);
  assert.equal((code.match(/`/g)?.length ?? 0) % 2, 0);
  assert.ok([...code].length <= 40);
});

test('`scriptOf` ignores code in backticks', () => {
  assert.equal(scriptOf('`createServer` を追加し、再試行に対応しました'), 'japanese');
  assert.equal(scriptOf('Adds a retry to `createServer`'), 'latin');
  assert.equal(scriptOf('Добавляет повтор'), 'other');
});

test('an arrow is not treated as an unclosed element', () => {
  assert.equal(
    plainText('Document that ->client and =>server stay'),
    'Document that ->client and =>server stay',
  );
  assert.equal(plainText('a <script and b'), 'a script and b');
});

test('a link keeps code in its text, and a link inside code stays unchanged', () => {
  assert.equal(
    plainText('[Creating Custom `Session` Instances](#custom)'),
    'Creating Custom `Session` Instances',
  );
  assert.equal(plainText('Write `[a](b)` for a link.'), 'Write `[a](b)` for a link.');
});
