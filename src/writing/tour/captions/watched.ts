import type { StatedFact } from '../../draft.ts';
import { comes, goes, within } from './proofs.ts';

interface Watched {
  en: string;
  ja: string;
  proof: (name: string) => StatedFact[];
}

const changes: Watched['proof'] = (name) => [{ relation: 'changes', name }];
const comesInLine: Watched['proof'] = (name) => [comes('line', name)];

/** What deserves a look and is said by naming it. */
export const watched = {
  publicApiRemoved: {
    en: 'No longer there for callers:',
    ja: '呼び出し側から使えなくなった：',
    proof: (name) => [goes('line', name)],
  },
  publicApiChanged: { en: 'Callers meet another signature:', ja: 'シグネチャが変わった：', proof: changes },
  closedToAdditions: { en: 'Can no longer be extended:', ja: '拡張できなくなった：', proof: within },
  openedToAdditions: {
    en: 'May get more cases or be extended:',
    ja: '拡張できるようになった：',
    proof: within,
  },
  schemaMigration: { en: 'The database schema changes:', ja: 'スキーマの変更：', proof: comesInLine },
  settingRemoved: {
    en: 'Settings that are gone:',
    ja: 'なくなった設定：',
    proof: (name) => [goes('commandLineOption', name)],
  },
  fallbackRemoved: { en: 'No fallback any more for', ja: 'フォールバックがなくなった：', proof: changes },
  permissionChanged: { en: 'New permission:', ja: '新しい権限：', proof: comesInLine },
  testSkipped: { en: 'A test is skipped:', ja: 'スキップされるテスト：', proof: comesInLine },
  debugOnlyCheck: {
    en: 'Checked in debug builds only:',
    ja: 'デバッグビルドでのみ検査：',
    proof: comesInLine,
  },
} satisfies Record<string, Watched>;

export type WatchedReason = keyof typeof watched;

export const isWatched = (reason: string): reason is WatchedReason => reason in watched;
