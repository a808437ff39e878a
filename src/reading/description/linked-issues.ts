import type { PullRequestOfRepository } from '../facts.ts';
import { dropHidden } from './drop-hidden.ts';
import { plainBlocks } from './markdown-blocks.ts';
import { visibleText } from './sentences.ts';

// Groups may be nested, so an owner is a path; GitLab puts a dash between the name and the rest of an address.
const closing =
  /(?<![\p{L}\p{N}_-])(?<!\b(?:been|was|were|is|are|already|not|got)\s)(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)(?:\s{0,3}:\s{0,3}|\s{1,3})(?:\[?(?<named>[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,20})?#(?<number>\d{1,9})\b|https?:\/\/[^\s/]{1,100}\/(?<addressed>[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,20}?)\/(?:-\/)?issues\/(?<numberThere>\d{1,9})\b)/giu;
const ownNumber = /\(#(\d{1,9})\)\s*$/;

type ClosingText = Omit<PullRequestOfRepository, 'labels'>;

const mostRead = 20_000;

/** The issues of the same repository that a pull request closes, by the keywords of GitHub. */
export function linkedIssues({ repository, title, body, commitMessages }: ClosingText): number[] {
  const own = Number(ownNumber.exec(title.trimEnd().slice(-20))?.[1] ?? 0);
  const found: number[] = [];
  let left = mostRead;
  for (const text of [title, body ?? '', ...commitMessages]) {
    const near = text.slice(0, left);
    if (near.search(closing) === -1) continue;
    left -= near.length;
    found.push(...closedBy(near, repository.toLowerCase()));
  }
  const numbers = found.filter((number) => number > 0 && number !== own);
  return [...new Set(numbers)].sort((a, b) => a - b);
}

const closedBy = (text: string, repository: string): number[] =>
  Array.from(prose(text).matchAll(closing), ({ groups }) => {
    const named = groups?.named ?? groups?.addressed ?? repository;
    return named.toLowerCase() === repository ? Number(groups?.number ?? groups?.numberThere) : 0;
  });

const prose = (text: string): string =>
  plainBlocks(dropHidden(visibleText(text)))
    .flatMap((block) =>
      block.kind === 'rule' || block.kind === 'quote' || block.kind === 'code' ? [] : block.text,
    )
    .join('\n')
    .replace(/(`+)[^`]+\1/g, ' ');
