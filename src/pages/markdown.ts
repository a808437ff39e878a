import MarkdownIt, { type Token } from 'markdown-it';
import { splitReferences } from '../domain/issue-references.ts';
import { type Html, html, nothing, prose, type Shown } from './html.ts';
import { webAddress } from './links.ts';
import { proseWithOptions, unbroken } from './text.ts';

interface MarkdownBlock {
  shown: Html;
  lines: number;
}

const charactersPerLine = 90;

/** Next to other characters, a star is not emphasis, as in globs and `"*"`. */
const opensBefore = /^[\p{L}\p{N}\p{Extended_Pictographic}\p{Ps}\p{Pi}`~*_!@#$<\\]/u;
const closesBehind = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Pe}\p{Pf}`~*_.,:;!?%…。、！？：>]$/u;

function newParser() {
  const parser = new MarkdownIt('default', { html: true, linkify: false, typographer: false });
  parser.disable(['replacements', 'smartquotes']);
  parser.inline.State = class extends parser.inline.State {
    override scanDelims(start: number, canSplitWord: boolean) {
      const scanned = super.scanDelims(start, canSplitWord);
      const behind = this.src.slice(start + scanned.length, start + scanned.length + 2);
      return {
        ...scanned,
        can_open: scanned.can_open && opensBefore.test(behind),
        can_close: scanned.can_close && closesBehind.test(this.src.slice(Math.max(0, start - 2), start)),
      };
    }
  };
  return parser;
}

const ofMarkdown = newParser();
/** In commit messages, globs, pointers and names would look like emphasis. */
const ofCommits = newParser().disable(['emphasis', 'strikethrough']);

/** Any other name in angle brackets is text, as in `Promise<void>`. */
const elementNames = new Set(
  (
    'a abbr b bdi bdo big blockquote body br button center cite code col colgroup dd del details dfn div dl dt em embed ' +
    'figcaption figure font form h1 h2 h3 h4 h5 h6 head hr html i iframe img input ins kbd label li link mark meta object ol option ' +
    'p path picture pre q rp rt ruby s samp script section select small source span strike strong style sub summary sup svg ' +
    'table tbody td template textarea tfoot th thead time title tr tt u ul var video wbr'
  ).split(' '),
);

/**
 * Markdown of other people as HTML. HTML elements are dropped and their text stays. Pictures become links, and only web
 * links are kept.
 */
export function markdownBlocks(
  written: string,
  {
    isCommitMessage = false,
    hostPrUrl = null,
  }: { isCommitMessage?: boolean; hostPrUrl?: string | null } = {},
): MarkdownBlock[] {
  const lines = written.split('\n');
  const tokens = (isCommitMessage ? ofCommits : ofMarkdown).parse(written, {});
  const blocks: MarkdownBlock[] = [];
  let start = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.level !== 0 || token.nesting === 1) continue;
    const own = tokens.slice(start, index + 1);
    const [from = 0, to = 0] = own[0]?.map ?? [];
    const height = lines
      .slice(from, to)
      .reduce((sum, line) => sum + Math.ceil(line.trim().length / charactersPerLine), 0);
    start = index + 1;
    const shown = renderAll(own, hostPrUrl);
    if (shown.toString().trim() !== '') blocks.push({ shown, lines: height });
  }
  return blocks;
}

function renderAll(tokens: Token[], hostPrUrl: string | null, state = { next: 0 }): Html {
  const shown: Shown[] = [];
  for (let token = tokens[state.next++]; token && token.nesting !== -1; token = tokens[state.next++]) {
    const inside = token.type === 'link_open' ? null : hostPrUrl;
    const isElement = token.nesting === 1;
    shown.push(isElement ? element(token, renderAll(tokens, inside, state)) : leaf(token, inside));
  }
  return html`${shown}`;
}

/** Elements by the parser's names; for any other, only its content is shown. */
const elements: Record<string, (inside: Html, token: Token) => Html> = {
  paragraph_open: (inside, { hidden }) => (hidden ? inside : html`<p>${inside}</p>\n`),
  heading_open: (inside) => html`<h3>${inside}</h3>\n`,
  bullet_list_open: (inside) => html`<ul>${inside}</ul>\n`,
  ordered_list_open: (inside, token) => html`<ol${startOf(token)}>${inside}</ol>\n`,
  list_item_open: (inside) => html`<li>${inside}</li>\n`,
  blockquote_open: (inside) => html`<blockquote>${inside}</blockquote>\n`,
  table_open: (inside) => html`<table>${inside}</table>\n`,
  tr_open: (inside) => html`<tr>${inside}</tr>`,
  // Screen readers would announce an empty header.
  th_open: (inside) => (hasWords(inside) ? html`<th scope="col">${inside}</th>` : html`<td>${inside}</td>`),
  td_open: (inside) => html`<td>${inside}</td>`,
  strong_open: (inside) => html`<strong>${inside}</strong>`,
  em_open: (inside) => html`<em>${inside}</em>`,
  s_open: (inside) => html`<s>${inside}</s>`,
  link_open: (inside, token) => link(token.attrGet('href'), inside),
};

const hasWords = (shown: Html): boolean =>
  shown
    .toString()
    .replace(/<[^<>]*>/g, '')
    .trim() !== '';

const element = (token: Token, inside: Html): Html => elements[token.type]?.(inside, token) ?? inside;

function leaf(token: Token, hostPrUrl: string | null): Html {
  switch (token.type) {
    case 'inline':
      return html`<bdi>${renderAll(token.children ?? [], hostPrUrl)}</bdi>`;
    case 'text':
    case 'text_special':
      return html`${splitReferences(token.content, hostPrUrl).map(({ text, address }) => link(address, html`${proseWithOptions(text)}`))}`;
    case 'code_inline':
      return html`<code>${unbroken(token.content)}</code>`;
    case 'fence':
    case 'code_block':
      return html`<pre><code>${token.content}</code></pre>\n`;
    case 'softbreak':
      return html` `;
    case 'hardbreak':
      return html`<br>`;
    case 'hr':
      return html`<hr>\n`;
    case 'image':
      return link(token.attrGet('src'), prose(token.content || String(token.attrGet('src') ?? '')));
    case 'html_inline':
      return inlineElement(token.content);
    case 'html_block': {
      const words = wordsOfHtml(token.content);
      return words === '' ? nothing : html`<p><bdi>${prose(words)}</bdi></p>\n`;
    }
    default:
      return nothing;
  }
}

function inlineElement(written: string): Html {
  const name = /^<\/?(\w[\w.]*)>$/.exec(written)?.[1];
  if (name !== undefined && !elementNames.has(name.toLowerCase())) return prose(written);
  return /^<br\b/i.test(written) ? html`<br>` : nothing;
}

function link(address: string | number | null, inside: Html): Html {
  const known = webAddress(address === null ? null : String(address));
  return known ? html`<a href="${known}" rel="nofollow noreferrer">${inside}</a>` : inside;
}

function startOf(token: Token): Html | null {
  const start = Number(token.attrGet('start') ?? 1);
  return start === 1 ? null : html` start="${start}"`;
}

function wordsOfHtml(written: string): string {
  let words = '';
  let end = 0;
  for (let from = written.indexOf('<!--'); from >= 0; from = written.indexOf('<!--', end)) {
    words += written.slice(end, from);
    const close = written.indexOf('-->', from);
    end = close < 0 ? written.length : close + 3;
  }
  return `${words}${written.slice(end)}`
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
