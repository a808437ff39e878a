import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameHidden } from './text.ts';

const natural = [
  'a family 👩‍👩‍👧‍👦, a rainbow 🏳️‍🌈, a doctor 👩🏽‍⚕️, a heart ❤️, text ☎︎, keys 1️⃣ #️⃣, flags 🇯🇵 🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'Persian می‌خواهم, and ه‍ for hijri',
  'Hindi क्‍ष and क्‌ष, Malayalam അവന്‍ at the end, Sinhala ශ්‍රී ලංකා',
  'Japanese 葛\u{e0100}城 and 辻\u{e0101}',
  'accents é ö ̈, combining Z̸a̷l̵g̶o̸, tabs\tand\nlines\r\n',
];

test('`nameHidden` keeps joiners of letters and emoji in prose', () => {
  for (const text of natural) assert.equal(nameHidden(text, 'prose'), text);
});

test('`nameHidden` names invisible characters in prose and in code', () => {
  const unseen = [
    ...[0x00, 0x07, 0x1b, 0x7f, 0x80, 0x9b, 0x9f, 0xad, 0x034f, 0x061c, 0x115f, 0x180e, 0x3164, 0xfeff],
    ...[0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064],
    ...[0x2066, 0x2069, 0x206f, 0xfe0f, 0xfff9, 0xe0001, 0xe0041, 0xe007f, 0xe0100],
  ];
  for (const code of unseen) {
    const name = `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
    const character = String.fromCodePoint(code);
    for (const reading of ['prose', 'exact'] as const) {
      assert.equal(nameHidden(`a${character}b`, reading), `a${name}b`);
      assert.equal(nameHidden(character + character, reading), name + name);
    }
  }
  assert.equal(nameHidden('a\ud800b\udc00', 'prose'), 'a⟨U+D800⟩b⟨U+DC00⟩');
});

test('`nameHidden` names joiners, selectors and tags that exceed their natural use', () => {
  for (const [text, named] of [
    ['v1\u200d2', 'v1⟨U+200D⟩2'],
    ['👩\u200d\u200d👧', '👩⟨U+200D⟩⟨U+200D⟩👧'],
    ['می\u200c\u200c\u200dخ', 'می\u200c⟨U+200C⟩⟨U+200D⟩خ'],
    ['😀\ufe0f\ufe0f\ufe01', '😀\ufe0f⟨U+FE0F⟩⟨U+FE01⟩'],
    ['葛\u{e0100}\u{e0110}', '葛\u{e0100}⟨U+E0110⟩'],
    ['🏴\u{e0068}\u{e0069}\u{e007f}', '🏴⟨U+E0068⟩⟨U+E0069⟩⟨U+E007F⟩'],
    ['pay\u200cpal', 'pay⟨U+200C⟩pal'],
  ] as const)
    assert.equal(nameHidden(text, 'prose'), named);
});

test('`nameHidden` names joiners and tags in code, and keeps variation selectors', () => {
  assert.equal(nameHidden('👩‍👧', 'exact'), '👩⟨U+200D⟩👧');
  assert.equal(nameHidden('می‌خ', 'exact'), 'می⟨U+200C⟩خ');
  assert.equal(nameHidden('⚠️ 1️⃣ 葛\u{e0100}', 'exact'), '⚠️ 1️⃣ 葛\u{e0100}');
  assert.match(nameHidden('🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'exact'), /^🏴⟨U\+E0067⟩/u);
});
