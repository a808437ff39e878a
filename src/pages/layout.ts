import { longestAddress } from '../domain/repositories.ts';
import { type FeedAddress, feedHead } from './feed-links.ts';
import { type Html, html, prose } from './html.ts';
import { signInLink, signUpLink } from './links.ts';
import type { PageContext } from './page-context.ts';
import { quotesShape } from './quotes-shape.ts';
import { interfaceLanguages, languageName } from './words/words.ts';

interface Page {
  title: string;
  /** What search engines and link previews show of it. */
  description?: string;
  /** What else belongs into the head: addresses in other languages, and what sharing shows. */
  head?: Html;
  main: Html;
  /** The feed that has what the page lists, and what it is called. */
  feed?: { address: FeedAddress; title: string } | undefined;
  /** What is searched for, which stays in the field. */
  question?: string;
  /** Modules of the folder `web` that the page runs beside those that all run. */
  scripts?: string[];
  /** Style sheets of that folder that it needs beside the one that all have. */
  styles?: string[];
  /** Where the page is to be had in each of the languages that the pages speak; a page in one language has none. */
  inLanguage?: (code: string) => string;
}

const fonts = ['fonts/newsreader-latin.woff2', 'fonts/source-code-pro-latin.woff2'];

/** A whole page: what it shows, between the bar and the foot. */
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
${(page.scripts ?? []).map((script) => html`<script type="module" src="${asset(script)}"></script>\n`)}${page.feed && feedHead(page.feed.address, page.feed.title)}${page.head}</head>
<body>
<a class="skip" href="#content">${words.skipToContent}</a>
${bar(context, page)}
<main id="content">
${page.main}
</main>
${foot(context, page)}
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
<nav class="account">${account(words, viewer, address)}</nav>
</header>`;
}

function account(words: PageContext['words'], viewer: PageContext['viewer'], address: string): Html {
  if (!viewer) return html`<a href="${signInLink(address)}">${words.bar.signIn}</a>`;
  if (viewer.language === null) return html`<a href="${signUpLink(address)}">${words.bar.signUp}</a>`;
  return html`<a class="wide" href="/my/digest">${words.digest.title}</a> <a class="wide" href="/favorites">${words.favorites.title}</a> <a class="wide" href="/liked">${words.liked.title}</a> <a href="/settings"><bdi>${viewer.name}</bdi></a>`;
}

const mark = html`<svg class="quotes" viewBox="0 0 20 16" width="20" height="16" aria-hidden="true">${quotesShape}</svg>`;

function foot({ language, words }: PageContext, { inLanguage, feed }: Page): Html {
  const { footer } = words;
  return html`<footer class="foot">
<p>${footer.source} <a href="/docs">${footer.reference}</a>${feed && html` <a href="${feed.address('atom')}" type="application/atom+xml">${words.feeds.feed}</a>`}</p>
${
  inLanguage &&
  html`<nav aria-label="${words.settings.language}">${interfaceLanguages.map((code) =>
    code === language
      ? html`<b lang="${code}">${languageName(code)}</b> `
      : html`<a href="${inLanguage(code)}" hreflang="${code}" lang="${code}">${languageName(code)}</a> `,
  )}</nav>`
}
<p class="appearance" hidden><span>${footer.appearance}</span> <button type="button" data-appearance="system">${footer.system}</button> <button type="button" data-appearance="light">${footer.light}</button> <button type="button" data-appearance="dark">${footer.dark}</button></p>
</footer>`;
}
