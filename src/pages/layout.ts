import { longestAddress } from '../domain/repositories.ts';
import type { Room } from './html.ts';
import { type Html, html, nothing, prose, type Shown } from './html.ts';
import { type FeedAddress, type Query, signInLink, signUpLink, withQuery } from './links.ts';
import { type InterfaceLanguage, interfaceLanguages, languageName, type Words } from './words/words.ts';

interface PageViewer {
  name: string;
  language: string | null;
  avatar: string | null;
  mayAdd: boolean;
  /** Articles that are new for the reader. */
  newCount: number;
}

export interface PageContext {
  language: InterfaceLanguage;
  words: Words;
  ours?: Html;
  viewer: PageViewer | null;
  /** Whether the service can only be read at the moment, which a line on each page says. */
  isReadOnly: boolean;
  /** Whether lists show what bots wrote. */
  showsBots: boolean;
  address: string;
  publicUrl: string | null;
  firstHost: string;
  writesIn: string[];
  /** The address at which readers report mistakes. */
  contactUrl: string | null;
  /** The settings of models that pages mention; null if everything is written without a model. */
  models: { mayReadPrivate: boolean } | null;
  asset: (file: string) => string;
  room: Room;
  /** Where a saved article has the files of the diff, by path; absent on pages of the service. */
  saved?: ReadonlyMap<string, string>;
}

interface Page {
  title: string;
  description?: string;
  head?: Html;
  main: Html;
  feed?: { address: FeedAddress; title: string } | undefined;
  question?: string;
  scripts?: string[];
  styles?: string[];
}

const fonts = ['fonts/newsreader-latin.woff2', 'fonts/source-code-pro-latin.woff2'];

export const quotesShape = html`<path d="M0 16V9C0 4 2.500 1 7.500 0L8.500 2.200C6 3 4.700 4.500 4.500 7H8.500V16zM11 16V9C11 4 13.500 1 18.500 0L19.500 2.200C17 3 15.700 4.500 15.500 7H19.500V16z"/>`;

const mark = html`<svg class="quotes" viewBox="0 0 20 16" width="20" height="16" aria-hidden="true">${quotesShape}</svg>`;

export function layout(context: PageContext, page: Page): Html {
  const { language, words, asset } = context;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${prose(page.title)}</title>
${page.description && html`<meta name="description" content="${prose(page.description)}">\n`}<meta name="color-scheme" content="light dark">
<script src="${asset('appearance.js')}"></script>
${fonts.map((font) => html`<link rel="preload" href="${asset(font)}" as="font" type="font/woff2" crossorigin>\n`)}${['style.css', ...(page.styles ?? [])].map((sheet) => html`<link rel="stylesheet" href="${asset(sheet)}">\n`)}<link rel="icon" href="${asset('favicon.svg')}" type="image/svg+xml">
<script type="module" src="${asset('page.js')}"></script>
<script type="module" src="${asset('keys.js')}"></script>
${(page.scripts ?? []).map((script) => html`<script type="module" src="${asset(script)}"></script>\n`)}${page.feed && feedHead(page.feed)}${page.head}</head>
<body>
<a class="skip" href="#content">${words.skipToContent}</a>
${bar(context, page)}
<main id="content">${context.isReadOnly && notice(words.readOnly)}
${page.main}
</main>
${foot(context, page)}
${keyHelp(context)}
</body>
</html>
`;
}

function bar({ words, viewer, address }: PageContext, { question }: Page): Html {
  return html`<header class="bar">
<a class="mark" href="/">${mark}<span>Pullquote</span></a>
<form class="paste" action="/go" role="search">
<input name="url" type="text"${question && html` value="${question}"`} required maxlength="${longestAddress}" aria-label="${words.bar.paste}" placeholder="${words.bar.paste}" autocomplete="off" autocapitalize="off" spellcheck="false">
<button class="unseen" tabindex="-1">${words.bar.go}</button>
</form>
<details class="menu"><summary>${words.bar.menu}</summary><nav aria-label="${words.bar.menu}">${menu(words, viewer, address)}</nav></details>
</header>`;
}

function menu(words: Words, viewer: PageContext['viewer'], address: string): Html {
  const link = (to: string, word: string): Html => html`<a href="${to}">${word}</a> `;
  const language = (look?: Html): Html => html`<a href="#preferences"${look}>${words.settings.language}</a> `;
  const repositories = html`${link('/repositories', words.repositories.title)}${viewer?.mayAdd && link('/add', words.adding.title)}`;
  if (!viewer) return html`${repositories}${language()}${link(signInLink(address), words.bar.signIn)}`;
  if (viewer.language === null)
    return html`${repositories}${language()}${link(signUpLink(address), words.bar.signUp)}`;
  return html`<a href="/new">${words.home.newForMe}${viewer.newCount > 0 && html` <b class="count">${words.number(viewer.newCount)}</b>`}</a> ${repositories}${link('/favorites', words.favorites.title)}${link('/liked', words.liked.title)}${link('/my/digest', words.digest.title)}${language(html` class="narrow"`)}${link('/settings', words.settings.title)}`;
}

function foot({ language, words }: PageContext, { feed }: Page): Html {
  const { footer } = words;
  return html`<footer class="foot">
<p>${footer.source} <a href="/docs">${footer.reference}</a>${feed && html` <a href="${feed.address('atom')}" type="application/atom+xml">${words.feeds.feed}</a>`}</p>
<form id="preferences" method="post" action="/interface"><span>${words.settings.interfaceLanguage}</span> ${interfaceButtons(language)}</form>
<p class="appearance" hidden><span>${footer.appearance}</span> <button type="button" data-appearance="system">${footer.system}</button> <button type="button" data-appearance="light">${footer.light}</button> <button type="button" data-appearance="dark">${footer.dark}</button></p>
</footer>`;
}

export const interfaceButtons = (current: InterfaceLanguage): Html =>
  html`${interfaceLanguages.map(
    (code) =>
      html`<button class="choice" name="language" value="${code}" lang="${code}" aria-pressed="${String(code === current)}">${languageName(code)}</button> `,
  )}`;

const keyHelp = ({ words: { keys } }: PageContext): Html =>
  html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">${keys.title}</h2>
<dl>${Object.entries(keys.list).map(
    ([names, said]) =>
      html`<div><dt>${names.split(' ').map((name) => html`<kbd>${name}</kbd> `)}</dt><dd>${said}</dd></div>`,
  )}</dl>
<form method="dialog"><button>${keys.close}</button></form></dialog>`;

const feedHead = ({ address, title }: NonNullable<Page['feed']>): Html =>
  html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${address('atom')}">
<link rel="alternate" type="application/feed+json" title="${title}" href="${address('json')}">\n`;

export const noIndex = html`<meta name="robots" content="noindex">\n`;

export function accountPage(
  context: PageContext,
  { path, title, main, scripts = [] }: { path: string; title: string; main: Html; scripts?: string[] },
): Html {
  return layout(context, {
    title: `${title} · Pullquote`,
    scripts,
    styles: ['doing.css'],
    main: html`<div class="home own">
<h1 class="unseen">${title}</h1>
${accountTabs(context, path)}
${main}
</div>`,
  });
}

export function accountTabs({ words }: PageContext, current: string): Html {
  const tabs = [
    { path: '/my/digest', word: words.digest.title },
    { path: '/favorites', word: words.favorites.title },
    { path: '/liked', word: words.liked.title },
    { path: '/settings', word: words.settings.title },
  ];
  return html`<div class="tabs"><nav aria-label="${words.bar.account}">${tabs.map(
    ({ path, word }) => html`<a href="${path}"${path === current && html` aria-current="page"`}>${word}</a> `,
  )}</nav></div>`;
}

export const notice = (said: string, ...more: Shown[]): Html =>
  html`<div class="notice"><p class="said">${said}</p>${more}</div>`;

/** Dates in one of our sentences, as days in UTC; `web/days.js` changes them to the reader's time zone. */
export const dated = ({ words }: PageContext, sentence: string): Html =>
  html`${sentence
    .split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/)
    .map((part, at) => (at % 2 === 0 ? part : html`<time datetime="${part}">${words.date(part)}</time>`))}`;

export const wayTo = (address: string, word: string): Html => html`<p><a href="${address}">${word}</a></p>`;

export const hiddenFields = (fields: Query): Html =>
  html`${Object.entries(fields).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )}`;

export const buttonForm = (action: string, fields: Query, button: Html): Html =>
  html`<form class="do" method="post" action="${action}">${hiddenFields(fields)}${button}</form>`;

export interface Pages {
  newer: number | null;
  older: number | null;
}

export function pagesAround(
  { words: { home } }: PageContext,
  { newer, older }: Pages,
  { path, query, isByTime }: { path: string; query?: Query; isByTime: boolean },
): Html {
  if (newer === null && older === null) return nothing;
  const link = (offset: number, rel: string, word: string): Html =>
    html`<a rel="${rel}" href="${withQuery(path, { ...query, offset: offset || undefined })}">${word}</a> `;
  return html`<nav class="pages" aria-label="${home.pages}">${
    newer !== null && link(newer, 'prev', isByTime ? home.newer : home.previousPage)
  }${older !== null && link(older, 'next', isByTime ? home.older : home.nextPage)}</nav>`;
}

export function languageTabs(
  { words }: PageContext,
  current: string | null,
  addressIn: (chosen: string) => string,
  hidden: number,
): Html {
  const codes = new Set<string>([...interfaceLanguages, ...(current === null ? [] : [current])]);
  const link = (chosen: string, isCurrent: boolean, word: string | Html, code?: string): Html =>
    html`<a href="${addressIn(chosen)}"${isCurrent && html` aria-current="true"`}${code && html` lang="${code}" hreflang="${code}"`}>${word}</a> `;
  return html`<nav class="languages" aria-label="${words.settings.language}">${[...codes].map((code) =>
    link(code, code === current, languageName(code), code),
  )}${link('all', current === null, html`${words.home.allLanguages}${hidden > 0 && html` <span class="total">${words.home.hidden(hidden)}</span>`}`)}</nav>`;
}

export const languageOptions = (codes: string[], chosen: string): Html =>
  html`${[...new Set([...codes, chosen])].map(
    (code) =>
      html`<option value="${code}" lang="${code}"${code === chosen && html` selected`}>${languageName(code)}</option>`,
  )}`;
