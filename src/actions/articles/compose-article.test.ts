import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';

test('importing `compose-article` loads no package but the stemmer, and not `compose-with-model`', async () => {
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
  // The search index needs the stemmer with or without a model.
  assert.deepEqual(
    others.filter((url) => !url.includes('/node_modules/stemmer/')),
    [],
  );
});
