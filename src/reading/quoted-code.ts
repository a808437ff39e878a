import { foldSpace } from '../domain/text.ts';
import { parseBlocks } from './description/markdown-blocks.ts';

const leastLine = 4;

/** Lines with the same key are the same but for their layout. */
export function keyOf(text: string): string {
  const folded = foldSpace(text);
  return folded.endsWith(',') || folded.endsWith(';') ? folded.slice(0, -1) : folded;
}
export const isTelling = (key: string): boolean => key.length >= leastLine && /[\p{L}\p{N}]{2}/u.test(key);

/** The shortest piece of code that tells lines apart: shorter ones, and single brackets, are in every file. */
const leastToken = 4;
const leastNumber = 3;
export const longLine = 20;

/** Words that are on most lines of some language. */
const common = new Set(
  'this self super none null true false void undefined return const static public private async await function class struct string boolean number object array list dict type interface import from export default else then with case break continue throw raise except catch finally while switch yield lambda'.split(
    ' ',
  ),
);

const fence = /^(`{3,}|~{3,})\s*([\w-]*)/;

interface CodeBlock {
  text: string;
  isSuggestion: boolean;
  /** Its lines that tell code apart. In a block that is a diff, only the added lines are the writer's. */
  keys: string[];
}

export const codeBlocksIn = (body: string): CodeBlock[] =>
  parseBlocks(body).flatMap((block) => {
    if (block.kind !== 'code') return [];
    const [opening = '', ...lines] = block.text.split('\n').slice(0, -1);
    const [, , language = ''] = fence.exec(opening) ?? [];
    const own =
      language === 'diff' ? lines.flatMap((line) => (line.startsWith('+') ? line.slice(1) : [])) : lines;
    const keys = own.map(keyOf).filter((key) => isTelling(key) && !common.has(key));
    return [{ text: block.text, isSuggestion: language === 'suggestion', keys }];
  });

/** Whether the lines of a block that are in the code show that it was taken over. */
export const isEnough = (found: ReadonlySet<string>): boolean =>
  found.size >= 2 || [...found].some((key) => key.length >= longLine);

const inlineCode = /(?<!`)`([^`\n]{1,120})`(?!`)/g;

const proseOf = (body: string): string =>
  parseBlocks(body)
    .filter(({ kind }) => kind === 'paragraph' || kind === 'item')
    .map((block) => ('text' in block ? block.text : ''))
    .join('\n');

/** Names, numbers and literals that a comment quotes. */
export function tokensOf(body: string): string[] {
  const quoted = [...proseOf(body).matchAll(inlineCode)].map(([, code = '']) =>
    code.trim().replace(/\(\)$/, ''),
  );
  return [...new Set(quoted)].filter((token) =>
    /^\d+$/.test(token)
      ? token.length >= leastNumber
      : token.length >= leastToken && /[\p{L}\p{N}]{2}/u.test(token) && !common.has(token.toLowerCase()),
  );
}

const address = /https?:\/\/\S+|@[\w-]+/g;
const name = /[A-Za-z]\w*(?:[a-z][A-Z]|[A-Za-z]_[A-Za-z])\w*/g;
const leastName = 8;

/** The quotations of a comment, and names of code in its prose: those in camel or snake case. */
export const namesIn = (body: string): string[] => [
  ...new Set([
    ...tokensOf(body),
    ...(proseOf(body).replace(address, ' ').match(name) ?? []).filter(({ length }) => length >= leastName),
  ]),
];

export function holds(text: string, token: string): boolean {
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    const [before, behind] = [text.charAt(at - 1), text.charAt(at + token.length)];
    const isCut = (edge: string, beside: string): boolean => /[\w$]/.test(edge) && /[\w$]/.test(beside);
    if (!isCut(token.charAt(0), before) && !isCut(token.at(-1) ?? '', behind)) return true;
  }
  return false;
}

export const quotesCode = (body: string): boolean =>
  tokensOf(body).length > 0 || codeBlocksIn(body).some(({ keys }) => keys.length > 0);

/** The different lines of a file that have anything that a comment quotes. */
export function quotedLines(body: string, text: string): string[] {
  const tokens = tokensOf(body);
  const keys = new Set(codeBlocksIn(body).flatMap((block) => block.keys));
  const lines = new Map(text.split(/\r?\n/).map((line) => [keyOf(line), line]));
  return [...lines]
    .filter(([key, line]) => keys.has(key) || tokens.some((token) => holds(line, token)))
    .map(([, line]) => line);
}
