import { type MarkedText, markAt, marksIn, matchAround, placeholder as P } from '../marked-text.ts';
import type { Said } from './said.ts';

const kinds =
  '関数|メソッド|コンストラクター|クラス|型|定数|引数|フィールド|設定キー|環境変数|ルート|コマンドラインオプション|オプション|テスト|条件|コメント|依存関係|変数|ヘッダー|節|マクロ|構造体|列挙型|トレイト|インターフェース|モジュール|必須の引数|省略できる引数|省略可能な引数';
const joint = `\\s*(?:、|と|および|や|,)?\\s*(?:(?:${kinds})\\s*)?`;
const list = `${P}(?:${joint}${P})*`;
/** How many more there are, what is in brackets, or what it is called once more. */
const tail =
  '(?:\\s*(?:ほか|など)\\s*(?:\\d[\\d,]*\\s*件?(?:の宣言)?)?)?(?:\\s*\\([^)]*\\))?\\s*(?:の節|という節|の宣言|の呼び出し|での分岐)?\\s*';
const count = '(?:\\s*\\d[\\d,]*\\s*(?:ファイル|か所|箇所|件)に?\\s*)?';

const objectVerbs: { side: 'added' | 'removed'; verb: string }[] = [
  {
    side: 'removed',
    verb: 'を\\s*(?:呼ぶのをやめ|使うのをやめ|削除|取り除|除去|廃止|外し|消し|削っ|削り|なくし|使わなく|呼ばなく|取らなく|受け取らなく|読まなく|返さなく)',
  },
  { side: 'removed', verb: 'で分岐しなく' },
  {
    side: 'added',
    verb: `を\\s*${count}(?:新た(?:に|な)\\s*)?(?:追加|加え|導入|定義|新設|使うよう|呼ぶよう|取るよう|受け取れるよう|受け取るよう|読むよう)`,
  },
  { side: 'added', verb: 'と書き加え' },
  { side: 'added', verb: 'で分岐(?:するよう|し、)' },
  { side: 'added', verb: 'というエラー(?:で失敗|に出会|を返)' },
  { side: 'removed', verb: '(?:が|は)、?\\s*(?:その名前では)?(?:削除され|なくな|消え|取り除かれ|廃止され)' },
  { side: 'removed', verb: '\\s*とともに\\s*削除され' },
  { side: 'removed', verb: 'は\\s*指定も呼び出しもできなく' },
  { side: 'added', verb: `が\\s*${count}(?:新しく|新たに)?\\s*(?:追加され|加わ|付き|導入され)` },
];

/** Of the sentence as it stands in Japanese, or nothing where it is in another language. */
export function saidInJapanese(marked: MarkedText): Said[] {
  if (!/[\u3040-\u30ff]/u.test(marked.masked)) return [];
  return [
    ...sides(marked),
    ...turns(marked),
    ...moves(marked),
    ...takes(marked),
    ...needs(marked),
    ...counts(marked),
    ...imports(marked),
    ...same(marked),
    ...files(marked),
  ];
}

function sides(marked: MarkedText): Said[] {
  return objectVerbs.flatMap(({ side, verb }) =>
    matchAround(marked, `(${list})${tail}${verb}`).map(
      ({ 1: objects = '' }): Said => ({ kind: 'side', side, marks: marksIn(marked, objects) }),
    ),
  );
}

/** The verb behind a list of what is raised or lowered is said of each. */
const pairsBetween = `(?:、\\s*${P}\\s*を\\s*${P}\\s*から\\s*${P}\\s*に){0,20}`;

function turns(marked: MarkedText): Said[] {
  const change = '(?:変わ|変更|変え|更新|引き下げ|上が|下が|改|置き換|差し替|なり|なる)';
  const forward = [
    `(${P})\\s*が\\s*(?:\\d[\\d,]*\\s*(?:か所|箇所)で\\s*)?(${P})\\s*に${change}`,
    `(${P})\\s*から\\s*(${P})\\s*(?:に|へ)${change}`,
    `(${P})\\s*を\\s*(${P})\\s*に\\s*(?:改|変更|変え|置き換|差し替)`,
    `(${P})\\s*は\\s*(${P})\\s*という名前に`,
    `(${P})\\s*(?:に代えて|の代わりに|ではなく)\\s*(${P})`,
    `(${P})\\s*から\\s*(${P})(?=\\s*(?:、|に))`,
  ];
  const said = forward.flatMap((pattern) =>
    matchAround(marked, pattern).flatMap(({ 1: one = '', 2: other = '' }): Said[] => {
      const [from, to] = [markAt(marked, one), markAt(marked, other)];
      return from && to ? [{ kind: 'turn', from, to }] : [];
    }),
  );
  const orders = [
    { isRise: true, verb: '(?:更新|上が|引き上げ)' },
    { isRise: false, verb: '(?:引き下げ|下が)' },
  ];
  const ordered = orders.flatMap(({ isRise, verb }) =>
    matchAround(marked, `(${P})\\s*から\\s*(${P})(?=\\s*に${pairsBetween}\\s*${verb})`).flatMap(
      ({ 1: one = '', 2: other = '' }): Said[] => {
        const [from, to] = [markAt(marked, one), markAt(marked, other)];
        return from && to ? [{ kind: 'order', from, to, isRise }] : [];
      },
    ),
  );
  return [...said, ...ordered];
}

function moves(marked: MarkedText): Said[] {
  const from = matchAround(
    marked,
    `(?:(${list})${tail}(?:が|は|を)\\s*)?(${P})\\s*から(?:ここに)?\\s*移`,
  ).flatMap(({ 1: subjects = '', 2: origin = '' }): Said[] => {
    const found = markAt(marked, origin);
    return found ? [{ kind: 'move', marks: marksIn(marked, subjects), from: found, to: null }] : [];
  });
  const to = matchAround(marked, `(${list})${tail}は\\s*(${P})\\s*に移`).flatMap(
    ({ 1: subjects = '', 2: target = '' }): Said[] => {
      const found = markAt(marked, target);
      return found ? [{ kind: 'move', marks: marksIn(marked, subjects), from: null, to: found }] : [];
    },
  );
  return [...from, ...to];
}

function takes(marked: MarkedText): Said[] {
  const parameters = `(?:(?:必須の|省略(?:できる|可能な)|新しい)?引数\\s*)?(${list})${tail}`;
  return matchAround(
    marked,
    `(${P})\\s*は、?\\s*${parameters}を\\s*(?:取[るらっり]|受け取[るらっりれ])`,
  ).flatMap(({ 1: subject = '', 2: objects = '' }): Said[] => {
    const by = markAt(marked, subject);
    return by ? marksIn(marked, objects).map((mark): Said => ({ kind: 'take', by, mark })) : [];
  });
}

function needs(marked: MarkedText): Said[] {
  const need = (isOptional: boolean, pattern: string): Said[] =>
    matchAround(marked, pattern).map(
      ({ 1: objects = '' }): Said => ({ kind: 'need', marks: marksIn(marked, objects), isOptional }),
    );
  return [...need(false, `必須の引数\\s*(${list})`), ...need(true, `省略(?:できる|可能な)引数\\s*(${list})`)];
}

const counted: { of: Extract<Said, { kind: 'count' }>['of']; pattern: string }[] = [
  { of: 'places', pattern: '(\\d[\\d,]*)\\s*(?:か所|箇所)' },
  { of: 'additions', pattern: '(\\d[\\d,]*)\\s*行の追加' },
  { of: 'deletions', pattern: '(\\d[\\d,]*)\\s*行の削除' },
  { of: 'changedLines', pattern: '\\((?:合わせて\\s*)?(\\d[\\d,]*)\\s*行\\)' },
  { of: 'files', pattern: '(\\d[\\d,]*)\\s*(?:個の)?ファイル' },
  { of: 'more', pattern: 'ほか\\s*(\\d[\\d,]*)\\s*件' },
  { of: 'tests', pattern: 'テストを[^。]{0,12}?(\\d[\\d,]*)\\s*件' },
];

const counts = (marked: MarkedText): Said[] =>
  counted.flatMap(({ of, pattern }) =>
    matchAround(marked, pattern).map(
      ({ 1: number = '' }): Said => ({ kind: 'count', of, value: Number(number.replaceAll(',', '')) }),
    ),
  );

const same = (marked: MarkedText): Said[] =>
  matchAround(marked, `同じ変更が\\s*(${list})`).map(
    ({ 1: named = '' }): Said => ({ kind: 'same', marks: marksIn(marked, named) }),
  );

const imports = (marked: MarkedText): Said[] =>
  matchAround(marked, `(${list})?${tail}では(?:インポート|import)だけが`).map(
    ({ 1: named = '' }): Said => ({ kind: 'imports', marks: marksIn(marked, named) }),
  );

function files({ masked }: MarkedText): Said[] {
  const status = (is: Extract<Said, { kind: 'file' }>['status'], pattern: RegExp): Said[] =>
    pattern.test(masked) ? [{ kind: 'file', status: is }] : [];
  return [
    ...status('added', /^新しい(?:文書|ファイル|バイナリファイル)(?:です|で、)/u),
    ...status('removed', /^この(?:バイナリ)?ファイルは.*削除され/u),
    ...status('executable', /実行できるように/u),
    ...status('notExecutable', /実行できなく/u),
  ];
}
