import type { ArticleSummary } from '../contract/article.ts';
import type { Digest } from '../contract/digest.ts';
import { headlineOf } from '../domain/titles.ts';
import {
  allGroupsOf,
  type DigestGroup,
  digestCounts,
  isComplete,
  lastDayOf,
  sentenceFor,
} from '../pages/digest.ts';
import { type Html, html } from '../pages/html.ts';
import { articleLink, type RepositoryPlace, withQuery } from '../pages/links.ts';
import { inLanguage, isQuotedAlready, plainText, quotationMarks, said } from '../pages/text.ts';
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

export function sentenceOf({ standfirst, quote, languageCode }: ArticleSummary): string | null {
  if (standfirst !== null) return plainText(standfirst);
  const words = quote && plainText(quote.text);
  return words && (isQuotedAlready(words) ? words : quotationMarks(languageCode).join(words));
}

type DigestOf = { repository: RepositoryPlace } | { ofUser: string };

/** The id stays the same when more is known or written. */
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
    title: line(`${heading}${inArticle.colon}${words.days(from, lastDayOf(digest))}`),
    summary: line(digestCounts(words, digest)),
    author: 'Pullquote',
    tags: repositories.flatMap(({ owner, repo, merged }) => (merged > 0 ? line(`${owner}/${repo}`) : [])),
    url: root.origin + withQuery('/my/digest', { period, ...of, until: to, language }),
    hostUrl: null,
    language: interfaceLanguageFor(language),
    published: new Date(to),
    updated: new Date(Math.max(Date.parse(to), ...written)),
    html: sayable(contentOf(root, words, digest).toString()),
  };
}

function contentOf(root: FeedRoot, words: Words['digest'], digest: Digest): Html {
  return html`<div${inLanguage(interfaceLanguageFor(digest.language))}>
<p>${digestCounts(words, digest)}</p>
${!isComplete(digest) && html`<p>${words.partly}</p>\n`}${allGroupsOf(digest).map((group) => groupOf(root, words, group))}</div>`;
}

const groupOf = (root: FeedRoot, words: Words['digest'], { repository, items }: DigestGroup): Html =>
  html`<h2><bdi>${repository.owner}/${repository.repo}</bdi></h2>
${items.length > 0 && html`<ul>${items.map((item) => entryOf(root, item))}</ul>\n`}${repository.rest.map(
  ({ reason, count }) => html`<p>${words.reasons[reason](count)}</p>\n`,
)}`;

function entryOf({ origin, firstHost }: FeedRoot, item: ArticleSummary): Html {
  const { languageCode, prNumber, authorLogin } = item;
  const sentence = sentenceFor(item);
  return html`<li${inLanguage(languageCode)}><p><a href="${absoluteLink({ publicUrl: origin, firstHost }, item)}">${said(languageCode, headlineOf(item.title, item))}</a> #${prNumber} · <bdi>${authorLogin}</bdi></p>
${sentence && html`<p>${sentence}</p>`}</li>`;
}
