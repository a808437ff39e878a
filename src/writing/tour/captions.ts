import type { FileFacts } from '../../reading/facts.ts';
import type { DeclaredThing, StatedFact, Thing } from '../draft.ts';
import { codeSpan as code } from './code-span.ts';
import { list, thingIn } from './languages/things.ts';

/** What each kind of caption is about. Names are as the lines have them. */
export interface CaptionValues {
  newDeclaration: Declared & { doc: string | null };
  removedDeclarations: { thing: Thing; names: string[] };
  renamed: { thing: Thing; from: string; to: string };
  replaces: { thing: Thing; from: string; to: string };
  movedHere: Declared & { from: string; to: string };
  newParameter: { of: string; name: string; value: string | null };
  removedParameter: { of: string; name: string };
  parameterType: { of: string; name: string; from: string; to: string };
  returnType: { of: string; from: string; to: string };
  defaultValue: { of: string; from: string; to: string };
  throwsWhen: { within: string | null; error: string; condition: string };
  throws: { within: string | null; error: string };
  returnsEarly: { within: string | null; condition: string };
  alsoNeeds: { within: string | null; condition: string };
  alsoHolds: { within: string | null; condition: string };
  noLongerNeeds: { within: string | null; condition: string };
  otherCondition: { within: string | null; from: string; to: string };
  returnsInstead: { within: string | null; from: string; to: string };
  value: { within: string | null; of: string; from: string; to: string };
  uses: { within: string | null; name: string };
  dependencies: { changes: { name: string; from: string | null; to: string | null }[] };
  surface: { surface: FileFacts['surfaces'][number]['kind']; change: 'added' | 'removed'; names: string[] };
  newFile: { path: string; names: string[]; hasMore: boolean; doc: string | null };
  removedFile: { path: string; names: string[]; hasMore: boolean };
  renamedFile: { path: string; from: string };
  otherFile: { path: string; status: 'binary' | 'executable' | 'notExecutable' | 'submodule' };
  layout: { path: string };
  same: { names: string[]; paths: string[]; isExact: boolean };
  sameEdit: { from: string; to: string };
  edit: { within: string | null; from: string; to: string };
  newLine: { within: string | null; text: string };
  goneLine: { within: string | null; text: string };
  sameAddition: { text: string };
  movedAway: { thing: DeclaredThing; name: string; from: string; to: string };
  onlyComments: { path: string };
  onlyImports: { path: string };
  unread: { what: 'lock' | 'generated' | 'vendored' | 'binary' };
  moreFiles: { paths: string[] };
  places: { names: string[] };
  changed: { path: string };
  tests: {
    /** By the name that stands in its line, and with what it belongs to. */
    added: { name: string; path: string }[];
    changed: string[];
    removed: { name: string; path: string }[];
    renamed: { from: string; to: string }[];
  };
  newSections: { names: string[] };
  reworded: { from: string; to: string };
  written: { text: string };
  watch: { reason: WatchedReason; names: string[] };
  within: { name: string };
  inFile: { path: string };
}

interface Declared {
  thing: DeclaredThing;
  name: string;
  isPublic: boolean;
}

export type CaptionKind = keyof CaptionValues;

export type Caption = { [Kind in CaptionKind]: { kind: Kind } & CaptionValues[Kind] }[CaptionKind];

/** A kind of caption: how much it says beside others of the same piece, what the lines must show, and how it is said. */
interface Row<Values> {
  weight: number;
  proof: (values: Values) => StatedFact[];
  en: (values: Values) => string;
  ja: (values: Values) => string;
}

const within = (name: string | null): StatedFact[] => (name === null ? [] : [{ relation: 'within', name }]);
const comes = (thing: Thing, name: string): StatedFact => ({ relation: 'comes', thing, name });
const goes = (thing: Thing, name: string): StatedFact => ({ relation: 'goes', thing, name });
const becomes = (from: string, to: string, ...of: string[]): StatedFact => ({
  relation: 'becomes',
  of,
  from,
  to,
});
/** Of two names that hold one another, neither comes or goes as a whole. */
const renamed = (thing: Thing, from: string, to: string): StatedFact[] =>
  from.includes(to) || to.includes(from)
    ? [becomes(from, to)]
    : [becomes(from, to), goes(thing, from), comes(thing, to)];
const withVersion = ({ name, from, to }: CaptionValues['dependencies']['changes'][number]): string =>
  `${code(name)}${from === null ? '' : ` ${code(from)} →`}${to === null || to === '' ? '' : ` ${code(to)}`}`;

const lastPart = (name: string): string => name.split('.').at(-1) ?? name;

const baseOf = (path: string): string => path.split('/').at(-1) ?? path;

const inEn = (name: string | null): string => (name === null ? '' : `In ${code(name)}, `);
const inJa = (name: string | null): string => (name === null ? '' : `${code(name)} で、`);
/** What is written in words, as sections and many tests are called, stands in quotation marks; a name in the code as code. */
const isWords = (name: string): boolean => /\s/.test(name) && !/[“”「」`]/.test(name);
const called = {
  en: (name: string): string => (isWords(name) ? `“${name}”` : code(name)),
  ja: (name: string): string => (isWords(name) ? `「${name}」` : code(name)),
};

/** Names, and whether there are more of them. */
const listed = {
  en: (names: string[], hasMore: boolean): string =>
    hasMore ? `${names.map(code).join(', ')} and more` : list.en(names.map(code)),
  ja: (names: string[], hasMore: boolean): string => `${list.ja(names.map(code))}${hasMore ? 'ほか' : ''}`,
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const sentence = (name: string | null, text: string): string =>
  name === null ? capital(text) : `${inEn(name)}${text}`;

const statusOf = {
  binary: 'binary',
  executable: 'executable',
  notExecutable: 'notExecutable',
  submodule: 'submodule',
} as const;

/** What deserves a look and is said by naming it. */
const watched = {
  publicApiRemoved: {
    en: 'No longer there for callers:',
    ja: '呼び出し側から使えなくなった：',
    proof: (name: string) => goes('line', name),
  },
  publicApiChanged: {
    en: 'Callers meet another signature:',
    ja: 'シグネチャが変わった：',
    proof: (name: string): StatedFact => ({ relation: 'changes', name }),
  },
  closedToAdditions: {
    en: 'Can no longer be extended:',
    ja: '拡張できなくなった：',
    proof: (name: string): StatedFact => ({ relation: 'within', name }),
  },
  openedToAdditions: {
    en: 'May get more cases or be extended:',
    ja: '拡張できるようになった：',
    proof: (name: string): StatedFact => ({ relation: 'within', name }),
  },
  schemaMigration: {
    en: 'The database schema changes:',
    ja: 'スキーマの変更：',
    proof: (name: string) => comes('line', name),
  },
  settingRemoved: {
    en: 'Settings that are gone:',
    ja: 'なくなった設定：',
    proof: (name: string) => goes('configurationKey', name),
  },
  fallbackRemoved: {
    en: 'No fallback any more for',
    ja: 'フォールバックがなくなった：',
    proof: (name: string): StatedFact => ({ relation: 'changes', name }),
  },
  permissionChanged: {
    en: 'New permission:',
    ja: '新しい権限：',
    proof: (name: string) => comes('line', name),
  },
  testSkipped: {
    en: 'A test is skipped:',
    ja: 'スキップされるテスト：',
    proof: (name: string) => comes('line', name),
  },
  debugOnlyCheck: {
    en: 'Checked in debug builds only:',
    ja: 'デバッグビルドでのみ検査：',
    proof: (name: string) => comes('line', name),
  },
} as const;

export type WatchedReason = keyof typeof watched;

export const isWatched = (reason: string): reason is WatchedReason => reason in watched;

export const captions: { [Kind in CaptionKind]: Row<CaptionValues[Kind]> } = {
  newDeclaration: {
    weight: 9,
    proof: ({ thing, name }) => [comes(thing, lastPart(name)), ...within(name)],
    en: ({ thing, name, isPublic, doc }) =>
      `New ${isPublic ? 'public ' : ''}${thingIn.en[thing]} ${code(name)}${doc === null ? '.' : `: ${doc}`}`,
    ja: ({ thing, name, isPublic, doc }) =>
      `新しい${isPublic ? '公開' : ''}${thingIn.ja[thing]} ${code(name)}${doc === null ? '。' : `：${doc}`}`,
  },
  removedDeclarations: {
    weight: 5,
    proof: ({ thing, names }) => names.flatMap((name) => [goes(thing, lastPart(name)), ...within(name)]),
    en: ({ names }) => `Removed: ${list.en(names.map(code))}.`,
    ja: ({ names }) => `削除：${list.ja(names.map(code))}。`,
  },
  renamed: {
    weight: 8,
    proof: ({ thing, from, to }) => renamed(thing, from, to),
    en: ({ from, to }) => `${code(from)} is now called ${code(to)}.`,
    ja: ({ from, to }) => `改名：${code(from)} → ${code(to)}。`,
  },
  replaces: {
    weight: 9,
    proof: ({ thing, from, to }) => [goes(thing, from), comes(thing, to)],
    en: ({ from, to }) => `${code(to)} replaces ${code(from)}.`,
    ja: ({ from, to }) => `置き換え：${code(from)} → ${code(to)}。`,
  },
  movedHere: {
    weight: 4,
    proof: ({ thing, name, from, to }) => [
      { relation: 'moved', thing, name: lastPart(name), fromFile: from, toFile: to },
    ],
    en: ({ name, from }) => `${code(name)}, moved from ${code(from)}.`,
    ja: ({ name, from }) => `${code(name)}。${code(from)} から移動。`,
  },
  newParameter: {
    weight: 9,
    proof: ({ of, name }) => [{ relation: 'parameter', of: lastPart(of), name, change: 'added' }],
    en: ({ of, name, value }) =>
      `${code(of)} takes a new parameter ${code(name)}${value === null ? '' : ` (default ${code(value)})`}.`,
    ja: ({ of, name, value }) =>
      `${code(of)} に新しい引数 ${code(name)}${value === null ? '' : `（既定値 ${code(value)}）`}。`,
  },
  removedParameter: {
    weight: 8,
    proof: ({ of, name }) => [{ relation: 'parameter', of: lastPart(of), name, change: 'removed' }],
    en: ({ of, name }) => `${code(of)} no longer takes ${code(name)}.`,
    ja: ({ of, name }) => `${code(of)} は ${code(name)} を取らなくなった。`,
  },
  parameterType: {
    weight: 7,
    proof: ({ of, name, from, to }) => [becomes(from, to, lastPart(of), name)],
    en: ({ of, name, from, to }) => `${code(name)} of ${code(of)}: ${code(from)} → ${code(to)}.`,
    ja: ({ of, name, from, to }) => `${code(of)} の ${code(name)}：${code(from)} → ${code(to)}。`,
  },
  returnType: {
    weight: 7,
    proof: ({ of, from, to }) => [becomes(from, to, lastPart(of))],
    en: ({ of, from, to }) => `Return type of ${code(of)}: ${code(from)} → ${code(to)}.`,
    ja: ({ of, from, to }) => `${code(of)} の戻り値の型：${code(from)} → ${code(to)}。`,
  },
  defaultValue: {
    weight: 9,
    proof: ({ of, from, to }) => [becomes(from, to, of)],
    en: ({ of, from, to }) => `Default of ${code(of)}: ${code(from)} → ${code(to)}.`,
    ja: ({ of, from, to }) => `${code(of)} の既定値：${code(from)} → ${code(to)}。`,
  },
  throwsWhen: {
    weight: 8,
    proof: ({ within: name, error, condition }) => [
      ...within(name),
      comes('line', error),
      comes('condition', condition),
    ],
    en: ({ within: name, error, condition }) =>
      `${name === null ? 'Fails' : `${code(name)} fails`} with ${code(error)} when ${code(condition)}.`,
    ja: ({ within: name, error, condition }) =>
      `${name === null ? '' : `${code(name)} は `}${code(condition)} のとき ${code(error)} で失敗する。`,
  },
  throws: {
    weight: 7,
    proof: ({ within: name, error }) => [...within(name), comes('line', error)],
    en: ({ within: name, error }) =>
      `${name === null ? 'Can' : `${code(name)} can`} now fail with ${code(error)}.`,
    ja: ({ within: name, error }) =>
      `${name === null ? '' : `${code(name)} は `}${code(error)} で失敗しうるようになった。`,
  },
  returnsEarly: {
    weight: 9,
    proof: ({ within: name, condition }) => [...within(name), comes('condition', condition)],
    en: ({ within: name, condition }) =>
      `${name === null ? 'Returns' : `${code(name)} returns`} early when ${code(condition)}.`,
    ja: ({ within: name, condition }) =>
      `${name === null ? '' : `${code(name)} は `}${code(condition)} のとき早く戻る。`,
  },
  alsoNeeds: {
    weight: 9,
    proof: ({ within: name, condition }) => [...within(name), comes('condition', condition)],
    en: ({ within: name, condition }) => sentence(name, `the condition now also needs ${code(condition)}.`),
    ja: ({ within: name, condition }) => `${inJa(name)}条件に ${code(condition)} も必要になった。`,
  },
  alsoHolds: {
    weight: 9,
    proof: ({ within: name, condition }) => [...within(name), comes('condition', condition)],
    en: ({ within: name, condition }) =>
      sentence(name, `the condition now also holds when ${code(condition)}.`),
    ja: ({ within: name, condition }) => `${inJa(name)}条件は ${code(condition)} でも成り立つようになった。`,
  },
  noLongerNeeds: {
    weight: 8,
    proof: ({ within: name, condition }) => [...within(name), goes('condition', condition)],
    en: ({ within: name, condition }) =>
      sentence(name, `the condition no longer asks for ${code(condition)}.`),
    ja: ({ within: name, condition }) => `${inJa(name)}条件から ${code(condition)} がなくなった。`,
  },
  otherCondition: {
    weight: 5,
    proof: ({ within: name, from, to }) => [...within(name), becomes(from, to)],
    en: ({ within: name }) =>
      name === null ? 'A condition changes.' : `Condition of ${code(name)} changes.`,
    ja: ({ within: name }) => (name === null ? '条件が変わる。' : `${code(name)} の条件が変わる。`),
  },
  returnsInstead: {
    weight: 8,
    proof: ({ within: name, from, to }) => [...within(name), becomes(from, to)],
    en: ({ within: name, from, to }) =>
      `${name === null ? 'Returns' : `${code(name)} returns`} ${code(to)} instead of ${code(from)}.`,
    ja: ({ within: name, from, to }) =>
      `${name === null ? '' : `${code(name)} の`}戻り値：${code(from)} → ${code(to)}。`,
  },
  value: {
    weight: 7,
    proof: ({ within: name, from, to }) => [...within(name), becomes(from, to)],
    en: ({ of, from, to }) => `${code(of)}: ${code(from)} → ${code(to)}.`,
    ja: ({ of, from, to }) => `${code(of)}：${code(from)} → ${code(to)}。`,
  },
  uses: {
    weight: 6,
    proof: ({ within: name, name: used }) => [...within(name), comes('line', used)],
    en: ({ within: name, name: used }) =>
      name === null ? `Uses the new ${code(used)}.` : `${code(name)} uses the new ${code(used)}.`,
    ja: ({ within: name, name: used }) =>
      `${name === null ? '' : `${code(name)} は`}新しい ${code(used)} を使う。`,
  },
  dependencies: {
    weight: 9,
    proof: ({ changes }) =>
      changes.map(({ name, from, to }) =>
        from !== null && to !== null
          ? becomes(from, to, name)
          : from === null
            ? comes('dependency', name)
            : goes('dependency', name),
      ),
    en: ({ changes }) =>
      parts('. ', [
        [changes.filter(({ from }) => from === null).map(withVersion), 'New: '],
        [changes.filter(({ from, to }) => from !== null && to !== null).map(withVersion), ''],
        [changes.filter(({ to }) => to === null).map(({ name }) => code(name)), 'Removed: '],
      ]),
    ja: ({ changes }) =>
      parts('。', [
        [changes.filter(({ from }) => from === null).map(withVersion), '追加：'],
        [changes.filter(({ from, to }) => from !== null && to !== null).map(withVersion), ''],
        [changes.filter(({ to }) => to === null).map(({ name }) => code(name)), '削除：'],
      ]),
  },
  surface: {
    weight: 10,
    proof: ({ surface, change, names }) =>
      names.map((name) => (change === 'added' ? comes(surface, name) : goes(surface, name))),
    en: ({ surface, change, names }) =>
      `${change === 'added' ? 'New' : 'Removed'} ${thingIn.en[surface]}${names.length > 1 ? 's' : ''} ${list.en(names.map(code))}.`,
    ja: ({ surface, change, names }) =>
      `${change === 'added' ? '新しい' : '削除された'}${thingIn.ja[surface]} ${list.ja(names.map(code))}。`,
  },
  newFile: {
    weight: 8,
    proof: ({ path, names }) => [
      { relation: 'file', path, status: 'added', from: null },
      ...names.map((name) => comes('line', lastPart(name))),
    ],
    en: ({ names, hasMore, doc }) =>
      `New file${names.length > 0 ? ` that defines ${listed.en(names, hasMore)}` : ''}${doc === null ? '.' : `: ${doc}`}`,
    ja: ({ names, hasMore, doc }) =>
      `新しいファイル${names.length > 0 ? `。${listed.ja(names, hasMore)} を定義` : ''}${doc === null ? '。' : `：${doc}`}`,
  },
  removedFile: {
    weight: 5,
    proof: ({ path, names }) => [
      { relation: 'file', path, status: 'removed', from: null },
      ...names.map((name) => goes('line', lastPart(name))),
    ],
    en: ({ names, hasMore }) =>
      `File removed${names.length > 0 ? `, with ${listed.en(names, hasMore)}` : ''}.`,
    ja: ({ names, hasMore }) =>
      `ファイルを削除${names.length > 0 ? `（${listed.ja(names, hasMore)}）` : ''}。`,
  },
  renamedFile: {
    weight: 4,
    proof: ({ path, from }) => [{ relation: 'file', path, status: 'renamed', from }],
    en: ({ from }) => `Was ${code(from)}.`,
    ja: ({ from }) => `以前は ${code(from)}。`,
  },
  otherFile: {
    weight: 2,
    proof: ({ path, status }) => [{ relation: 'file', path, status: statusOf[status], from: null }],
    en: ({ status }) =>
      ({
        binary: 'Binary file.',
        executable: 'Can be executed now.',
        notExecutable: 'Can no longer be executed.',
        submodule: 'Points to another commit of a submodule.',
      })[status],
    ja: ({ status }) =>
      ({
        binary: 'バイナリファイル。',
        executable: '実行できるようになった。',
        notExecutable: '実行できなくなった。',
        submodule: 'サブモジュールの別のコミットを指す。',
      })[status],
  },
  layout: {
    weight: 2,
    proof: () => [{ relation: 'reformatted' }],
    en: () => 'Only laid out anew: white space and line breaks.',
    ja: () => '空白と改行だけの変更。',
  },
  same: {
    weight: 1,
    proof: ({ names, paths }) => [
      ...names.map((name): StatedFact => ({ relation: 'within', name })),
      ...paths.map((path): StatedFact => ({ relation: 'file', path, status: 'changed', from: null })),
    ],
    en: ({ names, paths, isExact }) =>
      `${isExact ? 'The same' : 'Likewise'} in ${list.en([...names, ...paths].map(code))}.`,
    ja: ({ names, paths, isExact }) =>
      `${list.ja([...names, ...paths].map(code))} でも${isExact ? '同じ' : '同様'}。`,
  },
  watch: {
    weight: 6,
    proof: ({ reason, names }) => names.map((name) => watched[reason].proof(name)),
    en: ({ reason, names }) => `${watched[reason].en} ${list.en(names.map(code))}.`,
    ja: ({ reason, names }) => `${watched[reason].ja}${list.ja(names.map(code))}。`,
  },
  sameEdit: {
    weight: 5,
    proof: ({ from, to }) => [becomes(from, to)],
    en: ({ from, to }) => `${code(from)} → ${code(to)}`,
    ja: ({ from, to }) => `${code(from)} → ${code(to)}`,
  },
  edit: {
    weight: 4,
    proof: ({ within: name, from, to }) => [...within(name), becomes(from, to)],
    en: ({ within: name, from, to }) =>
      `${name === null ? '' : `In ${code(name)}: `}${code(from)} → ${code(to)}.`,
    ja: ({ within: name, from, to }) =>
      `${name === null ? '' : `${code(name)} で：`}${code(from)} → ${code(to)}。`,
  },
  newLine: {
    weight: 2,
    proof: ({ within: name, text }) => [...within(name), comes('line', text)],
    en: ({ within: name, text }) => `New${name === null ? '' : ` in ${code(name)}`}: ${code(text)}.`,
    ja: ({ within: name, text }) => `${name === null ? '' : `${code(name)} に`}追加：${code(text)}。`,
  },
  goneLine: {
    weight: 2,
    proof: ({ within: name, text }) => [...within(name), goes('line', text)],
    en: ({ within: name, text }) => `Removed${name === null ? '' : ` from ${code(name)}`}: ${code(text)}.`,
    ja: ({ within: name, text }) => `${name === null ? '' : `${code(name)} から`}削除：${code(text)}。`,
  },
  sameAddition: {
    weight: 4,
    proof: ({ text }) => [comes('line', text)],
    en: ({ text }) => `New: ${code(text)}`,
    ja: ({ text }) => `追加：${code(text)}`,
  },
  movedAway: {
    weight: 4,
    proof: ({ thing, name, from, to }) => [
      { relation: 'moved', thing, name: lastPart(name), fromFile: from, toFile: to },
    ],
    en: ({ name, to }) => `${code(name)} moved to ${code(to)}.`,
    ja: ({ name, to }) => `${code(name)} は ${code(to)} へ移動。`,
  },
  onlyComments: {
    weight: 1,
    proof: () => [],
    en: () => 'Comments only.',
    ja: () => 'コメントのみ。',
  },
  onlyImports: {
    weight: 1,
    proof: () => [],
    en: () => 'Imports only.',
    ja: () => 'インポートのみ。',
  },
  unread: {
    weight: 1,
    proof: () => [],
    en: ({ what }) =>
      ({ lock: 'Lock file.', generated: 'Generated.', vendored: 'Vendored.', binary: 'Binary.' })[what],
    ja: ({ what }) =>
      ({ lock: 'ロックファイル。', generated: '生成物。', vendored: '同梱コード。', binary: 'バイナリ。' })[
        what
      ],
  },
  moreFiles: {
    weight: 0,
    proof: () => [],
    en: () => 'Changed as well.',
    ja: () => 'これらも変更。',
  },
  places: {
    weight: 1,
    proof: ({ names }) => names.map((name) => ({ relation: 'within', name })),
    en: ({ names }) => `In ${list.en(names.map(called.en))}.`,
    ja: ({ names }) => `${list.ja(names.map(called.ja))} の中。`,
  },
  changed: {
    weight: 0,
    proof: () => [],
    en: () => 'Edited.',
    ja: () => '編集。',
  },
  tests: {
    weight: 1,
    proof: ({ added, changed, removed, renamed: tests }) => [
      ...added.flatMap(({ name, path }) => [comes('test', name), ...(path === name ? [] : within(path))]),
      ...removed.flatMap(({ name, path }) => [goes('test', name), ...(path === name ? [] : within(path))]),
      ...changed.map((name): StatedFact => ({ relation: 'within', name })),
      ...tests.map(({ from, to }) => becomes(from, to)),
    ],
    en: ({ added, changed, removed, renamed }) =>
      parts('. ', [
        [added.map(({ path }) => called.en(path)), 'New: '],
        [changed.map(called.en), 'Changed: '],
        [renamed.map(({ from, to }) => `${called.en(from)} → ${called.en(to)}`), 'Renamed: '],
        [removed.map(({ path }) => called.en(path)), 'Removed: '],
      ]),
    ja: ({ added, changed, removed, renamed }) =>
      parts('。', [
        [added.map(({ path }) => called.ja(path)), '新規：'],
        [changed.map(called.ja), '変更：'],
        [renamed.map(({ from, to }) => `${called.ja(from)} → ${called.ja(to)}`), '改名：'],
        [removed.map(({ path }) => called.ja(path)), '削除：'],
      ]),
  },
  newSections: {
    weight: 4,
    proof: ({ names }) => names.map((name) => comes('heading', name)),
    en: ({ names }) =>
      `New section${names.length > 1 ? 's' : ''} ${list.en(names.map((name) => `“${name}”`))}.`,
    ja: ({ names }) => `新しい節${list.ja(names.map((name) => `「${name}」`))}。`,
  },
  reworded: {
    weight: 4,
    proof: ({ from, to }) => [{ relation: 'reworded', from, to }],
    en: ({ from, to }) => `“${from}” → “${to}”`,
    ja: ({ from, to }) => `「${from}」→「${to}」`,
  },
  written: {
    weight: 4,
    proof: ({ text }) => [comes('text', text)],
    en: ({ text }) => `“${text}”`,
    ja: ({ text }) => `「${text}」`,
  },
  within: {
    weight: 0,
    proof: ({ name }) => within(name),
    en: ({ name }) => `In ${called.en(name)}:`,
    ja: ({ name }) => `${called.ja(name)} で：`,
  },
  inFile: {
    weight: 0,
    proof: ({ path }) => [{ relation: 'file', path, status: 'changed', from: null }],
    en: ({ path }) => `In ${code(baseOf(path))}:`,
    ja: ({ path }) => `${code(baseOf(path))} で：`,
  },
};

function parts(end: string, groups: [items: string[], label: string][]): string {
  const said = groups
    .filter(([items]) => items.length > 0)
    .map(([items, label]) => `${label}${items.join(', ')}`);
  return `${said.join(end)}${end.trim()}`;
}

/** Says a caption in a language. */
export function say(language: 'en' | 'ja', caption: Caption): string {
  const row = captions[caption.kind] as Row<Caption>;
  return row[language](caption);
}

export const proofOf = (caption: Caption): StatedFact[] =>
  (captions[caption.kind] as Row<Caption>).proof(caption);

export const weightOf = (caption: Caption): number => captions[caption.kind].weight;
