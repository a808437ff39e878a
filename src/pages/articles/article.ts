import type { Statement } from '../../contract/article-parts.ts';
import { standfirstMaxLength } from '../../contract/articles.ts';
import { isRecorded } from '../../domain/article-words.ts';
import { changeId, labelsOf, originalTitle, otherLanguageOf } from '../../domain/articles.ts';
import { headlineOf } from '../../domain/titles.ts';
import { cardLink, cardSize } from '../card.ts';
import { changeMap } from '../change-map.ts';
import { type Html, html, nothing, prose } from '../html.ts';
import { buttonForm, dated, layout, noIndex, type PageContext } from '../layout.ts';
import {
  apiPath,
  articleLink,
  findLink,
  hostNamed,
  markdownLink,
  operatorOf,
  releaseLink,
  savedLink,
  signInLink,
  webAddress,
  withQuery,
} from '../links.ts';
import { progress, refreshWhile, sayEstimate, scriptsFor, writeButton } from '../progress.ts';
import { articleQuestions, questionScripts, questionStyles } from '../questions.ts';
import { linkToReview, review } from '../reviews.ts';
import { articleRow, authorLink, lineCounts, repositoryName } from '../rows.ts';
import { fileName, languageAttribute, plainText, said, text, within } from '../text.ts';
import { interfaceLanguages, languageName } from '../words/words.ts';
import { footer } from './checked.ts';
import { evidence } from './code.ts';
import { diffLinks } from './diff-links.ts';
import { extent, folderList, isLong } from './large.ts';
import {
  type ArticleBeside,
  backgroundItem,
  headline,
  leadItem,
  type ShownArticle,
} from './shown-article.ts';

import { also, authorWords, changes, dependencies, foreignQuote, paragraphs, tests } from './story.ts';

export function articlePage(context: PageContext, shown: ShownArticle): Html {
  const { article, content } = shown;
  const { languageCode } = content;
  const asks = shown.compared !== 'without';
  const around = { ...context, ours: within(languageCode, context.language) };
  return layout(context, {
    title: `${plainText(headline(shown))} · ${article.owner}/${article.repo}#${article.prNumber}`,
    description: descriptionOf(shown),
    head: html`${articleHead(context, shown)}<link rel="alternate" type="text/markdown" href="${markdownLink(article, context.firstHost, { language: languageCode })}">
${refreshWhile(Boolean(shown.running) || shown.isAnswering)}`,
    scripts: [
      'sentences.js',
      'lines.js',
      'copy.js',
      ...(context.viewer?.language
        ? ['likes.js', ...(asks ? questionScripts : []), ...scriptsFor(shown.running)]
        : []),
    ],
    styles: [
      ...(context.viewer?.language ? ['doing.css'] : []),
      ...(context.viewer?.language || shown.answers.length > 0 ? questionStyles : []),
    ],
    main: html`<article class="article"${languageAttribute(languageCode)}>
${opening(around, shown)}
<div class="text">
${articleText(around, shown)}
</div>
${footer(around, shown)}
${newerAndOlder(around, shown)}
${more(around, shown)}
${asks && articleQuestions(around, shown)}
</article>`,
  });
}

export const articleText = (context: PageContext, shown: ShownArticle): Html =>
  shown.content.writer.kind === 'ai' ? byModel(context, shown) : byRules(context, shown);

const byRules = (context: PageContext, shown: ShownArticle): Html => html`${authorWords(context, shown)}
${why(context, shown)}
${folderList(context, shown)}
${changes(context, shown)}
${review(context, shown)}
${dependencies(context, shown)}
${tests(context, shown)}
${also(context, shown)}`;

const byModel = (context: PageContext, shown: ShownArticle): Html => html`${why(context, shown)}
${changes(context, shown)}
${review(context, shown)}
${dependencies(context, shown)}
${tests(context, shown)}
${folderList(context, shown)}
${also(context, shown)}
${authorWords(context, shown)}`;

function why(context: PageContext, shown: ShownArticle): Html {
  const item = backgroundItem(shown.content);
  return item.statements.length === 0
    ? nothing
    : html`<section class="why" id="why"><div class="item beat"><div class="telling">${paragraphs(context, shown, item.statements)}</div>${evidence(context, shown, item)}</div></section>`;
}

/** A block of the map links to the change about its file, or else to the file in the full diff. */
function placesOfFiles(context: PageContext, shown: ShownArticle): (fileName: string) => string {
  const { mainChanges, also: rows } = shown.content;
  const inDiff = diffLinks(context, shown);
  const numbers = new Map<string, string>();
  for (const { files, statement } of rows) for (const name of files) numbers.set(name, `#${statement.id}`);
  const placed = new Set<string>();
  for (const [index, change] of mainChanges.entries()) {
    const target = `#${changeId(index)}`;
    for (const name of [change.fileName, ...change.evidence.map((one) => one.fileName)]) {
      if (name !== change.fileName && placed.has(name)) continue;
      numbers.set(name, target);
      placed.add(name);
    }
  }
  return (name) => numbers.get(name) ?? inDiff(name);
}

function newerAndOlder(context: PageContext, { article, newer, older }: ShownArticle): Html {
  if (!newer && !older) return nothing;
  const { words, firstHost, ours, language } = context;
  const link = ({ number, languageCode, ...beside }: ArticleBeside, rel: 'prev' | 'next'): Html => {
    const address = articleLink({ ...article, prNumber: number }, firstHost, { language: languageCode });
    const word = rel === 'prev' ? words.home.newer : words.home.older;
    return html`<a rel="${rel}" href="${address}"><span>${word}</span> <b${languageCode !== language && languageAttribute(languageCode)}>${said(languageCode, headlineOf(beside.title, { languageCode, ...beside }))}</b></a> `;
  };
  return html`<nav class="around" aria-label="${words.article.around}"${ours}>${newer && link(newer, 'prev')}${older && link(older, 'next')}</nav>`;
}

/** Leads are never cut. */
const longestDescription = standfirstMaxLength;

function descriptionOf(shown: ShownArticle): string {
  const { content } = shown;
  const said = plainText(
    content.standfirst?.text ?? content.quote?.text ?? content.background[0]?.text ?? headline(shown),
  );
  if (said.length <= longestDescription) return said;
  const cut = said.slice(0, longestDescription - 1);
  return `${cut.replace(/\s\S{0,30}$|[\ud800-\udbff]$/, '').trimEnd()}…`;
}

function articleHead({ publicUrl, firstHost }: PageContext, shown: ShownArticle): Html {
  const { article, content, languages, isPrivate, compared } = shown;
  if (isPrivate || compared === 'without') return noIndex;
  const preview = html`<meta property="og:type" content="article">
<meta property="og:site_name" content="Pullquote">
<meta property="og:title" content="${prose(plainText(headline(shown)))}">
<meta property="og:description" content="${prose(descriptionOf(shown))}">
<meta property="og:locale" content="${content.languageCode}">
`;
  if (publicUrl === null) return preview;
  const address = (language?: string) => `${publicUrl}${articleLink(article, firstHost, { language })}`;
  const canonical = address(content.languageCode);
  return html`${preview}<link rel="canonical" href="${canonical}">
${languages.map((code) => html`<link rel="alternate" hreflang="${code}" href="${address(code)}">\n`)}<link rel="alternate" hreflang="x-default" href="${address()}">
<meta property="og:url" content="${canonical}">
<meta property="og:image" content="${publicUrl}${cardLink(shown)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${cardSize.width}">
<meta property="og:image:height" content="${cardSize.height}">
<meta name="twitter:card" content="summary_large_image">
`;
}

const heart = html`<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><path d="M12 20.500C5 15.200 2.500 12 2.500 8.600A5 5 0 0 1 12 6.500a5 5 0 0 1 9.500 2.100c0 3.400-2.500 6.600-9.500 11.900z"/></svg>`;

export function opening(context: PageContext, shown: ShownArticle): Html {
  const { words, ours, saved } = context;
  const { article, content } = shown;
  const { standfirst } = content;
  const original = originalTitle(article.title, content);
  const { prNumber, state, mergedAt, hostPrCreatedAt } = article;
  const onHost = webAddress(article.hostPrUrl);
  return html`<header class="opening">
<p class="meta"${ours}>${shown.isPrivate && html`<span class="badge">${words.article.private}</span> `}${article.repo && repositoryName(context, article)}${
    prNumber > 0 &&
    html` ${
      onHost
        ? html`<a href="${onHost}" rel="noreferrer" title="${words.article.onHost}">#${prNumber}</a>`
        : html`<span>#${prNumber}</span>`
    } <span>${dated(context, words.article.state[state](mergedAt ?? hostPrCreatedAt))}</span>`
  }</p>
<h1>${said(content.languageCode, headline(shown))}</h1>
${
  original &&
  html`<p class="original meta"${ours}>${words.inArticle.originalTitle}<bdi${languageAttribute(otherLanguageOf(original, content.languageCode) ?? content.languageCode)}>${text(original)}</bdi></p>
`
}${
  standfirst && standfirst.text !== content.aiGeneratedTitle
    ? lead(context, shown, standfirst)
    : extent(context, shown)
}${byline(context, shown)}
${changeMap(context, shown.change?.files ?? [], content.counts, placesOfFiles(context, shown))}
${
  isRecorded(content.writer) &&
  html`<p class="meta"${ours}>${words.inArticle.recorded}</p>
`
}${
  content.writer.because &&
  shown.compared === null &&
  html`<p class="meta"${ours}>${words.inArticle.because[content.writer.because]}</p>
`
}${
  shown.compared === 'without' &&
  html`<p class="meta"${ours}>${words.inArticle.byRules}</p>
`
}${!saved && html`<div class="doing"${ours}>${shown.compared !== 'without' && like(context, shown)} ${languages(context, shown)} ${comparison(context, shown)} ${tools(context, shown)}</div>\n`}</header>
${content.stale ? stale(context, shown) : withModel(context, shown)}
${newSinceRead(context, shown)}
${context.viewer?.language && progress(context, article, shown)}`;
}

function lead(context: PageContext, shown: ShownArticle, standfirst: Statement): Html {
  const sentence = html` class="standfirst" id="${standfirst.id}"${standfirst.evidence.length > 0 && html` data-sentence`}`;
  const quoted = html`<span${sentence}>${text(standfirst.text)}</span>`;
  return html`<div class="item">${
    foreignQuote(context, shown, [standfirst], quoted) ??
    html`<p${sentence}>${said(shown.content.languageCode, standfirst.text)}</p>`
  }${evidence(context, shown, leadItem(shown.content))}</div>
`;
}

function byline(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const { article, content } = shown;
  const { scope, standfirst, counts, languageCode, readingMinutes } = content;
  return html`<p class="byline meta"${ours}>${article.authorLogin && html`<span>${words.article.by} ${authorLink(context, article.authorLogin, article.host)}</span> `}<span>${words.article.minutes(readingMinutes)}</span> ${
    scope &&
    (standfirst || !isLong(scope)) &&
    html`<b class="label" id="${scope.statement.id}"${within(context.language, languageCode)}>${said(languageCode, scope.statement.text)}</b> `
  }${labelsOf(content).map(({ label, id }) => html`<a class="label ${label}" href="#${id}">${words.inArticle.labels[label]}</a> `)}<a class="counts" href="${diffLinks(context, shown)()}" rel="nofollow" title="${words.article.fullDiff}">${words.inArticle.files(counts.files)}${
    counts.additions + counts.deletions > 0 && html` ${lineCounts(context, counts)}`
  }</a></p>`;
}

function tools(context: PageContext, shown: ShownArticle): Html {
  const { evidence, copied, notCopied } = context.words.article;
  return html`<details class="others"><summary class="tool">${context.words.article.others}</summary><div class="first"><button type="button" class="tool" id="evidence" aria-pressed="false" aria-keyshortcuts="e" hidden>${evidence}</button>
<a class="tool" href="${diffLinks(context, shown)()}" rel="nofollow">${context.words.article.fullDiff}</a>${linkToReview(context, shown)}</div>
<div>${otherTools(context, shown)}</div></details>
<span class="confirmation" id="copied" role="status" data-done="${copied}" data-failed="${notCopied}"></span>`;
}

function otherTools(context: PageContext, shown: ShownArticle): Html {
  const { words, firstHost } = context;
  const { article, content, compared } = shown;
  const { copyLink, copyMarkdown } = words.article;
  const language = content.languageCode;
  const api = `${apiPath(article)}/pulls/${article.prNumber}/article`;
  return html`<button type="button" class="tool copy" data-copy="${articleLink(article, firstHost, { language })}" hidden>${copyLink}</button>
<button type="button" class="tool copy" data-copy-from="${withQuery(api, { ...hostNamed(article.host, firstHost), language })}" hidden>${copyMarkdown}</button>
<a class="tool" href="${markdownLink(article, firstHost, { language })}" rel="nofollow">Markdown</a>
<a class="tool" href="${savedLink(article, firstHost, { language, writer: compared === 'without' ? 'offline' : undefined })}" rel="nofollow">${words.article.save}</a>
${compared !== 'without' && markUnread(context, shown)}`;
}

function like(
  { words, viewer, address, firstHost }: PageContext,
  { article, content, isLiked }: ShownArticle,
): Html {
  const { totalLikeCount } = article;
  const count = html`<span class="count">${words.number(totalLikeCount)}</span>`;
  if (!viewer?.language)
    return html`<a class="like" href="${signInLink(address)}">${heart}${words.article.like} ${count}</a>`;
  const { id, likeCount, languageCode } = { ...content, id: article.id };
  return buttonForm(
    articleLink(article, firstHost, {}, '/like'),
    { article: id, language: languageCode, like: isLiked ? 'no' : 'yes' },
    html`<button class="like" data-article="${id}" data-language="${languageCode}" data-likes="${likeCount}" data-others="${totalLikeCount - likeCount}" aria-pressed="${String(isLiked)}">${heart}${words.article.like} ${count}</button>`,
  );
}

/** The page marks its article as read, so this leads away from it. */
function markUnread({ words, viewer, firstHost }: PageContext, { article, content }: ShownArticle): Html {
  if (!viewer?.language) return nothing;
  return buttonForm(
    articleLink(article, firstHost, {}, '/unread'),
    { article: article.id, language: content.languageCode },
    html`<button class="tool">${words.article.markUnread}</button>`,
  );
}

function languages(context: PageContext, { article, content, languages: codes }: ShownArticle): Html {
  const { words, firstHost, viewer, writesIn } = context;
  const wished = viewer?.language ? [viewer.language, ...interfaceLanguages] : [];
  const offered = [...new Set(wished)].filter((code) => writesIn.includes(code) && !codes.includes(code));
  if (codes.length + offered.length < 2) return nothing;
  return html`<nav class="languages" aria-label="${words.article.languages}">${codes.map((code) =>
    code === content.languageCode
      ? html`<b lang="${code}">${languageName(code)}</b> `
      : html`<a href="${articleLink(article, firstHost, { language: code })}" hreflang="${code}" lang="${code}">${languageName(code)}</a> `,
  )}${offered.map((language) => {
    const said = words.article.writeIn(languageName(language, context.language));
    const button = { language, words: said, look: html` class="plain"` };
    return html`${writeButton(context, article, button)} `;
  })}</nav>`;
}

/** A switch between the article by a model and the one without. */
function comparison({ words, firstHost }: PageContext, { article, content, compared }: ShownArticle): Html {
  if (compared === null) return nothing;
  const { withModel, withoutModel, compare } = words.article;
  const { languageCode: language } = content;
  const side = (word: string, isShown: boolean, query: { writer?: 'offline' }): Html =>
    isShown
      ? html`<b>${word}</b>`
      : html`<a href="${articleLink(article, firstHost, { language, ...query })}" rel="nofollow">${word}</a>`;
  return html`<nav class="languages" aria-label="${compare}">${side(withModel, compared === 'with', {})} ${side(withoutModel, compared === 'without', { writer: 'offline' })}</nav>`;
}

function newSinceRead({ words, ours }: PageContext, { newSentences }: ShownArticle): Html {
  const [first] = newSentences;
  return first === undefined
    ? nothing
    : html`<p class="since"${ours}><a href="#${first}">${words.article.newSinceRead(newSentences.size)}</a></p>`;
}

function stale(context: PageContext, { article, content }: ShownArticle): Html {
  const { words, viewer, ours } = context;
  const anew = { language: content.languageCode, words: words.article.writeAnew, look: nothing };
  return html`<div class="stale"${ours}>${words.article.stale} ${viewer?.language && writeButton(context, article, anew)}</div>`;
}

function withModel(context: PageContext, { article, content, rewriting, running }: ShownArticle): Html {
  if (!rewriting || running) return nothing;
  const { words, ours } = context;
  const { languageCode: language } = content;
  const button = { language, words: words.article.writeWithModel, look: nothing, needsModel: true };
  return html`<div class="stale"${ours}>${writeButton(context, article, button)} <span class="quiet">${sayEstimate(context, rewriting)}</span></div>`;
}

const mostHistories = 3;

function more(context: PageContext, shown: ShownArticle): Html {
  const { article, more: others } = shown;
  const { words } = context;
  const headings = {
    files: words.article.moreOfFiles,
    release: words.article.moreInRelease(shown.release?.to ?? ''),
    author: words.article.moreByAuthor(article.authorLogin),
    repository: words.article.more(`${article.owner}/${article.repo}`),
  };
  const groups = [...Map.groupBy(others, ({ because }) => because)].map(
    ([because, some]) => html`<section class="more"${context.ours}><h2>${headings[because]}</h2>
<ul class="rows">${some.map((other) => articleRow(context, other))}</ul></section>
`,
  );
  return html`${groups}${wholeRelease(context, shown)}${histories(context, shown)}`;
}

function wholeRelease({ words, firstHost, ours }: PageContext, { article, release }: ShownArticle): Html {
  if (!release) return nothing;
  const { from, to } = release;
  return html`<p class="meta"${ours}><a href="${releaseLink(article, firstHost, { from, to })}" rel="nofollow">${words.article.wholeRelease(release)}</a></p>
`;
}

function histories(context: PageContext, { article, content }: ShownArticle): Html {
  const { words, firstHost, ours } = context;
  const files = [...new Set(content.mainChanges.map((change) => change.fileName))].slice(0, mostHistories);
  if (files.length === 0) return nothing;
  const link = (path: string): string =>
    findLink(
      `${operatorOf('repo', `${article.owner}/${article.repo}`)} ${operatorOf('file', path)}`,
      hostNamed(article.host, firstHost),
    );
  return html`<nav class="histories meta" aria-label="${words.article.histories}"${ours}><span>${words.article.histories}</span> ${files.map(
    (path) => html`<a href="${link(path)}" rel="nofollow">${fileName(path)}</a> `,
  )}</nav>`;
}
