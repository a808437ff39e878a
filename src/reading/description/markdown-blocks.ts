import MarkdownIt, { type Token } from 'markdown-it';
import { dropHidden, neutralizeTags, pictureSign } from './drop-hidden.ts';
import { isOnlyReferences, splitLine, visibleText } from './sentences.ts';

export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph' | 'quote' | 'table' | 'code'; text: string }
  | ItemBlock
  | { kind: 'rule' };

export interface ItemBlock {
  kind: 'item';
  depth: number;
  marker: string;
  checked: boolean | null;
  hasBlankBefore: boolean;
  text: string;
}

const markdown = new MarkdownIt();
const blocksOnly = new MarkdownIt().disable(['html_block', 'reference']);
blocksOnly.core.ruler.enableOnly(['normalize', 'block']);

export const plainBlocks = (text: string): Block[] =>
  readBlocks(text, markdown.parse(text, {}), ({ children }) => plainWords(children ?? []));

export const parseBlocks = (text: string): Block[] =>
  readBlocks(text, blocksOnly.parse(text, {}), ({ content }) => content);

export const sentencesIn = (text: string): string[] =>
  parseBlocks(text).flatMap((block) =>
    block.kind === 'paragraph' || block.kind === 'item'
      ? block.text.split('\n').flatMap(splitLine).map(boundSentence)
      : [],
  );

const longestSentence = 4_000;

const boundSentence = (sentence: string): string =>
  sentence.length > longestSentence ? `${sentence.slice(0, longestSentence).toWellFormed()}…` : sentence;

const shortLine = /^.{1,79}$/;
const callout = /^\[!\w{3,20}\](?=\n|$)/;

function readBlocks(source: string, tokens: Token[], textOf: (inline: Token) => string): Block[] {
  const lines = source.split('\n');
  const blocks: Block[] = [];
  const quotes: boolean[] = [];
  let depth = 0;
  let level = 0;
  let item: Omit<ItemBlock, 'text' | 'checked'> | null = null;
  let rows: string[][] | null = null;
  for (const [at, token] of tokens.entries()) {
    const { type, map } = token;
    const start = map?.[0] ?? 0;
    if (/list_open$/.test(type)) depth += 1;
    else if (/list_close$/.test(type)) depth -= 1;
    else if (type === 'list_item_open') {
      const hasBlankBefore = start === 0 || lines[start - 1]?.trim() === '';
      item = { kind: 'item', depth: depth - 1, marker: `${token.info}${token.markup}`, hasBlankBefore };
    } else if (type === 'blockquote_open') quotes.push(!callout.test(tokens[at + 2]?.content ?? ''));
    else if (type === 'blockquote_close') quotes.pop();
    else if (type === 'heading_open') {
      // A long text above a line of dashes is a paragraph above a rule, and "--" begins a signature.
      const isUnderlined = !token.markup.startsWith('#');
      const isTitle = isUnderlined && shortLine.test(tokens[at + 1]?.content ?? '');
      const underline = lines[(map?.[1] ?? 0) - 1]?.trim();
      level = isUnderlined ? (isTitle && underline !== '--' ? 2 : 0) : Number(token.tag.slice(1));
    } else if (type === 'hr') blocks.push({ kind: 'rule' });
    else if (type === 'fence' || type === 'code_block') {
      // Templates contain empty code blocks.
      if (/[^\s\ufffc]/.test(token.content)) blocks.push({ kind: 'code', text: fenced(token) });
      item = null;
    } else if (type === 'table_open') {
      rows = [];
    } else if (type === 'tr_open') rows?.push([]);
    else if (type === 'table_close') {
      const [head = [], ...others] = rows ?? [];
      const printed = [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`);
      blocks.push({ kind: 'table', text: printed.join('\n') });
      rows = null;
    } else if (type === 'inline' && rows) {
      rows.at(-1)?.push(textOf(token).replaceAll(pictureSign, ''));
    } else if (type === 'inline') {
      const text = joinLines(textOf(token).replace(callout, '').split('\n'));
      if (text !== '') blocks.push(...blockOf(text, quotes.some(Boolean), item, level));
      item = null;
      level = 0;
    }
  }
  return blocks;
}

const taskBox = /^\[([ xX✓✔])?\](?:[ \t]+|$)/;

function blockOf(
  text: string,
  isQuote: boolean,
  item: Omit<ItemBlock, 'text' | 'checked'> | null,
  level: number,
): Block[] {
  if (isQuote) return [{ kind: 'quote', text }];
  if (item) {
    const box = taskBox.exec(text);
    const words = box ? text.slice(box[0].length) : text;
    const checked = box ? /[xX✓✔]/.test(box[1] ?? '') : null;
    return words === '' ? [] : [{ ...item, checked, text: words }];
  }
  if (level > 0) return [{ kind: 'heading', level, text: text.replaceAll('\n', ' ') }];
  // Invalid tables are dropped, because nobody can read them.
  return [{ kind: text.startsWith('|') ? 'table' : 'paragraph', text }];
}

function fenced({ type, markup, info, content }: Token): string {
  if (type === 'fence') return `${markup}${info}\n${content.replace(/\n?$/, '\n')}${markup}`;
  const marks = content.includes('```') ? '~~~~' : '```';
  return `${marks}\n${content.trimEnd()}\n${marks}`;
}

function plainWords(tokens: Token[]): string {
  let words = '';
  let struckOut = 0;
  for (const { type, content, level, markup } of tokens) {
    if (type === 's_open') struckOut += 1;
    else if (type === 's_close') struckOut -= 1;
    else if (struckOut > 0) continue;
    else if (type === 'text' || type === 'text_special') words += neutralizeTags(visibleText(content));
    // A line break inside a link or emphasis comes from wrapping.
    else if (type === 'softbreak' && level > 0) words += ' ';
    else if (type === 'softbreak' || type === 'hardbreak') words += '\n';
    else if (type === 'code_inline') words += codeSpanIn(content);
    else if (type === 'image') words += pictureSign;
    // In `__init__` the underscores belong to the name.
    else if (markup === '__') words += markup;
  }
  return words;
}

function codeSpanIn(text: string): string {
  if (!text.includes('`')) return text === '' ? '' : `\`${text}\``;
  const longest = Math.max(...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks} ${text} ${marks}`;
}

export function printBlocks(blocks: Block[]): string {
  let text = '';
  let previous: Block | null = null;
  for (const block of blocks) {
    if (previous) text += isSameList(previous, block) ? '\n' : '\n\n';
    text += printBlock(block);
    previous = block;
  }
  return text;
}

function isSameList(previous: Block, block: Block): boolean {
  if (previous.kind !== 'item' || block.kind !== 'item') return false;
  return block.marker !== '*' || previous.marker === '*';
}

function printBlock(block: Block): string {
  switch (block.kind) {
    case 'rule':
      return '';
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'quote':
      return block.text.replace(/^/gm, '> ');
    case 'item': {
      const indent = '    '.repeat(Math.min(block.depth, 8));
      return `${indent}${block.marker} ${block.text.replaceAll('\n', `\n${indent}  `)}`;
    }
    default:
      return block.text;
  }
}

/** Lines shorter than this were ended by their author, not by wrapping. */
const narrowestMargin = 50;

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFF60]/gu;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303F\uFF00-\uFF60]/u;
const goesOn = /^[\p{Ll}\p{Nd}(`,;&+=]|^(?:→|->)/u;
const isOpen =
  /(?:^| )(?:an?|and|at|by|for|from|in|into|is|of|on|or|that|the|this|to|via|was|when|which|with)$|,$/i;
const isEnded = /[.!?:;。！？：…]["'”’)\]）」』]*$/u;

/**
 * Joins wrapped lines: a line continues in the next one if the two would not fit the margin, or the text is clearly
 * unfinished.
 */
function joinLines(lines: string[]): string {
  let text = '';
  let last = '';
  for (const line of lines) {
    const words = withoutPictures(line.replace(/\\$/, '').trim());
    // The lines above and below a picture are separate sentences.
    if (words === '') text += text !== '' && line.includes(pictureSign) ? '\n\n' : '';
    else if (text === '' || text.endsWith('\n\n')) text += words;
    else text += (last !== '' && isWrapped(last, words) ? gap(last, words) : '\n') + words;
    last = words;
  }
  return text.replace(/\n{3,}/g, '\n\n').trimEnd();
}

/** A picture within a line separates two sentences. */
const withoutPictures = (line: string): string =>
  line
    .split(pictureSign)
    .map((words) => words.trim())
    .filter((words) => words !== '')
    .join(' … ');

function isWrapped(line: string, next: string): boolean {
  if (/^\p{Lu}/u.test(next) && isOnlyReferences(next)) return isOpen.test(line);
  if (/^https?:\/\/\S+$/.test(next) && !isEnded.test(line)) return true;
  const width = line.length + (line.match(wide)?.length ?? 0);
  if (width >= narrowestMargin) return true;
  return isOpen.test(line) || (goesOn.test(next) && !isEnded.test(line));
}

const gap = (line: string, next: string): string =>
  unspaced.test(line.at(-1) ?? '') && unspaced.test(next.charAt(0)) ? '' : ' ';

/** The words of a review: a request such as "Please add a test" is no template, as it is in a description. */
export const sentencesOfComment = (body: string): string[] => sentencesIn(printBlocks(blocksOfComment(body)));

/** The words and the code of a comment, without the quotations of others. */
export const blocksOfComment = (body: string): Block[] =>
  plainBlocks(dropHidden(visibleText(body))).filter(
    ({ kind }) => kind === 'paragraph' || kind === 'item' || kind === 'code',
  );
