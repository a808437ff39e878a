import type { Release, ReleaseMention } from '../contract/releases.ts';
import type { ChangeType } from '../domain/articles.ts';
import { notesOnRelease, refMaxLength } from '../domain/releases.ts';
import { authorTitle } from '../domain/titles.ts';
import { problemNote } from './failure.ts';
import { type Html, html, nothing } from './html.ts';
import { dated, hiddenFields, layout, noIndex, notice, type PageContext } from './layout.ts';
import {
  apiPath,
  articleLink,
  hostNamed,
  type RepositoryPlace,
  repositoryPath,
  signInLink,
  withQuery,
} from './links.ts';
import { importProgress, type OfferedImport } from './progress.ts';
import { authorLink, repositoryName, secondLine, titleLink, typeLinks } from './rows.ts';
import { text } from './text.ts';

interface ChosenRange {
  from?: string | undefined;
  to?: string | undefined;
  tags: string[];
  language?: string | undefined;
}

/** A tag without its version: a repository can have several series of releases. */
const seriesOf = (tag: string): string => tag.slice(0, tag.search(/\d|$/));

export const tagBefore = ([newest = '', ...older]: string[]): string | null =>
  older.find((tag) => seriesOf(tag) === seriesOf(newest)) ?? older[0] ?? null;

export function releaseForm(
  { words: { release }, firstHost }: PageContext,
  place: RepositoryPlace,
  { from, to, tags, language }: ChosenRange,
): Html {
  const [newest = ''] = tags;
  const before = tagBefore(tags) ?? '';
  const field = (name: 'from' | 'to', value: string): Html =>
    html`<label><span>${release[name]}</span> <input name="${name}" value="${value}" list="tags" required maxlength="${refMaxLength}" autocomplete="off" autocapitalize="off" spellcheck="false"></label> `;
  return html`<form class="versions" action="${repositoryPath(place)}/release" aria-label="${release.choose}">${hiddenFields({ ...hostNamed(place.host, firstHost), language })}${field('from', from ?? before)}${field('to', to ?? newest)}<button class="tool">${release.show}</button><datalist id="tags">${tags.map((tag) => html`<option value="${tag}"></option>`)}</datalist></form>`;
}

interface ShownRelease extends RepositoryPlace, ChosenRange {
  problem: string | null;
  release: Release | null;
  offered: OfferedImport | null;
}

type Group = Release['groups'][number];
type Item = Group['items'][number];

const mostSeen = 12;

const leading: ReadonlySet<ChangeType | null> = new Set(['FEAT', 'FIX', 'PERF', null]);

export function releasePage(context: PageContext, shown: ShownRelease): Html {
  const { words } = context;
  const { release } = shown;
  const name = `${shown.owner}/${shown.repo}`;
  const title = release ? words.release.title(release.to, name) : `${words.release.choose} · ${name}`;
  return layout(context, {
    title: `${title} · Pullquote`,
    description: title,
    head: noIndex,
    styles: ['releases.css', 'doing.css'],
    scripts: [...(release ? ['copy.js'] : []), ...(shown.offered ? ['imports.js'] : [])],
    main: html`<div class="home release">
${release ? head(context, shown, release) : chooser(context, shown)}
${release && releaseBody(context, shown, release)}
</div>`,
  });
}

function chooser(context: PageContext, shown: ShownRelease): Html {
  const { words } = context;
  return html`<p class="meta above">${repositoryName(context, shown)}</p>
<h1>${words.release.choose}</h1>
${shown.problem === null ? html`<p class="quiet">${words.release.hint}</p>` : html`<p class="problem" role="alert">${shown.problem}</p>`}
${releaseForm(context, shown, shown)}`;
}

function head(context: PageContext, shown: ShownRelease, release: Release): Html {
  const { words } = context;
  const { notes: said } = words.release;
  const { owner, repo, from, to, committedAt, groups, reverted, withoutPullRequest } = release;
  const pullRequests = groups.reduce((sum, { items }) => sum + items.length, 0);
  const breaking = groups.find((group) => group.breaking)?.items.length ?? 0;
  const { copyMarkdown, copied, notCopied } = words.article;
  return html`<p class="meta above">${repositoryName(context, { ...shown, owner, repo })} <span>${said.since(from)}</span> ${committedAt !== null && html`<span>${dated(context, committedAt)}</span>`}</p>
<h1><bdi>${to}</bdi></h1>
<p class="meta"><span>${said.pullRequests(pullRequests)}</span> ${breaking > 0 && html`<a class="breaking-count" href="#breaking">${words.release.breakingChanges(breaking)}</a> `}${
    withoutPullRequest.total > 0 && html`<span>${said.withoutPullRequest(withoutPullRequest.total)}</span> `
  }${reverted.length > 0 && html`<span>${said.reverted(reverted.length)}</span> `}<button type="button" class="tool copy" data-copy-from="${releaseSource(context, shown)}" hidden>${copyMarkdown}</button> <span id="copied" role="status" data-done="${copied}" data-failed="${notCopied}"></span></p>
${notes(context, release)}
${releaseImportOffer(context, shown, release, pullRequests)}`;
}

const notes = ({ words }: PageContext, release: Release): Html =>
  html`${notesOnRelease(words.release.notes, release).map((note) => html`<p class="note">${note}</p>\n`)}`;

function releaseImportOffer(
  context: PageContext,
  shown: ShownRelease,
  release: Release,
  total: number,
): Html {
  const { words, viewer, address } = context;
  const { unwritten, unwritable } = release;
  const whyNot = unwritable.length > 0 && html`<p>${words.release.unwritable(unwritable.length)}</p>`;
  if (unwritten.length === 0 && !shown.offered?.job)
    return html`${whyNot && html`<div class="unwritten-ones">${whyNot}</div>`}`;
  const said = unwritten.length > 0 && html`<p>${words.release.unwritten(unwritten.length, total)}</p>`;
  const wayOn = !viewer && html`<p><a href="${signInLink(address)}">${words.release.signIn}</a></p>`;
  return html`<div class="unwritten-ones">${said}${shown.offered ? importProgress(context, shown, shown.offered) : wayOn}${whyNot}</div>
${shown.offered && problemNote(context, { CANCELLED: words.doing.cancelled })}`;
}

function releaseBody(context: PageContext, shown: ShownRelease, release: Release): Html {
  const { notes: said } = context.words.release;
  const { groups } = release;
  const isLeading = ({ breaking, changeType }: Group) => breaking || leading.has(changeType);
  return html`<div id="told">${groups.length === 0 ? html`${notice(said.nothing)}\n` : withoutBreaking(context, groups)}${groups
    .filter(isLeading)
    .map((group) => groupSection(context, shown, group))}
${unlistedCommits(
  context,
  shown,
  release,
  groups.filter((group) => !isLeading(group)),
)}</div>
${releaseForm(context, shown, shown)}`;
}

function withoutBreaking({ words: { release } }: PageContext, groups: Group[]): Html {
  if (groups.some(({ breaking }) => breaking)) return nothing;
  const items = groups.flatMap((group) => group.items);
  const isWritten = items.every((item) => 'articleId' in item);
  return html`<p class="not-breaking" id="breaking">${release.notBreaking(isWritten, items.length)}</p>\n`;
}

const releaseGroupName = ({ words: { release } }: PageContext, { breaking, changeType }: Group): string => {
  if (breaking) return release.notes.breaking;
  return changeType === null ? release.notes.other : release.notes.types[changeType];
};

function groupSection(context: PageContext, shown: ShownRelease, group: Group): Html {
  const { words } = context;
  const { items } = group;
  const [seen, more] = [items.slice(0, mostSeen), items.slice(mostSeen)];
  return html`<section class="group${group.breaking && ' breaking-ones'}"${group.breaking && html` id="breaking"`}><div><h2>${releaseGroupName(context, group)}</h2><p class="meta">${words.number(items.length)}</p></div>
<div>${list(context, shown, seen)}${
    more.length > 0 &&
    html`<details><summary>${words.release.notes.more(more.length)}</summary>${list(context, shown, more)}</details>`
  }</div></section>\n`;
}

/** For a breaking change, the sentence that says what breaks. */
function withSentence<Listed extends Item>({ release }: ShownRelease, item: Listed): Listed {
  const breaks = release?.breaks.find(({ prNumber }) => prNumber === item.prNumber);
  return breaks ? { ...item, secondLine: { text: breaks.sentence, from: 'lead' } } : item;
}

function list(context: PageContext, shown: ShownRelease, items: Item[]): Html {
  const entries = context.room.fit(items, (item) => releaseRow(context, shown, item));
  return html`<ul class="pulls">${entries}${moreInApi(context, shown, items.length - entries.length)}</ul>`;
}

const moreInApi = (context: PageContext, shown: ShownRelease, more: number): Html =>
  more > 0
    ? html`<li><a href="${releaseSource(context, shown)}" rel="nofollow">${context.words.release.notes.more(more)}</a></li>`
    : nothing;

const releaseSource = ({ firstHost, language }: PageContext, { from, to, ...place }: ShownRelease): string =>
  withQuery(`${apiPath(place)}/release`, { ...hostNamed(place.host, firstHost), from, to, language });

function releaseRow(context: PageContext, shown: ShownRelease, item: Item): Html {
  const { firstHost, words } = context;
  const { prNumber, authorLogin } = item;
  if ('articleId' in item) {
    return html`<li class="told"><h3>${titleLink(context, item)}</h3>
${secondLine(context, withSentence(shown, item))}
<p class="meta"><span>#${prNumber}</span> ${authorLink(context, authorLogin, shown.host)} ${typeLinks(context, item.changeTypes)}</p></li>`;
  }
  const title = html`<span class="number">#${prNumber}</span> <span class="title"><bdi>${text(authorTitle(item.title, context.language))}</bdi></span>`;
  if (item.state === 'closed')
    return html`<li>${title} <span class="pending">${words.release.notWritten}</span></li>`;
  const link = articleLink({ ...shown, prNumber }, firstHost);
  return html`<li data-number="${prNumber}">${title} <a href="${link}">${words.release.notWritten}<span class="unseen"> #${prNumber}</span></a><span class="pending" hidden></span></li>`;
}

function unlistedCommits(context: PageContext, shown: ShownRelease, release: Release, groups: Group[]): Html {
  const { words } = context;
  const { notes: said } = words.release;
  const { withoutPullRequest, reverted, backported } = release;
  const bare = withoutPullRequest.items;
  const fold = (summary: string, content: Html): Html =>
    html`<details><summary>${summary}</summary>${content}</details>\n`;
  const commitList = <Commit>(
    commits: Commit[],
    show: (commit: Commit) => Html,
    total = commits.length,
  ): Html => {
    const entries = context.room.fit(commits, show);
    return html`<ul class="commits">${entries}${moreInApi(context, shown, total - entries.length)}</ul>`;
  };
  const folded = [
    ...groups.map((group) =>
      fold(
        `${releaseGroupName(context, group)} · ${words.number(group.items.length)}`,
        list(context, shown, group.items),
      ),
    ),
    bare.length > 0 &&
      fold(
        said.withoutPullRequest(withoutPullRequest.total),
        commitList(
          bare,
          ({ sha, subject }) =>
            html`<li><code>${sha}</code> <bdi>${text(authorTitle(subject, context.language))}</bdi></li>`,
          withoutPullRequest.total,
        ),
      ),
    reverted.length > 0 &&
      fold(
        said.reverted(reverted.length),
        commitList(
          reverted,
          ({ change, by }) =>
            html`<li>${mention(context, change)}${said.revertedBy}${mention(context, by)}</li>`,
        ),
      ),
    backported.length > 0 &&
      fold(
        said.backported(backported.length),
        commitList(
          backported,
          ({ change, of }) => html`<li>${mention(context, change)}${said.copyOf}${mention(context, of)}</li>`,
        ),
      ),
  ];
  if (!folded.some(Boolean)) return nothing;
  return html`<section class="group"><div><h2>${said.rest}</h2></div>
<div>${folded}</div></section>`;
}

const mention = ({ language }: PageContext, { prNumber, sha, title }: ReleaseMention): Html =>
  html`<bdi>${text(authorTitle(title, language))}</bdi> <code>${prNumber === null ? sha : `#${prNumber}`}</code>`;
