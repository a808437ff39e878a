import type { Counts } from '../contract/article.ts';
import type { PullRequest } from '../contract/pull-request.ts';
import { fileKinds } from '../domain/file-kinds.ts';
import { changeMap } from './change-map/change-map.ts';
import { type Html, html } from './html.ts';
import { languageToWriteIn } from './import-progress.ts';
import { layout } from './layout.ts';
import { articleLink, type PullRequestPlace, repositoryLink } from './links.ts';
import type { PageContext } from './page-context.ts';
import { progress } from './progress.ts';
import { text } from './text.ts';
import { languageName } from './words/interface-languages.ts';

/** What is known of a pull request about which nothing is written. */
export type KnownPullRequest = Pick<
  PullRequest,
  | 'title'
  | 'authorLogin'
  | 'state'
  | 'additions'
  | 'deletions'
  | 'changedFiles'
  | 'commits'
  | 'files'
  | 'mergedAt'
  | 'hostPrCreatedAt'
>;

const whereSomethingIsDone = (viewer: PageContext['viewer']) =>
  viewer?.language ? { scripts: ['write.js'], styles: ['doing.css'] } : {};

/** For users who are signed in: what is known of a pull request, and the offer to write about it. */
export function unwrittenPage(
  context: PageContext,
  place: PullRequestPlace,
  known: KnownPullRequest | null,
): Html {
  const { words, firstHost, viewer } = context;
  const name = `${place.owner}/${place.repo}`;
  return layout(context, {
    title: `${name}#${place.prNumber} · Pullquote`,
    ...whereSomethingIsDone(viewer),
    main: html`<article class="article unwritten">
<header class="opening"><p class="meta"><a class="repository" href="${repositoryLink(place, firstHost)}"><bdi>${name}</bdi></a> <span>#${place.prNumber}</span> ${
      known &&
      html`<span>${words.article.state[known.state](words.date(known.mergedAt ?? known.hostPrCreatedAt))}</span>`
    }</p>
<h1><bdi>${known ? text(known.title) : words.unwritten.heading}</bdi></h1>
${known && html`<p class="meta"><span>${words.article.by} <b><bdi>${known.authorLogin}</bdi></b></span></p>`}</header>
<p class="prose">${known ? words.unwritten.known(known.changedFiles, known.additions, known.deletions) : words.unwritten.unknown}</p>
<p><button class="primary" type="button" data-write data-language="${languageToWriteIn(context)}">${words.unwritten.write}</button></p>
${viewer?.language && progress(context, place)}
${known && changeMap(context, known.files, countsOf(known), () => null)}
</article>`,
  });
}

/** How large a pull request is; of the files that one answer tells, which kinds they are. */
function countsOf({ changedFiles, additions, deletions, commits, files }: KnownPullRequest): Counts {
  const parts = fileKinds.map((kind) => ({ kind, files: files.filter((file) => file.kind === kind).length }));
  return {
    files: changedFiles,
    additions,
    deletions,
    commits: commits.length,
    parts: parts.filter((part) => part.files > 0),
  };
}

/** For an article that is there, but not in the language asked for. */
export function otherLanguagePage(
  context: PageContext,
  place: PullRequestPlace,
  { asked, languages }: { asked: string; languages: string[] },
): Html {
  const { words, firstHost, viewer, writesIn } = context;
  return layout(context, {
    title: `${place.owner}/${place.repo}#${place.prNumber} · Pullquote`,
    ...whereSomethingIsDone(viewer),
    main: html`<div class="notice"><h1>${words.unwritten.otherLanguage(languageName(asked))}</h1>
<p>${words.unwritten.readIn} ${languages.map(
      (code) =>
        html`<a href="${articleLink(place, firstHost, { language: code })}" hreflang="${code}" lang="${code}">${languageName(code)}</a> `,
    )}</p>
${viewer?.language && writesIn.includes(asked) && html`<p><button class="primary" type="button" data-write data-language="${asked}">${words.article.writeIn(languageName(asked))}</button></p>${progress(context, place)}`}</div>`,
  });
}
