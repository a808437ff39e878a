import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changelogHeadings } from './changelog.ts';

const numbers = new Set([1, 2, 3, 4, 5, 6, 7, 8]);
const headings = (...lines: string[]) =>
  Object.fromEntries(changelogHeadings([lines.join('\n')], { name: 'rocket', numbers }));

test('the heading above an entry is found in Markdown, reStructuredText and bold lines, below versions and dates', () => {
  const markdown = [
    '# v2.0',
    '',
    '## 🚀 Features',
    '* Fuel (#1)',
    '',
    '  and tanks, see #2',
    '## Syntaxes:',
    '- Ada #3',
  ];
  assert.deepEqual(headings(...markdown), { 1: 'Features', 2: 'Features', 3: 'Syntaxes' });
  const underlined = [
    '2.0 (2026-03-01)',
    '================',
    '',
    'Bug fixes',
    '---------',
    '',
    '- Valve (#4)',
  ];
  assert.deepEqual(headings(...underlined), { 4: 'Bug fixes' });
  assert.deepEqual(headings('## 1.2.3', '**Improvements**', '- Pump (#5)'), { 5: 'Improvements' });
});

test('a pull request has no heading if it is listed under two, only below a version, in code, in prose or in lists of people', () => {
  assert.deepEqual(headings('## Added', '- One (#1)', '## Fixed', '- One (#1)'), {});
  assert.deepEqual(headings('# Unreleased', '- One (#1)', '## 2.1.0', '- Two (#2)'), {});
  assert.deepEqual(headings('## Added', '```', '- One (#1)', '```', 'Talk about #2', '- Three (#3)'), {
    3: 'Added',
  });
  assert.deepEqual(headings("## What's Changed", '- One (#1)', '## New Contributors', '- @ann in #2'), {});
});

test('the pull requests of a huge line have no heading, nor those below a huge line that begins like one', () => {
  const many = 1_000_000;
  const hostile = [
    `# a${' '.repeat(many)}\rx`,
    `# a${' '.repeat(many)}b`,
    `# a${'#'.repeat(many)}b`,
    `# ${': '.repeat(many)}b`,
  ];
  for (const line of hostile) assert.deepEqual(headings('## Fixed', line, '- One (#1)'), {});
  const entries = [`- ${' '.repeat(many)}(#1)`, `- ${'#2]('.repeat(many)}`, '- Three (#3)'];
  assert.deepEqual(headings('## Fixed', ...entries), { 3: 'Fixed' });
});

test('a number of another repository is not read as one of this repository', () => {
  assert.deepEqual(
    headings(
      '## Fixed',
      '- [#1](https://host.example/acme/rocket/pull/1), acme/pump#2',
      '- Pump 2.0 ([#3](https://host.example/acme/pump/pull/3))',
    ),
    { 1: 'Fixed' },
  );
});
