import type { ArticleSummary } from '../contract/articles.ts';
import type { Digest } from '../contract/digests.ts';
import type { WebhookFormat } from '../domain/digests.ts';
import { headlineOf } from '../domain/titles.ts';
import {
  allGroupsOf,
  type DigestGroup,
  digestCounts,
  digestGroupsOf,
  isComplete,
  lastDayOf,
  leadTexts,
  sentenceFor,
} from '../pages/digests.ts';
import { type Html, html } from '../pages/html.ts';
import { articleLink, type RepositoryPlace, withQuery } from '../pages/links.ts';
import { isQuotedAlready, languageAttribute, plainText, quotationMarks, said } from '../pages/text.ts';
import { interfaceLanguageFor, interfaceWords, type Words } from '../pages/words/words.ts';
import { type FeedEntry, type FeedRoot, line, sayable, stableId } from './feed.ts';

export interface LinkRoot {
  publicUrl: string;
  firstHost: string;
}

export const absoluteLink = (
  { publicUrl, firstHost }: LinkRoot,
  { languageCode, ...article }: ArticleSummary,
): string => publicUrl + articleLink(article, firstHost, { language: languageCode });

export function sentenceOf({ secondLine: line, languageCode }: ArticleSummary): string | null {
  const words = line && plainText(line.text);
  if (words === null || line?.from !== 'author' || isQuotedAlready(words)) return words;
  return quotationMarks(languageCode).join(words);
}

type DigestOf = { repository: RepositoryPlace } | { ofUser: string };

/** The id stays the same when more of the period becomes known. */
export function digestEntry(root: FeedRoot, digest: Digest, whose: DigestOf): FeedEntry {
  const { period, from, to, language, items, repositories } = digest;
  const { digest: words, inArticle } = interfaceWords[interfaceLanguageFor(language)];
  const place = 'repository' in whose ? whose.repository : null;
  const name = place && `${place.owner}/${place.repo}`;
  const heading = name === null ? words.mine(period, repositories.length) : words.ofRepository(period, name);
  const identity = 'ofUser' in whose ? whose.ofUser : `${whose.repository.host} ${name}`;
  const of = place && { host: place.host, owner: place.owner, repo: place.repo };
  const written = items.map(({ summaryGeneratedAt }) => Date.parse(summaryGeneratedAt));
  return {
    id: stableId('digest', identity, period, from, language),
    title: line(headed(digest, `${heading}${inArticle.colon}${words.days(from, lastDayOf(digest))}`)),
    summary: line(leadTexts(digest).join(' ') || digestCounts(words, digest)),
    author: 'Pullquote',
    tags: repositories.flatMap(({ owner, repo, merged }) => (merged > 0 ? line(`${owner}/${repo}`) : [])),
    url: root.origin + withQuery('/my/digest', { period, ...of, until: to, language }),
    hostUrl: null,
    language: interfaceLanguageFor(language),
    published: new Date(to),
    updated: new Date(Math.max(Date.parse(to), ...written)),
    html: sayable(digestContent(root, words, digest).toString()),
  };
}

/** A digest is called by what stands out in it. */
const headed = ({ title }: Digest, heading: string): string =>
  title === null ? heading : `${plainText(title)} · ${heading}`;

/** The first paragraphs, or else how many merges there were. */
export const begun = (words: Words['digest'], digest: Digest): string[] => {
  const texts = leadTexts(digest);
  return texts.length > 0 ? texts : [digestCounts(words, digest)];
};

function digestContent(root: FeedRoot, words: Words['digest'], digest: Digest): Html {
  return html`<div${languageAttribute(interfaceLanguageFor(digest.language))}>
${begun(words, digest).map((one) => html`<p>${one}</p>\n`)}${!isComplete(digest) && html`<p>${words.partly}</p>\n`}${allGroupsOf(digest).map((group) => groupInFeed(root, words, group))}</div>`;
}

const groupInFeed = (root: FeedRoot, words: Words['digest'], { repository, items }: DigestGroup): Html =>
  html`<h2><bdi>${repository.owner}/${repository.repo}</bdi></h2>
${items.length > 0 && html`<ul>${items.map((item) => entryInFeed(root, item))}</ul>\n`}${repository.rest.map(
  ({ reason, count }) => html`<p>${words.reasons[reason](count)}</p>\n`,
)}`;

function entryInFeed({ origin, firstHost }: FeedRoot, item: ArticleSummary): Html {
  const { languageCode, prNumber, authorLogin } = item;
  const sentence = sentenceFor(item);
  return html`<li${languageAttribute(languageCode)}><p><a href="${absoluteLink({ publicUrl: origin, firstHost }, item)}">${said(languageCode, headlineOf(item.title, item))}</a> #${prNumber} · <bdi>${authorLogin}</bdi></p>
${sentence && html`<p>${sentence}</p>`}</li>`;
}

export const digestForWebhook = (digest: Digest, format: WebhookFormat, root: LinkRoot): unknown =>
  ({ slack, discord, teams, json: digestAsJson })[format](digestSummary(digest), root);

/** One article as a message: its title, its second line and its link. */
export const postForWebhook = (article: ArticleSummary, format: WebhookFormat, root: LinkRoot): unknown => {
  const title = headlineOf(article.title, article);
  const place = `${article.owner}/${article.repo} ${lineOf(article)}`;
  const url = absoluteLink(root, article);
  const linked = `[${forMarkdown(title)}](${url})`;
  const bodies = {
    slack: () => {
      const text = `<${url}|${labelForSlack(title)}>\n${labelForSlack(place)}`;
      return { text, unfurl_links: false, unfurl_media: false };
    },
    discord: () => ({
      content: upTo(discordMessageLimit, [linked, forMarkdown(place)]),
      allowed_mentions: { parse: [] },
    }),
    teams: () =>
      teamsMessage([teamsBlock(linked), teamsBlock(forMarkdown(place), { isSubtle: true, spacing: 'None' })]),
    json: () => ({ ...article, url }),
  };
  return bodies[format]();
};

interface Summary {
  digest: Digest;
  heading: string;
  beginning: string;
  groups: DigestGroup[];
}

function digestSummary(digest: Digest): Summary {
  const { digest: words, comma } = interfaceWords[interfaceLanguageFor(digest.language)];
  return {
    digest,
    heading: headed(
      digest,
      `${words.ours(digest.period, digest.repositories.length)}${comma}${words.days(digest.from, lastDayOf(digest))}`,
    ),
    beginning: cutTo(beginningLimit, begun(words, digest).join(' ')),
    groups: digestGroupsOf(digest),
  };
}

/** Short enough that it fits, with all signs escaped, and leaves room for the list. */
const beginningLimit = 1_500;

const cutTo = (limit: number, text: string): string =>
  text.length > limit ? `${text.slice(0, limit).toWellFormed()}…` : text;

const digestRepositoryName = ({ repository: { owner, repo } }: DigestGroup): string => `${owner}/${repo}`;

const lineOf = (item: ArticleSummary): string =>
  [`#${item.prNumber}`, item.authorLogin, sentenceOf(item)].filter((part) => part !== null).join(' · ');

/** On one line, because a break would end a link or a list. */
const flat = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

/** Without these three characters, no text becomes a link or a mention. */
const forSlack = (text: string): string =>
  flat(text).replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '');

/** A bar would end the URL; others are formatting, or mentions in services that take the same format. */
const labelForSlack = (text: string): string => forSlack(text).replace(/[*_~`|@]/g, ' ');

const slackLimit = 3_000;

function slack({ heading, beginning, groups }: Summary, root: LinkRoot): unknown {
  const section = (text: string) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: text.slice(0, slackLimit), verbatim: true },
  });
  const entry = (item: ArticleSummary): string =>
    `<${absoluteLink(root, item)}|${labelForSlack(headlineOf(item.title, item))}>\n${labelForSlack(lineOf(item))}`;
  return {
    text: `${labelForSlack(heading)} · ${labelForSlack(beginning)}`,
    blocks: [
      section(`*${labelForSlack(heading)}*\n${labelForSlack(beginning)}`),
      ...groups.flatMap((group) => [
        section(`*${labelForSlack(digestRepositoryName(group))}*`),
        ...group.items.map((item) => section(entry(item))),
      ]),
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

const forMarkdown = (text: string): string => flat(text).replace(/[\\`*_{}[\]()<>#|~:@]|^[-+]/g, '\\$&');

const discordLimit = 4_000;
const discordMessageLimit = 2_000;

function discord({ heading, beginning, groups }: Summary, root: LinkRoot): unknown {
  const lines = groups.flatMap((group) => [
    `**${forMarkdown(digestRepositoryName(group))}**`,
    ...group.items.map(
      (item) =>
        `[${forMarkdown(headlineOf(item.title, item))}](${absoluteLink(root, item)})\n${forMarkdown(lineOf(item))}`,
    ),
  ]);
  return {
    embeds: [
      {
        title: flat(heading).slice(0, 256),
        description: upTo(discordLimit, [forMarkdown(beginning), ...lines]),
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

const teamsBlock = (text: string, more: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...more });

function teamsMessage(body: object[]): unknown {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

function teams({ heading, beginning, groups }: Summary, root: LinkRoot): unknown {
  const body = groups.flatMap((group) => [
    teamsBlock(forMarkdown(digestRepositoryName(group)), {
      weight: 'Bolder',
      separator: true,
      spacing: 'Medium',
    }),
    ...group.items.flatMap((item) => [
      teamsBlock(`[${forMarkdown(headlineOf(item.title, item))}](${absoluteLink(root, item)})`),
      teamsBlock(forMarkdown(lineOf(item)), { isSubtle: true, spacing: 'None' }),
    ]),
  ]);
  return teamsMessage([
    teamsBlock(forMarkdown(heading), { size: 'Large', weight: 'Bolder' }),
    teamsBlock(forMarkdown(beginning), { isSubtle: true }),
    ...body,
  ]);
}

/**
 * The digest as in the API, with absolute URLs, and without repositories that have no entries, which may be thousands.
 */
const digestAsJson = ({ digest }: Summary, root: LinkRoot): unknown => ({
  ...digest,
  repositories: digest.repositories.filter(({ merged }) => merged > 0),
  items: digest.items.map((item) => ({ ...item, url: absoluteLink(root, item) })),
});
