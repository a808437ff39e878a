import type { ArticleSummary } from '../contract/article.ts';
import type { Digest } from '../contract/digest.ts';
import type { WebhookFormat } from '../domain/digest.ts';
import { headlineOf } from '../domain/titles.ts';
import { type DigestGroup, digestCounts, groupsOf, lastDayOf } from '../pages/digest.ts';
import { plainText } from '../pages/text.ts';
import { interfaceLanguageFor, interfaceWords } from '../pages/words/words.ts';
import { absoluteLink, type LinkRoot, sentenceOf } from './digest-entry.ts';

export const digestForWebhook = (digest: Digest, format: WebhookFormat, root: LinkRoot): unknown =>
  ({ slack, discord, teams, json })[format](summaryOf(digest), root);

interface Summary {
  digest: Digest;
  heading: string;
  counts: string;
  groups: DigestGroup[];
}

function summaryOf(digest: Digest): Summary {
  const { digest: words, comma } = interfaceWords[interfaceLanguageFor(digest.language)];
  return {
    digest,
    heading: `${words.ours(digest.period, digest.repositories.length)}${comma}${words.days(digest.from, lastDayOf(digest))}`,
    counts: digestCounts(words, digest),
    groups: groupsOf(digest),
  };
}

const nameOf = ({ repository: { owner, repo } }: DigestGroup): string => `${owner}/${repo}`;

const lineOf = (item: ArticleSummary): string =>
  [`#${item.prNumber}`, item.authorLogin, sentenceOf(item)].filter((part) => part !== null).join(' · ');

/** On one line: a break would end a link or a list. */
const flat = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

/** Without these three characters nothing is a link, and no channel is called. */
const forSlack = (text: string): string =>
  flat(text).replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '');

const slackLimit = 3_000;

function slack({ heading, counts, groups }: Summary, root: LinkRoot): unknown {
  const section = (text: string) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: text.slice(0, slackLimit), verbatim: true },
  });
  // A bar would end the address; the others are formatting.
  const label = (text: string): string => forSlack(text).replace(/[*_~`|]/g, ' ');
  const entry = (item: ArticleSummary): string =>
    `<${absoluteLink(root, item)}|${label(headlineOf(item.title, item))}>\n${label(lineOf(item))}`;
  return {
    text: `${forSlack(heading)} · ${forSlack(counts)}`,
    blocks: [
      section(`*${label(heading)}*\n${label(counts)}`),
      ...groups.flatMap((group) => [
        section(`*${label(nameOf(group))}*`),
        ...group.items.map((item) => section(entry(item))),
      ]),
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

const forMarkdown = (text: string): string => flat(text).replace(/[\\`*_{}[\]()<>#|~:@]|^[-+]/g, '\\$&');

const discordLimit = 4_000;

function discord({ heading, counts, groups }: Summary, root: LinkRoot): unknown {
  const lines = groups.flatMap((group) => [
    `**${forMarkdown(nameOf(group))}**`,
    ...group.items.map(
      (item) =>
        `[${forMarkdown(headlineOf(item.title, item))}](${absoluteLink(root, item)})\n${forMarkdown(lineOf(item))}`,
    ),
  ]);
  return {
    embeds: [
      {
        title: flat(heading).slice(0, 256),
        description: upTo(discordLimit, lines),
        footer: { text: counts },
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

function upTo(limit: number, lines: string[]): string {
  let said = '';
  for (const line of lines) {
    if (said.length + line.length + 1 > limit) break;
    said += said === '' ? line : `\n${line}`;
  }
  return said;
}

function teams({ heading, counts, groups }: Summary, root: LinkRoot): unknown {
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });
  const body = groups.flatMap((group) => [
    block(forMarkdown(nameOf(group)), { weight: 'Bolder', separator: true, spacing: 'Medium' }),
    ...group.items.flatMap((item) => [
      block(`[${forMarkdown(headlineOf(item.title, item))}](${absoluteLink(root, item)})`),
      block(forMarkdown(lineOf(item)), { isSubtle: true, spacing: 'None' }),
    ]),
  ]);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(forMarkdown(heading), { size: 'Large', weight: 'Bolder' }),
      block(forMarkdown(counts), { isSubtle: true }),
      ...body,
    ],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

/** As the API answers it, with whole addresses, and without repositories that have no entries: they may be thousands. */
const json = ({ digest }: Summary, root: LinkRoot): unknown => ({
  ...digest,
  repositories: digest.repositories.filter(({ merged }) => merged > 0),
  items: digest.items.map((item) => ({ ...item, url: absoluteLink(root, item) })),
});
