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

test('a progress bar redraws on one line, fits the width of the terminal, and is erased at the end', () => {
  const whole = '\r\u001b[K[######..................] 3 of 12: writes about⏎#10\r\u001b[K';
  assert.equal(drawOn({ isTTY: true, columns: 80 }), whole);
  // Some terminals report a width of 0.
  assert.equal(drawOn({ isTTY: true, columns: 0 }), whole);
  assert.equal(drawOn({ isTTY: true, columns: 31 }), '\r\u001b[K[######..................] 3 o\r\u001b[K');
});

test('a progress bar prints nothing when the output is not a terminal', () => {
  assert.equal(drawOn({}), '');
  assert.equal(drawOn({ isTTY: false, columns: 80 }), '');
});
