import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PublicCache, PublicResponse } from './public-cache.ts';

const bodyOf = (text: string) => new PublicResponse(Buffer.from(text), {});
const forever = Number.POSITIVE_INFINITY;

test('`invalidate(x)` evicts exactly the cache entries that depend on x', () => {
  const cache = new PublicCache(1_000_000);
  const generation = cache.generation();
  cache.put('/a', bodyOf('a'), { dependsOn: ['article:a', 'repository:r'], expiresAt: forever, generation });
  cache.put('/b', bodyOf('b'), { dependsOn: ['article:b', 'repository:r'], expiresAt: forever, generation });
  cache.invalidate('article:a');
  assert.equal(cache.get('/a', 0), null);
  assert.equal(cache.get('/b', 0)?.plain.body.toString(), 'b');
  cache.invalidate('repository:r');
  assert.equal(cache.get('/b', 0), null);
  assert.equal(cache.bytes, 0);
});

test('a response body read before a change of its dependency is not cached, and one read after it is', () => {
  const cache = new PublicCache(1_000_000);
  const before = cache.generation();
  cache.invalidate('article:a');
  assert.equal(
    cache.put('/a', bodyOf('old'), { dependsOn: ['article:a'], expiresAt: forever, generation: before }),
    false,
  );
  assert.equal(
    cache.put('/b', bodyOf('b'), { dependsOn: ['article:b'], expiresAt: forever, generation: before }),
    true,
  );
  const after = cache.generation();
  assert.equal(
    cache.put('/a', bodyOf('new'), { dependsOn: ['article:a'], expiresAt: forever, generation: after }),
    true,
  );
  assert.equal(cache.get('/a', 0)?.plain.body.toString(), 'new');
});

test('the cache size is limited, including encodings, and the least recently used entry is evicted first', () => {
  const cache = new PublicCache(10_000);
  const put = (key: string, size: number) =>
    cache.put(key, bodyOf('x'.repeat(size)), {
      dependsOn: [key],
      expiresAt: forever,
      generation: cache.generation(),
    });
  for (const key of ['/a', '/b', '/c', '/d']) assert.equal(put(key, 500), true);
  assert.ok(cache.get('/a', 0));
  put('/e', 700);
  assert.equal(cache.get('/b', 0), null);
  assert.ok(cache.get('/a', 0));
  assert.ok(cache.bytes <= 10_000);
  assert.equal(put('/large', 9_000), false);
});

test('a new cache entry is kept even if all others were used recently', () => {
  const cache = new PublicCache(10_000);
  const put = (key: string) =>
    cache.put(key, bodyOf('x'.repeat(500)), {
      dependsOn: [key],
      expiresAt: forever,
      generation: cache.generation(),
    });
  const hot = ['/a', '/b', '/c', '/d'];
  for (const key of hot) put(key);
  for (const key of hot) assert.ok(cache.get(key, 0));
  put('/new');
  assert.ok(cache.get('/new', 0));
  assert.equal(hot.filter((key) => cache.get(key, 0)).length, 3);
});

test('a cache entry expires at its `expiresAt`', () => {
  const cache = new PublicCache(1_000_000);
  cache.put('/a', bodyOf('a'), { dependsOn: [], expiresAt: 100, generation: cache.generation() });
  assert.ok(cache.get('/a', 99));
  assert.equal(cache.get('/a', 100), null);
});

test('while notifications may be lost no cache entry is kept, and an entry read during that time is refused later', () => {
  const cache = new PublicCache(1_000_000);
  cache.put('/a', bodyOf('a'), { dependsOn: [], expiresAt: forever, generation: cache.generation() });
  cache.trust(false);
  assert.equal(cache.get('/a', 0), null);
  const generation = cache.generation();
  assert.equal(cache.put('/a', bodyOf('a'), { dependsOn: [], expiresAt: forever, generation }), false);
  cache.trust(true);
  assert.equal(cache.put('/a', bodyOf('a'), { dependsOn: [], expiresAt: forever, generation }), false);
  assert.equal(
    cache.put('/a', bodyOf('a'), { dependsOn: [], expiresAt: forever, generation: cache.generation() }),
    true,
  );
});

test('600,000 cache invalidations take less than 20 MB, and an early one still counts', () => {
  const cache = new PublicCache(1_000_000);
  const early = cache.generation();
  cache.invalidate('article:a');
  const before = heapInUse();
  for (let index = 0; index < 600_000; index++) cache.invalidate(`article:${index}`);
  const megabytes = (heapInUse() - before) / 1e6;
  assert.ok(megabytes < 20, `600,000 changes are remembered in ${megabytes} MB`);
  assert.equal(
    cache.put('/a', bodyOf('a'), { dependsOn: ['article:a'], expiresAt: forever, generation: early }),
    false,
  );
});

/** Heap in use after a garbage collection. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
