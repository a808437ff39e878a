import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameHiddenInLogLine } from './log.ts';

test('control characters in logged text of strangers are named on a terminal', () => {
  const said = 'a\u001b[31mb\u009bc\u202ed\re';
  const line = `${JSON.stringify({ level: 30, path: said, err: { stack: `${said}\n  at x` } })}\n`;
  const named = 'a⟨U+001B⟩[31mb⟨U+009B⟩c⟨U+202E⟩d⟨U+000D⟩e';
  assert.deepEqual(JSON.parse(nameHiddenInLogLine(line)), {
    level: 30,
    path: named,
    err: { stack: `${named}\n  at x` },
  });
});
