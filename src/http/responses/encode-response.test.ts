import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildTestApp } from '../../../test/build-app.ts';

const app = await buildTestApp();
const token = await app.signUp('ann');
const pull = '/repos/harborline/parcel/pulls/13';
for (const language of ['en', 'ja']) {
  const written = await app.call('POST', `${pull}/article`, { token, body: { language } });
  assert.equal(written.status, 201);
}

interface Sent {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  bytes: Buffer;
}

/** Sends a request without decoding the response. */
async function send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const asked = request(new URL(path, app.url), { headers, method }, async (response) => {
    const bytes = Buffer.concat(await response.toArray());
    resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes });
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
const bearer = { authorization: `Bearer ${token}` };

test('lists, pull requests, articles and diffs are compressed, with an ETag for each encoding', async () => {
  const paths: [string, Record<string, string>][] = [
    ['/openapi.json', {}],
    ['/assets/any-version/style.css', {}],
    ['/articles', {}],
    [pull, {}],
    [pull, bearer],
    [`${pull}/article`, bearer],
    ['/repos/harborline/parcel/pulls', bearer],
    [`${pull}/diff`, {}],
    [`${pull}/diff`, bearer],
  ];
  for (const [path, own] of paths) {
    const plain = await send(path, own);
    assert.equal(plain.headers['content-encoding'], undefined, path);
    assert.match(String(plain.headers.vary), /Accept-Encoding/, path);
    for (const [encoding, decode] of Object.entries(decoders)) {
      const asked = { ...own, 'accept-encoding': encoding === 'br' ? 'gzip, deflate, br' : 'gzip' };
      const { status, headers, bytes } = await send(path, asked);
      assert.equal(status, 200);
      // Diffs are streams, for which brotli would be too slow.
      const expected = path.endsWith('/diff') ? 'gzip' : encoding;
      assert.equal(headers['content-encoding'], expected, path);
      const decoded = (path.endsWith('/diff') ? gunzipSync : decode)(bytes);
      assert.ok(decoded.equals(plain.bytes), path);
      assert.ok(bytes.length < plain.bytes.length, path);
      assert.equal(headers.etag, String(plain.headers.etag).replace(/"$/, `-${expected}"`));
      for (const tag of [headers.etag, plain.headers.etag]) {
        const again = await send(path, { ...asked, 'if-none-match': String(tag) });
        assert.equal(again.status, 304, path);
        assert.equal(again.bytes.length, 0);
        assert.equal(again.headers.etag, headers.etag);
      }
      const head = await send(path, asked, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(head.headers['content-encoding'], expected);
      assert.ok([undefined, String(bytes.length)].includes(head.headers['content-length']?.toString()));
    }
  }
});

test('tokens, errors and short responses are never compressed', async () => {
  const takesAll = { 'accept-encoding': 'gzip, br', ...bearer };
  const session = await fetch(new URL('/auth/session', app.url), { method: 'POST', headers: takesAll });
  assert.equal(session.status, 201);
  assert.equal(session.headers.get('cache-control'), 'no-store');
  assert.equal(session.headers.get('content-encoding'), null);
  for (const path of ['/healthz', '/users/me', '/nope', `${pull}/diff?file=nothing`]) {
    const { headers } = await send(path, takesAll);
    assert.equal(headers['content-encoding'], undefined, path);
  }
});

test('a response is compressed only with an encoding that Accept-Encoding allows', async () => {
  const encodingFor = async (accepted: string) =>
    (await send('/openapi.json', { 'accept-encoding': accepted })).headers['content-encoding'];
  for (const accepted of ['', 'identity', 'br;q=0', 'gzip;q=0.0', 'zstd, deflate', '*;q=0', ';;q=,'])
    assert.equal(await encodingFor(accepted), undefined, accepted);
  assert.equal(await encodingFor('BR'), 'br');
  assert.equal(await encodingFor('*'), 'br');
  assert.equal(await encodingFor('gzip, br;q=0'), 'gzip');
  assert.equal(await encodingFor('*, br;q=0'), 'gzip');
});
