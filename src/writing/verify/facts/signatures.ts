import type { FactOf } from '../../draft.ts';
import { joinLines, type Side } from '../citation.ts';
import { declares } from '../declaration-forms.ts';
import type { Scope } from '../scope.ts';
import { standsInText } from '../stands-in-text.ts';

/** What stands between the parentheses behind a name. */
interface Head {
  parameters: string;
  isDeclared: boolean;
}

/** Longer heads are not told about. */
const longestHead = 3_000;

/** What a name takes on one side of the hunks that are cited; as declared where that is seen, otherwise as called. */
function parametersOf(name: string, side: Side, scope: Scope): string[] {
  const heads = scope.files.flatMap(({ around }) =>
    [...Map.groupBy(around, ({ hunk }) => hunk).values()].flatMap((hunk) =>
      headsIn(joinLines(hunk, side), name),
    ),
  );
  const declared = heads.filter(({ isDeclared }) => isDeclared);
  return (declared.length > 0 ? declared : heads).map(({ parameters }) => parameters);
}

/** Whether a name stands between the parentheses behind another, before the change or after it. */
export const takesParameter = (of: string, name: string, scope: Scope): boolean =>
  (['new', 'old'] as const).some((side) =>
    parametersOf(of, side, scope).some((parameters) => standsInText(name, parameters)),
  );

function headsIn(text: string, name: string): Head[] {
  const heads: Head[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole =
      !/[\p{L}\p{N}_$]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}_$]/u.test(text.charAt(at + name.length));
    const open = isWhole ? openingBehind(text, at + name.length) : -1;
    const close = open < 0 ? -1 : closingOf(text, open);
    if (close < 0) continue;
    const lineEnd = text.indexOf('\n', at);
    const line = text.slice(text.lastIndexOf('\n', at) + 1, lineEnd < 0 ? undefined : lineEnd);
    heads.push({ parameters: text.slice(open + 1, close), isDeclared: declares(line, name) });
  }
  return heads;
}

/** The parenthesis behind a name, after type parameters or an assignment of a function at most. */
function openingBehind(text: string, from: number): number {
  const between =
    /^(?:\s*<[^()]{0,300}?>)?\s*(?:[:=]\s*(?:async\s+)?(?:function\b[\s\w*]{0,40}|func\b|fn\b)?\s*(?:<[^()]{0,200}?>)?\s*)?\(/.exec(
      text.slice(from, from + 600),
    );
  return between ? from + between[0].length - 1 : -1;
}

function closingOf(text: string, open: number): number {
  let depth = 0;
  const end = Math.min(text.length, open + longestHead);
  for (let at = open; at < end; at++) {
    const character = text.charAt(at);
    if (character === '(' || character === '[' || character === '{') depth++;
    else if ((character === ')' || character === ']' || character === '}') && --depth === 0) return at;
  }
  return -1;
}

/** It stands in a head on one side, and not in all of those that the other side has. */
export function parameterHolds({ of, name, change }: FactOf<'parameter'>, scope: Scope): boolean {
  const [has, had] = change === 'added' ? (['new', 'old'] as const) : (['old', 'new'] as const);
  const others = parametersOf(of, had, scope);
  const isIn = (parameters: string) => standsInText(name, parameters);
  return parametersOf(of, has, scope).some(isIn) && (others.length === 0 || !others.every(isIn));
}
