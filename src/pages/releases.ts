import type { Release, ReleaseMention } from '../contract/releases.ts';
import { groupName, notesOnRelease, refMaxLength } from '../domain/releases.ts';
import { authorTitle } from '../domain/titles.ts';
import { problemNote } from './failure.ts';
import { type Html, html, nothing, type Shown } from './html.ts';
import { dated, hiddenFields, layout, noIndex, notice, type PageContext } from './layout.ts';
import {
  apiPath,
  articleLink,
  hostNamed,
  type RepositoryPlace,
  repositoryPath,
  signInLink,
  webAddress,
  withQuery,
} from './links.ts';
import { importProgress, type OfferedImport } from './progress.ts';
import { authorLink, repositoryName, secondLine, titleLink } from './rows.ts';
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

const mostSeen = 20;

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
  const { owner, repo, from, to, committedAt, groups } = release;
  const breaking = groups.find((group) => group.breaking)?.items.length ?? 0;
  const { copyMarkdown, copied, notCopied } = words.article;
  return html`<p class="meta above">${repositoryName(context, { ...shown, owner, repo })} <span>${said.since(from)}</span> ${committedAt !== null && html`<span>${dated(context, committedAt)}</span>`}</p>
<h1><bdi>${to}</bdi></h1>
<p class="meta"><span>${said.pullRequests(countItems(release))}</span> ${breaking > 0 && html`<a class="breaking-count" href="#breaking">${words.release.breakingChanges(breaking)}</a> `}<button type="button" class="tool copy" data-copy-from="${releaseSource(context, shown)}" hidden>${copyMarkdown}</button> <span id="copied" role="status" data-done="${copied}" data-failed="${notCopied}"></span></p>
${notes(context, release)}`;
}

const countItems = ({ groups }: Release): number => groups.reduce((sum, { items }) => sum + items.length, 0);

const notes = ({ words }: PageContext, release: Release): Html =>
  html`${notesOnRelease(words.release.notes, release).map((note) => html`<p class="note">${note}</p>\n`)}`;

function releaseImportOffer(context: PageContext, shown: ShownRelease, release: Release): Html {
  const { words, viewer, address } = context;
  const { unwritten, unwritable } = release;
  const whyNot = unwritable.length > 0 && html`<p>${words.release.unwritable(unwritable.length)}</p>`;
  if (unwritten.length === 0 && !shown.offered?.job)
    return html`${whyNot && html`<div class="unwritten-ones">${whyNot}</div>`}`;
  const said =
    unwritten.length > 0 && html`<p>${words.release.unwritten(unwritten.length, countItems(release))}</p>`;
  const wayOn = !viewer && html`<p><a href="${signInLink(address)}">${words.release.signIn}</a></p>`;
  return html`<div class="unwritten-ones">${said}${shown.offered ? importProgress(context, shown, shown.offered) : wayOn}${whyNot}</div>
${shown.offered && problemNote(context, { CANCELLED: words.doing.cancelled })}`;
}

function releaseBody(context: PageContext, shown: ShownRelease, release: Release): Html {
  const { notes: said } = context.words.release;
  const { groups } = release;
  return html`<div id="told">${groups.length === 0 ? html`${notice(said.nothing)}\n` : withoutBreaking(context, groups)}${groups
    .filter(({ automatic }) => !automatic)
    .map((group) =>
      groupSection(context, shown, group),
    )}${bareCommits(context, shown, release)}${folded(context, shown, release)}${contributors(context, shown, release)}</div>
${releaseImportOffer(context, shown, release)}
${releaseForm(context, shown, shown)}`;
}

function withoutBreaking({ words: { release } }: PageContext, groups: Group[]): Html {
  const items = groups.flatMap((group) => group.items);
  const isCertain = items.every((item) => 'articleId' in item) && !groups.some(({ breaking }) => breaking);
  return isCertain
    ? html`<p class="not-breaking" id="breaking">${release.notBreaking(items.length)}</p>\n`
    : nothing;
}

function section(
  context: PageContext,
  { name, total, isBreaking = false }: { name: Shown; total: number; isBreaking?: boolean },
  content: Html,
): Html {
  return html`<section class="group${isBreaking && ' breaking-ones'}"${isBreaking && html` id="breaking"`}><div><h2>${name}</h2><p class="meta">${context.words.number(total)}</p></div>
<div>${content}</div></section>\n`;
}

function groupSection(context: PageContext, shown: ShownRelease, group: Group): Html {
  const { notes: said } = context.words.release;
  const { breaking, heading, items } = group;
  const name = heading === null ? groupName(said, group) : html`<bdi>${text(heading)}</bdi>`;
  const rows = items.map((item) => rowOfItem(context, shown, item));
  return section(context, { name, total: items.length, isBreaking: breaking }, list(context, shown, rows));
}

function bareCommits(context: PageContext, shown: ShownRelease, { withoutPullRequest }: Release): Html {
  const { items } = withoutPullRequest;
  const total = withoutPullRequest.total - items.filter(({ automatic }) => automatic).length;
  if (total === 0) return nothing;
  const rows = items.flatMap((commit) => (commit.automatic ? [] : rowOfCommit(context, shown, commit)));
  const name = context.words.release.notes.commits;
  return section(context, { name, total }, list(context, shown, rows, total));
}

function contributors(context: PageContext, shown: ShownRelease, release: Release): Html {
  const { notes: said } = context.words.release;
  const { contributors: all, compareUrl } = release;
  const address = webAddress(compareUrl);
  const names = (some: typeof all): Html =>
    html`${some.map(({ login }) => html`${authorLink(context, login, shown.host)} `)}`;
  const [newcomers, others] = [all.filter(({ isNew }) => isNew), all.filter(({ isNew }) => !isNew)];
  const link = address !== null && html`<p class="meta"><a href="${address}">${said.fullChangelog}</a></p>`;
  if (all.length === 0) return html`${link}`;
  return section(
    context,
    { name: said.contributors, total: all.length },
    html`${others.length > 0 && html`<p class="meta people">${names(others)}</p>`}${
      newcomers.length > 0 &&
      html`<p class="meta people"><span>${said.newcomers}</span> ${names(newcomers)}</p>`
    }${link}`,
  );
}

/** Changes that few readers look for: each kind is one line that opens. */
function folded(context: PageContext, shown: ShownRelease, release: Release): Html {
  const { notes: said } = context.words.release;
  const { groups, withoutPullRequest, reverted, backported } = release;
  const automatic = [
    ...groups
      .flatMap((group) => (group.automatic ? group.items : []))
      .map((item) => rowOfItem(context, shown, item)),
    ...withoutPullRequest.items.flatMap((one) => (one.automatic ? rowOfCommit(context, shown, one) : [])),
  ];
  const pairs = (some: { change: ReleaseMention; other: ReleaseMention }[], between: string): Html[] =>
    some.map(({ change, other }) =>
      row(context, shown, {
        ...mentioned(context, change),
        below: html`<p class="standfirst">${between}${mention(context, other)}</p>`,
      }),
    );
  const fold = (summary: string, rows: Html[]): Html =>
    rows.length === 0
      ? nothing
      : html`<details><summary>${summary}</summary>${fitted(context, shown, rows)}</details>\n`;
  const lines = [
    fold(said.automatic(automatic.length), automatic),
    fold(
      said.reverted(reverted.length),
      pairs(
        reverted.map(({ change, by }) => ({ change, other: by })),
        said.revertedBy,
      ),
    ),
    fold(
      said.backported(backported.length),
      pairs(
        backported.map(({ change, of }) => ({ change, other: of })),
        said.copyOf,
      ),
    ),
  ];
  return lines.every((line) => line === nothing)
    ? nothing
    : html`<section class="group rest"><div></div><div>${lines}</div></section>`;
}

function list(context: PageContext, shown: ShownRelease, rows: Html[], total = rows.length): Html {
  const [seen, more] = [rows.slice(0, mostSeen), rows.slice(mostSeen)];
  return html`${fitted(context, shown, seen)}${
    more.length > 0 &&
    html`<details><summary>${context.words.release.notes.more(total - seen.length)}</summary>${fitted(context, shown, more, total - seen.length)}</details>`
  }`;
}

function fitted(context: PageContext, shown: ShownRelease, rows: Html[], total = rows.length): Html {
  const entries = context.room.fit(rows, (one) => one);
  const more = total - entries.length;
  return html`<ul class="changes">${entries}${
    more > 0 &&
    html`<li><a href="${releaseSource(context, shown)}" rel="nofollow">${context.words.release.notes.more(more)}</a></li>`
  }</ul>`;
}

const releaseSource = ({ firstHost, language }: PageContext, { from, to, ...place }: ShownRelease): string =>
  withQuery(`${apiPath(place)}/release`, { ...hostNamed(place.host, firstHost), from, to, language });

interface Row {
  title: Html;
  number: Html;
  authorLogin: string | null;
  below?: Html;
}

/** Every change looks the same, whatever is known of it. */
const row = (context: PageContext, shown: ShownRelease, { title, number, authorLogin, below }: Row): Html =>
  html`<li><h3>${title}</h3> <span class="meta">${authorLogin !== null && html`${authorLink(context, authorLogin, shown.host)} `}${number}</span>${below}</li>`;

function rowOfItem(context: PageContext, shown: ShownRelease, item: Item): Html {
  const { prNumber, authorLogin } = item;
  const number = html`<span>#${prNumber}</span>`;
  if ('articleId' in item)
    return row(context, shown, {
      title: titleLink(context, item),
      number,
      authorLogin,
      below: secondLine(context, withSentence(shown, item)),
    });
  const said = authorWords(context, item.title);
  const own = item.state === 'closed' ? null : articleLink({ ...shown, prNumber }, context.firstHost);
  const address = webAddress(item.hostPrUrl) ?? own;
  return row(context, shown, {
    title: address === null ? said : html`<a href="${address}">${said}</a>`,
    number,
    authorLogin,
  });
}

const rowOfCommit = (
  context: PageContext,
  shown: ShownRelease,
  { sha, subject, authorLogin }: Release['withoutPullRequest']['items'][number],
): Html =>
  row(context, shown, {
    title: authorWords(context, subject),
    number: html`<code>${sha}</code>`,
    authorLogin,
  });

/** For a breaking change, the sentence that says what breaks. */
function withSentence<Listed extends Item>({ release }: ShownRelease, item: Listed): Listed {
  const breaks = release?.breaks.find(({ prNumber }) => prNumber === item.prNumber);
  return breaks ? { ...item, secondLine: { text: breaks.sentence, from: 'lead' } } : item;
}

const authorWords = ({ language }: PageContext, title: string): Html =>
  html`<bdi>${text(authorTitle(title, language))}</bdi>`;

const numberOf = ({ prNumber, sha }: ReleaseMention): Html =>
  prNumber === null ? html`<code>${sha}</code>` : html`<span>#${prNumber}</span>`;

const mentioned = (context: PageContext, one: ReleaseMention): Row => ({
  title: authorWords(context, one.title),
  number: numberOf(one),
  authorLogin: one.authorLogin,
});

const mention = (context: PageContext, one: ReleaseMention): Html =>
  html`${authorWords(context, one.title)} ${numberOf(one)}`;
