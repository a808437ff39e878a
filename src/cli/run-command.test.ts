import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../test/start-service.ts';

test('a name that is no command, also one that every object knows, gets a sentence and the overview', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'srve']) {
    const command = [process.execPath, 'bin/pullquote.cjs', name];
    const { code, stdout, stderr } = await runToEnd({ command });
    assert.equal(code, 2, name);
    assert.equal(stdout, '', name);
    assert.ok(stderr.startsWith(`There is no command ${name}.\n\npullquote: turns`), stderr);
    assert.doesNotMatch(stderr, /^ +at /m);
  }
});
