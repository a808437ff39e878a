import type { DependencyChange } from '../../reading/facts.ts';
import type { Noun } from './lead.ts';
import { bareVersion, code, listsIn, type RulePhrases } from './phrases.ts';

const { listOf, turnsOf } = listsIn({
  comma: '、',
  more: (count) => ` ほか ${count} 件`,
});

const nouns: Record<Noun, string> = {
  function: '公開関数',
  method: '公開メソッド',
  constructor: '公開コンストラクター',
  class: '公開クラス',
  module: '公開モジュール',
  type: '公開型',
  constant: '公開定数',
  field: '公開フィールド',
  name: '公開 API',
};

const verbs = { added: '追加', removed: '削除', changed: '変更' };

const unread = {
  lock: 'ロックファイル',
  generated: '自動生成ファイル',
  vendored: '同梱の外部コード',
  binary: 'バイナリファイル',
  submodule: 'サブモジュール',
  tooLarge: '大きすぎるファイル',
};

const join = (names: string[]): string => names.map(code).join('、');

/**
 * Japanese for "add function A", "add functions A and B", "add 5 functions such as A" and "add 6 exceptions": 「関数 `A`
 * を追加」「関数 `A`、`B` を追加」「関数 `A` など 5 件を追加」「例外を 6 件追加」
 */
function several(noun: string, names: string[], verb: string, hasMain = names.length > 3): string {
  const [first = ''] = names;
  const space = noun === '' ? '' : `${noun} `;
  if (names.length <= (hasMain ? 1 : 3)) return `${space}${join(names)} を${verb}`;
  if (hasMain) return `${space}${code(first)} など ${names.length} 件を${verb}`;
  return `${noun}${/\w$/.test(noun) ? ' ' : ''}を ${names.length} 件${verb}`;
}

const isInPlace = (from: string, to: string): boolean =>
  from.slice(0, from.lastIndexOf('/') + 1) === to.slice(0, to.lastIndexOf('/') + 1);

const major = (version: string | null): string | undefined => /\d+/.exec(version ?? '')?.[0];

function dependenciesInJapanese(changes: DependencyChange[]): string {
  const noun = changes.every(({ isForDevelopment }) => isForDevelopment) ? '開発用の依存関係' : '依存関係';
  const [only] = changes;
  const isUpdate = changes.every(({ from, to }) => from !== null && to !== null);
  if (only && changes.length === 1)
    return isUpdate
      ? `${code(only.name)} を ${bareVersion(only.from)} から ${bareVersion(only.to)} に更新`
      : `${noun} ${code(only.name)} を${only.change === 'added' ? '追加' : '削除'}`;
  if (!isUpdate) return `${noun}を ${changes.length} 件変更`;
  const majors = changes.filter(({ from, to }) => major(from) !== major(to)).length;
  return `${noun}を ${changes.length} 件更新${majors > 0 ? `（メジャー ${majors} 件）` : ''}`;
}

const fileInJapanese = (path: string): string =>
  /^readme(?:\.\w{2,4})?$/i.test(path) ? 'README' : code(path.split('/').at(-1) ?? path);

const filesInJapanese = (files: string[]): string =>
  files.length === 1 ? fileInJapanese(files[0] ?? '') : `${files.length} ファイル`;

const inFiles = ({ length }: string[]): string => (length > 1 ? `（${length} ファイル）` : '');

export const japanese: RulePhrases = {
  facts: {
    option: ({ names }) => several('オプション', names, '追加'),
    added: ({ noun, names, main }) => several(nouns[noun], names, '追加', main !== null),
    removed: ({ noun, names, isWhole }) =>
      isWhole
        ? several(nouns[noun], names, '削除', false)
        : `${join(names.slice(0, 3))} などの公開 API を削除`,
    renamed: ({ from, to }) => `${code(from)} の名前を ${code(to)} に変更`,
    deprecated: ({ names }) => several('', names, '非推奨に変更'),
    parameter: ({ of, names, change }) =>
      change === 'removed'
        ? `${code(of)} から引数 ${join(names)} を削除`
        : `${code(of)} に必須の引数 ${join(names)} を追加`,
    parameterType: ({ of, from, to }) => `${code(of)} の引数の型を ${code(from)} から ${code(to)} に変更`,
    returns: ({ of, from, to }) => `${code(of)} の戻り値の型を ${code(from)} から ${code(to)} に変更`,
    default: ({ of, name, from, to }) =>
      `${of === null ? '' : `${code(of)} の引数 `}${code(name)} の既定値を ${code(from)} から ${code(to)} に変更`,
    permission: ({ names }) => `ワークフローの権限 ${join(names.slice(0, 3))} を追加`,
    skippedTest: ({ names }) => `テストに ${join(names.slice(0, 3))} を追加`,
    tests: () => 'テストのみ',
    documentation: () => 'ドキュメントのみ',
    build: () => 'ビルド・CI 設定のみ',
    dependencies: () => '依存関係のみ',
    formatting: () => 'コードの整形のみ',
    comments: () => 'コメントのみ',
    renames: ({ turns }) => `名前の変更のみ（${turnsOf(turns)}）`,
    moves: ({ turns }) => `移動のみ（${turns.length > 0 ? turnsOf(turns) : '内容の変更なし'}）`,
  },
  headlines: {
    edit: ({ of, isFile, isComment, from, to }) => {
      const where = `${isFile ? fileInJapanese(of) : code(of)}${isComment ? ' のコメント' : ' '}`;
      if (from === '') return `${where}に ${code(to)} を追加`;
      if (to === '') return `${where}から ${code(from)} を削除`;
      return `${where}の ${code(from)} を ${code(to)} に変更`;
    },
    file: ({ path, change }) => `${code(path)} を${verbs[change]}`,
    fix: ({ of }) => `${code(of)} の処理を修正`,
    tests: ({ added, files, change }) => {
      const [first = ''] = added;
      const count = added.length === 1 ? `テスト ${code(first)} ` : `テスト ${added.length} 件`;
      const edited =
        files.length === 1 ? `${filesInJapanese(files)} のテスト` : `テスト ${filesInJapanese(files)}`;
      const what = added.length > 0 ? `${count}を追加` : `${edited}を${verbs[change]}`;
      return `${what}。本体コードの変更なし`;
    },
    documentation: ({ files, change }) => {
      const what =
        files.length > 2
          ? `ドキュメント ${files.length} ファイル`
          : `${files.map(fileInJapanese).join('、')} `;
      return `${what}を${change === 'changed' ? '更新' : verbs[change]}。本体コードの変更なし`;
    },
    build: ({ files, change }) =>
      `ビルド・CI 設定を${verbs[change]}（${filesInJapanese(files)}）。本体コードの変更なし`,
    formatting: ({ files }) => `コードの整形のみ（${filesInJapanese(files)}）`,
    comments: ({ files }) => `コメントのみを変更（${filesInJapanese(files)}）`,
    dependencies: ({ changes }) => dependenciesInJapanese(changes),
  },
  beforeScope: '変更範囲：',
  stop: '。',
  sameHunk: (places, names) =>
    `${listOf(names)} にも以下と同じ変更${places > 1 ? `（${places} か所）` : ''}。`,
  sameEdits: {
    rename: ({ from, to, files }) => `${code(from)} の名前を ${code(to)} に変更${inFiles(files)}。`,
    replacement: ({ from, to, files }) => `一括置換${inFiles(files)}：${code(from)} → ${code(to)}。`,
  },
  moved: (what, from, to) =>
    `${listOf(what)} を ${from === to ? `${code(to)} 内で` : `${code(from)} から ${code(to)} へ`}移動。内容の変更なし。`,
  fileMoved: (from, to, isEdited) =>
    `${code(from)} ${isInPlace(from, to) ? `の名前を ${code(to)} に変更` : `を ${code(to)} に移動`}。${isEdited ? '' : '内容の変更なし。'}`,
  filesMoved: (files) => `ファイル ${files} 件を移動、または名前を変更。`,
  removedTests: (tests) => `削除したテスト：${listOf(tests)}。`,
  assertion: (test, from, to) =>
    `${test ? `${code(test)} の` : ''}アサーションを変更：${code(from)} → ${code(to)}。`,
  alsoAdded: (what) => `追加（差分は省略）：${listOf(what)}。`,
  alsoRemoved: (what) => `削除（差分は省略）：${listOf(what)}。`,
  otherFiles: (files) => `ほかに変更したファイル：${listOf(files)}。`,
  unread: (files) =>
    `${files.map(([why, count]) => `${unread[why]} ${count} 件`).join('、')}の更新（内容の読み取りは省略）。`,
  madeExecutable: (files) => `実行権限を付与：${listOf(files)}。`,
  noLongerExecutable: (files) => `実行権限を削除：${listOf(files)}。`,
};
