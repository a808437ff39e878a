import type { Statement } from '../../contract/article-parts.ts';
import { otherLanguageOf } from '../../domain/article.ts';
import { afterSentence } from '../../domain/text.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { text, within } from '../text.ts';
import type { ShownArticle } from './shown-article.ts';

/** Sentences one behind the other, each of which has its address and can be pointed at. */
export function sentences(
  { words, ours }: PageContext,
  { newSentences }: Pick<ShownArticle, 'newSentences'>,
  statements: Statement[],
): Html {
  return html`${statements.map(
    ({ id, text: said, basis, evidence }) =>
      html`${basis === 'judgement' && html`<small class="judgement"${ours}>${words.inArticle.judgement}</small> `}<span class="sentence${newSentences.has(id) && ' new'}" id="${id}"${
        evidence.length > 0 && html` data-sentence`
      }>${text(said)}</span>${afterSentence(said)}`,
  )}`;
}

/** What people said and what the change is are two things: a paragraph for each run of sentences of one kind. */
export function paragraphs(context: PageContext, shown: ShownArticle, statements: Statement[]): Html {
  const groups: Statement[][] = [];
  for (const statement of statements) {
    const last = groups.at(-1);
    const isSame = last?.at(-1)?.basis === statement.basis || statement.basis === 'judgement';
    if (last && isSame) last.push(statement);
    else groups.push([statement]);
  }
  return html`${groups.map(
    (group) =>
      foreignQuote(context, shown, group, sentences(context, shown, group)) ??
      html`<p class="told">${sentences(context, shown, group)}</p>`,
  )}`;
}

/** What is quoted in another language, set apart with where it stands; null where it is in the article's, or no quotation. */
export function foreignQuote(
  { words, ours }: PageContext,
  { content: { languageCode } }: Pick<ShownArticle, 'content'>,
  statements: Statement[],
  said: Html,
): Html | null {
  const quoted = statements.every(({ source }) => source) ? statements : [];
  const other = otherLanguageOf(quoted.map((one) => one.text).join(' '), languageCode);
  if (other === null) return null;
  const file = quoted.flatMap(({ evidence }) => evidence)[0]?.fileName;
  return html`<blockquote class="written"${within(languageCode, other)}><p>${said}</p></blockquote>
<p class="meta"${ours}>${file && html`<span>${words.inArticle.quotedIn(file)}</span> `}<span>${words.inArticle.original[other]}</span></p>
`;
}
