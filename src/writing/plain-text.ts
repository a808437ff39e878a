import { visibleText } from '../reading/description/sentences.ts';

// Each pattern stops where the next match could begin, so that hostile text takes linear time, not quadratic.
const image = /!\[[^[\]]*\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g;
const link =
  /\[([^[\]]+)\]\((?:\{\{[^)]{0,300}\}\}|<[^<>]*>|[^()\s]*(?:\([^()]*\)[^()\s]*)*)(?:\s+"[^"]*")?\)/g;
const linkedCode = /\[(`[^`\]]+`)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)|\[[^[\]]*\])?/g;
const linkAroundCode = /\[([^[\]]+)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g;
const linkToCode = /\[([^[\]`]+)\]\(`[^`)]*`\)/g;
const referenceLink = /\[([^[\]]+)\]\[[^[\]]*\]/g;
const address = /<?https?:\/\/[^\s<>)\]」』]+>?/g;
const emphasis = /(?<![\w*])(\*\*|__|\*|_)(?=\S)([^*_`]+?)(?<=\S)\1(?![\w*])/g;
/** reStructuredText and MyST write the role of a name before it: :class:`Flask`, {class}`Flask`. */
const role =
  /(?:(?<![\w`]):(?:[a-z]{1,20}:)?[a-z]{1,20}:|(?<![\w`])\{[a-z:]{1,40}\})`~?([^`<>]+?)(?:\s*<[^<>`]*>)?`/gi;
const tag = /(?<!\S)\S*<\/?[a-z!][^<>]*>\S*/gi;

/**
 * Text of other people as plain text with code spans: without markup, addresses or invisible characters. HTML elements
 * are put into code spans, where they are only text.
 */
export function plainText(text: string): string {
  const plain = outsideCode(
    collapse(visibleText(text))
      .replace(role, (_, name) => (/^\d+$/.test(name) ? `#${name}` : `\`${name}\``))
      .replace(linkedCode, '$1')
      .replace(linkAroundCode, (whole, inside) => (/^[^`]*(?:`[^`]+`[^`]*)+$/.test(inside) ? inside : whole))
      .replace(linkToCode, '$1'),
    (prose) =>
      prose
        .replace(image, '')
        .replace(link, '$1')
        .replace(referenceLink, '$1')
        .replace(address, '')
        .replace(emphasis, (marked, mark, inside) =>
          mark.startsWith('_') && /^\w+$/.test(inside) ? marked : inside,
        )
        .replace(tag, (found) => `\`${found}\``)
        .replace(/(?<!\s)\s+\(\s*\)/g, ''),
  );
  return collapse(
    outsideCode(plain, (prose) =>
      prose.replace(strayBracket, ' ').replace(/(?<!\s)\s+([.,;:!?])(?=\s|$)/g, '$1'),
    ),
  ).trim();
}

export const losesAddress = (text: string): boolean =>
  /(?<![(<])\bhttps?:\/\//.test(
    text
      .replace(/`[^`]*`/g, '')
      .replace(image, '')
      .replace(link, '$1')
      .replace(/^[^\S\r\n]*\[[^\]]+\]:\s.*$/gm, ''),
  );

const collapse = (text: string): string => text.replace(/\s+/g, ' ');

/** The brackets of unfinished elements, but not of arrows. */
const strayBracket = /<(?=[a-z!/])|(?<![-=])>(?=[a-z!/])/gi;

function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/((?<!`)`+[^`]+`+)/)
    .map((part, index) => {
      if (index % 2 === 1) return part.replace(/`+/g, '`');
      const prose = part.replaceAll('`', '');
      return plainWords.test(prose) ? prose : change(prose);
    })
    .join('');
}

/** Plain words contain no markup; texts with thousands of code spans consist mostly of them. */
const plainWords = /^[a-z\d ]*$/i;

/** Cuts the text at a word so that at most `most` characters are left, the ellipsis included. */
export function shorten(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const cut = characters.slice(0, most - 1).join('');
  const word = cut.replace(/(?<![\s,.;:、。（(“「-])[\s,.;:、。（(“「-]+\S{0,24}$/u, '');
  const kept = word.length >= most / 2 ? word : cut;
  // A code span without its end would include the text that follows.
  const closed =
    (kept.match(/`/g)?.length ?? 0) % 2 === 1 ? kept.slice(0, kept.lastIndexOf('`')).trimEnd() : kept;
  return `${closed}…`;
}

/** The script of a text, to tell whether it can be compared with another text. */
type Script = 'latin' | 'japanese' | 'other';

const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/gu;
const latin = /[a-z]/gi;

export function scriptOf(text: string): Script {
  const prose = text.replace(/`[^`]*`/g, '');
  const wide = prose.match(japanese)?.length ?? 0;
  const narrow = prose.match(latin)?.length ?? 0;
  const letters = prose.match(/\p{L}/gu)?.length ?? 0;
  if (/[\u3040-\u30ff]/u.test(prose) && wide * 3 >= narrow) return 'japanese';
  return narrow * 2 >= letters ? 'latin' : 'other';
}

export function isBalanced(text: string): boolean {
  const outside = text.replace(/`[^`]*`/g, '');
  const count = (character: string) => outside.split(character).length;
  return (
    !outside.includes('`') &&
    count('"') % 2 === 1 &&
    ['()', '[]', '“”', '「」'].every(([open = '', close = '']) => count(open) === count(close))
  );
}
