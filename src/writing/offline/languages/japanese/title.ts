import type { ChangeType } from '../../../../domain/change-types.ts';
import { shorten } from '../../../plain-text.ts';
import type { Outline, TitleFacts } from '../../outline.ts';
import { titleFromEnglish } from './translate-title.ts';
import { code, quote } from './words.ts';

const longestTitle = 80;

/** 日本語の題はそのまま、訳せる形の英語の題は訳し、そうでなければ原題を引いて何の変更かを添える。 */
export function titleInJapanese({ authorTitle, titleFacts, changeType, ownTitle }: Outline): string {
  if (!authorTitle) return fromFacts(titleFacts, changeType) ?? (ownTitle || '空の変更');
  const { text, scope, script } = authorTitle;
  if (script === 'japanese') return text;
  const translated = script === 'latin' ? titleFromEnglish(text) : null;
  if (translated !== null && translated.length <= longestTitle)
    return scope === null ? translated : `${scope}: ${translated}`;
  const frame = `${scope === null ? '' : `${scope} の`}${frameOf(authorTitle, changeType)}`;
  return `${frame}${quote(shorten(text, longestTitle - frame.length - 2))}`;
}

/** 題の最初の語が言うこと。 */
const frames: [RegExp, string][] = [
  [/^(?:fix(?:e[sd])?|correct(?:s|ed)?|repair|resolve[sd]?|solve[sd]?)\b/i, '修正'],
  [/^(?:add(?:s|ed)?|introduce[sd]?|implement(?:s|ed)?|support(?:s|ed)?|create[sd]?)\b/i, '追加'],
  [/^(?:remove[sd]?|drop(?:s|ped)?|delete[sd]?)\b/i, '削除'],
  [/^(?:update[sd]?|bump(?:s|ed)?|upgrade[sd]?)\b/i, '更新'],
  [/^(?:rename[sd]?|move[sd]?|refactor\w*|simplif\w+|clean\w*|extract\w*|reorganize[sd]?)\b/i, '整理'],
  [/^(?:improve[sd]?|enhance[sd]?)\b/i, '改善'],
  [/^revert/i, '差し戻し'],
];

const kinds: Record<ChangeType, string> = {
  FEAT: '機能の変更',
  FIX: '不具合の修正',
  REFACTOR: '構造の整理',
  DOCS: '文書の改訂',
  TEST: 'テストの変更',
  PERF: '高速化',
  BUILD: 'ビルドの変更',
  CHORE: '保守の変更',
};

function frameOf({ text, isFix }: { text: string; isFix: boolean }, changeType: ChangeType): string {
  if (isFix) return '修正';
  return frames.find(([pattern]) => pattern.test(text))?.[1] ?? kinds[changeType];
}

function fromFacts(facts: TitleFacts | null, changeType: ChangeType): string | null {
  if (!facts) return null;
  const { action, from, to, hasMore } = facts;
  const what = `${code(facts.subject)} ${hasMore ? 'など' : ''}`;
  if (action === 'upgraded')
    return from && to && !hasMore ? `${what}を ${from} から ${to} に更新` : `${what}を更新`;
  if (action === 'added') return `${what}を追加`;
  if (action === 'removed') return `${what}を削除`;
  if (action === 'renamed') return `${code(from ?? '')} を ${code(facts.subject)} に改名`;
  if (action === 'tested') return `${what}のテストを変更`;
  if (action === 'documented') return `${what}を改訂`;
  return `${what}を${changeType === 'FIX' ? '修正' : '変更'}`;
}
