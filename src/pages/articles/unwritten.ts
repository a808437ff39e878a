import type { Counts } from '../../contract/articles.ts';
import type { PullRequest } from '../../contract/pull-requests.ts';
import { joinSentences } from '../../domain/article-words.ts';
import { fileKinds } from '../../domain/articles.ts';
import { authorTitle } from '../../domain/titles.ts';
import { changeMap } from '../change-map.ts';
import { type Html, html } from '../html.ts';
import { dated, layout, type PageContext } from '../layout.ts';
import { articleLink, type PullRequestPlace, type RepositoryPlace, repositoryLink } from '../links.ts';
import {
  type Begun,
  languageNote,
  languageToWriteIn,
  progress,
  refreshWhile,
  scriptsFor,
  writeButton,
} from '../progress.ts';
import { repositoryName } from '../rows.ts';
import { text } from '../text.ts';
import { languageName } from '../words/words.ts';

export interface KnownPullRequest
  extends Pick<
    PullRequest,
    'title' | 'authorLogin' | 'state' | 'changedFiles' | 'mergedAt' | 'hostPrCreatedAt'
  > {
  lines: { additions: number; deletions: number } | null;
  stored: Pick<PullRequest, 'files' | 'commits' | 'additions' | 'deletions' | 'changedFiles'> | null;
}

const whereSomethingIsDone = (viewer: PageContext['viewer'], { running }: Begun) =>
  viewer?.language ? { scripts: scriptsFor(running), head: refreshWhile(Boolean(running)) } : {};

export function unwrittenPage(
  context: PageContext,
  place: PullRequestPlace,
  { known, ...begun }: Begun & { known: KnownPullRequest | null },
): Html {
  const { words, viewer } = context;
  const { unwritten } = words;
  const isUser = Boolean(viewer?.language);
  const language = languageToWriteIn(context);
  const isOwn = viewer?.language === language;
  const toUsers = isOwn ? unwritten.write : words.article.writeIn(languageName(language, context.language));
  const toVisitors = known ? unwritten.signIn : unwritten.signInAndAsk;
  const toStrangers = viewer ? unwritten.signUpAndAsk : toVisitors;
  return layout(context, {
    title: `${place.owner}/${place.repo}#${place.prNumber} · Pullquote`,
    ...whereSomethingIsDone(viewer, begun),
    styles: ['doing.css'],
    main: html`<article class="article unwritten">
<header class="opening">${placeLine(context, place, known)}
<h1><bdi>${known ? text(authorTitle(known.title, context.language)) : unwritten.heading}</bdi></h1>
${known && html`<p class="meta"><span>${words.article.by} <b><bdi>${known.authorLogin}</bdi></b></span></p>`}</header>
<p class="prose">${whatIsKnown(context, known)}</p>
${writeButton(context, place, { language, words: isUser ? toUsers + languageNote(context, language) : toStrangers })}
${isUser && progress(context, place, begun)}
${known?.stored && changeMap(context, known.stored.files, changeCountsOf(known.stored), () => null)}
</article>`,
  });
}

function placeLine(context: PageContext, place: PullRequestPlace, known: KnownPullRequest | null): Html {
  const { words } = context;
  const state =
    known &&
    html`<span>${dated(context, words.article.state[known.state](known.mergedAt ?? known.hostPrCreatedAt))}</span>`;
  return html`<p class="meta">${repositoryName(context, place)} <span>#${place.prNumber}</span> ${state}</p>`;
}

/** For visitors, unknown and hidden pull requests look the same. */
function whatIsKnown({ words, viewer }: PageContext, known: KnownPullRequest | null): Html {
  const { unwritten } = words;
  if (known) {
    const { changedFiles, lines } = known;
    return html`${joinSentences([unwritten.notYet, lines ? unwritten.known(changedFiles, lines.additions, lines.deletions) : unwritten.files(changedFiles)])}`;
  }
  if (viewer) return html`${viewer.language ? unwritten.unknown : unwritten.ifItExistsSignUp}`;
  return html`${unwritten.ifItExists}`;
}

function changeCountsOf(stored: NonNullable<KnownPullRequest['stored']>): Counts {
  const { changedFiles, additions, deletions, commits, files } = stored;
  const parts = fileKinds.map((kind) => ({ kind, files: files.filter((file) => file.kind === kind).length }));
  return {
    files: changedFiles,
    additions,
    deletions,
    commits: commits.length,
    parts: parts.filter((part) => part.files > 0),
  };
}

interface Absent {
  isRepository: boolean;
  isClone: boolean;
  lacksToken: boolean;
  elsewhere: { host: string; hostName: string } | null;
}

export function absentPage(
  context: PageContext,
  place: RepositoryPlace & { prNumber: number | null },
  { isRepository, isClone, lacksToken, elsewhere }: Absent,
): Html {
  const { unwritten, failure } = context.words;
  const name = `${place.owner}/${place.repo}`;
  return layout(context, {
    title: `${name}${place.prNumber === null ? '' : `#${place.prNumber}`} · Pullquote`,
    main: html`<div class="notice"><h1>${isRepository ? unwritten.noPullRequest(`${name}#${place.prNumber}`) : unwritten.noRepository(name)}</h1>
<p>${isRepository ? unwritten.checkNumber : unwritten.checkSpelling}</p>
${lacksToken && html`<p>${unwritten.saveToken} <a href="/settings">${failure.settings}</a></p>`}
${!isRepository && isClone && (elsewhere ? lookElsewhere(context, place, elsewhere) : html`<p>${text(unwritten.addClone(name))}${context.viewer?.mayAdd && html` <a href="/add">${context.words.adding.title}</a>`}</p>`)}
<p>${isRepository && html`<a href="${repositoryLink(place, context.firstHost)}"><bdi>${name}</bdi></a> `}<a href="/">${failure.home}</a></p></div>`,
  });
}

function lookElsewhere(
  { words, firstHost }: PageContext,
  { prNumber, ...named }: RepositoryPlace & { prNumber: number | null },
  { host, hostName }: NonNullable<Absent['elsewhere']>,
): Html {
  const place = { ...named, host };
  const link =
    prNumber === null ? repositoryLink(place, firstHost) : articleLink({ ...place, prNumber }, firstHost);
  return html`<p>${words.unwritten.amongClones} <a href="${link}">${words.unwritten.lookOn(hostName)}</a></p>`;
}

export function otherLanguagePage(
  context: PageContext,
  place: PullRequestPlace,
  { language, languages, ...begun }: Begun & { language: string; languages: string[] },
): Html {
  const { words, firstHost, viewer, writesIn } = context;
  return layout(context, {
    title: `${place.owner}/${place.repo}#${place.prNumber} · Pullquote`,
    ...whereSomethingIsDone(viewer, begun),
    styles: ['doing.css'],
    main: html`<div class="notice"><h1>${words.unwritten.otherLanguage(languageName(language, context.language))}</h1>
<p>${words.unwritten.readIn} ${languages.map(
      (code) =>
        html`<a href="${articleLink(place, firstHost, { language: code })}" hreflang="${code}" lang="${code}">${languageName(code)}</a> `,
    )}</p>
${viewer?.language && writesIn.includes(language) && html`${writeButton(context, place, { language, words: words.article.writeIn(languageName(language, context.language)) + languageNote(context, language) })}${progress(context, place, begun)}`}</div>`,
  });
}
