import type { ChangeType } from '../../domain/change-types.ts';
import type { Facts, FileFacts, SymbolChange } from '../../reading/facts.ts';
import { plainText, scriptOf } from '../plain-text.ts';
import type { ArticleSource } from './article-source.ts';
import { beginsWithVerb, isBaseForm } from './languages/english/verbs.ts';
import type { AuthorTitle, TitleFacts } from './outline.ts';

const prefix =
  /^\s*(?:\[[^\]]{1,30}\]\s*)*(?:(?:feat|feature|fix|refactor|docs?|tests?|perf|build|ci|chore|style|revert|deps|release|improvement|bugfix|hotfix|enhancement|security|types|example|misc|cleanup|dx|i18n|ux|ui)\b\s*(?:[([]\s*([^)\]]{1,40}?)\s*[)\]])?\s*!?\s*[:：]\s*(?:\(([^)]{1,40})\)\s*)?(?<=[\s)]))+/i;
/** Whatever the word is: with a scope behind it, it is a prefix. */
const scopedPrefix = /^\s*[A-Za-z]{2,14}\(([^)]{1,40})\)!?:\s+/;
const scopeOnly = /^\s*([A-Za-z][\w./@-]{1,30}(?:(?:,\s?|\s)[\w./-]{1,30}){0,2}):\s+(?=\S)/;
const emojiStart = /^(?:\s*(?::[a-z0-9_+-]+:|\p{Extended_Pictographic}\uFE0F?))+\s*/u;
const number = /\s*\(#\d+\)\s*$/;
const tag = /^(?:\s*\[[^\]]{1,30}\]\s*)+(?=\S)/;

/** A longer one is the beginning of a sentence. */
const longestScope = 24;

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

/** Scopes that name a kind of change once more, or everything. */
const saysNothing = /^(?:deps|deps-dev|dependencies|release|all|misc|core|src|main)$/i;

/** A title without what is for machines: prefix, scope, number, emoji. */
export function bareTitle(title: string): Omit<AuthorTitle, 'whole'> {
  const bare = plainText(title.replace(tag, ''))
    .replace(emojiStart, '')
    .replace(number, '')
    .replace(/^#\d+[\s:,-]+(?=\p{L})/u, '');
  const conventional = prefix.exec(bare) ?? scopedPrefix.exec(bare);
  const rest = conventional ? bare.slice(conventional[0].length) : bare;
  const found = scopeOnly.exec(rest);
  const scoped = isScope(found?.[1] ?? '') ? found : null;
  const text = (scoped ? rest.slice(scoped[0].length) : rest)
    .replace(emojiStart, '')
    .replace(/[\s.。]+$/, '');
  const scope = scoped?.[1] ?? conventional?.[1] ?? conventional?.[2] ?? '';
  const isTold =
    scope !== '' && scope.length <= longestScope && !saysNothing.test(scope) && !isSaid(scope, text);
  const word = conventional?.[0].trim() ?? '';
  return {
    text,
    scope: isTold ? scope : null,
    prefix: saysWrong.test(title) ? 'FIX' : (prefixes.find(([pattern]) => pattern.test(word))?.[1] ?? null),
    script: scriptOf(text),
    isWeak: isWeak(text),
  };
}

/** What stands in brackets before some titles, which then say what was wrong. */
const saysWrong = /^\s*\[(?:regression|bug|bug ?fix|fix|hotfix)\]/i;

/** What stands before a colon is a part of the code, or the beginning of a sentence. */
const isScope = (text: string): boolean =>
  text !== '' &&
  text.length <= longestScope &&
  text.split(/\s+/).length <= 2 &&
  !/^(?:add|change|clarify|clean|correct|fix|improve|make|remove|rename|replace|update|use)\w*\s/i.test(text);

/** Whether a title names the part that it is about by itself. */
function isSaid(scope: string, text: string): boolean {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const parts = scope.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return text.toLowerCase().includes(scope.toLowerCase()) || parts.every((part) => words.has(part));
}

/** What a code host or git made out of the name of a branch. */
const branchNames = [
  /^merg(?:e[sd]?|ing)\b.*\b(?:branch|remote|tag|pull|master|main|trunk|develop|dev|upstream|latest|stable)\b/i,
  /^patch[- ]?\d+$/i,
  /^[\w.-]+\/[\w./-]+$/,
  /^(?:[A-Z]?[a-z]{1,2}|(?:feat(?:ure)?|fix|bug(?:fix)?|hotfix|chore|docs?|dev|user|topic|refactor|test|release)s?)\/[\w-]+(?:\s|$)/,
  /^(?:Feat(?:ure)?|Fix|Bug(?:fix)?|Hotfix|Chore|Docs?|Dev|User|Topic|Refactor|Test|Release)s?\/[\w-]+(?:\s|$)/,
  /^\w+(?:-\w+){2,}$/,
  /^[a-z\d]+(?:_[a-z\d]+){2,}$/,
];

/** What is left of a title that names only an issue: nothing. */
const withoutNumber = (text: string): string =>
  text
    .replace(/\b(?:gh-?)?#?\d+\b/gi, '')
    .replace(
      /\b(?:fix(?:e[sd])?|clos(?:e[sd]?|ing)|resolve[sd]?|issues?|bugs?|pr|ticket|tests?|patch|gh|for|the|and)\b/gi,
      '',
    )
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Titles that name a place, and not what is done there. */
const namesPlace = [
  /^(?:[\w./'`-]+\s+){0,3}(?:improvements?|updates?|changes?|tweaks?|clean-?ups?|fixes|stuff|polish|work|modifications?|enhancements?|refactor(?:ing)?|misc)$/i,
  /^(?:updat|chang|edit|fix|modif|revis|improv|correct)(?:e[sd]?|es|s|y|ied|ing)?\s+(?:the\s+)?(?:\S+\.\w{1,8}|\S*change-?log|\S*readme|docs?|documentation|news|history|tests?|code|ci)(?: file| files)?$/i,
];

/** A name in code marks, and nothing about it. */
const onlyName = /^`[^`]+`$/;

/** Whether a title is so short, or so general, that a reader cannot tell from it what changes. */
function isWeak(text: string): boolean {
  if (onlyName.test(text)) return true;
  if (scriptOf(text) !== 'latin' || text.includes('`') || isVersion(text)) return false;
  const words = text.split(/\s+/).filter((word) => word !== '');
  const mayDo = words.length === 3 && isBaseForm(words[0]?.toLowerCase() ?? '');
  return (
    namesPlace.some((pattern) => pattern.test(text)) || (words.length <= 3 && !mayDo && !beginsWithVerb(text))
  );
}

/** A version by itself is what a release is called. */
export const isVersion = (text: string): boolean => /^v?\d+\.\d+[\w.+-]*$/.test(text);

/** Whether somebody who reads a title knows more than before. */
export function isTelling(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (branchNames.some((pattern) => pattern.test(text))) return false;
  if (isVersion(text) || onlyName.test(text)) return true;
  if (withoutNumber(text) === '') return false;
  if (scriptOf(text) !== 'latin') return text.length >= 4;
  return (
    words.length >= 2 && words.slice(1).some((word) => /[\p{L}\p{N}]{3,}|\d\.\d|^[A-Z]{2,}$/u.test(word))
  );
}

/** Of more commits than these, none speaks for all. */
const mostCommits = 3;

/** The title that somebody gave it; where that one says too little, that of a commit which is about all of it. */
export function authorTitleOf(source: ArticleSource): AuthorTitle | null {
  const { title, author } = source;
  const own = bareTitle(title);
  const isOwn = isTelling(own.text);
  if (isOwn && !own.isWeak) return { whole: { speaker: author, where: 'title', text: title }, ...own };
  const better = commitTitle(source, isOwn);
  return better ?? (isOwn ? { whole: { speaker: author, where: 'title', text: title }, ...own } : null);
}

/** The title of a commit that says more; of several only where the title says nothing at all, and one that says what it does. */
function commitTitle({ commits }: ArticleSource, isSpoken: boolean): AuthorTitle | null {
  if (commits.length > (isSpoken ? 1 : mostCommits)) return null;
  const titles = commits
    .map(({ author: speaker, message }): AuthorTitle => {
      const subject = message.split('\n')[0] ?? '';
      return { whole: { speaker, where: 'commit', text: subject }, ...bareTitle(subject) };
    })
    .filter(
      ({ text, isWeak: isShort }) =>
        isTelling(text) &&
        !isShort &&
        text.length <= longestCommitTitle &&
        !/^(?:wip|fixup|squash|update \S+$)/i.test(text),
    );
  return titles.find(({ text }) => beginsWithVerb(text)) ?? titles[0] ?? null;
}

/** A longer one is cut in a title. */
const longestCommitTitle = 80;

/** What can be put into a title from the diff alone; null where there is nothing to name. */
export function titleFactsOf({ changeType, files }: Facts): TitleFacts | null {
  const [first] = files;
  if (!first) return null;
  // A file that is new says more of a feature than that another one changes.
  const isNew = ({ kind, status }: FileFacts): boolean => kind === 'source' && status === 'added';
  const telling = (changeType === 'FEAT' && files.find(isNew)) || first;
  return dependencyTitle(files) ?? symbolTitle(changeType, files, first) ?? fileTitle(files, telling);
}

function dependencyTitle(files: FileFacts[]): TitleFacts | null {
  const dependencies = files.flatMap((file) => file.dependencies).filter(({ change }) => change !== 'moved');
  const isAboutThem = files.every(
    ({ kind, dependencies: own }) =>
      ['manifest', 'lock', 'vendored', 'generated'].includes(kind) || own.length > 0,
  );
  const [first] = dependencies;
  if (!first || !isAboutThem) return null;
  const { name, change, from, to, evidence } = first;
  const hasMore = dependencies.some((other) => other.name !== name);
  const isWhole = change === 'added' || change === 'removed';
  return {
    action: isWhole ? change : 'upgraded',
    subject: name,
    from,
    to,
    hasMore,
    evidence: [evidence],
    facts: isWhole
      ? [{ relation: change === 'added' ? 'comes' : 'goes', thing: 'dependency', name }]
      : [{ relation: 'version', of: name, from, to }],
  };
}

/** What became of a declaration, from what says most in a title to what says least. */
const telling: SymbolChange['change'][] = ['added', 'renamed', 'removed', 'signatureChanged', 'bodyChanged'];

function symbolTitle(changeType: ChangeType, files: FileFacts[], first: FileFacts): TitleFacts | null {
  if (first.kind !== 'source') return null;
  const rank = ({ change }: SymbolChange): number =>
    changeType === 'FIX' ? -telling.indexOf(change) : telling.indexOf(change);
  const [best] = first.symbols
    .filter(({ change }) => telling.includes(change))
    .sort((one, other) => Number(other.isPublic) - Number(one.isPublic) || rank(one) - rank(other));
  if (!best || isReplacement(best, first)) return null;
  const { change, kind, name, previousName, evidence } = best;
  const hasMore = files.some((file) =>
    file.symbols.some((other) => other.change === change && other.name !== name),
  );
  const about = { subject: name, from: previousName, to: null, hasMore, evidence: [evidence] };
  if (change === 'added')
    return { ...about, action: change, facts: [{ relation: 'comes', thing: kind, name }] };
  if (change === 'removed')
    return { ...about, action: change, facts: [{ relation: 'goes', thing: kind, name }] };
  if (change === 'renamed' && previousName !== null)
    return {
      ...about,
      action: change,
      facts: [{ relation: 'renamed', thing: kind, from: previousName, to: name }],
    };
  return { ...about, action: 'changed', facts: [{ relation: 'within', name }] };
}

/** Whether something comes where another of its kind goes: it may take the place of that, and so neither is the news. */
const isReplacement = ({ kind, change }: SymbolChange, { symbols }: FileFacts): boolean =>
  (change === 'added' || change === 'removed') &&
  symbols.some((other) => other.kind === kind && other.change === (change === 'added' ? 'removed' : 'added'));

function fileTitle(files: FileFacts[], first: FileFacts): TitleFacts {
  const { path, kind, status, place } = first;
  const subject = path.length <= 40 ? path : (path.split('/').at(-1) ?? path);
  const isWhole = status === 'added' || status === 'removed';
  const action =
    kind === 'test' ? 'tested' : isWhole ? status : kind === 'documentation' ? 'documented' : 'changed';
  return {
    action,
    subject,
    from: null,
    to: null,
    hasMore: files.some((file) => file !== first && file.kind === kind),
    evidence: place ? [place] : [],
    facts: isWhole ? [{ relation: 'file', path, status, from: null }] : [],
  };
}
