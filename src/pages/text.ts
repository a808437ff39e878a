import { type Html, html, nothing, prose, type Shown } from './html.ts';

/** Code that contains a backtick is between two of them. The length is limited so that hostile text costs little. */
const codeSpans = /(?<!`)(`{1,2})(?!`)([^\n]{1,500}?)(?<!`)\1(?!`)/g;

export function text(written: string, marked: readonly (readonly number[])[] = []): Html {
  const parts: Shown[] = [];
  const add = (from: number, to: number, show: (part: string) => Shown): void => {
    for (const [part, isMarked] of cutAt(written, from, to, marked))
      parts.push(isMarked ? html`<mark>${show(part)}</mark>` : show(part));
  };
  let end = 0;
  for (const found of written.matchAll(codeSpans)) {
    add(end, found.index, proseWithOptions);
    end = found.index + found[0].length;
    const code = codeInFence(found);
    const start = found.index + found[0].indexOf(code, found[1]?.length);
    parts.push(html`<code>`);
    add(start, start + code.length, unbroken);
    parts.push(html`</code>`);
  }
  add(end, written.length, proseWithOptions);
  return html`${parts}`;
}

/** As many characters as fit on a line everywhere. Longer parts are blocks, which wrap if they have to. */
const fitsALine = 16;

const whole = (part: string, shown: Shown): Html =>
  html`<span class="${part.length > fitsALine ? 'whole' : 'kept'}">${shown}</span>`;

/** Names with hyphens break only at slashes, and options such as `--paging=never` not at all. */
export const unbroken = (code: string): Shown =>
  code.includes('-')
    ? code.split(/(\s+)|(?<=\/)/).map((part) => (/-\w/.test(part) ? whole(part, part) : part))
    : code;

export const proseWithOptions = (written: string): Shown =>
  / -|^-/.test(written)
    ? written.split(/(\s+)/).map((part) => (/^--?\w/.test(part) ? whole(part, prose(part)) : prose(part)))
    : prose(written);

function cutAt(
  written: string,
  from: number,
  to: number,
  marked: readonly (readonly number[])[],
): [string, boolean][] {
  const parts: [string, boolean][] = [];
  let end = from;
  for (const [start = 0, stop = 0] of marked) {
    if (stop <= end || start >= to) continue;
    parts.push([written.slice(end, Math.max(start, end)), false]);
    parts.push([written.slice(Math.max(start, end), Math.min(stop, to)), true]);
    end = Math.min(stop, to);
  }
  return [...parts, [written.slice(end, to), false] as [string, boolean]].filter(([part]) => part !== '');
}

export const plainText = (written: string): string =>
  written.replace(codeSpans, (...found: string[]) => codeInFence(found));

/** A space next to two backticks separates them from one in the code. */
const codeInFence = ([, fence = '', code = '']: string[]): string =>
  fence.length === 2 ? code.replace(/^ | $/g, '') : code;

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

export const languageAttribute = (code: string): Html =>
  html` lang="${code}"${rightToLeft.has(code) && html` dir="rtl"`}`;

export const within = (outer: string, code: string): Html =>
  outer === code
    ? nothing
    : html` lang="${code}"${rightToLeft.has(outer) && !rightToLeft.has(code) && html` dir="ltr"`}`;

/** Text of an article. Code at its beginning does not change its direction. */
export const said = (code: string, words: string): Html =>
  html`<bdi${rightToLeft.has(code) && html` dir="rtl"`}>${text(words)}</bdi>`;

export const isQuotedAlready = (words: string): boolean => /^["'“”„‟«‘’‚「『]/.test(words);

/** Quotations in an article have the quotation marks of its language. */
export const quotationMarks = (code: string): [string, string] => (code === 'ja' ? ['「', '」'] : ['“', '”']);

export function quotedText(code: string, words: string): Html {
  const [open, close] = isQuotedAlready(words) ? [] : quotationMarks(code);
  return html`${open}<bdi>${text(words)}</bdi>${close}`;
}

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path;

/** The characters of a path that pages show; of a longer one, they show the end. */
const longestPath = 300;

export const shownPath = (path: string): string =>
  path.length > longestPath ? `…${path.slice(1 - longestPath).toWellFormed()}` : path;

export function fileName(whole: string): Html {
  const path = shownPath(whole);
  const base = baseName(path);
  const folders = path.slice(0, path.length - base.length).split(/(?<=\/)/);
  return html`<bdi class="file">${folders.filter(Boolean).map((folder) => html`${unbroken(folder)}<wbr>`)}<b>${base}</b></bdi>`;
}
