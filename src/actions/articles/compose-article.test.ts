import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';

test('until a model is asked, nothing is loaded that only models need, because nobody is answered meanwhile', async () => {
  const loaded: string[] = [];
  registerHooks({
    load(url, context, next) {
      loaded.push(url);
      return next(url, context);
    },
  });
  await import('./compose-article.ts');
  assert.ok(loaded.some((url) => url.endsWith('/compose-article.ts')));
  const others = loaded.filter(
    (url) => url.includes('/node_modules/') || url.includes('/compose-with-model.'),
  );
  // Stems are for the index, whoever writes.
  assert.deepEqual(
    others.filter((url) => !url.includes('/node_modules/stemmer/')),
    [],
  );
});
