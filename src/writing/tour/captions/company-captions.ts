import type { StatedFact } from '../../draft.ts';
import type { OfCompany, Rows } from './caption.ts';
import { codeSpan as code } from './code-span.ts';
import { called, list, listed, parts } from './phrases.ts';
import { becomes, comes, goes, others, within } from './proofs.ts';
import { things } from './things.ts';
import { watched } from './watched.ts';

type Dependency = OfCompany['dependencies']['changes'][number];

const withVersion = ({ name, from, to }: Dependency): string =>
  `${code(name)}${from === null ? '' : ` ${code(from)} →`}${to === null || to === '' ? '' : ` ${code(to)}`}`;

const packages = (end: '. ' | '。', changes: Dependency[], added: string, removed: string): string =>
  parts(end, [
    [changes.filter(({ from }) => from === null).map(withVersion), added],
    [changes.filter(({ from, to }) => from !== null && to !== null).map(withVersion), ''],
    [changes.filter(({ to }) => to === null).map(({ name }) => code(name)), removed],
  ]);

const belongsTo = (name: string, path: string) => (path === name ? [] : within(path));

/** The first of a list, and how many are left; one that is left is named like the others. */
const cutList = (all: string[], most: number, andMore: (rest: number) => string): string[] =>
  all.length <= most + 1 ? all : [...all.slice(0, most), andMore(all.length - most)];

/** What is so of those that are named, and of each of those that are counted. */
function someOf<One>(most: number, all: One[], proof: (one: One) => StatedFact[]): StatedFact[] {
  if (all.length <= most + 1) return all.flatMap(proof);
  const rest = all.slice(most).map(proof);
  return [
    ...all.slice(0, most).flatMap(proof),
    others(rest.flatMap(([first]) => first ?? [])),
    ...rest.flatMap(([, ...more]) => more),
  ];
}

export const companyCaptions: Rows<OfCompany> = {
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
    en: ({ changes }) => packages('. ', changes, 'New: ', 'Removed: '),
    ja: ({ changes }) => packages('。', changes, '追加：', '削除：'),
  },
  surface: {
    weight: 10,
    proof: ({ surface, names }) => names.map((name) => comes(surface, name)),
    en: ({ surface, names, hasMore }) =>
      `New ${things[surface].en}${names.length > 1 || hasMore ? 's' : ''} ${listed.en(names, hasMore)}.`,
    ja: ({ surface, names, hasMore }) => `新しい${things[surface].ja} ${listed.ja(names, hasMore)}。`,
  },
  tests: {
    weight: 1,
    proof: ({ most, added, changed, removed, renamed }) => [
      ...someOf(most, added, ({ name, path }) => [comes('test', name), ...belongsTo(name, path)]),
      ...someOf(most, removed, ({ name, path }) => [goes('test', name), ...belongsTo(name, path)]),
      ...someOf(most, changed, within),
      ...someOf(most, renamed, ({ from, to }) => [becomes(from, to)]),
    ],
    en: ({ most, added, changed, removed, renamed }) => {
      const cut = (all: string[]): string[] => cutList(all, most, (rest) => `and ${rest} more`);
      return parts('. ', [
        [cut(added.map(({ path }) => called.en(path))), 'New: '],
        [cut(changed.map(called.en)), 'Changed: '],
        [cut(renamed.map(({ from, to }) => `${called.en(from)} → ${called.en(to)}`)), 'Renamed: '],
        [cut(removed.map(({ path }) => called.en(path))), 'Removed: '],
      ]);
    },
    ja: ({ most, added, changed, removed, renamed }) => {
      const cut = (all: string[]): string[] => cutList(all, most, (rest) => `ほか ${rest} 件`);
      return parts('。', [
        [cut(added.map(({ path }) => called.ja(path))), '新規：'],
        [cut(changed.map(called.ja)), '変更：'],
        [cut(renamed.map(({ from, to }) => `${called.ja(from)} → ${called.ja(to)}`)), '改名：'],
        [cut(removed.map(({ path }) => called.ja(path))), '削除：'],
      ]);
    },
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
  morePassages: {
    weight: 0,
    proof: ({ path, told, count }) => [{ relation: 'passages', path, told, value: count }],
    en: ({ count, isList }) => {
      const [one, several] = isList ? ['entry', 'entries'] : ['passage', 'passages'];
      return `And ${count.toLocaleString('en')} more ${count === 1 ? one : several}.`;
    },
    ja: ({ count, isList }) => `ほか ${count.toLocaleString('ja')} ${isList ? '項目' : 'か所'}。`,
  },
  watch: {
    weight: 6,
    proof: ({ reason, names }) => names.flatMap((name) => watched[reason].proof(name)),
    en: ({ reason, names }) => `${watched[reason].en} ${listed.en(names)}.`,
    ja: ({ reason, names }) => `${watched[reason].ja}${listed.ja(names)}。`,
  },
};
