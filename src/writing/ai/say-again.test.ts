import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOfNames } from './same-names.ts';

const same = (text: string, other: string, speaker = 'rin') =>
  differenceOfNames({ text, words: [{ speaker, where: 'description', text: '' }] }, other);

test('another wording names the same code, numbers, versions, quotations and people', () => {
  const english = '`a` becomes 2, says rin: “so it is”.';
  assert.equal(same(english, 'rin は「so it is」と書き、`a` は 2 になります。'), null);
  assert.equal(same(english, '« so it is », écrit rin : `a` devient 2.'), null);
  assert.match(same(english, '`a` は 2 になると「so it is」と書いています。') ?? '', /rin/);
  assert.match(same('`a` becomes 2.', '`a` は 3 になります。') ?? '', /2/);
  assert.match(same('`a` becomes 2.', '`a` は 2 か 3 になります。') ?? '', /3/);
  assert.match(same('`a` becomes 2.', '`b` は 2 になります。') ?? '', /`a`/);
  assert.match(same('`a` calls `a`.', '`a` をもう一度呼びます。') ?? '', /`a`/);
  assert.match(same('It needs v2.1 of it.', 'Il faut v2.2.') ?? '', /v2\.1/);
  assert.match(same('He says “no”.', '「yes」と言います。') ?? '', /no/);
});
