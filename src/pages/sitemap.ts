import { type Html, html } from './html.ts';
import { articleLink, type PullRequestPlace } from './links.ts';

/** An article as search engines are told of it. */
interface MappedPage extends PullRequestPlace {
  updatedAt: string;
  languages: string[];
}

const declaration = html`<?xml version="1.0" encoding="UTF-8"?>\n`;

const mostPerPart = 500;

/** How many of the first digits of their ids tell articles apart into parts of a bounded size: ids are random. */
const digitsFor = (articles: number): number =>
  Math.max(0, Math.ceil(Math.log(articles / mostPerPart) / Math.log(16)));

/** The names of the parts that so many articles are told in. */
export function partsFor(articles: number): string[] {
  const digits = digitsFor(articles);
  if (digits === 0) return [wholePart];
  return Array.from({ length: 16 ** digits }, (_, index) => index.toString(16).padStart(digits, '0'));
}

/** The part that all are in. */
export const wholePart = 'all';

/** Where the parts of the map of this site are. */
export const sitemapIndex = (publicUrl: string, parts: string[]): Html =>
  html`${declaration}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${parts.map((part) => html`<sitemap><loc>${publicUrl}/sitemap/${part}.xml</loc></sitemap>\n`)}</sitemapindex>
`;

/** A part of the map of this site: each article in each of its languages, and where it is in the others. */
export function sitemapPart(publicUrl: string, firstHost: string, pages: MappedPage[]): Html {
  return html`${declaration}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${pages.map((page) => {
  const address = (language?: string) => `${publicUrl}${articleLink(page, firstHost, { language })}`;
  const alternates = html`${page.languages.map((code) => html`<xhtml:link rel="alternate" hreflang="${code}" href="${address(code)}"/>`)}<xhtml:link rel="alternate" hreflang="x-default" href="${address()}"/>`;
  return page.languages.map(
    (code) => html`<url><loc>${address(code)}</loc><lastmod>${page.updatedAt}</lastmod>${alternates}</url>\n`,
  );
})}</urlset>
`;
}

/** What a reader that is a program is asked to leave alone: what is no page, or shows something only to those signed in. */
const notForRobots = [
  '/articles',
  '/auth/',
  '/favorites',
  '/feeds/mine/',
  '/go',
  '/jobs/',
  '/liked',
  '/new',
  '/r/*/*/*/lines',
  '/ranking/',
  '/repos/',
  '/settings',
  '/sign-in',
  '/sign-up',
  '/users/',
];

/** What is said to search engines; a service without an address of its own, or with nothing public, is not for them. */
export const robotsText = (publicUrl: string | null): string =>
  publicUrl === null
    ? 'User-agent: *\nDisallow: /\n'
    : `User-agent: *\n${notForRobots.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${publicUrl}/sitemap.xml\n`;
