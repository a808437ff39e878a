import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { freshNames, isFreshOption } from './fresh-names.ts';

const file = diffOf('src/cli.ts', " start();\n-old();\n+take('--no-pager', '--port');\n stop();");
const freshWith = (...rest: string[]): string[] =>
  freshNames(file, ['start();', "take('--no-pager', '--port');", 'stop();', ...rest].join('\n'), ['take']);

test('an identifier is new if the old file has none of its spellings', () => {
  assert.deepEqual(freshWith(), ['take', 'no-pager', 'port']);
});

test('an identifier that the file also has outside the diff or on a removed line is not new', () => {
  assert.deepEqual(freshWith('const noPager = take();'), ['port']);
  assert.deepEqual(freshWith('use(pager);'), ['take', 'port']);
  assert.deepEqual(freshNames(file, "start();\ntake('--no-pager');\nstop();", ['old']), ['no-pager', 'port']);
});

test('`isFreshOption` compares all spellings of an option and rejects options that parsers provide, such as --help', () => {
  assert.equal(isFreshOption('--no-pager', ['no_pager']), true);
  assert.equal(isFreshOption('--pager', ['no_pager']), false);
  assert.equal(isFreshOption('--help', ['help']), false);
});
