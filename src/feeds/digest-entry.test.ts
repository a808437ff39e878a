import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAtomProblems } from '../../test/feeds/validate-feeds.ts';
import type { Digest } from '../contract/digests.ts';
import { knownService } from '../domain/digests.ts';
import { digestEntry, digestForWebhook } from './digest-entry.ts';
import { writeFeed } from './feed.ts';
import { digestMail } from './mails.ts';

const hostile =
  '<!channel> @everyone [x](https://evil.example) *b* <script>alert(1)</script>\r\nBcc: a@b.org | `c`';

const counts = { merged: 3, written: 2, shown: 1, rest: [{ reason: 'bot', count: 2 } as const] };
const digest: Digest = {
  period: 'weekly',
  language: 'en',
  from: '2026-02-23T00:00:00.000Z',
  to: '2026-03-02T00:00:00.000Z',
  mergedKnown: 'all',
  title: null,
  paragraph: null,
  ...counts,
  items: [
    {
      articleId: '0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11',
      host: 'git',
      languageCode: 'en',
      title: hostile,
      aiGeneratedTitle: hostile,
      repositoryFullName: 'acme/rocket',
      owner: 'acme',
      repo: 'rocket',
      prNumber: 7,
      byBot: false,
      authorLogin: '@here',
      changeTypes: ['FIX'],
      quote: { text: hostile, from: 'description' },
      readingMinutes: 1,
      standfirst: null,
      secondLine: { text: hostile, from: 'author' },
      state: 'merged',
      mergedAt: '2026-02-27T16:04:00.000Z',
      isBreaking: false,
      ...{ hostPrUrl: null, isExample: false, additions: 1, deletions: 0 },
      likeCount: 0,
      summaryGeneratedAt: '2026-02-27T16:04:00.000Z',
    },
  ],
  repositories: [
    {
      ...{ host: 'git', owner: 'acme', repo: 'rocket', isComplete: true },
      ...{ title: null, paragraph: null, byModel: false },
      ...counts,
    },
  ],
};
const root = { publicUrl: 'https://pullquote.example.org', firstHost: 'git' };
const to = {
  email: 'a@example.org',
  language: 'de',
  unsubscribeUrl: `${root.publicUrl}/digest/unsubscribe/x`,
  key: 'k',
};
const link = 'https://pullquote.example.org/r/acme/rocket/7?language=en';

test('text of authors adds no tag, mention or foreign link to Slack, Discord and Teams messages', () => {
  const slack = JSON.stringify(digestForWebhook(digest, 'slack', root));
  assert.doesNotMatch(slack, /<(?!https:\/\/pullquote\.example\.org\/)|@/);
  assert.match(slack, new RegExp(`<${link.replace(/[?./]/g, '\\$&')}\\|&lt;!channel&gt;`));

  const discord = digestForWebhook(digest, 'discord', root) as Record<string, unknown>;
  assert.deepEqual(discord.allowed_mentions, { parse: [] });
  for (const format of ['discord', 'teams'] as const) {
    const text = JSON.stringify(digestForWebhook(digest, format, root)).replaceAll('\\\\', '\\');
    assert.doesNotMatch(text, /(?<!\\)\]\((?!https:\/\/pullquote\.example\.org\/)/, format);
    assert.doesNotMatch(text, /(?<!\\)@(?:everyone|here)|(?<!\\)<|https:\/\/evil/, format);
    assert.ok(text.includes(`](${link})`), format);
  }
  const [rocket] = digest.repositories;
  assert.ok(rocket);
  const none = { ...rocket, repo: 'quiet', merged: 0, written: 0, shown: 0, rest: [] };
  const followed = { ...digest, repositories: [...digest.repositories, none] };
  const json = digestForWebhook(followed, 'json', root) as Digest & { items: { url: string }[] };
  assert.deepEqual([json.merged, json.items[0]?.url], [3, link]);
  assert.deepEqual(json.repositories, digest.repositories, 'those with merges only');
});

test('a chat post of a digest with a very long first paragraph has its beginning and its list', () => {
  const [rocket] = digest.repositories;
  assert.ok(rocket);
  const text = '*'.repeat(5_000);
  const paragraph = [{ id: 'a', text, basis: 'words' as const, evidence: [] }];
  const long = { ...digest, paragraph, repositories: [{ ...rocket, paragraph }] };
  const { embeds } = digestForWebhook(long, 'discord', root) as { embeds: { description: string }[] };
  assert.match(embeds[0]?.description ?? '', /^(?:\\\*)+…\n[\s\S]*#7/);
});

test("a digest mail escapes authors' text, counts in its subject, and links only to the service", () => {
  const mail = digestMail(digest, to, root);
  assert.equal(mail.subject, 'Your week: 3 merged, 1 to read');
  assert.doesNotMatch(mail.html, /<script|<img|src=/);
  for (const [, address] of mail.html.matchAll(/href="([^"]*)"/g))
    assert.ok(address?.startsWith(root.publicUrl), address);
  assert.match(mail.text, /2 by bots without an article/);
  const [rocket] = digest.repositories;
  const unwatched = rocket ? [rocket, { ...rocket, repo: 'other', isComplete: false }] : [];
  const { subject, text } = digestMail({ ...digest, repositories: unwatched }, to, root);
  assert.equal(subject, 'Your week: 3 known merges, 1 to read');
  assert.match(text, /^3 known merges$/m);
  const posted = JSON.stringify(digestForWebhook({ ...digest, repositories: unwatched }, 'slack', root));
  assert.match(posted, /3 known merges/);
  assert.match(text, /^Weekly digest · .* \(UTC\)$/m);
  const inJapanese = digestMail(digest, { ...to, language: 'ja' }, root);
  assert.match(inJapanese.html, /<html lang="ja">/);
  assert.match(inJapanese.text, / 9:00～[^（]* 8:59（日本時間）$/m);
  assert.match(inJapanese.text, /^配信を停止：https:/m);
});

test('`knownService` recognizes Slack, Discord and Teams by host name and rejects look-alikes', () => {
  const service = (address: string) => knownService(new URL(address));
  assert.equal(service('https://hooks.slack.com/services/x'), 'slack');
  assert.equal(service('https://discord.com/api/webhooks/1/x'), 'discord');
  assert.equal(service('https://acme.webhook.office.com/x'), 'teams');
  assert.equal(service('https://hooks.slack.com.example.org/x'), null);
  assert.equal(service('https://chat.example.org/hooks/x'), null);
});

test('mails and feeds name repositories not followed for the whole period, count articles not shown, and set quotation marks once', async () => {
  const [item] = digest.items;
  const [rocket] = digest.repositories;
  assert.ok(item && rocket);
  const rest = [{ reason: 'bot', count: 1 } as const];
  const bots = { ...rocket, repo: 'bots', merged: 1, written: 0, shown: 0, rest };
  const partly: Digest = {
    ...digest,
    items: [{ ...item, secondLine: { text: '“As it was.”', from: 'author' } }],
    repositories: [{ ...rocket, isComplete: false }, bots],
  };
  const to = { email: 'a@b.org', language: 'en', unsubscribeUrl: 'https://x.example/1', key: 'k' };
  const mail = digestMail(partly, to, root);
  const feedRoot = { origin: root.publicUrl, firstHost: root.firstHost };
  const entry = digestEntry(feedRoot, partly, { ofUser: 'ann' });
  for (const told of [mail.text, mail.html, entry.html]) {
    assert.match(
      told,
      /not followed for the whole period[\s\S]*“As it was\.”[\s\S]*acme\/bots[\s\S]*1 by a bot without an article/,
    );
    assert.doesNotMatch(told, /““/);
  }
  const later = digestEntry(feedRoot, { ...partly, merged: 9 }, { ofUser: 'ann' });
  assert.equal(later.id, entry.id, 'the same entry, whatever becomes known');
  const repository = { host: 'git', owner: 'acme', repo: 'rocket' };
  const entries = [digestEntry(feedRoot, digest, { repository }), entry];
  const feed = {
    ...feedRoot,
    identity: 'x',
    title: hostile,
    language: 'en',
    page: '/',
    self: null,
    since: new Date(0),
  };
  const atom = await writeFeed('atom', { ...feed, entries });
  assert.deepEqual([...(await findAtomProblems({ 'digests.atom': atom }))], []);
  assert.doesNotMatch(entries.map(({ html }) => html).join(), /<script/);
});

test('mail, chat and feed begin with the first paragraph and its title, escaped, and name repositories only if there are several', () => {
  const [rocket] = digest.repositories;
  assert.ok(rocket);
  const statement = (text: string) => ({ id: '0c6f1b0c9a11', text, basis: 'diff' as const, evidence: [] });
  const paragraph = [statement('Launches `wait` for <guests>.'), statement('They @here are *late*.')];
  const told = { ...digest, title: 'Launches `wait`', paragraph, repositories: [{ ...rocket, paragraph }] };
  const entry = digestEntry({ origin: root.publicUrl, firstHost: 'git' }, told, { ofUser: 'x' });
  assert.match(entry.title, /^Launches wait · Your week/);
  assert.equal(entry.summary, 'Launches wait for <guests>. They @here are *late*.');
  assert.match(entry.html, /^<div[^>]*>\s*<p>Launches wait for &lt;guests&gt;\./);
  assert.doesNotMatch(entry.html, /3 merged/);
  const slack = JSON.stringify(digestForWebhook(told, 'slack', root));
  assert.match(
    slack,
    /Launches wait · The week[^"]*\\nLaunches wait for &lt;guests&gt;\. They {2}here are {2}late \./,
  );
  const discord = JSON.stringify(digestForWebhook(told, 'discord', root));
  assert.match(discord, /"description":"Launches wait for \\\\<guests\\\\>\. They \\\\@here/);
  assert.match(JSON.stringify(digestForWebhook(told, 'teams', root)), /Launches wait for/);
  const json = digestForWebhook(told, 'json', root) as Digest;
  assert.deepEqual([json.title, json.paragraph], [told.title, paragraph]);
  const mail = digestMail(told, to, root);
  assert.match(mail.text, /^Launches wait\n[^\n]+\n\nLaunches wait for <guests>\./);
  assert.match(mail.html, /<h1[^>]*>Launches wait<\/h1>[\s\S]*Launches wait for &lt;guests&gt;/);
  const several = { ...told, repositories: [...told.repositories, { ...rocket, repo: 'comet', paragraph }] };
  assert.match(
    digestMail(several, to, root).text,
    /^acme\/rocket: Launches wait[\s\S]*^acme\/comet: Launches wait/m,
  );
});
