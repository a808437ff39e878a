import type { ChangeType } from '../../domain/change-types.ts';
import { plainText, scriptOf } from '../plain-text.ts';
import { isBaseForm } from './languages/english/verbs.ts';
import type { AuthorTitle } from './outline.ts';
import { mendTorn } from './shorten-title.ts';
import { isGeneric, isWeak } from './telling-titles.ts';

const prefix =
  /^\s*(?:\[[^\]]{1,30}\]\s*)*(?:(?:feat|feature|fix|refactor|docs?|tests?|perf|build|ci|chore|style|revert|deps|release|improvement|bugfix|hotfix|enhancement|security|types|example|misc|cleanup|dx|i18n|ux|ui)\b(?:\s*[([]\s*([^)\]\s][^)\]]{0,39}?)\s*[)\]])?(?:\s*!)?\s*[:：]\s*(?:\(([^)]{1,40})\)\s*)?(?<=[\s)]))+/i;
/** Whatever the word is: with a scope behind it, it is a prefix. */
const scopedPrefix = /^\s*[A-Za-z]{2,14}\(([^)]{1,40})\)!?:\s+/;
const scopeOnly = /^\s*([A-Za-z][\w./@-]{1,30}(?:(?:,\s?|\s)[\w./-]{1,30}){0,2}):\s+(?=\S)/;
const emojiStart = /^(?:\s*(?::[a-z0-9_+-]+:|\p{Extended_Pictographic}\uFE0F?))+\s*/u;
const number = /(?<!\s)\s*\(#\d+\)\s*$/;
const tag = /^\s*(?:\[[^\]]{1,30}\][\s:]*)+(?=\S)/;
/** A ticket, or a kind of change, in round brackets. */
const ticket = /^\s*\((?:#\d+|[A-Z][A-Z\d]+-\d+)\)[\s:-]*(?=\S)/;
const kind =
  /^\s*\((?:maint(?:enance)?|packaging|docs?|tests?|chore|ci|bug(?:fix)?|fix|feat(?:ure)?|refactor|perf|gh-?\d+)\)[\s:-]*(?=\S)/i;
/** A repository is called by its name, and what is asked of it by its number; other addresses are left out. */
const repository =
  /\bhttps:\/\/git(?:hub|lab)\.com\/([\w.-]{1,80}\/[\w.-]{1,80})(?:\/(?:-\/)?(?:pull|issues|merge_requests)\/(\d{1,9}))?(?=[\s,)]|$)/g;
const nameOf = (_: string, name: string, number?: string): string =>
  number === undefined ? name : `${name}#${number}`;
const forMachines = /(?<!\s)\s*\[(?:ci skip|skip ci|no ci|skip actions)\]/gi;
/** Which issues it closes is told by itself. */
const opening =
  /^(fix(?:e[sd])?|close[sd]?|resolve[sd]?)(?: for)?:?(?: issues?| bugs?)?(?:[\s,&]+(?:and )?#\d+){1,5}\s*[:,–-]\s*(?=\S)/i;
const closing =
  /(?<=[\p{L}\p{N}`)"'])[\s,;.:(–-]+(?:(?:and )?(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see):?\s+(?:issues?\s+)?(?:#|gh-)\d+(?:(?:,|,? and|\s?&)?\s*(?:#|gh-)\d+)*[\s.)]*)+$/iu;

/** A longer one is the beginning of a sentence. */
const longestScope = 32;

/** What a prefix says that a change is. */
const prefixes: [RegExp, ChangeType][] = [
  [/^(?:fix|bugfix|hotfix)/i, 'FIX'],
  [/^(?:feat|enhancement)/i, 'FEAT'],
  [/^(?:refactor|cleanup)/i, 'REFACTOR'],
  [/^doc/i, 'DOCS'],
  [/^test/i, 'TEST'],
  [/^perf/i, 'PERF'],
  [/^(?:build|ci)/i, 'BUILD'],
];

/** Scopes that name a kind of change once more, or everything, or a ticket. */
const saysNothing = /^(?:deps|deps-dev|dependencies|release|all|misc|core|src|main|[A-Z]{2,}\d*-\d{3,})$/i;

/** Whose branch it was, where a code host made a title out of its name. */
const branchOwner = /^[A-Z][a-z\d-]+\/([a-z]+)(?=\s)/;

/** A title without what is for machines: prefix, scope, number, emoji. */
export function bareTitle(title: string): Omit<AuthorTitle, 'whole'> {
  const bare = plainText(
    title.replace(tag, '').replace(ticket, '').replace(kind, '').replace(repository, nameOf),
  )
    .replace(emojiStart, '')
    .replace(number, '')
    .replace(closing, '')
    .replace(forMachines, '')
    .replace(opening, '')
    .replace(/^(?:#\d+[\s:,-]+|\d{3,}:\s+)(?=\p{L})/u, '')
    .replace(branchOwner, (whole, verb: string) => (isBaseForm(verb) ? verb : whole));
  const conventional = prefix.exec(bare) ?? scopedPrefix.exec(bare);
  const rest = conventional ? bare.slice(conventional[0].length) : bare;
  const found = scopeOnly.exec(rest);
  const scoped = isScope(found?.[1] ?? '') ? found : null;
  const said = mendTorn(
    (scoped ? rest.slice(scoped[0].length) : rest)
      .replace(emojiStart, '')
      .replace(/(?<![\s.。])[\s.。]+$/, ''),
  );
  const scope = scoped?.[1] ?? conventional?.[1] ?? conventional?.[2] ?? '';
  const isTold =
    scope !== '' && scope.length <= longestScope && !saysNothing.test(scope) && !isSaid(scope, said);
  const deed = isTold ? deeds.find(([pattern]) => pattern.test(said))?.[1] : undefined;
  const text = deed === undefined ? said : `${deed} ${scope}`;
  const word = conventional?.[0].trim() ?? '';
  return {
    text,
    scope: isTold && deed === undefined ? scope : null,
    prefix:
      saysWrong.test(title) || opening.exec(title)?.[1]?.match(/^[fr]/i)
        ? 'FIX'
        : (prefixes.find(([pattern]) => pattern.test(word))?.[1] ?? null),
    script: scriptOf(text),
    isWeak: deed !== undefined || isWeak(text),
    isGeneric: isGeneric(text),
  };
}

/** What is done by itself is done to what stands before it: "router: cleanup". */
const deeds: [RegExp, string][] = [
  [/^updates?$/i, 'update'],
  [/^clean(?:-| )?ups?$/i, 'clean up'],
  [/^(?:bug ?)?fix(?:es)?$/i, 'fix'],
  [/^refactor(?:ing|s)?$/i, 'refactor'],
  [/^improve(?:ments?)?$/i, 'improve'],
  [/^tweaks?$/i, 'tweak'],
  [/^changes?$/i, 'change'],
  [/^rework$/i, 'rework'],
  [/^rewrite$/i, 'rewrite'],
];

/** What stands in brackets before some titles, which then say what was wrong. */
const saysWrong = /^\s*[[(](?:regression|bug|bug ?fix|fix|hotfix)[\])]/i;

/** What stands before a colon is a part of the code, or the beginning of a sentence. */
const isScope = (text: string): boolean =>
  text !== '' &&
  text.length <= longestScope &&
  text.split(/\s+/).length <= 2 &&
  !/^(?:add|change|clarify|clean|correct|fix|improve|make|remove|rename|replace|update|use)\w*\s/i.test(text);

/** So short a name stands in other words by chance. */
const shortScope = 3;

/** Whether a title names the part that it is about by itself. */
function isSaid(scope: string, text: string): boolean {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const parts = scope.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const isPart = scope.length > shortScope && text.toLowerCase().includes(scope.toLowerCase());
  return isPart || parts.every((part) => words.has(part));
}
