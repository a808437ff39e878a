import type { Statement } from '../contract/told-parts.ts';
import type { ArticleWords } from '../domain/article-words.ts';
import { codeSpan, linkTo } from './markdown-text.ts';

type Lines = Statement['evidence'][number];

/** More places than these are looked up where each sentence has its own. */
const mostPlaces = 4;

/**
 * Where sentences can be seen, each place once: lines that overlap or touch are one, those of the file that is known come
 * first, and another file is named before the first of its places.
 */
export function evidenceMarkdown(evidence: Lines[], known: string, words: ArticleWords): string {
  const files = Map.groupBy(evidence, ({ fileName }) => fileName);
  const own = files.get(known) ?? [];
  files.delete(known);
  const places = [own, ...files.values()].flatMap(merge);
  const shown = places.slice(0, mostPlaces).map((one, index) => {
    const isNamed = one.fileName === known || one.fileName === places[index - 1]?.fileName;
    return placeMarkdown(one, isNamed, words);
  });
  const more = places.length - shown.length;
  return `${shown.join(words.comma)}${more > 0 ? ` ${words.andMore(more)}` : ''}`;
}

/** Lines of one file in their order, without what lies in others. */
function merge(lines: Lines[]): Lines[] {
  const merged: Lines[] = [];
  for (const one of lines.toSorted((a, b) => a.startLine - b.startLine || b.endLine - a.endLine)) {
    const above = merged.findLast(({ side }) => side === one.side);
    if (above && one.startLine <= above.endLine + 1) above.endLine = Math.max(above.endLine, one.endLine);
    else merged.push({ ...one });
  }
  return merged;
}

function placeMarkdown(
  { fileName, startLine, endLine, side, hostUrl }: Lines,
  isNamed: boolean,
  words: ArticleWords,
): string {
  const range = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`;
  const text = `${isNamed ? '' : `${codeSpan(fileName)} `}${words.lines(range, side)}`;
  return hostUrl ? linkTo(hostUrl, text) : text;
}
