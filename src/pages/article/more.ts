import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { findLink, hostNamed, operatorOf, releaseLink } from '../links.ts';
import { articleRow } from '../rows.ts';
import { fileName } from '../text.ts';
import type { ShownArticle } from './shown-article.ts';

/** As many files as have their history linked to. */
const mostHistories = 3;

/** What leads on: other articles by why they are named, the release, and what else was told of the files. */
export function more(context: PageContext, shown: ShownArticle): Html {
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

/** Everything that came with the same release, written about or not. */
function wholeRelease({ words, firstHost, ours }: PageContext, { article, release }: ShownArticle): Html {
  if (!release) return nothing;
  const { from, to } = release;
  return html`<p class="meta"${ours}><a href="${releaseLink(article, firstHost, { from, to })}" rel="nofollow">${words.article.wholeRelease(release)}</a></p>
`;
}

/** Earlier and later articles of a file, each by a search for it. */
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
