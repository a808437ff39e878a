import type { ChangeType } from './article.ts';

const number = (count: number): string => count.toLocaleString('en');
const counted =
  (one: string, several = `${one}s`) =>
  (count: number): string =>
    `${number(count)} ${count === 1 ? one : several}`;

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
  rest: 'Other changes',
  since: (from: string) => `since ${from}`,
  pullRequests: counted('pull request'),
  withoutPullRequest: counted('commit without a pull request', 'commits without a pull request'),
  reverted: counted('reverted', 'reverted'),
  backported: counted('copy of the same change', 'copies of the same changes'),
  revertedBy: ', reverted by ',
  copyOf: ' is a copy of ',
  nothing: 'No pull requests were merged between these versions.',
  more: (count: number) => `${number(count)} more`,
  partly: ({ read, total }: { read: number; total: number }) =>
    `Only the newest ${number(read)} of ${number(total)} commits were read. Choose a shorter range to see all.`,
  behind: ({ count, from }: { count: number; from: string }) =>
    `${from} is on another branch: it has ${counted('commit')(count)} that this version does not have.`,
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
  rest: 'その他',
  since: (from) => `${from} からの変更`,
  pullRequests: (count) => `プルリクエスト ${number(count)} 件`,
  withoutPullRequest: (count) => `プルリクエストのないコミット ${number(count)} 件`,
  reverted: (count) => `リバート ${number(count)} 件`,
  backported: (count) => `バックポート ${number(count)} 件`,
  revertedBy: '、リバート：',
  copyOf: '、元の変更：',
  nothing: 'この間にマージされたプルリクエストはありません。',
  more: (count) => `ほか ${number(count)} 件`,
  partly: ({ read, total }) =>
    `${number(total)} 件のコミットのうち、新しい ${number(read)} 件だけを読み取りました。すべて表示するには範囲を狭めてください。`,
  behind: ({ count, from }) =>
    `${from} は別のブランチにあり、比較先にないコミットが ${number(count)} 件あります。`,
  backwards: ({ from, to }) =>
    `${from} は ${to} より新しく、そのすべてを含んでいます。古いほうを比較元に指定してください。`,
  shallow:
    'クローンに古い履歴がないため、変更はほかにもある可能性があります。クローンで git fetch --unshallow を実行すると、すべて表示できます。',
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
