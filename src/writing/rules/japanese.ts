import type { DependencyChange } from '../../reading/facts.ts';
import type { ChangeFact, Noun } from './lead.ts';
import {
  bareVersion,
  code,
  type DiffCounts,
  type LargestFact,
  type ManyTimes,
  type Names,
  type RulePhrases,
  type ShownRisk,
  sizeOf,
} from './phrases.ts';
import type { ScopeFact } from './scope.ts';

const nouns: Record<Noun, string> = {
  function: '公開関数',
  method: '公開メソッド',
  constructor: '公開コンストラクター',
  class: '公開クラス',
  module: '公開モジュール',
  type: '公開する型',
  constant: '公開定数',
  field: '公開フィールド',
  error: '公開するエラー',
  exception: '公開する例外',
  name: '公開 API',
};

const join = (names: string[]): string => names.map(code).join('、');

const listOf = ({ names, more }: Names): string =>
  `${names.join('、').replace(/ \(([+−\d ]+)\)/g, '（$1）')}${more > 0 ? ` ほか ${more} 件` : ''}`;

/** 「関数 `A` を追加」「関数 `A`、`B` を追加」「関数 `A` など 5 件を追加」「例外を 6 件追加」 */
function several(noun: string, names: string[], verb: string, hasMain = true): string {
  const [first = ''] = names;
  const space = noun === '' ? '' : `${noun} `;
  if (names.length <= (hasMain ? 1 : 3)) return `${space}${join(names)} を${verb}`;
  if (hasMain || noun === '') return `${space}${code(first)} など ${names.length} 件を${verb}`;
  return `${noun}${/\w$/.test(noun) ? ' ' : ''}を ${names.length} 件${verb}`;
}

function lead(fact: ChangeFact): string {
  switch (fact.kind) {
    case 'option':
      return several('オプション', fact.names, '追加', fact.names.length > 3);
    case 'command':
      return several('コマンド', fact.names, '追加', fact.names.length > 3);
    case 'added':
      return several(nouns[fact.noun], fact.names, '追加', fact.main !== null);
    case 'removed':
      return several(nouns[fact.noun], fact.names, '削除', false);
    case 'renamed':
      return `${code(fact.from)} の名前を ${code(fact.to)} に変更`;
    case 'deprecated':
      return several('', fact.names, '非推奨に変更', fact.names.length > 3);
    case 'parameter':
      return fact.change === 'removed'
        ? `${code(fact.of)} から引数 ${join(fact.names)} を削除`
        : `${code(fact.of)} に必須の引数 ${join(fact.names)} を追加`;
    case 'returns':
      return `${code(fact.of)} の戻り値の型を ${code(fact.from)} から ${code(fact.to)} に変更`;
    case 'default': {
      const of = fact.of === null ? '' : `${code(fact.of)} の引数 `;
      return `${of}${code(fact.name)} の既定値を ${code(fact.from)} から ${code(fact.to)} に変更`;
    }
  }
}

function risk(fact: ShownRisk): string {
  if (fact.kind === 'permission') return `ワークフローの権限 ${join(fact.names.slice(0, 3))} を追加`;
  if (fact.kind === 'skippedTest') return `テストに ${join(fact.names.slice(0, 3))} を追加`;
  return lead(fact);
}

interface Turn {
  from: string;
  to: string;
}

const turnsOf = (turns: Turn[]): string => {
  const shown = turns.slice(0, 3).map(({ from, to }) => `${code(from)} → ${code(to)}`);
  return shown.join('、') + (turns.length > 3 ? ` など ${turns.length} 件` : '');
};

type Dependencies = Extract<ScopeFact, { kind: 'dependencies' }>;

const version = ({ name, change, from, to }: DependencyChange): string => {
  if (change === 'added') return `${code(name)}${to ? ` ${bareVersion(to)}` : ''} を追加`;
  if (change === 'removed') return `${code(name)} を削除`;
  return from && to ? `${code(name)} ${bareVersion(from)} → ${bareVersion(to)}` : `${code(name)} を変更`;
};

const versions = (changes: DependencyChange[], most: number): string =>
  listOf({ names: changes.slice(0, most).map(version), more: changes.length - most });

function scope(fact: ScopeFact): string {
  switch (fact.kind) {
    case 'tests':
      return '影響：テストのみ';
    case 'documentation':
      return '影響：ドキュメントのみ';
    case 'build':
      return '影響：ビルドと CI のみ';
    case 'dependencies':
      return `影響：依存関係のみ（${versions(fact.changes, 5)}）`;
    case 'formatting':
      return '影響：コードの整形のみ';
    case 'comments':
      return '影響：コメントのみ';
    case 'renames':
      return `影響：名前の変更のみ（${turnsOf(fact.turns)}）`;
    case 'moves':
      return fact.turns.length > 0
        ? `影響：移動のみ（${turnsOf(fact.turns)}）`
        : '影響：移動のみ（内容の変更なし）';
    case 'noPublicChange':
      return '影響：公開 API の名前と引数に変更なし';
  }
}

const major = (version: string | null): string | undefined => /\d+/.exec(version ?? '')?.[0];

function dependencies({ changes }: Dependencies): string {
  const isDevelopment = changes.every(({ scope: use }) => use === 'development');
  const noun = isDevelopment ? '開発用依存' : '依存関係';
  const [only] = changes;
  const isUpdate = changes.every(({ from, to }) => from !== null && to !== null);
  if (only && changes.length === 1) {
    if (isUpdate)
      return `${code(only.name)} を ${bareVersion(only.from)} から ${bareVersion(only.to)} に更新`;
    return `${noun} ${code(only.name)} を${only.change === 'added' ? '追加' : '削除'}`;
  }
  const majors = changes.filter(({ from, to }) => major(from) !== major(to)).length;
  if (!isUpdate) return `${noun}を ${changes.length} 件変更`;
  return `${noun}を ${changes.length} 件更新${majors > 0 ? `（メジャー ${majors} 件）` : ''}`;
}

const verbs: Record<ScopeFact['change'], string> = { added: '追加', removed: '削除', changed: '変更' };

const nameOf = (path: string): string => {
  const name = path.split('/').at(-1) ?? path;
  return /^readme\b/i.test(name) && !path.includes('/') ? 'README' : code(name);
};

/** 「README に節を 1 つ追加、2 つを修正」 */
function documentation(fact: Extract<ScopeFact, { kind: 'documentation' }>, counts: DiffCounts): string {
  const [file = '', ...others] = fact.files;
  if (others.length > 0) return `ドキュメント ${counts.files} ファイルを${verbs[fact.change]}`;
  if (fact.change !== 'changed') return `${nameOf(file)} を${verbs[fact.change]}`;
  const { added, changed } = fact.sections;
  if (added > 0) return `${nameOf(file)} に節を ${added} つ追加${changed > 0 ? `、${changed} つを修正` : ''}`;
  if (changed > 1) return `${nameOf(file)} の節を ${changed} つ修正`;
  return `${nameOf(file)} を修正（${sizeOf(counts)}）`;
}

function tests(fact: Extract<ScopeFact, { kind: 'tests' }>, counts: DiffCounts): string {
  const [first = '', ...others] = fact.added;
  if (first !== '' && others.length === 0) return `テスト ${code(first)} を追加`;
  if (first !== '') return `テスト ${fact.added.length} 件を追加`;
  const [file = ''] = fact.files;
  const verb = verbs[fact.change];
  return fact.files.length === 1
    ? `${nameOf(file)} のテストを${verb}`
    : `テスト ${counts.files} ファイルを${verb}`;
}

function largest(fact: LargestFact): string {
  const { name, change, hasMore, files } = fact;
  const size = `${hasMore && files > 1 ? `${files} ファイル、` : ''}${sizeOf(fact)}`;
  if (hasMore) return `${code(name)} などを変更（${size}）`;
  if (change === 'changed') return `${code(name)} を変更（${size}）`;
  return `${code(name)} を${change === 'added' ? '追加' : '削除'}`;
}

function renames(turns: Turn[]): string {
  const [only] = turns;
  if (only && turns.length === 1) return `${code(only.from)} の名前を ${code(only.to)} に変更`;
  return `名前を ${turns.length} 件変更（${turnsOf(turns.slice(0, 1))} など）`;
}

function moves(turns: Turn[], place: string): string {
  const [only] = turns;
  if (only && turns.length === 1) return `${code(only.from)} を ${code(only.to)} に移動`;
  return turns.length > 0 ? `${place}を移動（内容の変更なし）` : `コードを移動（${place}、内容の変更なし）`;
}

/** How often, in brackets. */
const howOften = ({ times, files }: ManyTimes, unit: string): string => {
  const said = [times === null ? '' : `${times} ${unit}`, files > 1 ? `${files} ファイル` : ''].filter(
    Boolean,
  );
  return said.length === 0 ? '' : `（${said.join('、')}）`;
};

export const japanese: RulePhrases = {
  scope,
  lead,
  risk,
  headline(fact, counts) {
    const [file = '', ...others] = 'files' in fact && Array.isArray(fact.files) ? fact.files : [];
    const place = others.length === 0 ? nameOf(file) : `${counts.files} ファイル`;
    switch (fact.kind) {
      case 'largest':
        return largest(fact);
      case 'noPublicChange':
        return null;
      case 'tests':
        return `${tests(fact, counts)}。本体コードの変更なし`;
      case 'documentation':
        return `${documentation(fact, counts)}。コードの変更なし`;
      case 'build':
        return `ビルドと CI の設定を${verbs[fact.change]}（${place}）。本体コードの変更なし`;
      case 'formatting':
        return `コードの整形のみ（${place}）`;
      case 'comments':
        return `コメントのみを変更（${place}）`;
      case 'dependencies':
        return dependencies(fact);
      case 'renames':
        return renames(fact.turns);
      case 'moves':
        return moves(fact.turns, place);
      default:
        return lead(fact);
    }
  },
  stop: '。',
  sameEdit: (places, names) => `他 ${places} か所も同じ変更：${listOf(names)}。`,
  renamed: (edit) => `${code(edit.from)} を ${code(edit.to)} に名称変更${howOften(edit, 'か所')}。`,
  replaced: (edit) => `一括置換${howOften(edit, '行')}：${code(edit.from)} → ${code(edit.to)}。`,
  addedOften: (edit) => `同じ追加${howOften(edit, '行')}：${code(edit.to)}。`,
  removedOften: (edit) => `同じ削除${howOften(edit, '行')}：${code(edit.from)}。`,
  moved: (what, from, to) =>
    from === to
      ? `${listOf(what)} を ${code(to)} 内で移動。内容の変更なし。`
      : `${listOf(what)} を ${code(from)} から ${code(to)} へ移動。内容の変更なし。`,
  fileMoved: (from, to, isEdited) =>
    `${code(from)} を ${code(to)} に移動。${isEdited ? '' : '内容の変更なし。'}`,
  filesMoved: (files) => `${files} 件のファイルを移動または名称変更。`,
  removedTests: (tests) => `削除したテスト：${listOf(tests)}。`,
  assertion: ({ test, from, to }) =>
    `${test ? `${code(test)} の` : ''}アサーションを変更：${code(from)} → ${code(to)}。`,
  alsoAdded: (what) => `ほかに追加：${listOf(what)}。`,
  alsoChanged: (what) => `ほかに変更：${listOf(what)}。`,
  alsoRemoved: (what) => `ほかに削除：${listOf(what)}。`,
  changedTests: (tests) => `テストの変更：${listOf(tests)}。`,
  documentation: (sections) => `ドキュメントの変更：${listOf(sections)}。`,
  tooLong: (files) => `長いため省略：${listOf(files)}。`,
  nothingButLayout: (files) => `コメント、インポート、書式のみの変更：${listOf(files)}。`,
  dependencies: (changes, most) => `依存関係：${versions(changes, most)}。`,
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
  executable: (files, isExecutable) => `実行権限を${isExecutable ? '付与' : '削除'}：${listOf(files)}。`,
};
