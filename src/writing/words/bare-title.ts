import { plainText } from '../plain-text.ts';
import { mendTorn } from './shorten-title.ts';
import { isBaseForm } from './verbs.ts';

const conventional =
  /^\s*(?:\[[^\]]{1,30}\]\s*)*(?:(?:feat|feature|fix|refactor|docs?|tests?|perf|build|ci|chore|style|revert|deps|release|improvement|bug(?: ?fix)?|depr(?:ecate)?|minor|infra|workflow|hotfix|enhancement|security|types|example|misc|cleanup|dx|i18n|ux|ui|breaking(?: change)?)\b(?:\s*[([]\s*([^)\]\s][^)\]]{0,39}?)\s*[)\]])?(?:\s*!)?\s*[:：]\s*(?:\(([^)]{1,40})\)\s*)?(?<=[\s)]|\b(?:feat|fix|docs|chore):(?=\w)))+/i;
/** Whatever the word is: with a scope behind it, it is a prefix. */
const scoped = /^\s*[A-Za-z]{2,14}\(([^)]{1,40})\)!?:\s+/;
const emojiStart = /^(?:\s*(?::[a-z0-9_+-]+:|\p{Extended_Pictographic}\uFE0F?))+\s*/u;
const number = /(?<!\s)\s*\((?:#|gh-)\d+\)\s*$/i;
const tag = /^\s*(?:\[[^\]]{1,30}\]\s*)+(?::\s+)?(?=\S)/;
/** A ticket, in round brackets or before the rest; `UTF-8` is none. */
const ticket =
  /^\s*(?:\((?:#\d+|[A-Z][A-Z\d]+-\d+)\)[\s:-]*|(?:gh|bpo|issue)-\d+:?\s+|(?!(?:UTF|ISO|SHA|RFC|CVE|AES|MD|TLS|HTTP|IEEE)-)[A-Z][A-Z\d]{1,9}-\d{2,}\s*[:–-]?\s+)(?=\S)/;
const kind =
  /^\s*\((?:maint(?:enance)?|packaging|docs?|tests?|chore|ci|bug(?:fix)?|fix|feat(?:ure)?|refactor|perf|gh-?\d+)\)[\s:-]*(?=\S)/i;
/** A repository is called by its name, and what is asked of it by its number; other addresses are left out. */
const repository =
  /\bhttps:\/\/git(?:hub|lab)\.com\/([\w.-]{1,80}\/[\w.-]{1,80})(?:\/(?:-\/)?(?:pull|issues|merge_requests)\/(\d{1,9}))?(?=[\s,)]|$)/g;
const nameOf = (_: string, name: string, issue?: string): string =>
  issue === undefined ? name : `${name}#${issue}`;
const forMachines = /(?<!\s)\s*\[(?:ci skip|skip ci|no ci|skip actions)\]/gi;
/** Which issues it closes is told by itself. */
const opening =
  /^(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)(?: for)?:?(?: issues?| bugs?)?(?:[\s,&]+(?:and )?#\d+){1,5}\s*[:,–-]\s*(?=\S)/i;
const closing =
  /(?<=[\p{L}\p{N}`)"'])[\s,;.:(–-]+(?:(?:and )?(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see):?\s+(?:issues?\s+)?(?:#|gh-)\d+(?:(?:,|,? and|\s?&)?\s*(?:#|gh-)\d+)*[\s.)]*)+$/iu;
/** Whose branch it was, where a code host made a title out of its name. */
const branchOwner = /^[A-Z][a-z\d-]+\/([a-z]+)(?=\s)/;

/** What Conventional Commits and others put into a title that breaks what others rely on: `feat!:`, `[BREAKING]`. */
const breakingMark =
  /^\s*(?:\[breaking[^\]]{0,20}\]|[a-z]{2,20}(?:\([^()]{1,40}\))?!:|breaking(?: change)?(?:\([^()]{1,40}\))?:)\s*\S/i;

export const saysBreaking = (title: string): boolean => breakingMark.test(title);

interface BareTitle {
  text: string;
  /** What a Conventional prefix says that it concerns. */
  scope: string | null;
  /** The Conventional prefix as it is written; empty where there is none. */
  prefix: string;
}

/** A title without what is for machines: prefix, scope, tags, number, emoji. */
export function bareTitle(title: string): BareTitle {
  const bare = plainText(
    title
      .replace(emojiStart, '')
      .replace(tag, '')
      .replace(ticket, '')
      .replace(kind, '')
      .replace(repository, nameOf),
  )
    .replace(emojiStart, '')
    .replace(number, '')
    .replace(closing, '')
    .replace(forMachines, '')
    .replace(opening, '')
    .replace(/^(?:#\d+[\s:,-]+|\d{3,}:\s+)(?=\p{L})/u, '')
    .replace(branchOwner, (whole, verb: string) =>
      isBaseForm(verb) && !isBaseForm(whole.split('/')[0]?.toLowerCase() ?? '') ? verb : whole,
    );
  const found = conventional.exec(bare) ?? scoped.exec(bare);
  const rest = (found ? bare.slice(found[0].length) : bare)
    .replace(emojiStart, '')
    .replace(/(?<![\s.。])[\s.。]+$/, '');
  return {
    text: mendTorn(rest),
    scope: found?.[1] ?? found?.[2] ?? null,
    prefix: found?.[0].trim() ?? '',
  };
}
