import type { ChangeType } from '../../../../domain/change-types.ts';
import { shorten } from '../../../plain-text.ts';
import type { AuthorTitle, Outline, TitleFacts } from '../../outline.ts';
import { titleFromEnglish } from './translate-title.ts';
import { code, quote } from './words.ts';

const longestTitle = 80;

/** 日本語の題はそのまま、訳せる形の英語の題は訳し、そうでなければ原題を引いて何の変更かを添える。 */
export function titleInJapanese({ authorTitle, titleFacts, changeType, ownTitle }: Outline): string {
  if (!authorTitle) return fromFacts(titleFacts, changeType) ?? (ownTitle || '空の変更');
  const { text, scope, script, prefix } = authorTitle;
  if (script === 'japanese') return text;
  const translated = script === 'latin' ? titleFromEnglish(text) : null;
  if (translated !== null) {
    const isUnsaid = prefix === 'FIX' && !/修正|訂正|防止|回避|解決/.test(translated);
    return withNotes(translated, [scope, isUnsaid ? '修正' : null]);
  }
  const frame = frameOf(authorTitle, changeType);
  return withNotes(`${frame}${quote(shorten(text, longestTitle - frame.length - 2))}`, [scope]);
}

/** どの部分かなどを、入りきるときだけ添える。 */
function withNotes(title: string, notes: (string | null)[]): string {
  const told = notes.filter((note) => note !== null);
  const noted = told.length > 0 ? `${title} (${told.join('、')})` : title;
  return [...noted].length <= longestTitle ? noted : title;
}

/** 題の最初の語が言うこと。 */
const frames: [RegExp, string][] = [
  [/^(?:fix(?:e[sd])?|correct(?:s|ed)?|repair|resolve[sd]?|solve[sd]?)\b/i, '修正'],
  [/^(?:add(?:s|ed)?|introduce[sd]?|implement(?:s|ed)?|support(?:s|ed)?|create[sd]?)\b/i, '追加'],
  [/^(?:remove[sd]?|drop(?:s|ped)?|delete[sd]?)\b/i, '削除'],
  [/^(?:update[sd]?|bump(?:s|ed)?|upgrade[sd]?)\b/i, '更新'],
  [/^(?:rename[sd]?|move[sd]?|refactor\w*|simplif\w+|clean\w*|extract\w*|reorganize[sd]?)\b/i, '整理'],
  [/^(?:improve[sd]?|enhance[sd]?)\b/i, '改善'],
  [/^document/i, '文書の変更'],
  [/^revert/i, '差し戻し'],
];

const kinds: Record<ChangeType, string> = {
  FEAT: '機能の追加',
  FIX: '修正',
  REFACTOR: '整理',
  DOCS: '文書の変更',
  TEST: 'テストの変更',
  PERF: '高速化',
  BUILD: 'ビルドの変更',
  CHORE: '変更',
};

/** 推し量った種類のうち、題に添えるほど確かなもの。 */
const certain = new Set<ChangeType>(['DOCS', 'TEST', 'BUILD']);

function frameOf({ text, prefix }: AuthorTitle, changeType: ChangeType): string {
  if (prefix === 'FIX') return kinds.FIX;
  const said = frames.find(([pattern]) => pattern.test(text))?.[1];
  if (said !== undefined) return said;
  return prefix !== null || certain.has(changeType) ? kinds[prefix ?? changeType] : kinds.CHORE;
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
