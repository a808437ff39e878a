import type { ChangeType } from '../../domain/change-types.ts';
import type { Facts, FileFacts, SymbolChange } from '../../reading/facts.ts';
import type { SpokenWords } from '../draft.ts';
import { plainText, scriptOf } from '../plain-text.ts';
import type { ArticleSource } from './article-source.ts';
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
const longestScope = 20;

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
const saysNothing =
  /^(?:deps|deps-dev|dependencies|release|all|misc|core|ci|build|docs?|documentation|tests?|types|lint|src|main)$/i;

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
    prefix: prefixes.find(([pattern]) => pattern.test(word))?.[1] ?? null,
    script: scriptOf(text),
  };
}

/** What stands before a colon is a part of the code, or the beginning of a sentence. */
const isScope = (text: string): boolean =>
  text !== '' &&
  text.length <= longestScope &&
  !/^(?:add|change|clarify|clean|correct|fix|improve|make|remove|rename|replace|update|use)\w*\s/i.test(text);

/** Whether a title names the part that it is about by itself. */
function isSaid(scope: string, text: string): boolean {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const parts = scope.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return text.toLowerCase().includes(scope.toLowerCase()) || parts.every((part) => words.has(part));
}

/** What a code host or git made out of the name of a branch. */
const branchNames = [
  /^merge (?:branch|remote|tag|pull)\b/i,
  /^patch[- ]?\d+$/i,
  /^[\w.-]+\/[\w./-]+$/,
  /^(?:[A-Z]?[a-z]{1,2}|(?:feat(?:ure)?|fix|bug(?:fix)?|hotfix|chore|docs?|dev|user|topic|refactor|test|release)s?)\/[\w-]+(?:\s|$)/,
  /^(?:Feat(?:ure)?|Fix|Bug(?:fix)?|Hotfix|Chore|Docs?|Dev|User|Topic|Refactor|Test|Release)s?\/[\w-]+(?:\s|$)/,
  /^\w+(?:-\w+){2,}$/,
  /^[a-z\d]+(?:_[a-z\d]+){2,}$/,
];

/** Whether somebody who reads a title knows more than before. */
export function isTelling(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (branchNames.some((pattern) => pattern.test(text))) return false;
  // A version by itself is what a release is called.
  if (/^v?\d+\.\d+[\w.+-]*$/.test(text)) return true;
  if (scriptOf(text) !== 'latin') return text.length >= 4;
  return (
    words.length >= 2 && words.slice(1).some((word) => /[\p{L}\p{N}]{3,}|\d\.\d|^[A-Z]{2,}$/u.test(word))
  );
}

/** The title that somebody gave it; where that one says nothing, that of its first commit that does. */
export function authorTitleOf({ title, author, commits }: ArticleSource): AuthorTitle | null {
  const own = bareTitle(title);
  if (isTelling(own.text)) return { whole: { speaker: author, where: 'title', text: title }, ...own };
  for (const { author: speaker, message } of commits) {
    const subject = message.split('\n')[0] ?? '';
    const whole: SpokenWords = { speaker, where: 'commit', text: subject };
    const bare = bareTitle(subject);
    if (
      isTelling(bare.text) &&
      bare.text.length <= 100 &&
      !/^(?:wip|fixup|squash|update \S+$)/i.test(bare.text)
    )
      return { whole, ...bare };
  }
  return null;
}

/** What can be put into a title from the diff alone; null where there is nothing to name. */
export function titleFactsOf({ changeType, files }: Facts): TitleFacts | null {
  const [first] = files;
  if (!first) return null;
  return dependencyTitle(files) ?? symbolTitle(changeType, files, first) ?? fileTitle(files, first);
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
  if (!best) return null;
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
