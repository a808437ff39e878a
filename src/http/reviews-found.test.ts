import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileWords } from '../../test/browser/hostile-words.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { day, reviewedBy } from '../../test/github/reviewed-pull.ts';
import { merged, pull, repository } from '../../test/github/state.ts';
import { runsWholeTables } from '../../test/tables.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { lastPeriod } from '../domain/digests.ts';
import { digestMail } from '../feeds/mails.ts';

const { app, github, join } = await buildGitHubApp({ environment: { RATE_LIMIT: '10000' } });
const ann = await join('ann');
const bea = await join('bea');
const rocket = repository(71, 'acme/rocket');
const vault = repository(72, 'acme/vault', { visibility: 'private', visibleTo: new Set(['ann']) });
github.state.repositories.push(rocket, vault);

async function write(made: ReturnType<typeof pull>, of = rocket) {
  of.pulls.push(made);
  const path = `/repos/${of.owner}/${of.name}/pulls/${made.number}/article`;
  const written = await app.call('POST', path, { token: ann, body: { language: 'en' } });
  assert.ok(written.status < 300, written.text);
}

const find = async (word: string, token?: string) =>
  (await app.call('GET', `/search?q=${word}`, { token })).body.data.items.flatMap(
    ({ matches }: { matches: unknown[] }) => matches,
  );

test('search finds a sentence of a comment, links to the review, and finds it no more once the comment is hidden', async () => {
  const made = pull(1, 'upload', reviewedBy('Did nobody think of the albatross? It must be checked.'));
  await write(made);
  assert.deepEqual(await find('albatross'), [
    { section: 'review', text: 'Did nobody think of the albatross?', ranges: [[24, 33]] },
  ]);
  const page = await app.call('GET', '/find?q=albatross', { headers: { accept: 'text/html' } });
  assert.match(page.text, /href="\/r\/acme\/rocket\/1\/review[^"]*">Review</);
  const [comment = assert.fail()] = made.reviewComments;
  comment.isHidden = true;
  made.updatedAt = day('13:00');
  app.advance(60_000);
  await app.call('POST', '/repos/acme/rocket/pulls/1/ingest', { token: ann });
  await waitUntil('the comment is not found', async () => (await find('albatross')).length === 0);
});

test('a comment of a private repository is found by its members only', async () => {
  await write(pull(1, 'vault', reviewedBy('The cormorant must be checked before it is sent.')), vault);
  assert.equal((await find('cormorant', ann)).length, 1);
  for (const token of [bea, undefined]) assert.deepEqual(await find('cormorant', token), []);
});

async function ask(name: string, values: object) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } };
  const answer = await app.call('POST', '/mcp', { body });
  return JSON.parse(answer.text).result.structuredContent;
}

test('feeds and agents get what a review led to, and a deleted comment is gone from them', async () => {
  const made = pull(3, 'puffin', reviewedBy('The puffin must be checked before it is sent.'));
  await write(made);
  const feeds = ['/feeds/articles.atom', '/feeds/r/acme/rocket.json'];
  const read = async (path: string) => (await app.call('GET', path)).text;
  for (const path of feeds) assert.match(await read(path), /From the review.*puffin must be checked/s, path);
  const told = await ask('get_article', { pullRequest: 'acme/rocket#3', detail: 'brief' });
  const said = told.sentences.find(({ text }: { text: string }) => text.includes('puffin must be'));
  assert.equal(said.basis, 'words');
  assert.match(said.text, /^rin: The puffin/);
  const rest = told.sentences.find(({ text }: { text: string }) => text.includes('Approved by kim.'));
  assert.equal(rest?.basis, 'words');
  const result = told.sentences.find(({ text }: { text: string }) => text.includes('that rin wrote'));
  const evidence = await ask('get_evidence', { pullRequest: 'acme/rocket#3', sentence: result.id });
  assert.match(evidence.places[0].code, /^\+ {4}if \(part\.size > limit\)/m);
  made.reviewComments = [];
  made.updatedAt = day('14:00');
  app.advance(60_000);
  await app.call('POST', '/repos/acme/rocket/pulls/3/ingest', { token: ann });
  for (const path of feeds)
    await waitUntil(`it is gone from ${path}`, async () => !(await read(path)).includes('puffin must'));
  const after = await ask('get_article', { pullRequest: 'acme/rocket#3', detail: 'brief' });
  assert.doesNotMatch(JSON.stringify(after), /puffin must/);
});

const commentsOfEach = runsWholeTables ? 200 : 20;

test(`of ${10 * commentsOfEach} hostile comments, articles quote some, and no digest or mail has a word`, async () => {
  const glider = repository(73, 'acme/glider');
  github.state.repositories.push(glider);
  const week = lastPeriod('weekly', app.now());
  for (let number = 1; number <= 10; number += 1) {
    const createdAt = week.from.toISOString().replace('.000', '');
    const comments = Array.from({ length: commentsOfEach }, (_, at) => ({
      author: at % 2 === 0 ? 'rin' : 'octocat',
      body: `The penguin breaks it, because nobody needs it, does it not?\n\n${hostileWords[(number + at) % 20]?.toWellFormed()}`,
      createdAt,
    }));
    await write(merged(number, new Date(week.from.getTime() + 60_000), { comments }), glider);
  }
  const feed = await app.call('GET', '/feeds/r/acme/glider.json');
  assert.equal(JSON.parse(feed.text).items.length, 10);
  for (const { content_html } of JSON.parse(feed.text).items) {
    assert.match(content_html, /penguin/);
    assert.doesNotMatch(content_html, /<(?:script|img|iframe|base|meta|link|form|svg|video)\b|javascript:/i);
  }
  const digest = await app.call('GET', '/digest?period=weekly&owner=acme&repo=glider', { token: ann });
  assert.equal(digest.body.data.shown, 10, digest.text);
  const to = {
    email: 'ann@example.org',
    language: 'en',
    unsubscribeUrl: 'https://pullquote.example/u',
    key: 'k',
  };
  const mail = digestMail(digest.body.data, to, {
    publicUrl: 'https://pullquote.example',
    firstHost: 'github',
  });
  assert.doesNotMatch(digest.text + JSON.stringify(mail), /penguin|alert\(|evil\.example/);
});
