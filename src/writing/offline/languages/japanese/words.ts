import { codeSpan } from '../../code-span.ts';
import { type Named, namesPerList } from '../../statements.ts';

export const code = codeSpan;

/** 引用の中のかぎ括弧は二重にする。 */
export const quote = (text: string): string => `「${text.replaceAll('「', '『').replaceAll('」', '』')}」`;

export const count = (number: number): string => number.toLocaleString('en');

/** 先頭のいくつかと、ほかにもあるかどうか。 */
const some = (items: string[], most = namesPerList): string =>
  `${items.slice(0, most).join('、')}${items.length > most ? ' など' : ''}`;

export const codes = (names: string[], most?: number): string => some(names.map(code), most);
export const quotes = (texts: string[], most?: number): string => some(texts.map(quote), most);

/** どのファイルかが分かるだけの数。 */
const filesNamed = 3;
export function files(paths: string[]): string {
  const more = paths.length - filesNamed;
  const shown = paths.slice(0, filesNamed).map(code).join('、');
  return more > 0 ? `${shown} ほか ${count(more)} ファイル` : shown;
}

export function lines({ additions, deletions }: { additions: number; deletions: number }): string {
  if (additions + deletions === 0) return '行の変更なし';
  if (deletions === 0) return `${count(additions)} 行の追加`;
  if (additions === 0) return `${count(deletions)} 行の削除`;
  return `${count(additions)} 行の追加と ${count(deletions)} 行の削除`;
}

const kinds = {
  function: '関数',
  method: 'メソッド',
  constructor: 'コンストラクター',
  class: 'クラス',
  module: 'モジュール',
  type: '型',
  constant: '定数',
} as const;

export const kindOf = (kind: Named['kind']): string => kinds[kind];

/** 「関数 `a`、`b` と型 `C`」 */
export function things(names: Named[], isPart = false): string {
  const groups = Map.groupBy(names.slice(0, namesPerList), ({ kind }) => kind);
  const parts = [...groups].map(([kind, same]) => `${kinds[kind]} ${codes(same.map(({ name }) => name))}`);
  return `${parts.join(' と')}${isPart || names.length > namesPerList ? ' など' : ''}`;
}

/** 「`f` では、」。どの関数の中でもなければ何も付けない。 */
export const inside = (symbol: string | null): string => (symbol === null ? '' : `${code(symbol)} では、`);

/** 和文と欧文の間には空白を置き、和文どうしの間には置かない。 */
const needlessBlank =
  /(?<=[\u3040-\u30ff\u4e00-\u9fff]) (?=[\u3040-\u30ff\u4e00-\u9fff「])|(?<=[、。「」（）]) | (?=[、。「」）])/gu;
export const tidy = (sentence: string): string =>
  outsideQuotes(sentence, (text) => text.replace(needlessBlank, ''));

/** 引用とコードは書かれたままにする。 */
function outsideQuotes(text: string, change: (part: string) => string): string {
  const kept: string[] = [];
  const masked = text.replace(/「(?:[^「」])*」|(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/gu, (part) => {
    kept.push(part);
    return part.startsWith('「') ? '「\uE000」' : '\uE001';
  });
  let at = 0;
  return change(masked).replace(/「\uE000」|\uE001/gu, () => kept[at++] ?? '');
}
