import type { WrittenArticle } from '../../src/writing/articles.ts';
import type { Problem } from './check-text.ts';

/** Whole changed files, by side; one side of an added or removed file is empty. */
export type Sides = { path: string; old: string; new: string }[];

const namesIn = (text: string): string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
const lastOf = (name: string): string => name.split('.').at(-1) ?? name;
const fold = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');

const declared = (text: string): Set<string> =>
  new Set(
    Array.from(
      text.matchAll(/^(?:func (?:\([^)]*\) )?|type |var |const |\t)(\p{Lu}\w*)\b/gmu),
      ([, name = '']) => name,
    ),
  );

/** Compares claims that something is new, removed or updated with the whole files before and after. */
export function checkClaims(
  { standfirst, notablePoints, dependencies }: WrittenArticle,
  sides: Sides,
): Problem[] {
  const problems: Problem[] = [];
  const lead = standfirst?.source ? '' : (standfirst?.text ?? '');
  const [news = ''] =
    /^New (?:option|public name|function|method|class|type|constant|field)\S* [^:]*/.exec(lead) ?? [];
  const [place] = standfirst?.evidence ?? [];
  const before = sides.find(({ path }) => path === place?.fileName)?.old ?? '';
  const words = new Set(before.match(/[\w-]+/g)?.map(fold));
  for (const name of namesIn(news))
    if (words.has(fold(lastOf(name.replace(/^-+/, '')))))
      problems.push(['new, but there before', `${name}: ${lead}`]);
  const breaking = notablePoints.flatMap(({ statements }) => statements.map(({ text }) => text));
  const go = sides.filter(
    ({ path }) => /(?<!_test)\.go$/.test(path) && !/(?:^|\/)(?:internal|cmd|examples?)\//.test(path),
  );
  const gone = new Set(go.flatMap((one) => [...declared(one.old)]));
  for (const one of go) for (const name of declared(one.new)) gone.delete(name);
  for (const text of breaking.filter((one) =>
    /^Removed (?:public|function|method|type|constant)/.test(one),
  )) {
    const listed = namesIn(text).map(lastOf);
    const all = sides.map((one) => one.new).join('\n');
    for (const name of listed)
      if (new RegExp(`(?:func|type|class|def|fn) (?:\\([^)]*\\) )?${name}\\b`).test(all))
        problems.push(['removed, but still there', text]);
    const missing = [...gone].filter(
      (name) => listed.every((one) => one !== name) && !text.includes(' and '),
    );
    if (go.length > 0 && missing.length > 0)
      problems.push(['breaking list without', `${missing.slice(0, 3)}: ${text}`]);
  }
  for (const { name, from, to, fileName } of dependencies?.items ?? []) {
    const file = sides.find(({ path }) => path === fileName);
    const isIn = (text: string, version: string | null): boolean =>
      version === null ||
      (text.includes(
        name
          .split(':')
          .at(-1)
          ?.replace(/\/v\d+$/, '') ?? name,
      ) &&
        text.includes(version));
    if (file && !(isIn(file.old, from) && isIn(file.new, to)))
      problems.push(['dependency that its file does not have', `${name} ${from} → ${to}`]);
  }
  return problems;
}
