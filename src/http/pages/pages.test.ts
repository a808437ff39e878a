import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';

const app = await buildTestApp();

test('an empty service has a first page in the language of its reader', async () => {
  const english = await app.call('GET', '/', { headers: { 'accept-language': 'en' } });
  assert.equal(english.status, 200);
  assert.match(english.text, /No articles yet\./);
  assert.match(english.text, /<html lang="en">/);
  const japanese = await app.call('GET', '/', { headers: { 'accept-language': 'ja-JP,ja;q=0.9,en;q=0.8' } });
  assert.match(japanese.text, /<html lang="ja">/);
  assert.match(japanese.text, /記事はまだありません。/);
});

test('assets are compressed and cacheable forever at addresses with a version, and other versions are not cached', async () => {
  const { text } = await app.call('GET', '/');
  const addresses = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
    ([, address = '']) => address,
  );
  assert.ok(addresses.length >= 6);
  for (const address of addresses) {
    const reply = await app.call('GET', address, { headers: { 'accept-encoding': 'br' } });
    assert.equal(reply.status, 200, address);
    assert.equal(reply.headers.get('cache-control'), 'public, max-age=31536000, immutable', address);
    if (/style\.css$/.test(address)) assert.equal(reply.headers.get('content-encoding'), 'br', address);
  }
  const [first = ''] = addresses;
  const other = await app.call('GET', first.replace(/assets\/[^/]+/, 'assets/another'));
  assert.equal(other.headers.get('cache-control'), 'public, no-cache');
});
