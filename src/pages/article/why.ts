import type { Quote } from '../../contract/article.ts';
import type { Statement } from '../../contract/told-parts.ts';
import { afterSentence } from '../../domain/join-sentences.ts';
import { type Html, html, nothing } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { text } from '../text.ts';
import { evidence } from './evidence.ts';
import { paragraphs } from './sentences.ts';
import { backgroundItem, type ShownArticle } from './shown-article.ts';

/** Longer ones are set smaller. */
const longQuote = 140;

/** A sentence of the author's in its place; a quote has no address of its own. */
interface Quoted {
  id: string | null;
  text: string;
  from: Quote['from'];
}

/** Why a change was made: the author's own sentences set large, what a writer tells of it below a heading. */
export function why(context: PageContext, shown: ShownArticle): Html {
  const item = backgroundItem(shown.content);
  const isQuoted = ({ source }: Statement) => source !== undefined;
  const told = item.statements.filter((one) => !isQuoted(one));
  const quoted: Quoted[] = item.statements
    .filter(isQuoted)
    .map(({ id, text: said, source = 'description' }) => ({ id, text: said, from: source }));
  return html`${quotation(context, shown, quoted)}${
    told.length > 0 &&
    html`<section class="why" id="why"><h2${context.ours}>${context.words.article.why}</h2>
<div class="item beat"><div class="telling">${paragraphs(context, shown, told)}</div>${evidence(context, shown, { ...item, statements: told })}</div></section>`
  }`;
}

function quotation(context: PageContext, { article, content }: ShownArticle, quoted: Quoted[]): Html {
  const { quote } = content;
  const all: Quoted[] = [...(quote ? [{ id: null, ...quote }] : []), ...quoted];
  const [first] = all;
  if (!first) return nothing;
  const said = (where: string): Html =>
    html`<figcaption class="meta"${context.ours}><span><bdi>${article.authorLogin}</bdi>${where}</span></figcaption>`;
  const { told } = context.words;
  const areSubjects = quote === null && quoted.length > 1 && quoted.every(({ from }) => from === 'commit');
  if (areSubjects)
    return html`<figure class="subjects"><ul>${quoted.map((one) => html`<li${idOf(one)}><bdi>${text(one.text)}</bdi></li>`)}</ul>
${said(told.quotedFromCommits)}</figure>`;
  const length = all.reduce((sum, one) => sum + [...one.text].length, 0);
  // What is quoted from two places must not read as one.
  const runs = [all.slice(0, quote ? 1 : 0), all.slice(quote ? 1 : 0)].filter((run) => run.length > 0);
  return html`<figure class="quote${length > longQuote && ' long'}"><blockquote>${runs.map(
    (run) =>
      html`<p>${run.map((one) => html`<bdi${idOf(one)}>${text(one.text)}</bdi>${afterSentence(one.text)}`)}</p>`,
  )}</blockquote>
${said(told.quotedFrom[first.from])}</figure>`;
}

const idOf = ({ id }: Quoted): Html | null => (id === null ? null : html` id="${id}"`);
