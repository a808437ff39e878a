import type { Excerpt } from '../contract/told-parts.ts';
import { shownHeading } from '../domain/excerpt-heading.ts';
import { nameHiddenInLine } from '../domain/hidden-characters.ts';
import { codeSpan } from './markdown-text.ts';

const signs = { context: ' ', added: '+', removed: '-', gap: ' ' };
const gap = '⋯';

/**
 * Lines of a diff in a fence that nothing in them can close; lines that only come are shown as the code that they are. What
 * was said above them is not their heading once more.
 */
export function excerptMarkdown({ fileName, heading, lines }: Excerpt, known: string, said: string): string {
  const onlyAdded = lines.every(({ kind }) => kind === 'added' || kind === 'gap');
  const printed = lines.map(({ kind, text }) => {
    const line = kind === 'gap' ? gap : readable(text);
    return onlyAdded ? line : `${signs[kind]}${line}`;
  });
  const longest = printed
    .flatMap((line) => line.match(/`+/g) ?? [])
    .reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  const within = shownHeading(heading);
  const where = [
    ...(fileName === known ? [] : [fileName]),
    ...(within === null || said.includes(within) ? [] : [within]),
  ];
  return [
    ...(where.length > 0 ? [`${where.map(codeSpan).join(' › ')}\n`] : []),
    `${fence}${onlyAdded ? languageOf(fileName) : 'diff'}`,
    ...printed,
    fence,
  ].join('\n');
}

/** A line that stays one, and reads as what it is. */
const readable = (text: string): string => nameHiddenInLine(text.replace(/\r$/, ''));

/** Renderers know languages by the ends of file names. */
const languageOf = (fileName: string): string =>
  /\.([a-z0-9]{1,12})$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
