import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { freshNames, isFreshOption } from './fresh-names.ts';

const file = diffOf('src/cli.ts', " start();\n-old();\n+take('--no-pager', '--port');\n stop();");
const freshWith = (...rest: string[]): string[] =>
  freshNames(file, ['start();', "take('--no-pager', '--port');", 'stop();', ...rest].join('\n'), ['take']);

test('a name that the file before lacks in every spelling is new', () => {
  assert.deepEqual(freshWith(), ['take', 'no-pager', 'port']);
});

test('a name that stands outside of the diff, or on a line that went, is not new', () => {
  assert.deepEqual(freshWith('const noPager = take();'), ['port']);
  assert.deepEqual(freshWith('use(pager);'), ['take', 'port']);
  assert.deepEqual(freshNames(file, "start();\ntake('--no-pager');\nstop();", ['old']), ['no-pager', 'port']);
});

test('an option is new by any spelling of its declaration, and one that a parser provides never is', () => {
  assert.equal(isFreshOption('--no-pager', ['no_pager']), true);
  assert.equal(isFreshOption('--pager', ['no_pager']), false);
  assert.equal(isFreshOption('--help', ['help']), false);
});
