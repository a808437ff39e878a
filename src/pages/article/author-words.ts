import { isFromClone } from '../../domain/clones-host.ts';
import { type Html, html, nothing } from '../html.ts';
import { webAddress } from '../links.ts';
import { markdownBlocks } from '../markdown.ts';
import type { PageContext } from '../page-context.ts';
import type { ShownArticle } from './shown-article.ts';

/** Shown at once; what is behind it opens. */
const firstLines = 12;

/** A page shows no more of what somebody wrote; the host shows all of it. */
const mostCharacters = 8_000;

/** What the author wrote about the change, as a whole, unless the article has quoted all of it. */
export function authorWords(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const description = withoutTrailers(shown.change?.description?.replace(/\r\n?/g, '\n') ?? '');
  if (isQuotedWhole(description, shown)) return nothing;
  const cut = description.lastIndexOf('\n', mostCharacters);
  const isWhole = description.length <= mostCharacters;
  const taken = isWhole ? description : description.slice(0, cut > 0 ? cut : mostCharacters);
  const blocks = markdownBlocks(taken, { isCommitMessage: isFromClone(shown.article) });
  if (blocks.length === 0) return nothing;
  let lines = 0;
  const later = blocks.findIndex((block, index) => {
    lines += block.lines;
    return index > 0 && lines > firstLines;
  });
  const first = later < 0 ? blocks : blocks.slice(0, later);
  const rest = blocks.slice(first.length);
  const onHost = webAddress(shown.article.hostPrUrl);
  const elsewhere =
    !isWhole &&
    onHost &&
    html`<p class="meta"${ours}><a href="${onHost}" rel="noreferrer">${words.article.restOnHost}</a></p>`;
  return html`<section class="description"><h2${ours}>${words.article.authorsWords}</h2>
<p class="meta"${ours}>${words.article.authorsWordsUnchecked}</p>
<div class="written" dir="auto">${first.map((block) => block.shown)}</div>${
    rest.length > 0 &&
    html`
<details><summary${ours}><span aria-hidden="true">⋯</span> ${words.article.readOn}</summary><div class="written" dir="auto">${rest.map((block) => block.shown)}</div></details>`
  }${elsewhere}</section>`;
}

/** What stands at the end for programs: who signed off or wrote along, with their addresses, and the rule above that. */
const trailer = /^(?:[a-z-]{1,40}-by: .*|-{3,}|\s*)$/i;

function withoutTrailers(description: string): string {
  const lines = description.split('\n');
  return lines.slice(0, lines.findLastIndex((line) => !trailer.test(line)) + 1).join('\n');
}

/** Whether nothing is left to say, but for marks and blanks. */
function isQuotedWhole(description: string, { content }: ShownArticle): boolean {
  const lettersOf = (text: string) =>
    text
      .slice(0, mostCharacters)
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
  const said = lettersOf(description);
  const quote = content.quote?.text ?? '';
  const others = content.background.flatMap(({ source, text }) => (source ? [text] : [])).join(' ');
  return [`${quote} ${others}`, `${others} ${quote}`].some((quoted) => lettersOf(quoted).includes(said));
}
