import type { ChangeType } from '../../domain/change-types.ts';
import { scriptOf } from '../plain-text.ts';
import { bareTitle as withoutMarks } from '../words/bare-title.ts';
import { mendTorn } from '../words/shorten-title.ts';
import { isGeneric, isWeak } from '../words/telling-titles.ts';
import type { AuthorTitle } from './outline.ts';

const scopeOnly = /^\s*([A-Za-z][\w./@-]{1,30}(?:(?:,\s?|\s)[\w./-]{1,30}){0,2}):\s+(?=\S)/;

/** A longer one is the beginning of a sentence. */
const longestScope = 32;

/** What a prefix says that a change is. */
const prefixes: [RegExp, ChangeType][] = [
  [/^(?:fix|bugfix|hotfix)/i, 'FIX'],
  [/^(?:feat|enhancement)/i, 'FEAT'],
  [/^(?:refactor|cleanup)/i, 'REFACTOR'],
  [/^doc/i, 'DOCS'],
  [/^test/i, 'TEST'],
  [/^perf/i, 'PERF'],
  [/^(?:build|ci)/i, 'BUILD'],
];

/** Scopes that name a kind of change once more, or everything, or a ticket. */
const saysNothing = /^(?:deps|deps-dev|dependencies|release|all|misc|core|src|main|[A-Z]{2,}\d*-\d{3,})$/i;

/** A title without what is for machines: prefix, scope, number, emoji. */
export function bareTitle(title: string): Omit<AuthorTitle, 'whole'> {
  const { text: rest, scope: named, prefix } = withoutMarks(title);
  const found = scopeOnly.exec(rest);
  const scoped = isScope(found?.[1] ?? '') ? found : null;
  const said = mendTorn(scoped ? rest.slice(scoped[0].length) : rest);
  const scope = scoped?.[1] ?? named ?? '';
  const isTold =
    scope !== '' && scope.length <= longestScope && !saysNothing.test(scope) && !isSaid(scope, said);
  const deed = isTold ? deeds.find(([pattern]) => pattern.test(said))?.[1] : undefined;
  const text = deed === undefined ? said : `${deed} ${scope}`;
  return {
    text,
    scope: isTold && deed === undefined ? scope : null,
    prefix:
      saysWrong.test(title) || fixes.test(title)
        ? 'FIX'
        : (prefixes.find(([pattern]) => pattern.test(prefix))?.[1] ?? null),
    script: scriptOf(text),
    isWeak: deed !== undefined || isWeak(text),
    isGeneric: isGeneric(text),
  };
}

/** What is done by itself is done to what stands before it: "router: cleanup". */
const deeds: [RegExp, string][] = [
  [/^updates?$/i, 'update'],
  [/^clean(?:-| )?ups?$/i, 'clean up'],
  [/^(?:bug ?)?fix(?:es)?$/i, 'fix'],
  [/^refactor(?:ing|s)?$/i, 'refactor'],
  [/^improve(?:ments?)?$/i, 'improve'],
  [/^tweaks?$/i, 'tweak'],
  [/^changes?$/i, 'change'],
  [/^rework$/i, 'rework'],
  [/^rewrite$/i, 'rewrite'],
];

/** What stands in brackets before some titles, which then say what was wrong. */
const fixes =
  /^(?:fix(?:e[sd])?|resolve[sd]?)(?: for)?:?(?: issues?| bugs?)?(?:[\s,&]+(?:and )?#\d+){1,5}\s*[:,–-]\s*\S/i;
const saysWrong = /^\s*[[(](?:regression|bug|bug ?fix|fix|hotfix)[\])]/i;

/** What stands before a colon is a part of the code, or the beginning of a sentence. */
const isScope = (text: string): boolean =>
  text !== '' &&
  text.length <= longestScope &&
  text.split(/\s+/).length <= 2 &&
  !/^(?:add|change|clarify|clean|correct|fix|improve|make|remove|rename|replace|update|use)\w*\s/i.test(text);

/** So short a name stands in other words by chance. */
const shortScope = 3;

/** Whether a title names the part that it is about by itself. */
function isSaid(scope: string, text: string): boolean {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const parts = scope.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const isPart = scope.length > shortScope && text.toLowerCase().includes(scope.toLowerCase());
  return isPart || parts.every((part) => words.has(part));
}
