import { type Html, html, prose, type Shown } from './html.ts';

/** Code that has a backtick in it stands between two of them. Longer ones do not occur, and looking further would take long. */
const codeSpans = /(?<!`)(`{1,2})(?!`)([^\n]{1,500}?)(?<!`)\1(?!`)/g;

/** From where to where something stands. */
type Range = readonly number[];

/** Text as people write it: plain, with code between backticks. What is marked in it are places of the text as it is written. */
export function text(written: string, marked: readonly Range[] = []): Html {
  const parts: Shown[] = [];
  const add = (from: number, to: number, show: (part: string) => Shown): void => {
    for (const [part, isMarked] of cutAt(written, from, to, marked))
      parts.push(isMarked ? html`<mark>${show(part)}</mark>` : show(part));
  };
  let end = 0;
  for (const found of written.matchAll(codeSpans)) {
    add(end, found.index, prose);
    end = found.index + found[0].length;
    const code = codeOf(found);
    const start = found.index + found[0].indexOf(code, found[1]?.length);
    parts.push(html`<code>`);
    add(start, start + code.length, (part) => part);
    parts.push(html`</code>`);
  }
  add(end, written.length, prose);
  return html`${parts}`;
}

/** The parts of a stretch of text, and which of them are marked. */
function cutAt(written: string, from: number, to: number, marked: readonly Range[]): [string, boolean][] {
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

/** The same without its marks, for where there is no markup. */
export const plainText = (written: string): string =>
  written.replace(codeSpans, (...found: string[]) => codeOf(found));

/** A blank beside two backticks keeps them apart from one in the code. */
const codeOf = ([, fence = '', code = '']: string[]): string =>
  fence.length === 2 ? code.replace(/^ | $/g, '') : code;
