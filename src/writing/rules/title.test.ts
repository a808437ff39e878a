import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceOf } from '../../../test/source-of.ts';
import { isTitleBreaking, titleOf } from './title.ts';

test('a title keeps its prefix, tags and tickets, and loses pull request numbers and notes for CI', () => {
  const table: [title: string, shown: string][] = [
    ['feat(queue)!: keep jobs in order (#12)', 'feat(queue)!: keep jobs in order'],
    ['[queue][v2] :sparkles: keep jobs in order', '[queue][v2] :sparkles: keep jobs in order'],
    ['PARC-1234: keep jobs in order', 'PARC-1234: keep jobs in order'],
    ['UTF-8 names in labels', 'UTF-8 names in labels'],
    ['Keep jobs in order, fixes #12', 'Keep jobs in order'],
    ['docs: keep jobs in order [skip ci]', 'docs: keep jobs in order'],
    ['Queue: keep jobs in order', 'Queue: keep jobs in order'],
    ['parcel keeps jobs in order', 'parcel keeps jobs in order'],
    ['Auth status', 'Auth status'],
    ['Fix bug', 'Fix bug'],
    ['fix: crash when jobs are empty', 'fix: crash when jobs are empty'],
    ['fix(queue): panic on a job that has no queue', 'fix(queue): panic on a job that has no queue'],
    ['修正: ジョブの順序', '修正: ジョブの順序'],
    ['fix: ジョブの順序を保つ', 'fix: ジョブの順序を保つ'],
    ['docs:', 'docs:'],
  ];
  for (const [title, shown] of table) assert.equal(titleOf(sourceOf({ title })), shown, title);
});

test('a long title is cut at a word, and a title cut by its host continues in the description', () => {
  const long = 'Keep jobs in the order in which they came and never start two of them at the same time again';
  const cut = titleOf(sourceOf({ title: long }));
  assert.ok(cut.length <= 80 && long.startsWith(cut.slice(0, -1)) && cut.endsWith('…'));
  assert.equal(
    titleOf(sourceOf({ title: 'Keep jobs in …', body: '…order\n\nThey were not.' })),
    'Keep jobs in order',
  );
});

test('a merge is titled by its only commit besides merges and work steps, else by its description, else by its branch', () => {
  const title = 'Merge pull request #12 from ada/keep-jobs_in-order';
  const table: [body: string | null, commits: string[], shown: string][] = [
    [null, ['fix: drop jobs twice', 'fix lint', "Merge branch 'main'"], 'fix: drop jobs twice'],
    ['Jobs stay in order.\n\nMore.', ['Add a queue', 'Add a lock'], 'Jobs stay in order'],
    [null, ['Add a queue', 'Add a lock'], 'keep jobs in order'],
  ];
  for (const [body, commits, shown] of table)
    assert.equal(titleOf(sourceOf({ title, body, commits })), shown);
});

test('a title is breaking only if its prefix or label says so', () => {
  for (const title of ['feat!: x', 'fix(api)!: x', '[BREAKING] x', 'BREAKING CHANGE: x'])
    assert.ok(isTitleBreaking(title), title);
  for (const title of ['feat: x!', 'Stop breaking the build', 'fix: not breaking: x'])
    assert.ok(!isTitleBreaking(title), title);
});
