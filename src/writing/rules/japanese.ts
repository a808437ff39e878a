import type { DependencyChange } from '../../reading/facts.ts';
import { extensionOf, type HeadlineFact, type Part } from './headline.ts';
import type { ChangeFact, Noun } from './lead.ts';
import {
  bareVersion,
  code,
  type ManyTimes,
  type Names,
  type RulePhrases,
  type ShownRisk,
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

/** Whether a file stayed in its folder. */
const isInPlace = (from: string, to: string): boolean =>
  from.slice(0, from.lastIndexOf('/') + 1) === to.slice(0, to.lastIndexOf('/') + 1);

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
      return '影響：ビルド・CI 設定のみ';
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
      return '影響：公開 API のシグネチャに変更なし（内部の処理を変更）';
  }
}

const major = (version: string | null): string | undefined => /\d+/.exec(version ?? '')?.[0];

function dependencies({ changes }: Dependencies): string {
  const isDevelopment = changes.every(({ isForDevelopment }) => isForDevelopment);
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
  return /^readme(?:\.\w{2,4})?$/i.test(path) ? 'README' : code(name);
};

function documentation(fact: Extract<ScopeFact, { kind: 'documentation' }>): string {
  const verb = fact.change === 'changed' ? '更新' : verbs[fact.change];
  if (fact.files.length > 2) return `ドキュメント ${fact.files.length} ファイルを${verb}`;
  return `${fact.files.map(nameOf).join('、')} を${verb}`;
}

function tests(fact: Extract<ScopeFact, { kind: 'tests' }>): string {
  const [first = '', ...others] = fact.added;
  if (first !== '' && others.length === 0) return `テスト ${code(first)} を追加`;
  if (first !== '') return `テスト ${fact.added.length} 件を追加`;
  const [file = ''] = fact.files;
  const verb = verbs[fact.change];
  return fact.files.length === 1
    ? `${nameOf(file)} のテストを${verb}`
    : `テスト ${fact.files.length} ファイルを${verb}`;
}

const partNames: Record<Part, string> = {
  documentation: 'ドキュメント',
  test: 'テスト',
  build: 'ビルド・CI 設定',
  comment: 'コメント',
};

function edit({ of, isFile, isComment, from, to }: Extract<HeadlineFact, { kind: 'edit' }>): string {
  if (of === null) return `${code(from)} を ${code(to)} に置き換え`;
  const where = `${isFile ? nameOf(of) : code(of)}${isComment ? ' のコメント' : ''}`;
  const space = isComment ? '' : ' ';
  if (from === '') return `${where}${space}に ${code(to)} を追加`;
  if (to === '') return `${where}${space}から ${code(from)} を削除`;
  return `${where}${space}の ${code(from)} を ${code(to)} に変更`;
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

/** 「3 ファイルの 9 行」 */
const linesOf = ({ times, files }: ManyTimes): string =>
  `${files > 1 ? `${files} ファイルの` : ''}${times === null ? '複数の行' : `${files > 1 ? ' ' : ''}${times} 行`}`;

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
  headline(fact) {
    const files = 'files' in fact ? fact.files : [];
    const place = files.length === 1 ? nameOf(files[0] ?? '') : `${files.length} ファイル`;
    switch (fact.kind) {
      case 'optional':
        return `${code(fact.of)} に引数 ${join(fact.names)} を追加`;
      case 'edit':
        return edit(fact);
      case 'converted':
        return `${code(fact.from)} を ${extensionOf(fact.to) === 'md' ? 'Markdown' : 'reStructuredText'} に変換`;
      case 'branch':
        return fact.returns === null
          ? `${code(fact.of)} に ${code(fact.condition)} の場合の処理を追加`
          : `${code(fact.of)} に ${code(fact.condition)} の場合に ${code(fact.returns)} を返す処理を追加`;
      case 'file':
        return `${code(fact.path)} を${verbs[fact.change]}`;
      case 'parts':
        return `${fact.parts.map((part) => partNames[part]).join('と')}のみを変更`;
      case 'fix':
        return `${code(fact.of)} の処理を修正`;
      case 'noPublicChange':
        return null;
      case 'tests':
        return `${tests(fact)}。本体コードの変更なし`;
      case 'documentation':
        return `${documentation(fact)}。コードの変更なし`;
      case 'build':
        return `ビルド・CI 設定を${verbs[fact.change]}（${place}）。本体コードの変更なし`;
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
  sameEdit: (places, names) => `以下と同じ変更がほかに ${places} か所：${listOf(names)}。`,
  renamed: (many) => `${code(many.from)} を ${code(many.to)} にリネーム${howOften(many, 'か所')}。`,
  replaced: (many) => `一括置換${howOften(many, '行')}：${code(many.from)} → ${code(many.to)}。`,
  addedOften: (many) => `${linesOf(many)}に ${code(many.to)} を追加。`,
  removedOften: (many) => `${linesOf(many)}から ${code(many.from)} を削除。`,
  moved: (what, from, to) =>
    from === to
      ? `${listOf(what)} を ${code(to)} 内で移動。内容の変更なし。`
      : `${listOf(what)} を ${code(from)} から ${code(to)} へ移動。内容の変更なし。`,
  fileMoved: (from, to, isEdited) =>
    `${code(from)} を ${code(to)} に${isInPlace(from, to) ? 'リネーム' : '移動'}。${isEdited ? '' : '内容の変更なし。'}`,
  filesMoved: (files) => `${files} 件のファイルを移動またはリネーム。`,
  removedTests: (tests) => `削除したテスト：${listOf(tests)}。`,
  assertion: ({ test, from, to }) =>
    `${test ? `${code(test)} の` : ''}アサーションを変更：${code(from)} → ${code(to)}。`,
  alsoAdded: (what) => `追加（差分は省略）：${listOf(what)}。`,
  alsoChanged: (what) => `変更（差分は省略）：${listOf(what)}。`,
  alsoRemoved: (what) => `削除（差分は省略）：${listOf(what)}。`,
  changedTests: (tests) => `テストの変更：${listOf(tests)}。`,
  documentation: (sections) => `ドキュメントの変更：${listOf(sections)}。`,
  tooLong: (files) => `長いため省略：${listOf(files)}。`,
  nothingButLayout: (files) =>
    files.names.length === 1
      ? `${listOf(files)}：コメント、インポート、書式などの変更のみ。`
      : `コメント、インポート、書式などのみの変更：${listOf(files)}。`,
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
