import type { DependencyChange } from '../../reading/facts.ts';
import { code, type HunkPhrases, type ManyTimes, type Names } from './english-hunks.ts';

const list = ({ names, more }: Names): string =>
  `${names.join('、').replace(/ \(([+−\d ]+)\)/g, '（$1）')}${more > 0 ? ` ほか ${more} 件` : ''}`;

/** How often, in brackets. */
const howOften = ({ times, files }: ManyTimes, unit: string): string => {
  const said = [times === null ? '' : `${times} ${unit}`, files > 1 ? `${files} ファイル` : ''].filter(
    Boolean,
  );
  return said.length === 0 ? '' : `（${said.join('、')}）`;
};

const version = ({ name, change, from, to }: DependencyChange): string => {
  if (change === 'added') return `${code(name)}${to ? ` ${to}` : ''} を追加`;
  if (change === 'removed') return `${code(name)} を削除`;
  if (change === 'moved' || !from || !to) return `${code(name)} を移動`;
  return `${code(name)} ${from} → ${to}`;
};

export const japanese: HunkPhrases = {
  sameEdit: (places, names) => `他 ${places} か所も同じ変更：${list(names)}。`,
  renamed: (edit) => `${code(edit.from)} を ${code(edit.to)} に名称変更${howOften(edit, 'か所')}。`,
  replaced: (edit) => `一括置換${howOften(edit, '行')}：${code(edit.from)} → ${code(edit.to)}。`,
  addedOften: (edit) => `同じ追加${howOften(edit, '行')}：${code(edit.to)}。`,
  removedOften: (edit) => `同じ削除${howOften(edit, '行')}：${code(edit.from)}。`,
  moved: (what, from, to) =>
    from === to
      ? `${list(what)} を ${code(to)} 内で移動。内容の変更なし。`
      : `${list(what)} を ${code(from)} から ${code(to)} へ移動。内容の変更なし。`,
  partMoved: (from, to) => `一部の行を ${code(from)} から ${code(to)} へ移動。内容の変更なし。`,
  fileMoved: (from, to, isEdited) =>
    `${code(from)} を ${code(to)} に移動。${isEdited ? '' : '内容の変更なし。'}`,
  filesMoved: (files) => `${files} 件のファイルを移動または名称変更。`,
  removedTests: (tests) => `削除したテスト：${list(tests)}。`,
  skipped: (test) => `${code(test)} をスキップ。`,
  unskipped: (test) => `${code(test)} のスキップを解除。`,
  assertion: ({ test, from, to }) =>
    `${test ? `${code(test)} の` : ''}アサーションを変更：${code(from)} → ${code(to)}。`,
  added: (what) => `ほかに追加：${list(what)}。`,
  changed: (what) => `ほかに変更：${list(what)}。`,
  removed: (what) => `ほかに削除：${list(what)}。`,
  changedTests: (tests) => `テストの変更：${list(tests)}。`,
  sections: (names) => `ドキュメントの変更：${list(names)}。`,
  tooLong: (files) => `長いため省略：${list(files)}。`,
  nothingButLayout: () => 'コメント、インポート、書式のみの変更。',
  dependencies: (changes, more) =>
    `依存関係：${changes.map(version).join('、')}${more > 0 ? ` ほか ${more} 件` : ''}。`,
  unread: ({ locks, generated, vendored, binary, submodules, tooLarge }) => {
    const kinds = [
      locks > 0 ? `ロックファイル ${locks} 件` : '',
      generated > 0 ? `自動生成ファイル ${generated} 件` : '',
      vendored > 0 ? `同梱された外部コード ${vendored} 件` : '',
      binary > 0 ? `バイナリファイル ${binary} 件` : '',
      submodules > 0 ? `サブモジュール ${submodules} 件` : '',
      tooLarge > 0 ? `大きすぎるファイル ${tooLarge} 件` : '',
    ];
    return `${kinds.filter(Boolean).join('、')}の更新（内容は未読）。`;
  },
  executable: (isExecutable) => (isExecutable ? '実行権限を付与。' : '実行権限を削除。'),
};
