import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgressBar } from './command.ts';

const drawOn = (terminal: { isTTY?: boolean; columns?: number }): string => {
  let written = '';
  const bar = createProgressBar({ ...terminal, write: (text) => (written += text) });
  bar.show(3, 12, 'writes about\n#10');
  bar.clear();
  return written;
};

test('a bar is drawn over itself on one line, within the width of the terminal, and taken away', () => {
  const whole = '\r\u001b[K[######..................] 3 of 12: writes about⏎#10\r\u001b[K';
  assert.equal(drawOn({ isTTY: true, columns: 80 }), whole);
  // Some terminals do not know how wide they are.
  assert.equal(drawOn({ isTTY: true, columns: 0 }), whole);
  assert.equal(drawOn({ isTTY: true, columns: 31 }), '\r\u001b[K[######..................] 3 o\r\u001b[K');
});

test('nothing is drawn where there is no terminal', () => {
  assert.equal(drawOn({}), '');
  assert.equal(drawOn({ isTTY: false, columns: 80 }), '');
});
