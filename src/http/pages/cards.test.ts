import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { byRules, tellByHand } from '../../../test/doors/articles-by-hand.ts';
import { makeDoors } from '../../../test/doors/make-doors.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { sql } from '../../db/sql.ts';

const day = 24 * 60 * 60 * 1000;
const root = temporaryFolder();
makeDoors(root);
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
const write = async (path: string) => {
  const { status, text, body } = await app.call('POST', path, { token: ann, body: { language: 'en' } });
  assert.equal(status, 201, text);
  return String(body.data.id);
};
const doors = await write('/repos/acme/doors/pulls/2/article');
const secret = await write('/repos/acme/secret/pulls/1/article');

const image = /<meta property="og:image" content="https:\/\/pullquote\.example(\/cards\/[^"]+\.png)">/;

/** The address of the picture, once the article has another title. */
async function cardOf(aiGeneratedTitle: string): Promise<string> {
  await tellByHand(app, { articleId: doors, languageCode: 'en' }, { ...byRules(), aiGeneratedTitle });
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

test('the picture beside links to a public article is a PNG of 1200 by 630, drawn once, kept, and drawn anew with its title', async () => {
  const address = await cardOf('A door opens');
  const [one, other] = await Promise.all([draw(address), draw(address)]);
  assert.equal(one.status, 200);
  assert.equal(one.headers.get('content-type'), 'image/png');
  assert.match(one.headers.get('cache-control') ?? '', /^public, max-age=\d{6,}, immutable$/);
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

test('a private article has no picture, for its viewer neither, and none is told apart from one that does not exist', async () => {
  const page = await app.call('GET', '/r/acme/secret/1?language=en', { token: ann });
  assert.doesNotMatch(page.text, /og:image|twitter:card/);
  const absent = await app.call('GET', `/cards/${crypto.randomUUID()}/en/x.png`);
  const hidden = await app.call('GET', `/cards/${secret}/en/x.png`, { token: ann });
  assert.deepEqual([absent.status, hidden.status], [404, 404]);
  assert.deepEqual({ ...hidden.body.error, requestId: '' }, { ...absent.body.error, requestId: '' });
});

test('whatever a title holds, it is drawn as text, and one that our fonts have no letters for is left out', async () => {
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

test('pictures go after a month, and with the article', async () => {
  await draw(await cardOf('plain'));
  app.advance(29 * day);
  await app.housekeeping.run();
  assert.equal(await countCards(), 1);
  app.advance(2 * day);
  await app.housekeeping.run();
  assert.equal(await countCards(), 0);
  const address = await cardOf('plain');
  assert.equal((await draw(address)).status, 200);
  await app.database.query(sql`DELETE FROM articles WHERE id = ${doors}`);
  assert.equal(await countCards(), 0);
  assert.equal((await draw(address)).status, 404);
});
