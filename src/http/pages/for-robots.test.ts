import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { makeDoors } from '../../../test/doors/make-doors.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { partsFor } from '../../pages/sitemap.ts';

const root = temporaryFolder();
makeDoors(root);
makeClone(root, 'acme/rocket', 'feat: begin (#1)');
makeClone(root, 'acme/secret', 'feat: hide (#1)');
const app = await buildTestApp({
  environment: {
    GIT_REPOS: root,
    GIT_PRIVATE: 'acme/secret=ann',
    CACHE_MIB: '0',
    PUBLIC_URL: 'https://pullquote.example',
  },
});
const read = async (path: string) => {
  const { status, text, headers } = await app.call('GET', path);
  assert.equal(status, 200, path);
  assert.match(headers.get('cache-control') ?? '', /^public, max-age=\d+$/, path);
  assert.match(headers.get('etag') ?? '', /^"/, path);
  return text;
};
const addressesIn = (text: string) =>
  [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);

test('search engines are welcome where something is public and the service knows its address, and nowhere else', async () => {
  const ann = await app.signUp('ann');
  const write = (place: string, language: string) =>
    app.call('POST', `/repos/acme/${place}/article`, { token: ann, body: { language } });
  await write('secret/pulls/1', 'en');
  assert.equal(await read('/robots.txt'), 'User-agent: *\nDisallow: /\n');
  assert.deepEqual(addressesIn(await read('/sitemap/all.xml')), []);

  await write('doors/pulls/2', 'en');
  await write('doors/pulls/2', 'ja');
  await write('rocket/pulls/1', 'en');
  const robots = await read('/robots.txt');
  assert.match(robots, /^Sitemap: https:\/\/pullquote\.example\/sitemap\.xml$/m);
  assert.doesNotMatch(robots, /^Disallow: \/(?:r\/)?$/m);

  const parts = addressesIn(await read('/sitemap.xml'));
  assert.deepEqual(parts, ['https://pullquote.example/sitemap/all.xml']);
  const whole = await read('/sitemap/all.xml');
  assert.deepEqual(addressesIn(whole).sort(), [
    'https://pullquote.example/r/acme/doors/2?language=en',
    'https://pullquote.example/r/acme/doors/2?language=ja',
    'https://pullquote.example/r/acme/rocket/1?language=en',
  ]);
  assert.match(
    whole,
    /<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod><xhtml:link rel="alternate" hreflang="en"/,
  );
  assert.equal(partsFor(500).length, 1);
  const sixteen = partsFor(501);
  assert.equal(sixteen.length, 16);
  const told = [];
  for (const part of sixteen) told.push(...addressesIn(await read(`/sitemap/${part}.xml`)));
  assert.deepEqual(told.sort(), addressesIn(whole).sort(), 'the parts together are the whole');

  const nameless = await buildTestApp({ environment: { GIT_REPOS: root } });
  assert.match((await nameless.call('GET', '/robots.txt')).text, /^Disallow: \/$/m);
  assert.equal((await nameless.call('GET', '/sitemap.xml')).status, 404);
});

test('browsers and phones find the icons that they ask for by themselves', async () => {
  const bytesOf = async (path: string) => {
    await read(path);
    return Buffer.from(await (await fetch(`${app.url}${path}`)).arrayBuffer());
  };
  const icon = await bytesOf('/favicon.ico');
  assert.deepEqual([...icon.subarray(0, 8)], [0, 0, 1, 0, 1, 0, 32, 32]);
  assert.equal(icon.toString('latin1', 23, 26), 'PNG');
  const touch = await bytesOf('/apple-touch-icon.png');
  assert.deepEqual([touch.readUInt32BE(16), touch.readUInt32BE(20)], [180, 180]);
});
