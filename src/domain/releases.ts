import type { ChangeType } from './articles.ts';
/** Names of tags are not longer, and file systems do not allow more. */
export const refMaxLength = 250;

/** Valid names of refs in git, without any that could be read as an option, a range or a path from another commit. */
const shape = /^(?![-/.])[^\s\p{Cc}\p{Bidi_Control}~^:?*[\\]+(?<![/.])$/u;
const misshapen = /\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^@$/;

export const isRefName = (text: string): boolean =>
  text.length <= refMaxLength && shape.test(text) && !misshapen.test(text);

export const looksLikeSha = (text: string): boolean => /^[0-9a-f]{7,40}$/i.test(text);

export function faultsOf(range: { from: string; to: string }): {
  field: 'from' | 'to';
  is: 'unfit' | 'same';
}[] {
  const unfit = (['from', 'to'] as const).filter((field) => !isRefName(range[field]));
  if (unfit.length === 0 && range.from === range.to) return [{ field: 'to', is: 'same' }];
  return unfit.map((field) => ({ field, is: 'unfit' }));
}

/** The two refs of a range; null if the text is not one. Two and three dots mean the same. */
export function parseRange(text: string): { from: string; to: string } | null {
  const [, from = '', to = ''] = /^(\S+?)\.{2,3}([^\s.]\S*)$/.exec(text) ?? [];
  return isRefName(from) && isRefName(to) ? { from, to } : null;
}

const mostSuggested = 10;

export interface SuggestedRefs {
  names: string[];
  /** The number of further names, and whether it counts all of them. */
  more: number;
  isWhole: boolean;
}

export function suggestRefs(missing: string, known: readonly string[], isWhole = true): SuggestedRefs {
  const wanted = missing.toLowerCase();
  const likeness = (name: string): number => {
    const candidate = name.toLowerCase();
    let same = 0;
    while (same < candidate.length && candidate[same] === wanted[same]) same += 1;
    return candidate.includes(wanted) ? refMaxLength + same : same;
  };
  const names = known
    .map((name, place) => ({ name, place, likeness: likeness(name) }))
    .sort((one, other) => other.likeness - one.likeness || one.place - other.place)
    .slice(0, mostSuggested)
    .map(({ name }) => name);
  return { names, more: known.length - names.length, isWhole };
}

/** The title of a commit: its subject, or for the merge of a pull request the line below, where hosts put the title. */
export function commitTitle({ subject, body }: { subject: string; body: string }): string {
  if (!/^Merge pull request #\d/.test(subject)) return subject;
  return body.trimStart().split('\n', 1)[0]?.trim() || subject;
}

interface WordedCommit {
  sha: string;
  subject: string;
  body: string;
}

export interface Change {
  number: number | null;
  title: string;
  body: string;
  commits: readonly WordedCommit[];
}

export interface Pair<Of extends Change> {
  change: Of;
  other: Of;
}

interface Settled<Of extends Change> {
  kept: Of[];
  reverted: Pair<Of>[];
  backported: Pair<Of>[];
}

/** A reference of a change to commits, pull requests or titles. */
interface Reference {
  shas: string[];
  numbers: number[];
  title: string | null;
  /** Whether naming one of several commits is enough to refer to the whole change. */
  mayBePart: boolean;
}

/** The most references read from a change, because strangers may write any number of them. */
const mostNamed = 20;

/** Sorts out reverted changes with their reverts, and copies of other changes. Changes come newest first. */
export function settleChanges<Of extends Change>(
  changes: readonly Of[],
  { owner, name }: { owner: string; name: string },
): Settled<Of> {
  const own = `${owner}/${name}`;
  const index = indexChanges(changes);
  const reverted: Pair<Of>[] = [];
  const gone = new Set<Of>();
  for (const [place, change] of changes.entries()) {
    if (gone.has(change)) continue;
    const reference = referenceReverted(change, own);
    if (!reference) continue;
    const { found, isAll } = findChange(
      reference,
      index,
      (one) => one.place > place && !gone.has(one.change),
    );
    for (const target of found) {
      reverted.push({ change: target, other: change });
      gone.add(target);
    }
    if (isAll) gone.add(change);
  }
  const left = changes.filter((change) => !gone.has(change));
  const backported: Pair<Of>[] = [];
  for (const change of left) {
    const reference = copiedBy(change, own);
    if (!reference) continue;
    const [original] = findChange(
      reference,
      index,
      (one) => one.change !== change && !gone.has(one.change),
    ).found;
    if (!original) continue;
    backported.push({ change, other: original });
    gone.add(change);
  }
  return { kept: left.filter((change) => !gone.has(change)), reverted, backported };
}

interface Placed<Of extends Change> {
  change: Of;
  place: number;
}

interface Index<Of extends Change> {
  byNumber: Map<number | null, Placed<Of>[]>;
  byCommit: Map<string, (Placed<Of> & { sha: string })[]>;
  byTitle: Map<string, Placed<Of>[]>;
}

/** Messages name commits by at least seven digits. */
const beginning = (sha: string): string => sha.slice(0, 7);

function indexChanges<Of extends Change>(changes: readonly Of[]): Index<Of> {
  const placed = changes.map((change, place) => ({ change, place }));
  const commits = placed.flatMap((one) => one.change.commits.map(({ sha }) => ({ ...one, sha })));
  return {
    byNumber: Map.groupBy(placed, ({ change }) => change.number),
    byCommit: Map.groupBy(commits, ({ sha }) => beginning(sha)),
    byTitle: Map.groupBy(placed, ({ change }) => plainTitle(change.title)),
  };
}

function findChange<Of extends Change>(
  { shas, numbers, title, mayBePart }: Reference,
  { byNumber, byCommit, byTitle }: Index<Of>,
  isAmong: (one: Placed<Of>) => boolean,
): { found: Of[]; isAll: boolean } {
  const numbered = numbers.slice(0, mostNamed).map((number) => byNumber.get(number)?.find(isAmong)?.change);
  const committed = shas.slice(0, mostNamed).map((sha) => {
    const having = byCommit.get(beginning(sha))?.find((one) => one.sha.startsWith(sha) && isAmong(one));
    const isMeant =
      having && (mayBePart || numbered.includes(having.change) || isWholeCommit(having.change, shas));
    return isMeant ? having.change : undefined;
  });
  const found = [...new Set([...numbered, ...committed].filter((one) => one !== undefined))];
  // A change that names one commit and one pull request refers to the same thing twice.
  const isAll =
    Math.max(shas.length, numbers.length) <= mostNamed &&
    [numbered, committed].every((named) => named.length <= 1 || !named.includes(undefined));
  if (found.length > 0) return { found, isAll };
  if (title === null || shas.length + numbers.length > 0) return { found: [], isAll: false };
  const titled = byTitle.get(plainTitle(title))?.find(isAmong);
  return { found: titled ? [titled.change] : [], isAll: titled !== undefined };
}

function isWholeCommit({ commits: [first, ...others] }: Change, shas: readonly string[]): boolean {
  const isNamed = (commit: WordedCommit | undefined) =>
    commit !== undefined && shas.some((sha) => commit.sha.startsWith(sha));
  return isNamed(first) || (others.length > 0 && others.every(isNamed));
}

/** For a merge of a single commit, the texts of both, because the merge often has only the title. */
function messagesOf({ body, commits }: Change): string[] {
  const [, only, ...more] = commits;
  return only && more.length === 0 ? [body, only.body] : [body];
}

const revertedNumbers = /^(?:Reverts|This reverts merge request) ([\w.-]+(?:\/[\w.-]+)+)?[#!](\d{1,15})\b/gim;
const quoted = /^(?:Revert|Reapply) "(.+)"/;

const mostRevertedRead = 2;

/**
 * The pull requests and commits of its repository that a pull request says it reverts; of many, only the first ones.
 */
export function revertedBy(
  { title, body }: { title: string; body?: string | null },
  { owner, name }: { owner: string; name: string },
): { numbers: number[]; shas: string[] } {
  const change = { number: null, title, body: body ?? '', commits: [] };
  const { numbers = [], shas = [] } = referenceReverted(change, `${owner}/${name}`) ?? {};
  return { numbers: numbers.slice(0, mostRevertedRead), shas: shas.slice(0, mostRevertedRead) };
}

/** Null for a change that reverts nothing. Reverts say so at the beginning; further below, other texts are quoted. */
function referenceReverted(change: Change, own: string): Reference | null {
  const texts = messagesOf(change).map((text) => text.trim());
  const said = texts.filter((text) => /^(?:This reverts (?:commits?|merge request) |Reverts )/i.test(text));
  const [, title = null] = quoted.exec(withoutNumber(change.title)) ?? [];
  if (said.length === 0 && title === null) return null;
  const searched = title === null ? said : [...said, ...texts];
  const shas = searched.flatMap((text) => allMatches(text, /\bThis reverts commit ([0-9a-f]{7,40})\b/g));
  const { numbers, isElsewhere } = referencedNumbers(said, revertedNumbers, own);
  // A change that is applied again reverts its revert.
  const isAgain = /^Reapply /.test(change.title);
  const inTitle = title === null || isAgain ? null : endNumber(title);
  return {
    shas: [...new Set(shas)],
    numbers: [...new Set([...numbers, ...(inTitle ? [inTitle] : [])])],
    title: isElsewhere ? null : title && isAgain ? `Revert "${title}"` : title,
    mayBePart: false,
  };
}

const copyMark =
  /^\[(?:backport|cherry[- ]?pick)[^\]]{0,60}\]:?\s*|^(?:backport|cherry[- ]?pick)(?:ed)?(?: [\w.-]{1,30})?:\s*/i;

function copiedBy(change: Change, own: string): Reference | null {
  const title = withoutNumber(change.title);
  const texts = [...new Set([...messagesOf(change), change.commits[0]?.body ?? ''])];
  const shas = texts.flatMap((text) => allMatches(text, /\(cherry picked from commit ([0-9a-f]{7,40})\)/g));
  const said = referencedNumbers(
    // Few texts contain the word, which is found faster than the sentence.
    texts.filter((text) => /back-?port/i.test(text)),
    /^[ \t]{0,8}(?:This is an automatic )?Back-?ports?(?: of| for)?(?: (?:pull|merge) request)? ([\w.-]+(?:\/[\w.-]+)+)?[#!](\d{1,15})\b/gim,
    own,
  );
  const inBrackets = allMatches(title, /\(back-?port (?:of )?#(\d{1,15})\)/gi).map(Number);
  const numbers = [...said.numbers, ...inBrackets];
  const rest = title.replace(copyMark, '');
  const isMarked = rest !== title;
  if (shas.length + numbers.length === 0 && !isMarked) return null;
  const inTitle = isMarked ? endNumber(rest) : null;
  return {
    shas: [...new Set(shas)],
    numbers: [...new Set([...numbers, ...(inTitle ? [inTitle] : [])])],
    title: isMarked && !said.isElsewhere ? rest : null,
    mayBePart: true,
  };
}

const allMatches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern).take(mostNamed + 1)].flatMap(([, found]) => found ?? []);

/** The pull request numbers of this repository that texts name, and whether they name another repository. */
function referencedNumbers(
  texts: readonly string[],
  pattern: RegExp,
  own: string,
): { numbers: number[]; isElsewhere: boolean } {
  const named = texts.flatMap((text) => [...text.matchAll(pattern).take(mostNamed + 1)]);
  const ours = named.filter(([, of = own]) => of.toLowerCase() === own.toLowerCase());
  return { numbers: ours.map(([, , number]) => Number(number)), isElsewhere: ours.length < named.length };
}

const endNumber = (title: string): number | null =>
  Number(/\(#([1-9]\d{0,14})\)$/.exec(title)?.[1] ?? 0) || null;

const withoutNumber = (title: string): string => title.replace(/ ?\(#\d{1,15}\)$/, '');

/** A title without what copies add to it: numbers at its end and a prefix in brackets. */
export const plainTitle = (title: string): string =>
  title
    .replace(/(?: ?\(#\d{1,15}\)){1,3}$/, '')
    .replace(/^\[[^\]]{1,60}\]:?\s*/, '')
    .replace(copyMark, '')
    .trim()
    .toLowerCase();

export function saysBreaking({ title, body, commits }: Change): boolean {
  const subjects = [title, ...commits.map(({ subject }) => subject)];
  const bodies = [body, ...commits.map((commit) => commit.body)];
  return (
    subjects.some((subject) => /^[a-z]{2,20}(?:\([^()]{1,80}\))?!:/i.test(subject)) ||
    bodies.some((text) => /^BREAKING[ -]CHANGE(?:S)?:/m.test(text))
  );
}

const groupedNumber = (count: number): string => count.toLocaleString('en');
const countedNoun =
  (one: string, several = `${one}s`) =>
  (count: number): string =>
    `${groupedNumber(count)} ${count === 1 ? one : several}`;

export type ReleaseWords = typeof english;

const english = {
  breaking: 'Breaking',
  types: {
    FEAT: 'New',
    FIX: 'Fixed',
    PERF: 'Faster',
    REFACTOR: 'Reworked',
    DOCS: 'Documentation',
    TEST: 'Tests',
    BUILD: 'Builds and dependencies',
    CHORE: 'Upkeep',
  } satisfies Record<ChangeType, string>,
  other: 'Other',
  since: (from: string) => `since ${from}`,
  pullRequests: countedNoun('pull request'),
  commits: 'Commits without a pull request',
  automatic: countedNoun('dependency or bot update', 'dependency and bot updates'),
  reverted: countedNoun('change reverted within this range', 'changes reverted within this range'),
  backported: countedNoun('copy of a change above', 'copies of changes above'),
  revertedBy: 'Reverted by ',
  copyOf: 'Copy of ',
  contributors: 'Contributors',
  newcomers: 'First contribution: ',
  fullChangelog: 'Full changelog',
  nothing: 'No pull requests were merged between these versions.',
  more: (count: number) => `${groupedNumber(count)} more`,
  partly: ({ read, total }: { read: number; total: number }) =>
    `Only the newest ${groupedNumber(read)} of ${groupedNumber(total)} commits were read. Choose a shorter range to see all.`,
  behind: ({ count, from }: { count: number; from: string }) =>
    `${from} is on another branch: it has ${countedNoun('commit')(count)} that this version does not have.`,
  backwards: ({ from, to }: { from: string; to: string }) =>
    `${from} comes after ${to} and contains all of its commits. Enter the older one first.`,
  shallow:
    'The clone lacks older history: more may have changed. Run git fetch --unshallow in it to see all.',
};

const japanese: ReleaseWords = {
  breaking: '互換性に影響',
  types: {
    FEAT: '新機能',
    FIX: '修正',
    PERF: '性能',
    REFACTOR: 'リファクタリング',
    DOCS: 'ドキュメント',
    TEST: 'テスト',
    BUILD: 'ビルドと依存関係',
    CHORE: 'メンテナンス',
  },
  other: '未分類',
  since: (from) => `${from} からの変更`,
  pullRequests: (count) => `プルリクエスト ${groupedNumber(count)} 件`,
  commits: 'プルリクエストのないコミット',
  automatic: (count) => `依存関係とボットによる更新 ${groupedNumber(count)} 件`,
  reverted: (count) => `この間に取り消された変更 ${groupedNumber(count)} 件`,
  backported: (count) => `上記の変更のバックポート ${groupedNumber(count)} 件`,
  revertedBy: 'リバート：',
  copyOf: '元の変更：',
  contributors: 'コントリビューター',
  newcomers: '初めての貢献：',
  fullChangelog: 'すべての変更',
  nothing: 'この間にマージされたプルリクエストはありません。',
  more: (count) => `ほか ${groupedNumber(count)} 件`,
  partly: ({ read, total }) =>
    `${groupedNumber(total)} 件のコミットのうち、新しい ${groupedNumber(read)} 件だけを読み取りました。すべて表示するには範囲を狭めてください。`,
  behind: ({ count, from }) =>
    `${from} は別のブランチにあり、比較先にないコミットが ${groupedNumber(count)} 件あります。`,
  backwards: ({ from, to }) =>
    `${from} は ${to} より新しく、そのすべてを含んでいます。古いほうを比較元に指定してください。`,
  shallow:
    'クローンに古い履歴がないため、変更はほかにもある可能性があります。クローンで git fetch --unshallow を実行すると、すべて表示できます。',
};

export const groupName = (
  words: ReleaseWords,
  { breaking, changeType }: { breaking: boolean; changeType: ChangeType | null },
): string => {
  if (breaking) return words.breaking;
  return changeType === null ? words.other : words.types[changeType];
};

export const releaseWordsFor = (languageCode: string): ReleaseWords =>
  languageCode === 'ja' ? japanese : english;

interface Ends {
  commits: { total: number; read: number; behind: number; shallow: boolean };
  from: string;
  to: string;
}

export const isBackwards = ({ commits: { total, behind } }: Pick<Ends, 'commits'>): boolean =>
  behind > 0 && total === 0;

export function notesOnRelease(words: ReleaseWords, { commits, from, to }: Ends): string[] {
  const { total, read, behind, shallow } = commits;
  return [
    ...(read < total ? [words.partly({ read, total })] : []),
    ...(behind > 0 && total > 0 ? [words.behind({ count: behind, from })] : []),
    ...(isBackwards({ commits }) ? [words.backwards({ from, to })] : []),
    ...(shallow ? [words.shallow] : []),
  ];
}
