import { labelsOf, originalTitle, otherLanguageOf } from '../../domain/article.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import {
  articleLink,
  hostNamed,
  listLink,
  repositoryLink,
  repositoryPath,
  signInLink,
  webAddress,
  withQuery,
} from '../links.ts';
import { progress, writeButton } from '../progress.ts';
import { typeLinks } from '../rows.ts';
import { inLanguage, said, text } from '../text.ts';
import { interfaceLanguages, languageName } from '../words/words.ts';
import { foreignQuote } from './sentences.ts';
import type { ShownArticle } from './shown-article.ts';

const heart = html`<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><path d="M12 20.500C5 15.200 2.500 12 2.500 8.600A5 5 0 0 1 12 6.500a5 5 0 0 1 9.500 2.100c0 3.400-2.500 6.600-9.500 11.900z"/></svg>`;

/** What stands above an article: whose it is, its title, who wrote the change, and what can be done with it. */
export function opening(context: PageContext, shown: ShownArticle): Html {
  const { words, firstHost, ours } = context;
  const { article, content } = shown;
  const { standfirst, scope } = content;
  const original = originalTitle(article.title, content);
  const { host, owner, repo, prNumber, state, mergedAt, hostPrCreatedAt, authorLogin } = article;
  const onHost = webAddress(article.hostPrUrl);
  const when = words.date(mergedAt ?? hostPrCreatedAt);
  return html`<header class="opening">
<p class="meta"${ours}>${shown.isPrivate && html`<span class="badge">${words.article.private}</span> `}<a class="repository" href="${repositoryLink(article, firstHost)}"><bdi>${owner}/${repo}</bdi></a> <span>#${prNumber}</span> <span>${words.article.state[state](when)}</span></p>
<h1>${said(content.languageCode, content.aiGeneratedTitle)}</h1>
${
  original &&
  html`<p class="original meta"${ours}>${words.inArticle.originalTitle}<bdi${inLanguage(otherLanguageOf(original, content.languageCode) ?? content.languageCode)}>${text(original)}</bdi></p>
`
}${
  standfirst &&
  standfirst.text !== content.aiGeneratedTitle &&
  (foreignQuote(
    context,
    shown,
    [standfirst],
    html`<span class="standfirst" id="${standfirst.id}">${text(standfirst.text)}</span>`,
  ) ??
    html`<p class="standfirst" id="${standfirst.id}">${said(content.languageCode, standfirst.text)}</p>
`)
}<p class="meta"${ours}><span>${words.article.by} <a class="author" href="${listLink({ author: { host, login: authorLogin } }, firstHost)}"><bdi>${authorLogin}</bdi></a></span> <span>${words.article.minutes(content.readingMinutes)}</span> ${typeLinks(context, content.changeTypes)} ${labelsOf(content).map(({ label, name, index }) => html`<a class="label ${label}" href="#point-${index + 1}">${words.inArticle.labels[label]}${name && html`${words.inArticle.colon}${text(name)}`}</a> `)}</p>
${
  scope &&
  html`<p class="scope"><span class="sentence" id="${scope.statement.id}">${said(content.languageCode, scope.statement.text)}</span></p>
`
}<div class="doing"${ours}>${like(context, shown)} ${languages(context, shown)} ${
    onHost && html`<a class="out" href="${onHost}" rel="noreferrer">${words.article.onHost}</a>`
  } ${tools(context, shown)}</div>
</header>
${content.stale && stale(context, shown)}
${newSinceRead(context, shown)}
${context.viewer?.language && progress(context, article, shown)}`;
}

/** What scripts do; without them it is not there. */
function tools({ words, firstHost }: PageContext, { article, content }: ShownArticle): Html {
  const { host, owner, repo, prNumber } = article;
  const { copyLink, copyMarkdown, allEvidence, copied, notCopied } = words.article;
  const language = content.languageCode;
  const api = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/pulls/${prNumber}/article`;
  return html`<button type="button" class="tool copy" data-copy="${articleLink(article, firstHost, { language })}" hidden>${copyLink}</button>
<button type="button" class="tool copy" data-copy-from="${withQuery(api, { ...hostNamed(host, firstHost), language })}" hidden>${copyMarkdown}</button>
<button type="button" class="tool" id="evidence" aria-pressed="false" aria-keyshortcuts="e" hidden>${allEvidence}</button>
<span class="confirmation" id="copied" role="status" data-done="${copied}" data-failed="${notCopied}"></span>`;
}

function like(
  { words, viewer, address, firstHost }: PageContext,
  { article, content, isLiked }: ShownArticle,
): Html {
  const { totalLikeCount } = article;
  const count = html`<span class="count">${words.number(totalLikeCount)}</span>`;
  if (!viewer?.language)
    return html`<a class="like" href="${signInLink(address)}">${heart}${words.article.like} ${count}</a>`;
  const action = withQuery(
    `${repositoryPath(article)}/${article.prNumber}/like`,
    hostNamed(article.host, firstHost),
  );
  return html`<form class="do" method="post" action="${action}"><input type="hidden" name="article" value="${article.id}"><input type="hidden" name="language" value="${content.languageCode}"><input type="hidden" name="like" value="${isLiked ? 'no' : 'yes'}"><button class="like" data-article="${article.id}" data-language="${content.languageCode}" data-likes="${content.likeCount}" data-others="${totalLikeCount - content.likeCount}" aria-pressed="${String(isLiked)}">${heart}${words.article.like} ${count}</button></form>`;
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
    const said = words.article.writeIn(languageName(language));
    return html`${writeButton(context, article, { language, words: said, look: html` class="plain"` })} `;
  })}</nav>`;
}

/** What is new to a reader who comes back, with a way to the first of it. */
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
