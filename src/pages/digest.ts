import type { ArticleSummary } from '../contract/article.ts';
import type { Digest, DigestSettings } from '../contract/digest.ts';
import {
  type DigestChoice,
  type DigestPeriod,
  digestChoices,
  longestEmail,
  periodOf,
} from '../domain/digest.ts';
import { accountTabs } from './account-tabs.ts';
import { inOwnLanguage, titleLink, typeLinks } from './article-row.ts';
import { allGroupsOf, type DigestGroup, isComplete, lastDayOf } from './digest-groups.ts';
import { digestFeed } from './feed-links.ts';
import { type Html, html, prose } from './html.ts';
import { said } from './in-language.ts';
import { layout } from './layout.ts';
import { hostNamed, listLink, type Query, type RepositoryPlace, repositoryLink, withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';
import { quoted } from './quotation.ts';
import { text } from './text.ts';

/** Where it is. */
export const digestPath = '/my/digest';

/** What can be wrong with what a reader has chosen: the address, how many mails were sent to it, or the server. */
export const digestProblems = ['address', 'tooMany', 'away'] as const;
export type DigestProblem = (typeof digestProblems)[number];

/** What a reader chooses, where they read it; null on the digest of a single repository. */
interface Choosing {
  settings: DigestSettings;
  sendsMail: boolean;
  /** What the form is filled in with. */
  typed: { period: DigestChoice; email: string };
  problem: DigestProblem | null;
}

export interface ShownDigest {
  digest: Digest;
  period: DigestPeriod;
  /** The end of the period before, and of the one after; null where that has not ended. */
  before: string;
  after: string | null;
  /** When something was last merged before, as far as that is known; null also where something was merged in it. */
  lastMergeAt: Date | null;
  /** The one repository that it is of; null for all that the reader follows. */
  repository: RepositoryPlace | null;
  /** Whether it has a feed for everybody. */
  hasFeed: boolean;
  choosing: Choosing | null;
}

export function digestPage(context: PageContext, shown: ShownDigest): Html {
  const { words } = context;
  const { digest, period, choosing } = shown;
  const heading = headingOf(context, shown);
  const { repository, hasFeed } = shown;
  const feed = repository && hasFeed && digestFeed(repository, context.firstHost, { period });
  return layout(context, {
    title: `${heading} · Pullquote`,
    ...(feed && { feed: { address: feed, title: heading } }),
    styles: ['doing.css', 'digest.css'],
    main: html`<div class="home own digest">
${context.viewer && accountTabs(context, digestPath)}
<p class="meta issue"><span>${words.digest.kinds[period]}</span> <span>${words.digest.days(digest.from, lastDayOf(digest))}</span></p>
<h1><bdi>${prose(heading)}</bdi></h1>
${counts(context, shown)}
${groups(context, shown)}
${choosing && byMail(context, choosing)}
</div>`,
  });
}

function headingOf({ words }: PageContext, { digest, period, repository }: ShownDigest): string {
  return repository
    ? words.digest.ofRepository(period, `${repository.owner}/${repository.repo}`)
    : words.digest.mine(period, digest.repositories.length);
}

/** The same page in another way. */
function linkTo({ firstHost }: PageContext, { period, repository }: ShownDigest, query: Query): string {
  const of = repository && {
    owner: repository.owner,
    repo: repository.repo,
    ...hostNamed(repository.host, firstHost),
  };
  return withQuery(digestPath, { period, ...of, ...query });
}

function counts(context: PageContext, shown: ShownDigest): Html {
  const { digest: words, comma } = context.words;
  const { digest, period, before, after } = shown;
  const other = period === 'daily' ? 'weekly' : 'daily';
  const link = (query: Query, word: string): Html =>
    html`<a href="${linkTo(context, shown, query)}">${word}</a> `;
  return html`<p class="meta counts"><b>${words.merged(digest.merged, isComplete(digest))}</b> <b>${words.written(digest.written)}</b> <span><b>${words.shown(digest.shown)}</b>${digest.shown > 0 && html`${comma}${words.chosen}`}</span></p>
${digest.merged > 0 && !isComplete(digest) && html`<p class="meta">${words.partly}</p>\n`}<p class="meta">${link({ until: before }, words.before[period])}${after && link({ until: after }, words.after[period])}${link({ period: other }, words.instead[period])}</p>`;
}

function groups(context: PageContext, shown: ShownDigest): Html {
  const { words } = context;
  const { digest, period } = shown;
  if (digest.repositories.length === 0)
    return html`<div class="notice"><p class="said">${words.favorites.empty}</p><p><a href="/favorites">${words.home.toFavorites}</a></p></div>`;
  if (digest.merged === 0)
    return isComplete(digest)
      ? html`<div class="notice"><p class="said">${words.digest.nothing[period]}</p>${wayOn(context, shown)}</div>`
      : html`<div class="notice"><p class="said">${words.digest.nothingKnown[period]}</p><p>${words.digest.unwatched} ${words.digest.followed}</p>${wayOn(context, shown)}</div>`;
  return html`${allGroupsOf(digest).map((group) => groupOf(context, shown, group))}${quietOnes(context, digest, true)}${quietOnes(context, digest, false)}`;
}

/** From an empty period to the last one that is not, and to where a repository is followed. */
function wayOn(context: PageContext, shown: ShownDigest): Html {
  const { words, firstHost } = context;
  const { lastMergeAt, period, repository } = shown;
  const until = lastMergeAt && periodOf(period, lastMergeAt).to.toISOString();
  return html`${
    lastMergeAt &&
    until &&
    html`<p><a href="${linkTo(context, shown, { until })}">${words.digest.toLast(words.date(lastMergeAt.toISOString()))}</a></p>`
  }${repository && html`<p><a href="${repositoryLink(repository, firstHost)}"><bdi>${repository.owner}/${repository.repo}</bdi></a></p>`}`;
}

function groupOf(context: PageContext, shown: ShownDigest, { repository, items }: DigestGroup): Html {
  const { words, firstHost } = context;
  const { owner, repo, merged, rest } = repository;
  const line = ({ reason, count }: (typeof rest)[number]): Html => {
    const sentence = words.digest.reasons[reason](count);
    const more = linkTo(context, { ...shown, repository }, { until: shown.digest.to });
    return reason === 'beyond' && !shown.repository
      ? html`<p class="meta"><a href="${more}">${sentence}</a></p>\n`
      : html`<p class="meta">${sentence}</p>\n`;
  };
  return html`<section class="group">
<div><h2><a href="${repositoryLink(repository, firstHost)}"><bdi>${owner}/${repo}</bdi></a></h2><p class="meta">${words.digest.merged(merged, repository.isComplete)}</p></div>
<div>${items.length > 0 && html`<ul>${items.map((item) => entry(context, item))}</ul>\n`}${rest.map(line)}</div>
</section>`;
}

function entry(context: PageContext, item: ArticleSummary): Html {
  const { firstHost, words } = context;
  const { host, authorLogin, prNumber, standfirst, quote, languageCode, likeCount, changeTypes, isBreaking } =
    item;
  const author = listLink({ author: { host, login: authorLogin } }, firstHost);
  const sentence = standfirst !== null ? said(languageCode, standfirst) : quote && quoted(quote.text);
  return html`<li><h3>${titleLink(context, item)}</h3>
${sentence && html`<p class="standfirst"${inOwnLanguage(context, item)}>${sentence}</p>\n`}<p class="meta"><span>#${prNumber}</span> <a class="author" href="${author}"><bdi>${authorLogin}</bdi></a> ${likeCount > 0 && html`<span class="likes">${words.home.likes(likeCount)}</span> `}${typeLinks(context, changeTypes)}${isBreaking && html`<span class="breaking">${words.home.breaking}</span>`}</p></li>`;
}

/** Those in which nothing was merged, or in which it is not known, in one place. */
function quietOnes({ words, firstHost }: PageContext, { repositories }: Digest, isKnown: boolean): Html {
  const quiet = repositories.filter((one) => one.merged === 0 && one.isComplete === isKnown);
  if (quiet.length === 0) return html``;
  return html`<section class="group quiet-ones">
<div>${quiet.map((one) => html`<p class="meta"><a href="${repositoryLink(one, firstHost)}"><bdi>${one.owner}/${one.repo}</bdi></a></p>\n`)}</div>
<div><p class="meta">${isKnown ? words.digest.quiet : words.digest.unwatched}</p></div>
</section>`;
}

function byMail({ words }: PageContext, { settings, sendsMail, typed, problem }: Choosing): Html {
  const { digest } = words;
  if (!sendsMail)
    return html`<section class="form" id="mail"><h2>${digest.byMail}</h2><p class="quiet">${text(digest.noMail)}</p></section>`;
  const options = digestChoices.map(
    (choice) =>
      html`<option value="${choice}"${choice === typed.period && html` selected`}>${digest.choices[choice]}</option>`,
  );
  return html`<section class="form" id="mail"><h2>${digest.byMail}</h2>
${state(words, settings)}${problem && html`<p class="problem" role="alert" id="wrong">${digest.problems[problem]}</p>\n`}<form method="post" action="${digestPath}">
<label for="period">${digest.title}</label>
<select id="period" name="period">${options}</select>
<label for="email">${digest.email}</label>
<input id="email" name="email" type="email" maxlength="${longestEmail}" autocomplete="email" value="${typed.email}" aria-describedby="mail-hint${problem && ' wrong'}"${problem && html` aria-invalid="true"`}>
<p class="quiet" id="mail-hint">${digest.hint}</p>
<button>${words.settings.save}</button></form></section>`;
}

function state(
  { digest }: PageContext['words'],
  { period, email, confirmed, endedBecause }: DigestSettings,
): Html {
  if (endedBecause && email)
    return html`<p class="problem" role="alert"><bdi>${digest.refused(email)}</bdi></p>\n`;
  if (period === 'off' || !email) return html``;
  return html`<p class="said" role="status">${confirmed ? digest.goesTo(email) : digest.unconfirmed(email)}</p>\n`;
}
