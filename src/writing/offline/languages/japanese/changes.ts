import { isProse } from '../../../plain-text.ts';
import { dependenciesNamed } from '../../plan-company.ts';
import {
  namesPerList,
  type OfCompany,
  type OfFiles,
  type OfLines,
  type OfSymbols,
  type Saying,
  type Statement,
} from '../../statements.ts';
import { code, codes, count, files, inside, kindOf, lines, quote, quotes, things } from './words.ts';

export const fileSayings: Saying<string, OfFiles> = {
  newFile: ({ lines: number, other }) =>
    `新しいファイル${number > 0 ? `です (${count(number)} 行)` : 'で、中身は空です'}。${other === null ? '' : `その行の大半は、これまで ${code(other)} にありました。`}`,
  removedFile: ({ lines: number, other }) =>
    `このファイルは削除されます${number > 0 ? ` (${count(number)} 行)` : ''}。${other === null ? '' : `その行の大半は、今は ${code(other)} にあります。`}`,
  linked: ({ target, isNew }) =>
    isNew
      ? `${code(target)} への新しいシンボリックリンクです。`
      : `${code(target)} へのシンボリックリンクになります。`,
  movedFile: ({ from, isEdited }) =>
    isEdited
      ? `${code(from)} から移され、内容も変わっています。`
      : `${code(from)} から移されただけで、内容は変わりません。`,
  manyFiles: ({ status, paths, lines: number, other }) => {
    const verb = {
      added: 'が新しく加わります',
      removed: 'が削除されます',
      moved: 'が内容を変えずに移されます',
      binary: 'というバイナリファイルが変わります',
    }[status];
    const origin =
      other === null
        ? ''
        : status === 'added'
          ? `その行の大半は、これまで ${code(other)} にありました。`
          : `その行の大半は、今は ${code(other)} にあります。`;
    return `${files(paths)} ${verb}${number > 0 ? ` (合わせて ${count(number)} 行)` : ''}。${origin}`;
  },
  copiedFile: ({ from }) => `${code(from)} の写しです。`,
  binaryFile: ({ status }) =>
    ({
      added: '新しいバイナリファイルです。',
      removed: 'このバイナリファイルは削除されます。',
      modified: 'このバイナリファイルは差し替えられます。',
    })[status],
  modeChanged: ({ isExecutable }) => (isExecutable ? '実行できるようになります。' : '実行できなくなります。'),
  submodule: () => 'サブモジュールが別のコミットを指すようになります。',
  counts: ({ names, ...extent }) =>
    names.length === 0
      ? `${lines(extent)}があります。`
      : `${codes(names)} の中身が変わります (ファイル全体で ${lines(extent)})。`,
  importsOnly: ({ paths }) => `${files(paths)} ではインポートだけが変わります。`,
  alsoIn: ({ paths, isPart }) =>
    `同じ変更が ${isPart ? `${files(paths.slice(0, 3))} など` : files(paths)} にもあります。`,
  wordsOnly: (extent) => `コメントや説明文だけが変わります (${lines(extent)})。`,
  smaller: (extent) => `このほか、${files(extent.paths)} にも変更があります (${lines(extent)})。`,
  unread: ({ kind, event, folder, ...extent }) => {
    const vendored = folder
      ? `ふつう外から取り込んだものを置く ${code(folder)} の下にある`
      : '外から取り込まれたとみられる';
    const what = { generated: '自動生成とみられる', vendored, binary: 'バイナリの' }[kind];
    const size = extent.additions + extent.deletions > 0 ? ` (${lines(extent)})` : '';
    const [one, many] = {
      added: ['新しく加わります', '新しく加わります'],
      removed: ['削除されます', '削除されます'],
      moved: ['内容を変えずに移されます', '内容を変えずに移されます'],
      edited: ['内容が変わります', '変わります'],
    }[event];
    return extent.paths.length === 1
      ? `${what}ファイルで、${one}${size}。`
      : `${what} ${count(extent.paths.length)} ファイル (${files(extent.paths)}) が${many}${size}。`;
  },
  lockOnly: (extent) => `ロックファイルが変わります (${lines(extent)})。`,
};

export const symbolSayings: Saying<string, OfSymbols> = {
  defines: ({ names, inNewFile, isPart }) =>
    `${things(names, isPart)} を${inNewFile ? '定義' : '追加'}しています。`,
  explains: ({ name, isOnly, isComment, quote: text }) =>
    `${isOnly ? 'その' : `${code(name)} の`}${isComment ? 'コメント' : '説明文'}には${quote(text)}とあります。`,
  removes: ({ names, withFile, isPart }) =>
    withFile
      ? `そこにあった ${things(names)} もなくなります。`
      : `${things(names, isPart)} を削除しています。`,
  movesHere: ({ names, from, isEdited }) =>
    `${things(names)} が ${code(from)} からここに移り${isEdited ? '、手も加えられています' : 'ます'}。`,
  movesAway: ({ names, to }) => `${things(names)} は ${code(to)} に移ります。`,
  movesWithin: ({ names }) => `${things(names)} はファイルの中で別の場所に移ります。`,
  wraps: ({ names, wrapper }) => `${things(names)} は ${code(wrapper)} の中に置かれるようになります。`,
  renames: ({ kind, from, to }) => `${kindOf(kind)} ${code(from)} を ${code(to)} に改名しています。`,
  parameters: ({ kind, name, required, optional, gone }) => {
    const parts = [
      required.length > 0 && ['引数 ', codes(required), 'を取るように'],
      optional.length > 0 && ['省略できる引数 ', codes(optional), 'を受け取れるように'],
      gone.length > 0 && ['引数 ', codes(gone), 'を取らなく'],
    ].filter((part) => part !== false);
    const said = parts.map(([what, names, how]) => `${what}${names} ${how}なり`);
    return `${kind === 'constructor' ? 'コンストラクター ' : ''}${code(name)} は${said.join('、')}ます。`.replace(
      /は(?=[`])/,
      'は ',
    );
  },
  parameterType: ({ of, name, from, to }) =>
    `${code(of)} の引数 ${code(name)} の型は ${code(from)} から ${code(to)} に変わります。`,
  parameterDefault: ({ of, name, from, to }) =>
    `${code(of)} の引数 ${code(name)} の既定値は ${code(from)} から ${code(to)} に変わります。`,
  returns: ({ names, from, to }) =>
    `${codes(names)} の戻り値は ${code(from)} から ${code(to)} に変わります。`,
  resigned: ({ from, to }) => `${code(from)} が ${code(to)} に変わります。`,
  value: ({ name, from, to }) => `${code(name)} は ${code(from)} から ${code(to)} に変わります。`,
};

const inPlaces = (number: number | null, particle: string): string =>
  number === null || number < 2 ? '' : ` ${count(number)} か所${particle}`;

const turns = (isPart = false): string => (isPart ? '変わるなど、いくつかの変更があります' : '変わります');
const besideOthers = (isPart = false): string => (isPart ? 'ほかの変更とともに、' : '');

export const lineSayings: Saying<string, OfLines> = {
  replaced: ({ symbol, from, to, isPart }) =>
    `${inside(symbol)}${code(from)} が ${code(to)} に${turns(isPart)}。`,
  replacedOften: ({ from, to, count: number, isPart }) =>
    `${code(from)} が${inPlaces(number, 'で')} ${code(to)} に${turns(isPart)}。`,
  addedOften: ({ text, count: number }) => `${code(text)} を${inPlaces(number, 'に')}追加しています。`,
  reformatted: ({ paths }) =>
    `${paths.length > 1 ? `${files(paths)} では` : ''}改行や空白、字下げだけが変わります。`,
  checksDifferently: ({ symbol, from, to, isPart }) =>
    `${inside(symbol)}条件 ${code(from)} が ${code(to)} に${turns(isPart)}。`,
  raises: ({ symbol, message }) => `${inside(symbol)}新しいエラーメッセージ${quote(message)}が加わります。`,
  remarks: ({ symbol, isComment, quote: text, isPart }) =>
    `${besideOthers(isPart)}${symbol === null ? '' : `${code(symbol)} に`}新しい${isComment ? 'コメント' : '説明文'}${quote(text)}が付きます。`,
  rewords: ({ symbol, isComment, from, quote: text, isPart }) =>
    `${symbol === null ? '' : `${code(symbol)} の`}${isComment ? 'コメント' : '説明文'}が${from === '' ? '' : `${quote(from)}から`}${quote(text)}に${turns(isPart)}。`,
  lines: ({ symbol, added, removed, hasMore, isInPlace }) => {
    const place = inside(symbol);
    const goes = `${codes(removed)}${hasMore.removed ? ' など' : ''}`;
    const comes = `${codes(added)}${hasMore.added ? ' など' : ''}`;
    const besides = (isMore: boolean): string => (isMore && !isInPlace ? ' (ほかにも変更があります)' : '');
    if (added.length === 0)
      return `${place}${goes} を削除し${isInPlace ? '、代わりに別の行を入れ' : ''}ています${besides(hasMore.added && !hasMore.removed)}。`;
    if (removed.length === 0)
      return `${place}${isInPlace ? 'ほかの行に代えて ' : ''}${comes} を追加しています${besides(hasMore.removed && !hasMore.added)}。`;
    return `${place}${goes} を削除し、${comes} を追加しています。`;
  },
};

const surfaces = {
  configurationKey: '設定キー',
  environmentVariable: '環境変数',
  route: 'ルート',
  commandLineOption: 'コマンドラインオプション',
} as const;
const verbs = { added: '追加しています', removed: '削除しています', changed: '変更しています' } as const;
const reading = {
  added: '使うようになります',
  removed: '使わなくなります',
  changed: '別の形で使うようになります',
} as const;

export const companySayings: Saying<string, OfCompany> = {
  dependencies: ({ change, changes }) => dependencies(change, changes),
  dependenciesMoved: ({ names, from, to, isHere }) =>
    `依存関係の ${codes(names, dependenciesNamed)} が ${isHere ? `${code(from)} からここに` : `${code(to)} に`}移ります。`,
  setting: ({ kind, change, names }) =>
    `${surfaces[kind]} ${codes(names)} を${(kind === 'environmentVariable' ? reading : verbs)[change]}。`,
  tests: ({ names }) => `テスト${quotes(names, 3)}を追加しています。`,
  testsGone: ({ names }) => `テスト${quotes(names, 3)}を削除しています。`,
  testsRenamed: ({ from, to, hasMore }) =>
    `テスト${quote(from)}は${quote(to)}という名前になり${hasMore ? '、ほかのテストの名前も変わり' : ''}ます。`,
  testsMoved: ({ names, from }) => `テスト${quotes(names, 3)}が ${code(from)} からここに移ります。`,
  sections: ({ headings, isPart }) =>
    `${quotes(headings)}${isPart && headings.length <= namesPerList ? 'など' : ''}の節を加えています。`,
  addsText: ({ quote: text }) => `文書に${quote(text)}と書き加えています。`,
  dropsText: ({ quote: text }) => `文書から${quote(text)}を削っています。`,
  rewordsText: ({ from, to, isPart = false }) => {
    const verb = isPart ? '改めるなど、いくつかの変更があります' : '改めています';
    return isProse(from) && isProse(to)
      ? `${quote(from)}を${quote(to)}に${verb}。`
      : `${code(from)} を ${code(to)} に${verb}。`;
  },
  changelog: ({ section, quote: text }) =>
    `変更履歴${section === null ? '' : `の${quote(section)}の節`}には${quote(text)}とあります。`,
};

type Dependencies = Extract<Statement, { say: 'dependencies' }>;

function dependencies(change: Dependencies['change'], changes: Dependencies['changes']): string {
  const names = changes.slice(0, dependenciesNamed).map(({ name, from, to, scope }) => {
    if (change === 'added')
      return `${code(name)}${to ? ` ${code(to)}` : ''}${scope === 'development' ? ' (開発用)' : ''}`;
    return change !== 'removed' && from && to
      ? `${code(name)} を ${code(from)} から ${code(to)} に`
      : code(name);
  });
  const more = changes.length - dependenciesNamed;
  const shown = `${names.join('、')}${more > 0 ? ` ほか ${count(more)} 件` : ''}`;
  const isWhole =
    change !== 'added' && change !== 'removed' && changes.every(({ from, to }) => from && to) && more <= 0;
  const verb = { added: '追加', removed: '削除', upgraded: '更新', downgraded: '引き下げ', changed: '変更' }[
    change
  ];
  return `依存関係${change === 'added' ? 'に' : 'の'} ${shown} ${isWhole ? '' : 'を'}${verb}しています。`;
}
