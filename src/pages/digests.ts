import type { Statement } from '../contract/article-parts.ts';
import type { ArticleSummary } from '../contract/articles.ts';
import type { Digest, DigestSettings } from '../contract/digests.ts';
import { joinSentences } from '../domain/article-words.ts';
import {
  type DigestChoice,
  type DigestPeriod,
  digestChoices,
  longestEmail,
  periodOf,
} from '../domain/digests.ts';
import { joinStatements } from '../domain/text.ts';
import { type Html, html, nothing, prose } from './html.ts';
import { accountTabs, dated, layout, noIndex, notice, type PageContext, wayTo } from './layout.ts';
import {
  digestFeed,
  hostNamed,
  type Query,
  type RepositoryPlace,
  repositoryLink,
  withQuery,
} from './links.ts';
import { about, head, secondLine, titleLink } from './rows.ts';
import { plainText, quotedText, said, text, within } from './text.ts';
import { interfaceLanguageFor, interfaceWords, type Words } from './words/words.ts';

export interface DigestGroup {
  repository: Digest['repositories'][number];
  items: ArticleSummary[];
}

export function digestGroupsOf({ items, repositories }: Digest): DigestGroup[] {
  const byName = Map.groupBy(items, ({ host, owner, repo }) => `${host} ${owner}/${repo}`);
  return [...byName].flatMap(([name, shown]) => {
    const repository = repositories.find(({ host, owner, repo }) => `${host} ${owner}/${repo}` === name);
    return repository ? { repository, items: shown } : [];
  });
}

export function allGroupsOf(digest: Digest): DigestGroup[] {
  const shown = digestGroupsOf(digest);
  const counted = digest.repositories.filter(
    (one) => one.merged > 0 && !shown.some(({ repository }) => repository === one),
  );
  return [...shown, ...counted.map((repository) => ({ repository, items: [] }))];
}

export const isComplete = ({ repositories }: Digest): boolean => repositories.every((one) => one.isComplete);

export const lastDayOf = ({ to }: Digest): string => new Date(new Date(to).getTime() - 1).toISOString();

/** How many merges there were and, if some may be missing, that there may be more. */
export const digestCounts = (words: Words['digest'], digest: Digest): string =>
  words.merged(digest.merged, isComplete(digest));

/** Pull requests that are not listed, in one line. */
export const restLine = (words: Words, rest: Digest['rest']): string =>
  words.digest.also(rest.map(({ reason, count }) => words.digest.reasons[reason](count)).join(words.comma));

/** A digest of many repositories begins with the paragraphs of those with the most merges. */
const mostOpened = 3;

interface Opening {
  /** Null in the digest of a single repository. */
  name: string | null;
  paragraph: Statement[];
  byModel: boolean;
}

export function openingsOf({ repositories }: Pick<Digest, 'repositories'>): Opening[] {
  const isSingle = repositories.length === 1;
  return repositories
    .flatMap(({ owner, repo, paragraph, byModel }) =>
      paragraph ? [{ name: isSingle ? null : `${owner}/${repo}`, paragraph, byModel }] : [],
    )
    .slice(0, mostOpened);
}

/** The first paragraphs of a digest as plain text. */
export const leadTexts = (digest: Pick<Digest, 'repositories' | 'language'>): string[] =>
  openingsOf(digest).map(({ name, paragraph }) => {
    const { colon } = interfaceWords[interfaceLanguageFor(digest.language)].inArticle;
    return `${name === null ? '' : name + colon}${plainText(joinStatements(paragraph))}`;
  });

export function sentenceFor({ secondLine: line, languageCode }: ArticleSummary): Html | null {
  if (line?.from === 'author') return quotedText(languageCode, line.text);
  return line && said(languageCode, line.text);
}

export const digestPath = '/my/digest';

export const digestProblems = ['address', 'tooMany', 'away'] as const;
export type DigestProblem = (typeof digestProblems)[number];

interface Choosing {
  settings: DigestSettings;
  sendsMail: boolean;
  typed: { period: DigestChoice; email: string };
  problem: DigestProblem | null;
}

export interface ShownDigest {
  digest: Digest;
  period: DigestPeriod;
  before: string;
  after: string | null;
  lastMergeAt: Date | null;
  repository: RepositoryPlace | null;
  hasFeed: boolean;
  choosing: Choosing | null;
}

export function digestPage(context: PageContext, shown: ShownDigest): Html {
  const { words } = context;
  const { digest, period, choosing } = shown;
  const heading = digestHeading(context, shown);
  const { repository, hasFeed } = shown;
  const feed = repository && hasFeed && digestFeed(repository, context.firstHost, { period });
  return layout(context, {
    title: `${heading} · Pullquote`,
    ...(feed && { feed: { address: feed, title: heading } }),
    styles: ['doing.css', 'digests.css'],
    main: html`<div class="home own digest">
${context.viewer && accountTabs(context, digestPath)}
<p class="meta issue">${digest.title !== null && html`<span><bdi>${prose(heading)}</bdi></span> `}<span>${words.digest.kinds[period]}</span> <span>${words.digest.days(digest.from, lastDayOf(digest))}</span>${digest.merged > 0 && html` <span>${digestCounts(words.digest, digest)}</span>`}</p>
<h1${digest.title !== null && within(context.language, digest.language)}>${digest.title === null ? html`<bdi>${prose(heading)}</bdi>` : said(digest.language, digest.title)}</h1>
${leadParagraphs(context, digest)}
${digest.merged > 0 && !isComplete(digest) && html`<p class="meta">${words.digest.partly}</p>`}
${groups(context, shown)}
${digest.repositories.length > 0 && otherPeriods(context, shown)}
${choosing && byMail(context, choosing)}
</div>`,
  });
}

function digestHeading({ words }: PageContext, { digest, period, repository }: ShownDigest): string {
  if (repository) return words.digest.ofRepository(period, `${repository.owner}/${repository.repo}`);
  const count = digest.repositories.length;
  return count > 0 ? words.digest.mine(period, count) : words.digest.title;
}

function digestLink({ firstHost }: PageContext, { period, repository }: ShownDigest, query: Query): string {
  const of = repository && {
    owner: repository.owner,
    repo: repository.repo,
    ...hostNamed(repository.host, firstHost),
  };
  return withQuery(digestPath, { period, ...of, ...query });
}

function leadParagraphs({ words, language }: PageContext, digest: Digest): Html {
  const opened = openingsOf(digest);
  const byModel = opened.some((one) => one.byModel) && html`<p class="meta">${words.digest.byModel}</p>`;
  return html`${opened.map(
    ({ name, paragraph }) =>
      html`<p class="lead-paragraph"${within(language, digest.language)}>${name !== null && html`<b><bdi>${name}</bdi></b> `}${said(digest.language, joinStatements(paragraph))}</p>
`,
  )}${byModel}`;
}

function otherPeriods(context: PageContext, shown: ShownDigest): Html {
  const { digest: words } = context.words;
  const { period, before, after } = shown;
  const other = period === 'daily' ? 'weekly' : 'daily';
  const link = (query: Query, word: string): Html =>
    html`<a href="${digestLink(context, shown, query)}">${word}</a> `;
  return html`<p class="meta periods">${link({ until: before }, words.before[period])}${after && link({ until: after }, words.after[period])}${link({ period: other }, words.instead[period])}</p>`;
}

function groups(context: PageContext, shown: ShownDigest): Html {
  const { words } = context;
  const { digest, period } = shown;
  if (digest.repositories.length === 0)
    return notice(words.favorites.empty, wayTo('/favorites', words.home.toFavorites));
  if (digest.merged === 0)
    return isComplete(digest)
      ? notice(words.digest.nothing[period], wayOn(context, shown))
      : notice(
          words.digest.nothingKnown[period],
          html`<p>${joinSentences([words.digest.unwatched, words.digest.followed])}</p>`,
          wayOn(context, shown),
        );
  return html`${allGroupsOf(digest).map((group) => digestGroup(context, shown, group))}${quietOnes(context, digest, true)}${quietOnes(context, digest, false)}`;
}

function wayOn(context: PageContext, shown: ShownDigest): Html {
  const { words, firstHost } = context;
  const { lastMergeAt, period, repository } = shown;
  const until = lastMergeAt && periodOf(period, lastMergeAt).to.toISOString();
  return html`${
    lastMergeAt &&
    until &&
    html`<p><a href="${digestLink(context, shown, { until })}">${dated(context, words.digest.toLast(lastMergeAt.toISOString()))}</a></p>`
  }${repository && html`<p><a href="${repositoryLink(repository, firstHost)}"><bdi>${repository.owner}/${repository.repo}</bdi></a></p>`}`;
}

function digestGroup(context: PageContext, shown: ShownDigest, { repository, items }: DigestGroup): Html {
  const { words, firstHost } = context;
  const { owner, repo, rest } = repository;
  const said = repository.paragraph?.map((one) => one.text) ?? [];
  const people = items.filter(({ byBot }) => !byBot);
  const bots = items.filter(({ byBot }) => byBot);
  const sentence = rest.length > 0 && restLine(words, rest);
  const isMore = !shown.repository && rest.some(({ reason }) => reason === 'beyond');
  const more = digestLink(context, { ...shown, repository }, { until: shown.digest.to });
  return html`<section class="group">
${
  !shown.repository &&
  html`<h2><a href="${repositoryLink(repository, firstHost)}"><bdi>${owner}/${repo}</bdi></a></h2>
`
}${
  people.length > 0 &&
  html`<ul class="rows">${people.map((item) => digestEntry(context, item, said))}</ul>
`
}${bots.length > 0 && html`<p class="meta">${words.digest.byBots} ${bots.map((item) => html`<span>${titleLink(context, item)}</span> `)}</p>\n`}${sentence && html`<p class="meta">${isMore ? html`<a href="${more}">${sentence}</a>` : sentence}</p>`}
</section>`;
}

/** A sentence that the first paragraph has is not repeated. */
function digestEntry(context: PageContext, item: ArticleSummary, said: string[]): Html {
  const { secondLine: line } = item;
  const isInLead = line?.from === 'lead' && said.some((text) => text.endsWith(line.text));
  return html`<li class="row">${head(context, item, { isNamed: false })}
<h3>${titleLink(context, item)}</h3>
${!isInLead && secondLine(context, item)}
${about(context, item, {})}</li>`;
}

function quietOnes({ words, firstHost }: PageContext, { repositories }: Digest, isKnown: boolean): Html {
  const quiet = repositories.filter((one) => one.merged === 0 && one.isComplete === isKnown);
  if (quiet.length === 0) return nothing;
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
  if (period === 'off' || !email) return nothing;
  return html`<p class="said" role="status">${confirmed ? digest.goesTo(email) : digest.unconfirmed(email)}</p>\n`;
}

export type LinkOutcome = 'confirmed' | 'stopped' | 'deadLink';

/** Contains no data of the user, because another person may be reading the mail. */
export function linkOutcomePage(context: PageContext, outcome: LinkOutcome): Html {
  const { digest } = context.words;
  return layout(context, {
    title: `${digest.title} · Pullquote`,
    head: noIndex,
    main: html`<div class="notice"><h1>${digest.title}</h1><p class="said" role="status">${digest[outcome]}</p><p><a href="${digestPath}">${digest.toChoice}</a></p></div>`,
  });
}

export const confirmPage = (context: PageContext): Html => {
  const { mail, confirmHint } = context.words.digest;
  return buttonPage(context, { title: mail.confirmSubject, hint: confirmHint, button: mail.confirmLink });
};

export const stopPage = (context: PageContext): Html => {
  const { stopTitle: title, stopHint: hint, stop: button } = context.words.digest;
  return buttonPage(context, { title, hint, button });
};

/** Mail scanners open links but press no buttons. The form has no action, so that the page contains no secret. */
const buttonPage = (
  context: PageContext,
  { title, hint, button }: { title: string; hint: string; button: string },
): Html =>
  layout(context, {
    title: `${title} · Pullquote`,
    styles: ['doing.css'],
    head: noIndex,
    main: html`<form class="form" method="post"><h1>${title}</h1><p>${hint}</p><button>${button}</button></form>`,
  });
