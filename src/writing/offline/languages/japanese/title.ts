import { longestTitle } from '../../../draft.ts';
import { scriptOf } from '../../../plain-text.ts';
import { shortenTitle } from '../../../words/shorten-title.ts';
import { isVersion } from '../../../words/telling-titles.ts';
import { noteBehind } from '../../note-behind.ts';
import type { Outline, TitleFacts } from '../../outline.ts';
import { titleFromEnglish } from './translate-title.ts';
import { code } from './words.ts';

/** 日本語の題はそのまま、訳せる形の英語の題は訳し、そうでなければ作者の題を引用する。 */
export function titleInJapanese({ authorTitle, titleFacts, unsaidKind, ownTitle }: Outline): string {
  if (!authorTitle) return fromFacts(titleFacts) ?? inOwnWords(ownTitle);
  const { text, scope, script, prefix } = authorTitle;
  const kind = unsaidKind && kinds[unsaidKind];
  if (script === 'japanese') return `${text}${noteBehind(text, [], kind, '、')}`;
  const translated = script === 'latin' ? titleFromEnglish(text) : null;
  // Without the word before it, the title of a fix can read as what is wrong.
  const isUnsaid = prefix === 'FIX' && !/修正|訂正|防止|回避|解決|fix/i.test(translated ?? text);
  const isNew = prefix === 'FEAT' && translated === null;
  const whole = isVersion(text) ? `バージョン ${text}` : translated;
  const note = noteBehind(whole ?? `「${text}」`, [scope, isUnsaid && '修正', isNew && '新機能'], kind, '、');
  return `${whole ?? `「${shortenTitle(text, longestTitle - note.length - 2)}」`}${note}`;
}

const inOwnWords = (title: string): string =>
  title === ''
    ? '空の変更'
    : scriptOf(title) === 'japanese'
      ? title
      : `「${shortenTitle(title, longestTitle - 2)}」`;

const kinds = { documentation: 'ドキュメント', test: 'テスト' };

function fromFacts(facts: TitleFacts | null): string | null {
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
  return `${what}を変更`;
}
