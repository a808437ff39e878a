import { nameHidden, nameHiddenInLine, nameOf } from '../domain/text.ts';

const codeSpans = /(?<!`)(`[^`]+`)(?!`)/;
const markup = /[\\`*_[\]<>#|~$]|&(?=\w+;)|:(?=\/\/)|(?<=www)\./gi;
const beginnings = /^[-+](?=[\s-]|$)|(?<=^\d{1,9})[.)](?=\s|$)/;
const lineBreaks = /[\r\n]+/g;

/**
 * Plain text with code spans as one line of Markdown: whatever else Markdown would make of it is taken literally, and what is not
 * seen in it is named.
 */
export function lineOfText(text: string): string {
  return text
    .trim()
    .replace(lineBreaks, ' ')
    .split(codeSpans)
    .map((part, index) =>
      index % 2 === 1 ? nameHidden(part, 'exact') : nameHidden(part, 'prose').replace(markup, '\\$&'),
    )
    .join('');
}

/** The same as paragraphs, none of which begins a list or anything else. */
export function paragraphsOfText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((paragraph) => lineOfText(paragraph).replace(beginnings, '\\$&'))
    .join('\n\n');
}

/** A name may hold anything, backticks, line breaks and characters that turn the line around too. */
export function codeSpan(name: string): string {
  const shown = nameHiddenInLine(name).replaceAll('\t', nameOf);
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 || /^ .* $/s.test(shown) ? ' ' : '';
  return `${fence}${padding}${shown}${padding}${fence}`;
}

export function linkTo(address: string, text: string): string {
  const closed = address.replace(
    /[()<>\\\s]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
  return `[${text}](${closed})`;
}

const blockStart = /^(\s{0,12}(?:[-*+] |\d{1,9}[.)] |#{1,6} |> ?)?)(.*)$/;

/**
 * Somebody else's Markdown as a quotation: lists, headings and code blocks stay what they are, and everything else in them is
 * text. A fence that is left open ends with the quotation.
 */
export function quotedMarkdown(markdown: string): string {
  let fence = '';
  const lines = markdown
    .trim()
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => {
      const marks = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
      if (fence !== '') {
        if (marks.startsWith(fence)) fence = '';
        return nameHiddenInLine(line);
      }
      if (marks !== '') {
        fence = marks;
        return marks;
      }
      const [, start = '', text = ''] = blockStart.exec(line) ?? [];
      const isText = start.trim() === '';
      return start + (isText ? paragraphsOfText(text) : lineOfText(text));
    });
  return [...lines, ...(fence === '' ? [] : [fence])].map((line) => `> ${line}`.trimEnd()).join('\n');
}
