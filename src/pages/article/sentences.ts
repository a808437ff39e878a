import type { Statement } from '../../contract/article.ts';
import { afterSentence } from '../../domain/join-sentences.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { text } from '../text.ts';

/** Sentences as a paragraph, each of which can be pointed at. */
export function sentences({ words }: PageContext, statements: Statement[], first = 0): Html {
  return html`<p class="prose">${statements.map(
    ({ text: said, basis, evidence }, index) =>
      html`<span class="sentence${basis === 'judgement' ? ' judgement' : ''}"${
        evidence.length > 0 && html` data-sentence="${first + index}"`
      }${basis === 'judgement' && html` title="${words.article.judgement}"`}>${text(said)}</span>${afterSentence(said)}`,
  )}</p>`;
}

/** What people said and what the change is are two things: a paragraph for each run of sentences of one kind. */
export function paragraphs(context: PageContext, statements: Statement[]): Html {
  const groups: { first: number; statements: Statement[] }[] = [];
  for (const [index, statement] of statements.entries()) {
    const last = groups.at(-1)?.statements;
    const isSame = last?.at(-1)?.basis === statement.basis || statement.basis === 'judgement';
    if (last && isSame) last.push(statement);
    else groups.push({ first: index, statements: [statement] });
  }
  return html`${groups.map((group) => sentences(context, group.statements, group.first))}`;
}
