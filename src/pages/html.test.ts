import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';
import { articleLink, webAddress } from './links.ts';
import { fileName, plainText, text } from './text.ts';

test('values in `html` templates are escaped, except markup from other templates; objects throw', () => {
  const name = `<img src=x onerror="alert('1')">&`;
  assert.equal(
    html`<p title="${name}">${name}${html`<b>${1}</b>`}${[name, null, false, undefined]}</p>`.toString(),
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;">' +
      '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;<b>1</b>' +
      '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;</p>',
  );
  // @ts-expect-error An object with toString is not markup, for the compiler and for the template.
  assert.throws(() => html`${{ toString: () => '<b>' }}`);
});

test('invisible characters that change how text looks are shown as ⟨U+…⟩', () => {
  assert.equal(html`${'a\u202eb\u0000c\ud800d\te'}`.toString(), 'a⟨U+202E⟩b⟨U+0000⟩c⟨U+D800⟩d\te');
  assert.equal(
    html`<b title="${'a\u200bb\u061cc'}">${'d\u2060e\u{e0041}f\u200fg'}</b>`.toString(),
    '<b title="a⟨U+200B⟩b⟨U+061C⟩c">d⟨U+2060⟩e⟨U+E0041⟩f⟨U+200F⟩g</b>',
  );
});

test('joiners stay in prose within emoji and Persian words, and are named in code and file names', () => {
  assert.equal(
    text('Adds 👩\u200d👧 and می\u200cخ, and `a\u200db`, and pay\u200bpal').toString(),
    'Adds 👩\u200d👧 and می\u200cخ, and <code>a⟨U+200D⟩b</code>, and pay⟨U+200B⟩pal',
  );
  assert.equal(fileName('src/می\u200cخ.ts').toString().includes('می⟨U+200C⟩خ.ts'), true);
});

test('text between backticks is code, and other Markdown marks stay plain', () => {
  assert.equal(
    text('Adds `a<b>` and `` c`d `` and *no* `more').toString(),
    'Adds <code>a&lt;b&gt;</code> and <code>c`d</code> and *no* `more',
  );
  assert.equal(plainText('Adds `a` and `` c`d ``'), 'Adds a and c`d');
});

test('article links name the host unless it is the first, and `webAddress` accepts only web addresses', () => {
  const place = { host: 'github', owner: 'acme', repo: 'rocket', prNumber: 7 };
  assert.equal(articleLink(place, 'git', { language: 'ja' }), '/r/acme/rocket/7?host=github&language=ja');
  assert.equal(articleLink(place, 'github'), '/r/acme/rocket/7');
  assert.equal(webAddress('javascript:alert(1)'), null);
  assert.equal(webAddress('https://example.org/x'), 'https://example.org/x');
});
