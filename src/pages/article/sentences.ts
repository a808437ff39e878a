import type { Statement } from '../../contract/told-parts.ts';
import { afterSentence } from '../../domain/join-sentences.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { text } from '../text.ts';
import type { ShownArticle } from './shown-article.ts';

/** Sentences one behind the other, each of which has its address and can be pointed at. */
export function sentences(
  { words, ours }: PageContext,
  { newSentences }: Pick<ShownArticle, 'newSentences'>,
  statements: Statement[],
): Html {
  return html`${statements.map(
    ({ id, text: said, basis, evidence }) =>
      html`${basis === 'judgement' && html`<small class="judgement"${ours}>${words.told.judgement}</small> `}<span class="sentence${newSentences.has(id) && ' new'}" id="${id}"${
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
  return html`${groups.map((group) => html`<p class="told">${sentences(context, shown, group)}</p>`)}`;
}
