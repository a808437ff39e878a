import type { StatedFact } from '../../draft.ts';
import type { Side } from '../citation.ts';
import { declares } from '../declaration-forms.ts';
import type { Scope } from '../scope.ts';
import { standsInText } from '../stands-in-text.ts';

type Fact<Relation extends StatedFact['relation']> = Extract<StatedFact, { relation: Relation }>;

/** What stands between the parentheses behind a name, and what before the name and after them. */
interface Head {
  path: string;
  parameters: string;
  before: string;
  rest: string;
  isDeclared: boolean;
}

/** Longer heads are not told about. */
const longestHead = 3_000;

/** The heads of a name on one side of the hunks that are cited; declarations where any is seen, otherwise all. */
function headsOf(name: string, side: Side, scope: Scope): Head[] {
  const heads = scope.files.flatMap(({ path, lines }) => {
    const hunks = new Set(lines.map(({ hunk }) => hunk));
    return [...hunks].flatMap((hunk) => {
      const shown = scope.ground.lines
        .of(path)
        .filter((line) => line.hunk === hunk && (side === 'new' ? line.newLine : line.oldLine) !== null)
        .map(({ text }) => text);
      return headsIn(shown.join('\n'), name, path);
    });
  });
  const declared = heads.filter(({ isDeclared }) => isDeclared);
  return declared.length > 0 ? declared : heads;
}

/** Whether a name stands between the parentheses behind another, before the change or after it. */
export const takesParameter = (of: string, name: string, scope: Scope): boolean =>
  (['new', 'old'] as const).some((side) =>
    headsOf(of, side, scope).some(({ parameters }) => holdsName(parameters, name)),
  );

function headsIn(text: string, name: string, path: string): Head[] {
  const heads: Head[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole =
      !/[\p{L}\p{N}_$]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}_$]/u.test(text.charAt(at + name.length));
    const open = isWhole ? openingBehind(text, at + name.length) : -1;
    const close = open < 0 ? -1 : closingOf(text, open);
    if (close < 0) continue;
    const lineStart = text.lastIndexOf('\n', at) + 1;
    const lineEnd = text.indexOf('\n', at);
    heads.push({
      path,
      parameters: text.slice(open + 1, close),
      before: text.slice(Math.max(lineStart, at - 200), at),
      rest: /^[^\n;]{0,300}/.exec(text.slice(close + 1))?.[0] ?? '',
      isDeclared: declares(text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd), name),
    });
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

/** Parameters apart from each other: commas inside of brackets do not part them. */
function splitParameters(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if ('([{<'.includes(character)) depth++;
    else if (')]}'.includes(character) || (character === '>' && !/[-=]/.test(text.charAt(at - 1)))) depth--;
    else if (character === ',' && depth <= 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

const holdsName = (text: string, name: string): boolean => standsInText(name, text);

/** A type that may be nothing still has to be given. */
const optional = /\?\s*:|=|\.\.\.|(?:^|\s)\*{1,2}\w|\bvararg\b|^\s*\w+\?\s*$|\bparams\b/;

/** Ruby's keywords have their defaults behind a colon. */
const isLeftOut = (parameter: string, path: string): boolean =>
  optional.test(parameter) || (/\.(?:rb|rake)$/.test(path) && /^\s*\w+:\s*\S/.test(parameter));

export function parameterHolds({ of, name, change, isOptional }: Fact<'parameter'>, scope: Scope): boolean {
  const [has, had] = change === 'added' ? (['new', 'old'] as const) : (['old', 'new'] as const);
  const heads = headsOf(of, has, scope).filter(({ parameters }) => holdsName(parameters, name));
  if (heads.length === 0) return false;
  const others = headsOf(of, had, scope);
  if (others.length > 0 && others.every(({ parameters }) => holdsName(parameters, name))) return false;
  if (change === 'removed') return true;
  return heads.some(({ parameters, path }) =>
    splitParameters(parameters).some((one) => holdsName(one, name) && isLeftOut(one, path) === isOptional),
  );
}

export function parameterRenamedHolds({ of, from, to }: Fact<'parameterRenamed'>, scope: Scope): boolean {
  const before = headsOf(of, 'old', scope);
  const after = headsOf(of, 'new', scope);
  return (
    before.some(({ parameters }) => holdsName(parameters, from) && !holdsName(parameters, to)) &&
    after.some(({ parameters }) => holdsName(parameters, to) && !holdsName(parameters, from))
  );
}

export function parameterTypeHolds({ of, name, from, to }: Fact<'parameterType'>, scope: Scope): boolean {
  const says = (side: Side, type: string, other: string) =>
    headsOf(of, side, scope).some(({ parameters }) =>
      splitParameters(parameters).some(
        (one) =>
          holdsName(one, name) && holdsName(one, type) && (!holdsName(one, other) || type.includes(other)),
      ),
    );
  return says('old', from, to) && says('new', to, from);
}

export function returnsHolds({ of, from, to }: Fact<'returns'>, scope: Scope): boolean {
  const says = (side: Side, type: string) =>
    headsOf(of, side, scope).some(({ before, rest }) => holdsName(rest, type) || holdsName(before, type));
  return says('old', from) && says('new', to);
}
