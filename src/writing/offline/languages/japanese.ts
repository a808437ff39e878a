import { isMarkup } from '../../plain-text.ts';
import type { Named, Outline, TitleFacts } from '../outline.ts';
import type { PhraseBook } from '../phrase-book.ts';
import { titleFromEnglish } from './japanese-titles.ts';

const code = (text: string): string => `\`${text}\``;
const quote = (text: string): string => `「${text}」`;

const codes = (names: string[], hasMore = false): string =>
  `${names.map(code).join('、')}${hasMore ? ' など' : ''}`;

/** Enough to know which files are meant. */
const filesNamed = 3;
const files = (paths: string[]): string =>
  `${codes(paths.slice(0, filesNamed))}${paths.length > filesNamed ? ` ほか ${count(paths.length - filesNamed)} ファイル` : ''}`;
const quotes = (texts: string[]): string => texts.map(quote).join('');
const count = (number: number): string => number.toLocaleString('en');

function lines(additions: number, deletions: number): string {
  if (additions + deletions === 0) return '行の変更なし';
  if (deletions === 0) return `${count(additions)} 行の追加`;
  if (additions === 0) return `${count(deletions)} 行の削除`;
  return `${count(additions)} 行の追加と ${count(deletions)} 行の削除`;
}

const words = {
  function: '関数',
  method: 'メソッド',
  class: 'クラス',
  type: '型',
  constant: '定数',
} as const;

/** 「関数 `a`、`b` と型 `C`」 */
function things(names: Named[], hasMore = false): string {
  const groups = Map.groupBy(names, ({ kind }) => kind);
  const parts = [...groups].map(([kind, same]) => `${words[kind]} ${codes(same.map(({ name }) => name))}`);
  return `${parts.join(' と')}${hasMore ? ' など' : ''}`;
}

const subject = (symbol: string | null): string => (symbol === null ? 'コード' : `${code(symbol)} `);

const surfaces = {
  configurationKey: '設定キー',
  environmentVariable: '環境変数',
  route: 'ルート',
  commandLineOption: 'コマンドラインオプション',
} as const;

const reading = {
  added: '使うようになります',
  removed: '使わなくなります',
  changed: '別の形で使います',
} as const;
const verbs = { added: '追加します', removed: '削除します', changed: '変更します' } as const;

/** A blank parts Japanese from other letters; between Japanese words there is none. */
const needlessBlank = /(?<=[\u3040-\u30ff\u4e00-\u9fff]) (?=[をにはがのでとも])/gu;

export const japanese: PhraseBook = {
  headings: {
    background: '背景と目的',
    changes: '主な変更点',
    points: '注目すべき点',
    evidence: '該当箇所',
    footer: (coverage, verification, writer) => {
      const by =
        writer.kind === 'offline'
          ? 'この記事は言語モデルを使わず、差分から規則に従って書かれました'
          : 'この記事は言語モデルが書きました';
      const skipped =
        coverage.skipped.length > 0 ? `、読まなかったファイル ${count(coverage.skipped.length)} 件` : '';
      const dropped =
        verification.dropped > 0 ? ` (うち ${count(verification.dropped)} 件は確認できず削除)` : '';
      return (
        `${by}。読んだ範囲: ${count(coverage.filesTotal)} ファイル中 ${count(coverage.filesRead)}、変更 ${count(coverage.linesTotal)} 行中 ${count(coverage.linesRead)} 行${skipped}。` +
        `差分と照合した記述: ${count(verification.claims)} 件${dropped}。`
      );
    },
  },

  title: (outline) => titleInJapanese(outline),

  tidy: (sentence) => sentence.replace(needlessBlank, ''),

  say: {
    titled: ({ title, script }) =>
      script === 'japanese' ? '' : `プルリクエストの原題は${quote(title)}です。`,
    authorSays: ({ sentences, where, script }) => {
      const who = where === 'description' ? '作者は説明文で' : 'コミットメッセージでは';
      return script === 'japanese'
        ? `${who}こう述べています。${quote(sentences.join(''))}`
        : `${who}次のように述べています (原文のまま)。${quote(sentences.join(' '))}`;
    },
    nobodySays: () => 'タイトルのほかに説明文は手元になく、この記事は差分から読み取れることだけを述べます。',
    closes: ({ issues }) =>
      `${issues.map(({ number, title }) => `#${number}${title ? ` (${quote(title)})` : ''}`).join('、')} を解決するものとされています。`,
    extent: ({ paths, tests, documents, additions, deletions, place }) => {
      const total = paths.length;
      const among = [
        tests > 0 && `テスト ${count(tests)}`,
        documents > 0 && `文書 ${count(documents)}`,
      ].filter((part) => part !== false);
      const company = among.length > 0 && tests + documents < total ? ` (うち${among.join('、')})` : '';
      return `変更は ${count(total)} ファイル${company}、${lines(additions, deletions)}です。${place ? `その大半は ${code(place)} 以下にあります。` : ''}`;
    },
    nothingToRead: ({ reason }) =>
      ({
        empty: 'このプルリクエストはどのファイルも変更していないため、これ以上述べることはありません。',
        binary: '変更されたのはバイナリファイルだけで、その中身は差分からは分かりません。',
        mode: '文章やコードの行は変わらず、実行権限などファイルの属性だけが変わっています。',
      })[reason],
    unseen: ({ sentences }) =>
      `説明文には${quotes(sentences.map((sentence) => sentence.replace(/[.。]$/, '')))}ともありますが、この差分には見当たりません。別の場所で行われたか、見送られた可能性があります。`,

    newFile: ({ lines: number, kind }) =>
      `新しい${kind === 'documentation' ? '文書' : 'ファイル'}です${number > 0 ? ` (${count(number)} 行)` : '。中身は空です'}。`,
    removedFile: ({ lines: number, names }) =>
      `このファイルは削除されます${number > 0 ? ` (${count(number)} 行)` : ''}。${names.length > 0 ? `${things(names)} もなくなります。` : ''}`,
    movedFile: ({ from, isEdited }) =>
      `${code(from)} から移動し${isEdited ? '、内容も手直ししています' : 'ただけで、内容は変わりません'}。`,
    manyFiles: ({ status, paths, lines: number }) => {
      const verb = {
        added: 'を新たに加えます',
        removed: 'を削除します',
        moved: 'を内容を変えずに移動します',
        binary: 'のバイナリを変更します',
      }[status];
      return `${files(paths)} ${verb}${number > 0 ? ` (合わせて ${count(number)} 行)` : ''}。`;
    },
    copiedFile: ({ from }) => `${code(from)} の写しです。`,
    binaryFile: ({ status }) =>
      ({
        added: '新しいバイナリファイルです。',
        removed: 'このバイナリファイルは削除されます。',
        modified: 'このバイナリファイルは差し替えられます。',
      })[status],
    modeChanged: ({ isExecutable }) =>
      isExecutable ? '実行できるようになります。' : '実行できなくなります。',
    submodule: () => 'サブモジュールが別のコミットを指すようになります。',
    defines: ({ names, hasMore, inNewFile }) =>
      inNewFile
        ? `新しいファイルで、${things(names, hasMore)} を定義します。`
        : `${things(names, hasMore)} を追加します。`,
    explains: ({ name, quote: text }) => `${code(name)} のコメントには${quote(text)}とあります。`,
    removes: ({ names, hasMore }) => `${things(names, hasMore)} を削除します。`,
    usersMustChange: () => '外部から使っていたコードは修正が必要です。',
    movesSymbols: ({ names, to }) => `${codes(names.map(({ name }) => name))} は ${code(to)} に移ります。`,
    renames: ({ from, to }) => `${code(from)} を ${code(to)} に改名します。`,
    parameters: ({ name, required, optional, gone }) =>
      [
        required.length > 0 &&
          `${code(name)} は必須の引数 ${codes(required)} を取るようになり、すべての呼び出し側で指定が必要です。`,
        optional.length > 0 &&
          `${code(name)} は省略可能な引数 ${codes(optional)} を受け取れるようになります。`,
        gone.length > 0 && `${code(name)} は引数 ${codes(gone)} を取らなくなります。`,
      ]
        .filter((part) => part !== false)
        .join(''),
    returns: ({ names, before, after }) =>
      `${codes(names)} の戻り値は ${code(before)} から ${code(after)} に変わります。`,
    resigned: ({ before, after }) => `宣言が ${code(before)} から ${code(after)} に変わります。`,
    replaced: ({ symbol, before, after }) =>
      `${symbol === null ? '' : `${code(symbol)} では、`}${code(before)} が ${code(after)} に変わります。`,
    checks: ({ symbol, conditions }) =>
      `${subject(symbol)}は ${codes(conditions)} の場合分けをするようになります。`,
    dropsCheck: ({ symbol, condition }) =>
      `${subject(symbol)}は ${code(condition)} の場合分けをしなくなります。`,
    raises: ({ symbol, message }) =>
      `${subject(symbol)}は新たに${quote(message)}というエラーを返すことがあります。`,
    calls: ({ symbol, names, instead }) => {
      if (names.length === 0) return `${subject(symbol)}は ${codes(instead)} を呼ばなくなります。`;
      return `${subject(symbol)}は${instead.length > 0 ? ` ${codes(instead)} に代えて` : ''} ${codes(names)} を呼ぶようになります。`;
    },
    remarks: ({ symbol, quote: text }) =>
      `${symbol === null ? 'コード中' : `${code(symbol)} `}のコメントは${quote(text)}と説明しています。`,
    addsLines: ({ symbol, lines: added }) =>
      `${symbol === null ? '' : `${code(symbol)} に `}${codes(added)} を加えます。`,
    dropsLines: ({ symbol, lines: dropped }) =>
      `${symbol === null ? '' : `${code(symbol)} から `}${codes(dropped)} を取り除きます。`,
    reworked: ({ names, additions, deletions }) =>
      names.length === 0
        ? `${lines(additions, deletions)}があります。`
        : `${codes(names)} を書き改めています (${lines(additions, deletions)})。`,
    dependencies: ({ changes, more }) => {
      const verbOf = {
        added: 'を追加',
        removed: 'を削除',
        upgraded: 'に更新',
        downgraded: 'に引き下げ',
        changed: 'に変更',
        moved: 'を別のマニフェストに移動',
      };
      const groups = Map.groupBy(changes, ({ change }) => change);
      const each = [...groups].map(([change, same]) => {
        const names = same.map(({ name, from, to, scope }) => {
          if (change === 'added')
            return `${code(name)}${to ? ` ${code(to)}` : ''}${scope === 'development' ? ' (開発用)' : ''}`;
          return change !== 'removed' && from && to
            ? `${code(name)} を ${code(from)} から ${code(to)}`
            : code(name);
        });
        const isPlain =
          change !== 'added' &&
          change !== 'removed' &&
          change !== 'moved' &&
          same.some(({ from, to }) => !from || !to);
        return `${names.join('、')} ${isPlain ? 'を変更' : verbOf[change]}`;
      });
      return `依存関係では、${each.join('、')}します。${more > 0 ? `ほかに ${more} 件の依存関係も変わります。` : ''}`;
    },
    dependenciesIn: ({ files: some, more }) =>
      `${codes(some)}${more > 0 ? ` ほか ${count(more)} ファイル` : ''} でも依存関係が変わります。`,
    lockOnly: ({ additions, deletions }) =>
      `ロックファイルを最新の状態に合わせています (${lines(additions, deletions)})。`,
    setting: ({ kind, change, names }) =>
      `${surfaces[kind]} ${codes(names)} を${kind === 'environmentVariable' ? reading[change] : verbs[change]}。`,
    tests: ({ count: number, names, paths }) => {
      const inFiles = paths.length > 1 ? ` ${count(paths.length)} ファイルに` : '';
      return number > names.length
        ? `テストを${inFiles} ${count(number)} 件追加します。たとえば${quotes(names)}です。`
        : `テスト${quotes(names)}を${inFiles}追加します。`;
    },
    testsGone: ({ count: number, names }) =>
      number > names.length
        ? `テストを ${count(number)} 件削除します。たとえば${quotes(names)}です。`
        : `テスト${quotes(names)}を削除します。`,
    testsChanged: ({ paths, additions, deletions }) =>
      `既存のテスト${paths.length === 1 ? 'ファイル' : ` ${count(paths.length)} ファイル`}を手直ししています (${lines(additions, deletions)})。`,
    sections: ({ headings, hasMore }) => `${quotes(headings)}${hasMore ? 'など' : ''}の節を加えます。`,
    addsText: ({ quote: text }) => `本文に${quote(text)}と書き加えます。`,
    rewordedText: ({ before, after }) =>
      isMarkup(before + after)
        ? `${code(before)} を ${code(after)} に改めます。`
        : `${quote(before)}を${quote(after)}に改めます。`,
    docsChanged: ({ paths, additions, deletions }) =>
      paths.length === 1
        ? `文章を改訂しています (${lines(additions, deletions)})。`
        : `文書は合わせて ${count(paths.length)} ファイルが変わります (${lines(additions, deletions)})。`,
    alsoIn: ({ paths }) => `同じ変更を ${files(paths)} にも加えています。`,
    smaller: ({ paths, additions, deletions }) =>
      `このほか、${files(paths)} に小さな変更があります (${lines(additions, deletions)})。`,
    generated: ({ paths, additions, deletions }) =>
      `自動生成・同梱・バイナリのファイル ${count(paths.length)} 件も変わります${additions + deletions > 0 ? ` (${lines(additions, deletions)})` : ''}。中身は読んでいません。`,

    publicApiRemoved: ({ subjects, hasMore }) =>
      `外部から使えた ${codes(subjects, hasMore)} がその名前ではなくなります。`,
    reliersBreak: () => '頼っているコードは動かなくなります。',
    publicApiChanged: ({ subjects, hasMore }) =>
      `公開されている ${codes(subjects, hasMore)} の宣言が変わります。`,
    callersFollow: () => 'ほかの呼び出し側も追従が必要かもしれません。',
    closedToAdditions: ({ subjects, hasMore }) =>
      `${codes(subjects, hasMore)} は外部から追加できない形に閉じられます。`,
    openedToAdditions: ({ subjects, hasMore }) =>
      `${codes(subjects, hasMore)} は外部から追加できるようになります。`,
    minimumVersion: ({ isRaised, transitions }) =>
      transitions
        .map(
          ({ subject, from, to }) =>
            `対応する ${subject} の最低バージョンが ${code(from)} から ${code(to)} に${isRaised ? '上がり' : '下がり'}ます。`,
        )
        .join(''),
    fallbackRemoved: ({ subjects, hasMore }) => `${codes(subjects, hasMore)} の代わりの値がなくなります。`,
    mustBeSet: () => '指定していなかった人は指定が必要です。',
    defaultChanged: ({ transitions }) =>
      transitions
        .map(
          ({ subject, from, to }) =>
            `${code(subject)} の既定値が ${code(from)} から ${code(to)} に変わります。`,
        )
        .join(''),
    reliersGetAnother: () => '既定値に頼っていた人は別の値を受け取ります。',
    schemaMigration: ({ subjects }) => `データベースのスキーマが変わります (${codes(subjects)})。`,
    migrationNeeded: () => '導入時に移行作業が伴います。',
    settingRemoved: ({ subjects, hasMore }) =>
      `${codes(subjects, hasMore)} は指定も呼び出しもできなくなります。`,
    majorUpgrade: ({ subjects, hasMore }) => `${codes(subjects, hasMore)} はメジャーバージョンが変わります。`,
    mayBreak: () => '互換性のない変更を伴うことがあります。',
    newErrors: ({ messages, hasMore }) =>
      `呼び出し側は新たに${quotes(messages)}${hasMore ? 'など' : ''}のエラーに出会うことがあります。`,
    settingAdded: ({ subjects, hasMore }) =>
      `${codes(subjects, hasMore)} は、運用する人や呼び出す人にとって新しいものです。`,
    dangerousCall: ({ subjects }) =>
      `変更された行に ${codes(subjects)} があります。渡されたものを実行・表示するため、値がどこから来るかを確かめる価値があります。`,
    reasonGiven: ({ quote: text }) => `コードが理由を語っています。${quote(text)}`,
    untested: () => 'コードの変更に、動かなくなったときに気づけるテストが伴っていません。',
    testsRemoved: ({ names }) => `追加より多くのテストが削除されています。たとえば${quotes(names)}です。`,
    passedOver: ({ paths, hasMore }) =>
      `説明文は ${codes(paths, hasMore)} に触れていませんが、変更の大きな部分を占めています。`,
    authenticationTouched: ({ subjects }) =>
      `認証や権限にかかわる行 (${codes(subjects)}) が変わります。誤りの代償が大きい箇所です。`,
    cryptographyTouched: ({ subjects }) =>
      `暗号にかかわる行 (${codes(subjects)}) が変わります。細部が結果を左右する箇所です。`,
    concurrency: ({ subjects }) =>
      `並行処理 (${codes(subjects)}) がかかわります。処理の順序を確かめる価値があります。`,
    performanceSensitive: ({ subjects }) =>
      `処理を減らす、または先に済ませる仕組み (${codes(subjects)}) にかかわるため、速度や情報の新しさに影響します。`,
    userVisibleText: ({ subjects }) =>
      `利用者の目に触れる文言が変わります${subjects.length > 0 ? ` (例: ${code(subjects[0] ?? '')})` : ''}。`,
  },
};

/** 日本語の題はそのまま、英語の題は訳せる形なら訳し、そうでなければ差分から付ける。 */
function titleInJapanese({ authorTitle, titleFacts }: Outline): string {
  const { text, scope, script } = authorTitle;
  if (script === 'japanese' && text.length >= 4) return text;
  const translated = script === 'latin' ? titleFromEnglish(text) : null;
  if (translated === null) return fromFacts(titleFacts, scope) ?? (text || '空の変更');
  const isNamed = scope === null || text.toLowerCase().includes(scope.toLowerCase());
  return isNamed ? translated : `${scope}: ${translated}`;
}

function fromFacts(facts: TitleFacts | null, scope: string | null): string | null {
  if (!facts) return null;
  const { changeType, action, from, to, hasMore } = facts;
  const what = `${code(facts.subject)} ${hasMore ? 'など' : ''}`;
  if (action === 'upgraded')
    return from && to && !hasMore ? `${what}を ${from} から ${to} に更新` : `${what}を更新`;
  if (action === 'added') return `${what}を追加`;
  if (action === 'removed') return `${what}を削除`;
  if (action === 'renamed') return `${code(from ?? '')} を ${code(facts.subject)} に改名`;
  if (action === 'tested') return `${what}のテストを拡充`;
  if (action === 'documented') return `${what}の記述を改訂`;
  // Where the author names the part it belongs to, that says more than the first function in it.
  const part = scope === null ? what : `${code(scope)} `;
  return {
    FEAT: `${part}の機能を拡張`,
    FIX: `${part}の不具合を修正`,
    REFACTOR: `${part}の構造を整理`,
    DOCS: `${part}の説明を改善`,
    TEST: `${part}のテストを改善`,
    PERF: `${part}を高速化`,
    BUILD: `${part}のビルド設定を調整`,
    CHORE: `${part}を更新`,
  }[changeType];
}
