import { placeholder as P } from '../marked-text.ts';
import type { Phrase } from './phrases.ts';

const kinds =
  '関数|メソッド|コンストラクター|クラス|型|定数|引数|フィールド|設定キー|環境変数|ルート|コマンドラインオプション|オプション|テスト|条件|コメント|依存関係|変数|ヘッダー|節|マクロ|構造体|列挙型|トレイト|インターフェース|モジュール|必須の引数|省略できる引数|省略可能な引数';
const joint = `\\s*(?:、|と|および|や|,)?\\s*(?:(?:${kinds})\\s*)?`;
/** The names, followed by the number of others, a bracket or another name. */
const what = `(?<what>${P}(?:${joint}${P})*)(?:\\s*(?:ほか|など)\\s*(?:\\d[\\d,]*\\s*件?(?:の宣言)?)?)?(?:\\s*\\([^)]*\\))?\\s*(?:の節|という節|の宣言|の呼び出し|での分岐)?\\s*`;
const count = '(?:\\s*\\d[\\d,]*\\s*(?:ファイル|か所|箇所|件)に?\\s*)?';

const gone = [
  'を\\s*(?:呼ぶのをやめ|使うのをやめ|削除|取り除|除去|廃止|外し|消し|削っ|削り|なくし|使わなく|呼ばなく|取らなく|受け取らなく|読まなく|返さなく)',
  'で分岐しなく',
  '(?:が|は)、?\\s*(?:削除され|なくな|消え|取り除かれ|廃止され)',
];
const come = [
  `を\\s*${count}(?:新た(?:に|な)\\s*)?(?:追加|加え|導入|定義|新設|使うよう|呼ぶよう|取るよう|受け取れるよう|受け取るよう|読むよう)`,
  'で分岐(?:するよう|し、)',
  'というエラー(?:で失敗|に出会|を返)',
  `が\\s*${count}(?:新しく|新たに)?\\s*(?:追加され|加わ|付き|導入され)`,
];

const from = `(?<from>${P})\\s*`;
const to = `(?<to>${P})\\s*`;
const change = '(?:変わ(?!りません|らな|らず)|変更|変え|更新|引き下げ|上が|下が|改|置き換|差し替|なり|なる)';

const turns = [
  `${from}が\\s*(?:\\d[\\d,]*\\s*(?:か所|箇所)で\\s*)?${to}に${change}`,
  `${from}から\\s*${to}(?:に|へ)${change}`,
  `${from}を\\s*${to}に\\s*(?:改|変更|変え|置き換|差し替)`,
  `${from}は\\s*${to}という名前に`,
  `${from}(?:に代えて|の代わりに|ではなく)\\s*${to}`,
  `${from}から\\s*${to}(?=、|に)`,
];

const clause = '(?<what>[^、。]{0,300})';

/** A verb after a list applies to each item that is raised or lowered. */
const order = (verb: string): string =>
  `${from}から\\s*${to}(?=に(?:、\\s*${P}\\s*を\\s*${P}\\s*から\\s*${P}\\s*に){0,20}\\s*${verb})`;

export const japanese: Phrase[] = [
  ...gone.map((verb): Phrase => ({ kind: 'side', side: 'removed', pattern: `${what}${verb}` })),
  ...come.map((verb): Phrase => ({ kind: 'side', side: 'added', pattern: `${what}${verb}` })),
  ...turns.map((pattern): Phrase => ({ kind: 'turn', pattern })),
  {
    kind: 'time',
    side: 'old',
    pattern: `(?:(?:これまで|従来)(?!どおり|通り|と同じ|と変わら)|以前は|かつて|変更前)(?![^。]{0,60}(?:ませんでした|なかった))${clause}`,
  },
  { kind: 'time', side: 'new', pattern: `(?:今後|これからは|変更後|現在は)${clause}` },
  { kind: 'order', isRise: true, pattern: order('(?:更新|上が|引き上げ)') },
  { kind: 'order', isRise: false, pattern: order('(?:引き下げ|下が)') },
  { kind: 'move', pattern: `(?:${what}(?:が|は|を)\\s*)?${from}から(?:ここに)?\\s*移` },
  { kind: 'move', pattern: `${what}は\\s*${to}に移` },
  {
    kind: 'take',
    pattern: `(?<by>${P})\\s*は、?\\s*(?:(?:必須の|省略(?:できる|可能な)|新しい)?引数\\s*)?${what}を\\s*(?:取[るらっり]|受け取[るらっりれ])`,
  },
  { kind: 'call', pattern: `(?<what>${P})\\s*を\\s*呼(?:び出|ん|び、|ぶ)` },
  { kind: 'count', of: 'additions', pattern: '(?<number>\\d[\\d,]*)\\s*行の追加' },
  { kind: 'count', of: 'deletions', pattern: '(?<number>\\d[\\d,]*)\\s*行の削除' },
  { kind: 'count', of: 'files', pattern: '(?<number>\\d[\\d,]*)\\s*(?:個の)?ファイル' },
  { kind: 'count', of: 'tests', pattern: 'テストを[^。]{0,12}?(?<number>\\d[\\d,]*)\\s*件' },
  { kind: 'file', status: 'added', pattern: '^新しい(?:文書|ファイル|バイナリファイル)(?:です|で、)' },
  { kind: 'file', status: 'removed', pattern: '^この(?:バイナリ)?ファイルは.*削除され' },
];
