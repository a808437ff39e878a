import type { ArticleContent } from '../../contract/article.ts';
import { changeMap } from '../change-map.ts';
import { type Html, html, nothing } from '../html.ts';
import { layout, type PageContext } from '../layout.ts';
import { articleLink, markdownLink } from '../links.ts';
import { refreshWhile, scriptsFor } from '../progress.ts';
import { inLanguage, plainText, said, within } from '../text.ts';
import { interfaceLanguageFor, interfaceWords } from '../words/words.ts';
import { also, tests } from './also.ts';
import { authorWords } from './author-words.ts';
import { changes } from './changes.ts';
import { checked } from './checked.ts';
import { evidence } from './evidence.ts';
import { articleHead, descriptionOf } from './head.ts';
import { more } from './more.ts';
import { opening } from './opening.ts';
import { risks } from './risks.ts';
import { paragraphs } from './sentences.ts';
import { type ArticleBeside, backgroundItem, type ShownArticle } from './shown-article.ts';

/** The page of an article. */
export function articlePage(context: PageContext, shown: ShownArticle): Html {
  const { article, content, change } = shown;
  const { languageCode } = content;
  const language = interfaceLanguageFor(languageCode);
  const around = {
    ...context,
    language,
    words: interfaceWords[language],
    ours: within(languageCode, language),
  };
  return layout(context, {
    title: `${plainText(content.aiGeneratedTitle)} · ${article.owner}/${article.repo}#${article.prNumber}`,
    description: descriptionOf(shown),
    head: html`${articleHead(context, shown)}<link rel="alternate" type="text/markdown" href="${markdownLink(article, context.firstHost, { language: languageCode })}">
${refreshWhile(Boolean(shown.running))}`,
    scripts: [
      'sentences.js',
      'lines.js',
      'copy.js',
      ...(context.viewer?.language ? ['like.js', ...scriptsFor(shown.running)] : []),
    ],
    styles: context.viewer?.language ? ['doing.css'] : [],
    main: html`<article class="article"${inLanguage(languageCode)}>
${opening(around, shown)}
${changeMap(around, change?.files ?? [], content.counts, placesOfFiles(content))}
${content.writer.kind === 'ai' ? byModel(around, shown) : byRules(around, shown)}
${checked(around, shown)}
${newerAndOlder(around, shown)}
${more(around, shown)}
</article>`,
  });
}

const byRules = (context: PageContext, shown: ShownArticle): Html => html`${risks(context, shown)}
${authorWords(context, shown)}
${why(context, shown)}
${changes(context, shown)}
${tests(context, shown)}
${also(context, shown)}`;

/** Prose first; what the author wrote stays one click away. */
const byModel = (context: PageContext, shown: ShownArticle): Html => html`${why(context, shown)}
${changes(context, shown)}
${tests(context, shown)}
${also(context, shown)}
${authorWords(context, shown)}`;

/** Why the change was made, without a heading: it is the first paragraph. */
function why(context: PageContext, shown: ShownArticle): Html {
  const item = backgroundItem(shown.content);
  return item.statements.length === 0
    ? nothing
    : html`<section class="why" id="why"><div class="item beat"><div class="telling">${paragraphs(context, shown, item.statements)}</div>${evidence(context, shown, item)}</div></section>`;
}

/** Where an article tells of a file. */
function placesOfFiles({ mainChanges, also: rows }: ArticleContent): (fileName: string) => string | null {
  const numbers = new Map<string, string>();
  for (const { files, statement } of rows) for (const name of files) numbers.set(name, `#${statement.id}`);
  const told = new Set<string>();
  for (const [index, change] of mainChanges.entries()) {
    const target = `#change-${index + 1}`;
    for (const name of [change.fileName, ...change.evidence.map((one) => one.fileName)]) {
      if (name !== change.fileName && told.has(name)) continue;
      numbers.set(name, target);
      told.add(name);
    }
  }
  return (name) => numbers.get(name) ?? null;
}

/** The articles beside this one in the list of its repository. */
function newerAndOlder(context: PageContext, { article, newer, older }: ShownArticle): Html {
  if (!newer && !older) return nothing;
  const { words, firstHost, ours, language } = context;
  const link = ({ number, languageCode, title }: ArticleBeside, rel: 'prev' | 'next'): Html => {
    const address = articleLink({ ...article, prNumber: number }, firstHost, { language: languageCode });
    const word = rel === 'prev' ? words.home.newer : words.home.older;
    return html`<a rel="${rel}" href="${address}"><span>${word}</span> <b${languageCode !== language && inLanguage(languageCode)}>${said(languageCode, title)}</b></a> `;
  };
  return html`<nav class="around" aria-label="${words.article.around}"${ours}>${newer && link(newer, 'prev')}${older && link(older, 'next')}</nav>`;
}
