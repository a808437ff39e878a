import { cleanDescription } from '../../reading/description/clean-description.ts';
import { parseBlocks } from '../../reading/description/markdown-blocks.ts';
import { isOnlyReferences } from '../../reading/description/sentences.ts';
import { isWorkStep } from '../../reading/description/squash-list.ts';
import type { ArticleSource } from '../articles.ts';
import { longestTitle } from '../draft.ts';
import { plainText, shorten } from '../plain-text.ts';

const emoji = /^(?:\s*(?::[a-z0-9_+-]+:|\p{Extended_Pictographic}\uFE0F?))+\s*/u;
const tags = /^\s*(?:\[[^\]]{1,30}\]\s*)+(?::\s+)?(?=\S)/;
const ticket =
  /^\s*(?:\((?:#\d+|[A-Z][A-Z\d]+-\d+)\)[\s:-]*|(?:gh|bpo|issue)-\d+:?\s+|(?!(?:UTF|ISO|SHA|RFC|CVE|AES|MD|TLS|HTTP|IEEE)-)[A-Z][A-Z\d]{1,9}-\d{2,}\s*[:–-]?\s+)(?=\S)/;
const conventional =
  /^\s*(?:(?:feat|feature|fix|refactor|docs?|tests?|perf|build|ci|chore|style|revert|deps|release|improvement|bug(?: ?fix)?|depr(?:ecate)?|hotfix|enhancement|security|types|misc|cleanup|breaking(?: change)?)(?:\s*\([^()]{1,40}\))?!?\s*[:：]\s*(?=\S)|[A-Za-z]{2,14}\([^()]{1,40}\)!?:\s+)+/i;
const number = /\s*\((?:#|gh-)\d+\)\s*$/i;
const forMachines = /\s*\[(?:ci skip|skip ci|no ci|skip actions)\]/gi;
const closing =
  /(?<=[\p{L}\p{N}`)"'])[\s,;.:(–-]+(?:(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see):?\s+(?:issues?\s+)?(?:#|gh-)\d+(?:(?:,|,? and|\s?&)?\s*(?:#|gh-)\d+)*[\s.)]*)$/iu;

/** Marks of a breaking change in a title, as in Conventional Commits: `feat!:`, `[BREAKING]`. */
const breakingMark =
  /^\s*(?:\[breaking[^\]]{0,20}\]|[a-z]{2,20}(?:\([^()]{1,40}\))?!:|breaking(?: change)?(?:\([^()]{1,40}\))?:)\s*\S/i;

export const isTitleBreaking = (title: string): boolean => breakingMark.test(title);

/** Removes numbers, emoji and machine-readable tags. The prefix stays: without `fix:`, a title may say the opposite. */
function cleanTitle(title: string): string {
  const whole = title.slice(0, 1_000).replace(emoji, '');
  const [tag = ''] = tags.exec(whole) ?? [];
  const text = plainText(whole.slice(tag.length))
    .replace(number, '')
    .replace(forMachines, '')
    .replace(closing, '')
    .replace(/[\s.。]+$/, '');
  return text === '' ? plainText(title) : tag.trimStart() + text;
}

/** A title without its prefixes, to find texts that repeat it. */
export function bareTitle(title: string): string {
  const plain = cleanTitle(title.replace(emoji, '').replace(tags, '').replace(ticket, '')).replace(emoji, '');
  const [prefix = ''] = conventional.exec(plain) ?? [];
  const bare = plain.slice(prefix.length).replace(emoji, '');
  return bare === '' ? plainText(title) : bare;
}

const mergeLine =
  /^Merge (?:pull request #\d+ from \S+|(?:remote-tracking )?branch(?:es)? ['‘"]|tag ['‘"]|commit ['‘"]?[\da-f]{7}|#\d+\b)/i;

export const isMergeLine = (text: string): boolean => mergeLine.test(text.trim());

export const isOfOthers = (subject: string): boolean => /^(?:merge\b|fixup!|squash!|amend!)/i.test(subject);

export const titleOf = (source: ArticleSource): string => shorten(wholeTitleOf(source), longestTitle);

export const wholeTitleOf = (source: ArticleSource): string =>
  isMergeLine(source.title) ? titleOfMerge(source) : cleanTitle(mended(source));

/** Some hosts cut off a long title and continue it in the description. */
function mended({ title, body }: ArticleSource): string {
  const cutOff = /(?:…|\.\.\.)\s*$/;
  const rest = cutOff.test(title) ? /^\s*(?:…|\.\.\.)(\S[^\n]*)/.exec(body ?? '')?.[1] : undefined;
  return rest === undefined ? title : title.replace(cutOff, '') + rest.trimEnd();
}

function titleOfMerge({ title, body, commits }: ArticleSource): string {
  const subjects = commits
    .map(({ message }) => message.split('\n', 1)[0] ?? '')
    .filter((subject) => !isOfOthers(subject) && !isWorkStep(subject));
  const [only, ...more] = new Set(subjects);
  if (only !== undefined && more.length === 0) return cleanTitle(only);
  const [first] = parseBlocks(cleanDescription(body))
    .flatMap((block) =>
      block.kind === 'paragraph' || block.kind === 'item' ? [block.text.split('\n', 1)[0] ?? ''] : [],
    )
    .filter((line) => !isOnlyReferences(line));
  if (first) return cleanTitle(first);
  const branch = /from [^/\s]+\/(\S+)/.exec(title)?.[1] ?? /branch(?:es)? ['‘"]([^'’"]+)/.exec(title)?.[1];
  return branch === undefined ? plainText(title) : branch.replace(/[-_/]+/g, ' ');
}
