import { refMaxLength } from '../domain/releases.ts';
import { type Html, html } from './html.ts';
import { hostNamed, type Query, type RepositoryPlace, repositoryPath, withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';

export interface ChosenRange {
  from?: string | undefined;
  to?: string | undefined;
  /** Those that are suggested, newest first. */
  tags: string[];
  /** The one that was asked for in the address. */
  language?: string | undefined;
}

export const releaseLink = (place: RepositoryPlace, firstHost: string, query: Query = {}): string =>
  withQuery(`${repositoryPath(place)}/release`, { ...hostNamed(place.host, firstHost), ...query });

/** What a tag is called without its version: a repository can have several things of which it makes versions. */
const nameOf = (tag: string): string => tag.slice(0, tag.search(/\d|$/));

/** Two versions to choose, with tags to choose them from; at first what has come with the newest one. */
export function releaseForm(
  { words: { release }, firstHost }: PageContext,
  place: RepositoryPlace,
  { from, to, tags, language }: ChosenRange,
): Html {
  const [newest = '', ...older] = tags;
  const before = older.find((tag) => nameOf(tag) === nameOf(newest)) ?? older[0] ?? '';
  const kept = { ...hostNamed(place.host, firstHost), language };
  const field = (name: 'from' | 'to', value: string): Html =>
    html`<label><span>${release[name]}</span> <input name="${name}" value="${value}" list="tags" required maxlength="${refMaxLength}" autocomplete="off" autocapitalize="off" spellcheck="false"></label> `;
  return html`<form class="versions" action="${repositoryPath(place)}/release" aria-label="${release.choose}">${Object.entries(
    kept,
  ).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )}${field('from', from ?? before)}${field('to', to ?? newest)}<button class="tool">${release.show}</button><datalist id="tags">${tags.map((tag) => html`<option value="${tag}"></option>`)}</datalist></form>`;
}
