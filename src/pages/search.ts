import type { ArticleSummary } from '../contract/articles.ts';
import type { ChangeType, PointLabel } from '../domain/articles.ts';
import { isNameOrPath, ownerAndName } from '../domain/repositories.ts';
import type { Match } from '../domain/search/find-matches.ts';
import type { Question } from '../domain/search/question.ts';
import { type Html, html, nothing } from './html.ts';
import { layout, noIndex, type PageContext, type Pages, pagesAround } from './layout.ts';
import {
  articleLink,
  findLink,
  hostNamed,
  operatorOf,
  repositoryLink,
  searchFeed,
  signInLink,
  signUpLink,
} from './links.ts';
import { about, head, inOwnLanguage, secondLine, titleLink } from './rows.ts';
import { text } from './text.ts';
import type { Words } from './words/words.ts';

interface FoundList extends Pages {
  typed: string;
  question: Question;
  host: string | undefined;
  articles: { article: ArticleSummary; matches: Match[] }[];
  total: number | null;
  isPartial: boolean;
  repositories: { host: string; owner: string; repo: string; articles: number }[];
  changeTypes: { changeType: ChangeType; articles: number }[];
  indexedShare: number;
}

export function foundPage(context: PageContext, shown: FoundList): Html {
  const { words } = context;
  const { typed, articles, indexedShare, question } = shown;
  const heading = searchHeading(context, question);
  // A feed is the same for all readers, but unread articles differ.
  const feed = question.isUnread ? undefined : searchFeed({ q: typed, host: shown.host });
  const order = question.terms.length > 0 ? words.find.bestFirst : words.find.newestFirst;
  return layout(context, {
    title: `${heading} · Pullquote`,
    question: typed,
    description: heading,
    feed: feed && { address: feed, title: `${heading} · Pullquote` },
    head: noIndex,
    main: html`<div class="home find">
<h1><bdi>${heading}</bdi></h1>
<p class="meta"><span><b>${words.find.count(shown.total)}</b></span> ${articles.length > 0 && html`<span>${order}</span> `}${shown.isPartial && html`<span>${words.find.partial}</span> `}${indexedShare < 1 && html`<span>${words.find.indexed(Math.floor(indexedShare * 100))}</span>`}${feed && html` <a href="${feed('atom')}" type="application/atom+xml">${words.feeds.ofSearch}</a>`}</p>
${filters(context, shown)}${unwritten(context, shown)}
${
  articles.length > 0
    ? html`<ul class="rows">${articles.map((found) => foundRow(context, found))}</ul>`
    : nothingFound(context, shown)
}
${pagesAround(context, shown, { path: '/find', query: { q: typed, host: shown.host }, isByTime: false })}
</div>`,
  });
}

/** The history of a file or a repository has gaps where articles are missing. */
function unwritten({ words: { find }, firstHost }: PageContext, { question, host }: FoundList): Html {
  const { owner, name: repo } = question.repository ?? {};
  if (!owner || !repo) return nothing;
  const link = repositoryLink({ host: host ?? firstHost, owner, repo }, firstHost, {
    tab: 'pulls',
    article: 'unwritten',
  });
  return html`<p class="quiet">${find.unwritten} <a href="${link}">${find.seeUnwritten}</a></p>`;
}

export function howToFindPage(
  context: PageContext,
  {
    typed,
    problem,
  }: { typed: string; problem: { problem: keyof Words['find']['problems']; part: string } | null },
): Html {
  const { find, bar, failure } = context.words;
  return layout(context, {
    title: `${find.title} · Pullquote`,
    description: find.title,
    question: typed,
    head: noIndex,
    main: html`<div class="home find"><h1>${find.title}</h1>
${problem && html`<div class="notice"><p class="said" role="alert">${find.problems[problem.problem](problem.part)}</p></div>\n`}${
  problem?.problem === 'unreadNeedsUser' &&
  (context.viewer
    ? html`<p><a href="${signUpLink(context.address)}">${failure.signUp}</a></p>\n`
    : html`<p><a href="${signInLink(context.address)}">${bar.signIn}</a></p>\n`)
}${tips(context)}</div>`,
  });
}

function searchHeading(
  { words }: PageContext,
  { words: typed, repository, author, changeType, files, isUnread }: Question,
): string {
  return [
    ...(typed ? [words.find.quoted(typed)] : []),
    ...(repository ? [repository.owner ? `${repository.owner}/${repository.name}` : repository.name] : []),
    ...(author ? [author] : []),
    ...(changeType ? [words.inArticle.types[changeType]] : []),
    ...files,
    ...(isUnread ? [words.find.unread] : []),
  ].join(' · ');
}

const withoutOperator = (typed: string, name: string): string =>
  typed.replace(new RegExp(`(?:^|\\s)${name}:(?:"[^"]*"|\\S+)`, 'gi'), '').trim();

function filters(
  context: PageContext,
  { typed, question, host, repositories, changeTypes }: FoundList,
): Html {
  const { find, inArticle } = context.words;
  const link = (name: string, { value, of = host }: { value?: string; of?: string | undefined }): string =>
    findLink([withoutOperator(typed, name), ...(value ? [operatorOf(name, value)] : [])].join(' ').trim(), {
      ...(of === undefined ? {} : hostNamed(of, context.firstHost)),
    });
  const { repository, author, files, changeType, isUnread } = question;
  const place = repository && [repository.owner, repository.name].filter(Boolean).join('/');
  const chosen: [name: string, shown: string | undefined | false][] = [
    ['repo', place],
    ['author', author],
    ['type', changeType && inArticle.types[changeType]],
    ['file', files.length > 0 && files.join(context.words.comma)],
    ['is', isUnread && find.unread],
  ];
  const off = chosen.flatMap(([name, shown]) =>
    shown
      ? [
          html`<a class="chip" aria-current="true" href="${link(name, {})}"><bdi>${shown}</bdi> <span aria-hidden="true">×</span><span class="unseen">${find.takeOff}</span></a> `,
        ]
      : [],
  );
  const on = [
    ...(place || repositories.length < 2
      ? []
      : repositories.map(({ host: of, owner, repo, articles }) => {
          const value = `${owner}/${repo}`;
          return option(value, articles, link('repo', { value, of }));
        })),
    ...(changeType || changeTypes.length < 2
      ? []
      : changeTypes.map(({ changeType: value, articles }) =>
          option(inArticle.types[value], articles, link('type', { value })),
        )),
  ];
  const unread =
    context.viewer?.language && !isUnread && repositories.length > 0
      ? html`<a class="chip" href="${link('is', { value: 'unread' })}">${find.unread}</a> `
      : nothing;
  return off.length + on.length === 0
    ? nothing
    : html`<nav class="chips" aria-label="${find.filters}">${off}${on}${unread}</nav>`;
}

const option = (name: string, count: number, address: string): Html =>
  html`<a class="chip" href="${address}"><bdi>${name}</bdi> <span class="total">${count}</span></a> `;

function foundRow(context: PageContext, { article, matches }: FoundList['articles'][number]): Html {
  return html`<li class="row found"><div>${head(context, article)}
<h2>${titleLink(context, article)}</h2>
${
  matches.length > 0
    ? html`<dl class="matches">${matches.map((match) => html`<div>${shownMatch(context, article, match)}</div>`)}</dl>`
    : secondLine(context, article)
}
${about(context, article, {})}</div></li>`;
}

function shownMatch(context: PageContext, article: ArticleSummary, { section, ranges, alike }: Match): Html {
  const { find } = context.words;
  const page = section.kind === 'review' ? '/review' : '';
  const address = articleLink(article, context.firstHost, { language: article.languageCode }, page);
  const place = section.id ? `${address}#${section.id}` : address;
  const said =
    section.kind === 'file'
      ? html`<code>${text(section.text, ranges)}</code>${alike > 0 && find.andMoreFiles(alike)}`
      : html`<bdi>${text(section.text, ranges)}</bdi>`;
  return html`<dt><a href="${place}">${sectionName(context, section)}</a></dt> <dd${section.kind !== 'file' && inOwnLanguage(context, article)}><a href="${place}" tabindex="-1">${said}</a></dd>`;
}

function sectionName({ words }: PageContext, { kind, number, label }: Match['section']): string {
  if (kind === 'change') return words.find.change(number ?? 1);
  const labels: Record<string, string | undefined> = words.inArticle.labels satisfies Record<
    PointLabel,
    string
  >;
  return (label && labels[label]) || words.find.sections[kind];
}

function nothingFound(context: PageContext, { typed, question, host }: FoundList): Html {
  const { find, home } = context.words;
  const { owner, name: repo } = ownerAndName(isNameOrPath(typed) ? typed.trim().replace(/\/$/, '') : '');
  const place = { owner, repo, host: host ?? context.firstHost };
  const isNarrowed = question.words !== '' && searchHeading(context, { ...question, words: '' }) !== '';
  return html`<div class="notice"><p class="said">${find.nothing}</p><p>${find.fewerWords}</p>
<p>${repo !== '' && html`<a href="${repositoryLink(place, context.firstHost)}">${find.asRepository(`${owner}/${repo}`)}</a> `}${isNarrowed && html`<a href="${findLink(question.words, { host })}">${find.withoutFilters}</a> `}<a href="/">${home.toAll}</a></p></div>
${tips(context)}`;
}

function tips({ words: { find } }: PageContext): Html {
  return html`<section class="tips"><h2>${find.howTo}</h2>
<dl>${find.tips.map(([example, meaning]) => html`<div><dt><a href="${findLink(example)}"><code>${example}</code></a></dt> <dd>${meaning}</dd></div>`)}</dl></section>`;
}
