import { lastPart } from '../name-parts.ts';
import type { OfFiles, Row, Rows } from './caption.ts';
import { codeSpan as code } from './code-span.ts';
import { called, list, listed } from './phrases.ts';
import { comes, fileIs, goes, within } from './proofs.ts';

/** What is said of a file whatever stands in it. */
const fixed = (weight: number, en: string, ja: string): Row<object> => ({
  weight,
  proof: () => [],
  en: () => en,
  ja: () => ja,
});

const statuses = {
  binary: ['Binary file.', 'バイナリファイル。'],
  executable: ['Can be executed now.', '実行できるようになった。'],
  notExecutable: ['Can no longer be executed.', '実行できなくなった。'],
  submodule: ['Points to another commit of a submodule.', 'サブモジュールの別のコミットを指す。'],
} as const;

const unread = {
  lock: ['Lock file.', 'ロックファイル。'],
  generated: ['Generated.', '生成物。'],
  vendored: ['Vendored.', '同梱コード。'],
  binary: ['Binary.', 'バイナリ。'],
} as const;

/** What is said of files that are told by their names alone. */
const byName = {
  added: ['New.', '新規。'],
  removed: ['Removed.', '削除。'],
  renamed: ['Moved or renamed.', '移動または改名。'],
  changed: ['Edited.', '編集。'],
} as const;

const baseOf = (path: string): string => path.split('/').at(-1) ?? path;

/** What became of files as wholes, and where something stands. */
/** As many are listed in a row; a line of each of them is cited. */
export const mostCitedFiles = 20;

export const fileCaptions: Rows<OfFiles> = {
  newFile: {
    weight: 8,
    proof: ({ path, names, from }) => [
      fileIs(path, 'added'),
      ...(from === null ? [] : [{ relation: 'carried' as const, fromFile: from, toFile: path }]),
      ...names.map((name) => comes('line', lastPart(name))),
    ],
    en: ({ names, hasMore, doc, from }) =>
      `New file${from === null ? '' : `, most of it from ${code(from)}`}${names.length > 0 ? `${from === null ? '' : ','} that defines ${listed.en(names, hasMore)}` : ''}${doc === null ? '.' : `: ${doc}`}`,
    ja: ({ names, hasMore, doc, from }) =>
      `新しいファイル${from === null ? '' : `（大半は ${code(from)} から）`}${names.length > 0 ? `。${listed.ja(names, hasMore)} を定義` : ''}${doc === null ? '。' : `：${doc}`}`,
  },
  removedFile: {
    weight: 5,
    proof: ({ path, names }) => [
      fileIs(path, 'removed'),
      ...names.map((name) => goes('line', lastPart(name))),
    ],
    en: ({ names, hasMore }) =>
      `File removed${names.length > 0 ? `, with ${listed.en(names, hasMore)}` : ''}.`,
    ja: ({ names, hasMore }) =>
      `ファイルを削除${names.length > 0 ? `（${listed.ja(names, hasMore)}）` : ''}。`,
  },
  renamedFile: {
    weight: 4,
    proof: ({ path, from }) => [fileIs(path, 'renamed', from)],
    en: ({ from }) => `Was ${code(from)}.`,
    ja: ({ from }) => `以前は ${code(from)}。`,
  },
  otherFile: {
    weight: 2,
    proof: ({ path, status }) => [fileIs(path, status)],
    en: ({ status }) => statuses[status][0],
    ja: ({ status }) => statuses[status][1],
  },
  unread: {
    weight: 1,
    proof: () => [],
    en: ({ what }) => unread[what][0],
    ja: ({ what }) => unread[what][1],
  },
  layout: {
    ...fixed(2, 'Only laid out anew: white space and line breaks.', '空白と改行だけの変更。'),
    proof: () => [{ relation: 'reformatted' }],
  },
  onlyComments: fixed(1, 'Comments only.', 'コメントのみ。'),
  onlyImports: fixed(1, 'Imports only.', 'インポートのみ。'),
  moreFiles: {
    weight: 0,
    proof: ({ status, paths }) => {
      const all = paths.map((path) => fileIs(path, status));
      const others = all.slice(mostCitedFiles);
      const rest = { relation: 'others' as const, facts: others, value: others.length };
      return [...all.slice(0, mostCitedFiles), ...(others.length > 0 ? [rest] : [])];
    },
    en: ({ status }) => byName[status][0],
    ja: ({ status }) => byName[status][1],
  },
  changed: fixed(0, 'Edited.', '編集。'),
  same: {
    weight: 1,
    proof: ({ names, paths }) => [...names.flatMap(within), ...paths.map((path) => fileIs(path, 'changed'))],
    en: ({ names, paths, hasMore, isExact }) =>
      `${isExact ? 'The same' : 'Likewise'} in ${listed.en([...names, ...paths], hasMore)}.`,
    ja: ({ names, paths, hasMore, isExact }) =>
      `${listed.ja([...names, ...paths], hasMore)} でも${isExact ? '同じ' : '同様'}。`,
  },
  places: {
    weight: 1,
    proof: ({ names }) => names.flatMap(within),
    en: ({ names }) => `In ${list.en(names.map(called.en))}.`,
    ja: ({ names }) => `${list.ja(names.map(called.ja))} の中。`,
  },
  within: {
    weight: 0,
    proof: ({ name }) => within(name),
    en: ({ name }) => `In ${called.en(name)}:`,
    ja: ({ name }) => `${called.ja(name)} の中の変更。`,
  },
  inFile: {
    weight: 0,
    proof: ({ path }) => [fileIs(path, 'changed')],
    en: ({ path }) => `In ${code(baseOf(path))}:`,
    ja: ({ path }) => `${code(baseOf(path))} の中の変更。`,
  },
};
