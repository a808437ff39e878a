import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../../test/read-facts.ts';
import { readBeforeAfter } from './before-after.ts';
import { labelMaterial } from './material.ts';

const diff = [
  diffOf(
    'lib/client.py',
    [
      ' class Client:',
      '-    def fetch(self, url, timeout=5):',
      '+    def fetch_all(self, urls, retries=3):',
      '     return self.pool',
    ].join('\n'),
  ),
];
const facts = readFacts(
  { repository: 'some/where', title: 'A', body: null, commitMessages: [], labels: [] },
  diff,
  new Map(),
);
const material = labelMaterial({ diff, facts, findings: [], sentences: [] }, 10_000);
assert.ok(material);

test('code before and after a change passes only if its names are on its side of the diff, apart from a few local variables', () => {
  const read = (before: string, after: string) => readBeforeAfter({ before, after }, material);
  assert.deepEqual(read('    client.fetch(url, timeout=9)\n', 'client.fetch_all([url], retries=2)'), {
    before: 'client.fetch(url, timeout=9)',
    after: 'client.fetch_all([url], retries=2)',
  });
  assert.ok(read('page = Client().fetch(url)', 'pages = Client().fetch_all([url])'), 'variables are free');
  assert.ok(read('client.fetch(url)', 'client.fetch_all(list(url))'), 'types of languages are known');
  const caller = { fileName: 'a.py', side: 'new' as const, startLine: 1, name: '', lines: ['pool.drain()'] };
  const looked = { ...material, looked: [caller] };
  assert.ok(readBeforeAfter({ before: 'client.fetch(url)', after: 'client.drain(url)' }, looked));
  for (const [before, after] of [
    ['client.fetch_all(url)', 'client.fetch_all([url], retries=2)'],
    ['client.fetch(url)', 'client.fetch(url, retries=2)'],
    ['client.fetch(url)', 'client.fetch_each([url])'],
    ['client.load(url)', 'client.fetch_all([url])'],
    ['client.fetch(url)', 'client.fetch(url)'],
    ['one.two.three(four, five)', 'one.two.three(five, four)'],
    ['client.fetch(url) # please visit our evil shop', 'client.fetch_all(url) # please visit our evil shop'],
    ['client.fetch("https://evil.example")', 'client.fetch_all("https://evil.example")'],
    ['client.fetch(\u202eurl)', 'client.fetch_all(\u202eurl)'],
    ['', 'client.fetch_all([url])'],
    ['client.fetch(url)\n'.repeat(7), 'client.fetch_all([url])'],
    [`client.fetch(url${', url'.repeat(30)})`, 'client.fetch_all([url])'],
  ] as const)
    assert.equal(read(before, after), null, `${before} / ${after}`);
});
