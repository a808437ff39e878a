import { readMarkdown } from './read-markdown.ts';
import { visibleText } from './visible-text.ts';

const closing =
  /(?<![\p{L}\p{N}_-])(?<!\b(?:been|was|were|is|are|already|not|got)\s)(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?:\s{0,3}:\s{0,3}|\s{1,3})(?:\[?(?<foreign>[\w.-]{1,100}\/[\w.-]{1,100})?#(?<number>\d{1,9})\b|(?<url>https?:\/\/[^\s/]{1,100}\/[\w.-]{1,100}\/[\w.-]{1,100}\/(?:-\/)?issues\/(?<urlNumber>\d{1,9}))\b)/giu;
const url = /https?:\/\/[^\s/]{1,100}\/([\w.-]{1,100}\/[\w.-]{1,100})\//;
const ownNumber = /\(#(\d{1,9})\)\s*$/;

/** Many times what anybody writes who closes issues; texts that close none do not count. */
const mostRead = 20_000;

/**
 * The issues that a pull request says it closes, in the words that GitHub acts upon, of its own repository only. Which
 * repository that is nobody said: an issue named with a repository counts when no other is named, nor one without any.
 */
export function linkedIssues(title: string, body: string | null, commitMessages: string[]): number[] {
  const own = Number(ownNumber.exec(title.trimEnd().slice(-20))?.[1] ?? 0);
  const plain = new Set<number>();
  const named = new Map<string, Set<number>>();
  let left = mostRead;
  for (const text of [title, body ?? '', ...commitMessages]) {
    const near = text.slice(0, left);
    if (near.search(closing) === -1) continue;
    left -= near.length;
    collect(near, plain, named);
  }
  const [only] = named.size === 1 && plain.size === 0 ? named.values() : [];
  const numbers = [...plain, ...(only ?? [])].filter((number) => number > 0 && number !== own);
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function collect(text: string, plain: Set<number>, named: Map<string, Set<number>>): void {
  for (const { groups } of prose(text).matchAll(closing)) {
    const number = Number(groups?.number ?? groups?.urlNumber);
    const repository = groups?.foreign ?? url.exec(`${groups?.url ?? ''}/`)?.[1];
    if (!repository) {
      plain.add(number);
      continue;
    }
    const key = repository.toLowerCase();
    named.set(key, (named.get(key) ?? new Set()).add(number));
  }
}

/** The text without code, comments and quotes, where the words mean nothing to the host. */
function prose(text: string): string {
  let isQuote = false;
  return readMarkdown(visibleText(text))
    .map((piece) => {
      if (piece.kind === 'start') isQuote = piece.block.kind === 'quote';
      return piece.kind === 'text' && !isQuote ? piece.text : ' ';
    })
    .join('');
}
