import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortenSignature } from './shorten-signature.ts';

test('what begins to differ where a signature is cut is shown, and not cut off', () => {
  const shared = `func expand(${'node: Some, '.repeat(13)}in context: SomeContext`;
  const [old, now] = [`${shared}) throws -> [Syntax]`, `${shared}, extra: Int) throws -> [Syntax]`];
  assert.ok(shared.length > 185 && shared.length < 200);
  assert.match(shortenSignature(old, now), /SomeContext\) throws -> \[Syntax\]$/);
  assert.match(shortenSignature(now, old), /SomeContext, extra: Int\) throws -> \[Syntax\]$/);
});
