import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { byRules, tellByHand } from '../../../test/doors/articles-by-hand.ts';
import { makeDoors } from '../../../test/doors/make-doors.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { sql } from '../../db/sql.ts';
import { partsFor } from '../../pages/robots.ts';

const day = 24 * 60 * 60 * 1000;
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
const ann = await app.signUp('ann');
const write = async (place: string, language: string) => {
  const asked = { token: ann, body: { language } };
  const { status, text, body } = await app.call('POST', `/repos/acme/${place}/article`, asked);
  assert.ok(status === 200 || status === 201, text);
  return String(body.data.id);
};
const secret = await write('secret/pulls/1', 'en');

const read = async (path: string) => {
  const { status, text, headers } = await app.call('GET', path);
  assert.equal(status, 200, path);
  assert.match(headers.get('cache-control') ?? '', /^public, max-age=\d+$/, path);
  assert.match(headers.get('etag') ?? '', /^"/, path);
  return text;
};
const addressesIn = (text: string) =>
  [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address);

test('robots.txt and the sitemap list public articles if PUBLIC_URL is set, and otherwise disallow everything', async () => {
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

test('favicon.ico and apple-touch-icon.png are served in the expected sizes', async () => {
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

const image = /<meta property="og:image" content="https:\/\/pullquote\.example(\/cards\/[^"]+\.png)">/;

/** The address of an article's card after its title was changed. */
async function cardOf(aiGeneratedTitle: string): Promise<string> {
  const { body } = await app.call('GET', '/repos/acme/doors/pulls/2/article');
  const articleId = String(body.data.id);
  await tellByHand(app, { articleId, languageCode: 'en' }, { ...byRules(), aiGeneratedTitle });
  const page = await app.call('GET', '/r/acme/doors/2?language=en');
  assert.match(page.text, /<meta name="twitter:card" content="summary_large_image">/);
  const [, address = ''] = image.exec(page.text) ?? [];
  assert.notEqual(address, '', page.text);
  return address;
}

async function draw(address: string) {
  const response = await fetch(`${app.url}${address}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

const countCards = async () =>
  (await app.database.query<{ count: number }>(sql`SELECT count(*) AS count FROM article_cards`))[0]?.count;

test('the card of a public article is a PNG of 1200 by 630, drawn once and again after a new title', async () => {
  const address = await cardOf('A door opens');
  const [one, other] = await Promise.all([draw(address), draw(address)]);
  assert.equal(one.status, 200);
  assert.equal(one.headers.get('content-type'), 'image/png');
  assert.match(one.headers.get('cache-control') ?? '', /^public, max-age=3600$/);
  assert.equal(one.bytes.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n');
  assert.deepEqual([one.bytes.readUInt32BE(16), one.bytes.readUInt32BE(20)], [1200, 630]);
  assert.ok(one.bytes.equals(other.bytes) && one.bytes.equals((await draw(address)).bytes));
  assert.equal(await countCards(), 1);
  const etag = one.headers.get('etag') ?? '';
  const known = await fetch(`${app.url}${address}`, { headers: { 'if-none-match': etag } });
  assert.equal(known.status, 304);

  const next = await cardOf('A door shuts');
  assert.notEqual(next, address);
  const drawn = await draw(next);
  assert.ok(!drawn.bytes.equals(one.bytes));
  assert.equal(await countCards(), 1, 'the one before is not kept');
  const former = await draw(address);
  assert.ok(former.bytes.equals(drawn.bytes));
  assert.equal(former.headers.get('cache-control'), 'public, no-cache', 'not under the address of another');
});

test('a private article has no card, and its address looks like one that does not exist', async () => {
  const page = await app.call('GET', '/r/acme/secret/1?language=en', { token: ann });
  assert.doesNotMatch(page.text, /og:image|twitter:card/);
  const absent = await app.call('GET', `/cards/${crypto.randomUUID()}/en/x.png`);
  const hidden = await app.call('GET', `/cards/${secret}/en/x.png`, { token: ann });
  assert.deepEqual([absent.status, hidden.status], [404, 404]);
  assert.deepEqual({ ...hidden.body.error, requestId: '' }, { ...absent.body.error, requestId: '' });
});

test('titles on cards are drawn as text, and a title without glyphs in the fonts is left out', async () => {
  const plain = await draw(await cardOf('plain'));
  const hostile = '</text></svg><image href="/etc/passwd"/>&lol;]]> "\'';
  for (const title of [hostile, 'W'.repeat(80), '`a` – “é”, žluť'])
    assert.equal((await draw(await cardOf(title))).status, 200, title);
  const pictures: Buffer[] = [];
  for (const title of ['扉が開く', 'Door \u202e opens', '🚪'])
    pictures.push((await draw(await cardOf(title))).bytes);
  assert.ok(pictures.every((one) => one.equals(pictures[0] ?? Buffer.alloc(0))));
  assert.ok(!pictures[0]?.equals(plain.bytes));
});

test('cards are deleted after a month and with their article', async () => {
  await draw(await cardOf('plain'));
  app.advance(29 * day);
  await app.housekeeping.run();
  assert.equal(await countCards(), 1);
  app.advance(2 * day);
  await app.housekeeping.run();
  assert.equal(await countCards(), 0);
  const address = await cardOf('plain');
  assert.equal((await draw(address)).status, 200);
  await app.database.query(
    sql`DELETE FROM articles WHERE repository_id IN (SELECT id FROM repositories WHERE name = 'doors')`,
  );
  assert.equal(await countCards(), 0);
  assert.equal((await draw(address)).status, 404);
});
