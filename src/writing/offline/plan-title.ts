import type { ChangeType } from '../../domain/change-types.ts';
import type { Facts, FileFacts } from '../../reading/facts.ts';
import { plainText, scriptOf } from '../plain-text.ts';
import type { Outline, TitleFacts } from './outline.ts';

const prefix =
  /^\s*(?:\[[^\]]{1,30}\]\s*)*(?:(?:feat|feature|fix|refactor|docs?|tests?|perf|build|ci|chore|style|revert|deps|release|improvement|bugfix|hotfix|enhancement|security|types|example|misc|cleanup|dx|i18n|ux|ui)\b\s*(?:[([]\s*([^)\]]{1,40}?)\s*[)\]])?\s*!?\s*[:：]\s*(?:\(([^)]{1,40})\)\s*)?(?<=[\s)]))+/i;
/** Whatever the word is: with a scope behind it, it is a prefix. */
const scopedPrefix = /^\s*[A-Za-z]{2,14}\(([^)]{1,40})\)!?:\s+/;
const scopeOnly = /^\s*([A-Za-z][\w./@-]{1,30}(?:(?:,\s?|\s)[\w./-]{1,30}){0,2}):\s+(?=\S)/;
const emojiStart = /^(?:\s*(?::[a-z0-9_+-]+:|\p{Extended_Pictographic}\uFE0F?))+\s*/u;
const number = /\s*(?:\(#\d+\)|#\d+)\s*$/;

/** Scopes that name a kind of change once more, or everything. */
const saysNothing =
  /^(?:deps|deps-dev|dependencies|release|all|misc|core|ci|build|docs?|documentation|tests?|types|lint|src|main)$/i;

/** The author's title without what is for machines: prefix, scope, number, emoji. */
export function bareTitle(title: string): Omit<Outline['authorTitle'], 'whole'> {
  const bare = plainText(title).replace(emojiStart, '').replace(number, '').replace(number, '');
  const conventional = prefix.exec(bare) ?? scopedPrefix.exec(bare);
  const rest = conventional ? bare.slice(conventional[0].length) : bare;
  const scoped = scopeOnly.exec(rest);
  const text = (scoped ? rest.slice(scoped[0].length) : rest)
    .replace(emojiStart, '')
    .replace(/[\s.。]+$/, '');
  const scope = scoped?.[1] ?? conventional?.[1] ?? conventional?.[2] ?? '';
  const isTelling = scope !== '' && scope.length <= 20 && !saysNothing.test(scope);
  return { text, scope: isTelling ? scope : null, script: scriptOf(text) };
}

/** What can be put into a title from the diff alone; null where there is nothing to name. */
export function titleFactsOf({ changeType, files }: Facts): TitleFacts | null {
  const [first] = files;
  if (!first) return null;
  return (
    dependencyTitle(changeType, files) ??
    symbolTitle(changeType, files, first) ??
    fileTitle(changeType, files, first)
  );
}

function dependencyTitle(changeType: ChangeType, files: FileFacts[]): TitleFacts | null {
  const dependencies = files.flatMap((file) => file.dependencies);
  const isAboutThem = files.every(
    ({ kind, dependencies: own }) =>
      ['manifest', 'lock', 'vendored', 'generated'].includes(kind) || own.length > 0,
  );
  const [first] = dependencies;
  if (!first || !isAboutThem) return null;
  const names = new Set(dependencies.map(({ name }) => name));
  const action = first.change === 'added' || first.change === 'removed' ? first.change : 'upgraded';
  return {
    changeType,
    action,
    subject: first.name,
    from: first.from,
    to: first.to,
    hasMore: names.size > 1,
    evidence: [first.evidence],
  };
}

function symbolTitle(changeType: ChangeType, files: FileFacts[], first: FileFacts): TitleFacts | null {
  if (first.kind !== 'source') return null;
  const symbols = files.filter(({ kind }) => kind === 'source').flatMap((file) => file.symbols);
  const own = first.symbols;
  const rank = {
    added: 4,
    renamed: 3,
    removed: 3,
    signatureChanged: 2,
    moved: 1,
    wrapped: 1,
    bodyChanged: 1,
  };
  const wanted = changeType === 'FEAT' ? 'added' : null;
  const [best] = [...own].sort(
    (one, other) =>
      Number(other.change === wanted) - Number(one.change === wanted) ||
      Number(other.isPublic) - Number(one.isPublic) ||
      (changeType === 'FIX' ? rank[one.change] - rank[other.change] : rank[other.change] - rank[one.change]),
  );
  if (!best) return null;
  const same = new Set(symbols.filter(({ change }) => change === best.change).map(({ name }) => name));
  const action =
    best.change === 'added' || best.change === 'removed' || best.change === 'renamed'
      ? best.change
      : 'changed';
  return {
    changeType,
    action,
    subject: best.name,
    from: best.previousName,
    to: null,
    hasMore: same.size > 1,
    evidence: [best.evidence],
  };
}

function fileTitle(changeType: ChangeType, files: FileFacts[], first: FileFacts): TitleFacts {
  const subject = first.path.length <= 40 ? first.path : (first.path.split('/').at(-1) ?? first.path);
  const status = first.status === 'added' || first.status === 'removed' ? first.status : 'changed';
  const action =
    first.kind === 'test'
      ? 'tested'
      : first.kind === 'documentation' && status === 'changed'
        ? 'documented'
        : status;
  return {
    changeType,
    action,
    subject,
    from: null,
    to: null,
    hasMore: files.filter(({ kind }) => kind === first.kind).length > 1,
    evidence: first.place ? [first.place] : [],
  };
}
