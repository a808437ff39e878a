import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileWords } from '../../test/browser/hostile-words.ts';
import { markdownBlocks } from './markdown.ts';

const render = (written: string, isCommitMessage = false): string =>
  markdownBlocks(written, { isCommitMessage })
    .map(({ shown }) => String(shown).trim())
    .join('');

test('emphasis, headings, lists, links, tables and code are rendered, and images become links', () => {
  for (const [written, shown] of [
    [
      'a *b* **c** ~~d~~ `e<f`',
      '<p><bdi>a <em>b</em> <strong>c</strong> <s>d</s> <code>e&lt;f</code></bdi></p>',
    ],
    ['# One\n\n###### Six', '<h3><bdi>One</bdi></h3><h3><bdi>Six</bdi></h3>'],
    ['3. a\n4. b', '<ol start="3"><li><bdi>a</bdi></li>\n<li><bdi>b</bdi></li>\n</ol>'],
    ['a  \nb\nc', '<p><bdi>a<br>b c</bdi></p>'],
    [
      '[a](https://b.example/?c&d)',
      '<p><bdi><a href="https://b.example/?c&amp;d" rel="nofollow noreferrer">a</a></bdi></p>',
    ],
    [
      '![a *b*](https://c.example/d.png)',
      '<p><bdi><a href="https://c.example/d.png" rel="nofollow noreferrer">a *b*</a></bdi></p>',
    ],
    [
      '| | a |\n|---|---|\n| b | c |',
      '<table><tr><td><bdi></bdi></td><th scope="col"><bdi>a</bdi></th></tr><tr><td><bdi>b</bdi></td><td><bdi>c</bdi></td></tr></table>',
    ],
    ['```js\n<a>\n```', '<pre><code>&lt;a&gt;\n</code></pre>'],
  ] as const)
    assert.equal(render(written), shown);
});

test('asterisks of globs and pointers stay as written, and in commit messages all emphasis marks do', () => {
  const globs = [
    'keep * alongside */* and type/* in the header',
    'from */json to text/*',
    'src/*.ts, lib/*.ts and "*" or "*"',
    'f(*, *) and _/_',
  ];
  const commit = 'a *b* **c** __init__ ~~d~~ 2*3*4 `e`';
  const shown = (text: string) => `<p><bdi>${text.replaceAll('"', '&quot;')}</bdi></p>`;
  for (const written of globs)
    assert.deepEqual([render(written), render(written, true)], [shown(written), shown(written)]);
  assert.equal(render(commit, true), shown(commit.replace('`e`', '<code>e</code>')));
  for (const isCommitMessage of [true, false])
    assert.equal(
      render('a Promise<void> of\n<T> and a <b>bold</b> word', isCommitMessage),
      shown('a Promise&lt;void&gt; of &lt;T&gt; and a bold word'),
    );
  assert.equal(
    render('**Note:** **`a`** *(b)* **太字**です ***c!***'),
    '<p><bdi><strong>Note:</strong> <strong><code>a</code></strong> <em>(b)</em> <strong>太字</strong>です <em><strong>c!</strong></em></bdi></p>',
  );
});

test('links that are not http(s) become text, and HTML elements are dropped but their text stays', () => {
  for (const [written, shown] of [
    ['[a](/settings) [b](mailto:c@d.example)', '<p><bdi>a b</bdi></p>'],
    ['![a](data:image/png;base64,AA)', '<p><bdi>a</bdi></p>'],
    ['a <img src=x onerror=alert(1)> <b>c</b><br>d', '<p><bdi>a  c<br>d</bdi></p>'],
    ['<div align="center">\n  <h1>a</h1> b\n</div>', '<p><bdi>a b</bdi></p>'],
    ['<!-- a\n\nb -->', ''],
    ['<!-- never ends', ''],
    ['<script>alert(1)</script>', '<p><bdi>alert(1)</bdi></p>'],
  ] as const)
    assert.equal(render(written), shown);
});

test('hostile Markdown is rendered with allowed elements and attributes only', () => {
  const known =
    /<\/?(?:p|bdi|h3|ul|li|blockquote|table|tr|td|strong|em|s|code|pre|br|hr)>|<ol(?: start="\d+")?>|<\/ol>|<th scope="col">|<\/th>|<a href="https?:[^"<>]*" rel="nofollow noreferrer">|<\/a>/g;
  const marks = [
    '',
    '> ',
    '- ',
    '1. ',
    '# ',
    '| a |\n|---|\n| ',
    '[',
    '![a](',
    '    ',
    '<',
    '**',
    '`',
    '[a]: ',
  ];
  for (const words of hostileWords)
    for (const mark of marks)
      for (const written of [`${mark}${words}`, `${words}\n${mark}${words}](${words})`])
        assert.doesNotMatch(render(written).replace(known, ''), /[<>]/, written.slice(0, 100));
});

test('`markdownBlocks` splits text at blocks and estimates the lines of each', () => {
  const blocks = markdownBlocks(`One.\n\n- a\n- b\n\n${'word '.repeat(60)}\n\n<!-- nothing -->`);
  assert.deepEqual(
    blocks.map(({ lines }) => lines),
    [1, 2, 4],
  );
  assert.equal(markdownBlocks('>'.repeat(5_000)).length <= 1, true);
});

test('references to issues become links if the host of the pull request is known, except in code and in links', () => {
  const shown = (written: string, hostPrUrl: string | null): string =>
    markdownBlocks(written, { hostPrUrl })
      .map((block) => String(block.shown).trim())
      .join('');
  const linkTo = (address: string, text: string): string =>
    `<a href="${address}" rel="nofollow noreferrer">${text}</a>`;
  const github = 'https://github.com/acme/rocket/pull/7';
  const table: [written: string, hostPrUrl: string | null, shown: string][] = [
    ['Fixes #12.', github, `Fixes ${linkTo('https://github.com/acme/rocket/issues/12', '#12')}.`],
    ['See a_b/c.d#3', github, `See ${linkTo('https://github.com/a_b/c.d/issues/3', 'a_b/c.d#3')}`],
    [
      'Fixes https://github.com/acme/rocket/issues/12',
      github,
      `Fixes ${linkTo('https://github.com/acme/rocket/issues/12', 'https://github.com/acme/rocket/issues/12')}`,
    ],
    [
      'Fixes #12',
      'https://gitlab.example/a/b/c/-/merge_requests/7',
      `Fixes ${linkTo('https://gitlab.example/a/b/c/-/issues/12', '#12')}`,
    ],
    ['See x/y#3', 'https://gitlab.example/a/b/c/-/merge_requests/7', 'See x/y#3'],
    [
      'Fixes #12',
      'https://gitea.example/acme/rocket/pulls/7',
      `Fixes ${linkTo('https://gitea.example/acme/rocket/issues/12', '#12')}`,
    ],
    ['Fixes #12', null, 'Fixes #12'],
    [
      '`#12` #000000 a#1 #1a C#7 https://x.example/#4',
      github,
      '<code>#12</code> #000000 a#1 #1a C#7 https://x.example/#4',
    ],
    ['[#12](https://x.example/)', github, linkTo('https://x.example/', '#12')],
  ];
  for (const [written, hostPrUrl, html] of table)
    assert.equal(shown(written, hostPrUrl), `<p><bdi>${html}</bdi></p>`);
});
