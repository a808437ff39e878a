import type { Caption } from './captions/caption.ts';
import { compareConditions, conditionIn } from './conditions.ts';
import type { Piece, PieceUnit } from './pieces.ts';
import { isShort } from './short-spans.ts';
import { isNews } from './what-lines-do.ts';

/** What the statements of a piece do now that they did not before, where that is certain. */
export function captionsOfStatements(piece: Piece): Caption[] {
  const { units, name: within, isFunction } = piece;
  const all = units.filter(isNews);
  const news = all.filter((unit) => !unit.isInner);
  const firstInner = units.findIndex(({ change, deed }) => change.kind === 'added' && deed === 'declaration');
  // What stands in a function inside of another is not done by the outer one.
  const own = (!isFunction ? [] : firstInner < 0 ? units : units.slice(0, firstInner)).filter(
    (unit) => !unit.isInner,
  );
  return [
    ...own.flatMap((unit, index) => ofBranch(unit, own.slice(index + 1, index + 4), within)),
    ...(isFunction ? news.flatMap((unit) => ofCondition(unit, within)) : []),
    ...(all.length === 1 && news[0] ? ofOnly(news[0], within) : []),
  ];
}

const error = /(?:throw(?:\s+new)?|raise)\s+(?:new\s+)?([A-Za-z_$][\w$.:]*)/;
const message =
  /(?:panic!?|Errorf|errors\.New|bail!|anyhow!|Err)\(\s*(?:\w+::\w+\()?\s*("(?:[^"\\]|\\.){4,70}")/;

/** What fails, by its class or by what it says. */
const failureIn = (text: string): string | null => {
  const name = error.exec(text)?.[1];
  // What is handed on is no failure of its own.
  return name !== undefined && /(?:^|[.:])[A-Z]\w*$/.test(name) ? name : (message.exec(text)?.[1] ?? null);
};

/** A branch that is new, and ends the function or fails. */
function ofBranch({ change, after, deed }: PieceUnit, next: PieceUnit[], within: string | null): Caption[] {
  if (change.kind !== 'added' || after === null) return [];
  if (deed === 'throw') {
    const failure = failureIn(after);
    return failure !== null && isShort(failure) ? [{ kind: 'throws', within, error: failure }] : [];
  }
  if (deed !== 'condition' || /^\s*\}?\s*(?:else|elif|elsif|case|when|unless|guard)/.test(after)) return [];
  const condition = conditionIn(after.replace(/\)\s*(?:return|throw|continue)\b.*$/, ') {'));
  const [first] = next;
  const body =
    /\)\s*((?:return|throw)\b.*)$/.exec(after)?.[1] ?? (first?.change.kind === 'added' ? first.after : null);
  if (condition === null || !isShort(condition) || body === null) return [];
  const failure = /^\s*(?:throw|raise|panic|return\s+(?:fmt\.Errorf|errors\.New|Err)|bail!)/.test(body)
    ? failureIn(body)
    : null;
  if (failure !== null && isShort(failure))
    return [{ kind: 'throwsWhen', within, error: failure, condition }];
  return /^\s*return\b/.test(body) ? [{ kind: 'returnsEarly', within, condition }] : [];
}

function ofCondition({ change, before, after }: PieceUnit, within: string | null): Caption[] {
  if (change.kind !== 'replaced' || before === null || after === null) return [];
  const [was, is] = [conditionIn(before), conditionIn(after)];
  if (was === null || is === null) return [];
  const found = compareConditions(was, is);
  if (!found) return [];
  if (found.kind !== 'otherCondition' && isShort(found.condition)) return [{ ...found, within }];
  return within === null ? [] : [{ kind: 'otherCondition', from: was, to: is, within }];
}

const returned = /^\s*return\s+(.+?);?$/;
const assigned =
  /^\s*(?:(?:const|let|var|val|static|final|export|pub|public|private)\s+)*([\w$.'"-]+)\s*(?::\s*[\w<>[\]]+\s*)?(?:=|:)\s*(.+?)[;,]?$/;

/** What is said of a statement where nothing else changed. */
function ofOnly({ change, before, after }: PieceUnit, within: string | null): Caption[] {
  if (change.kind !== 'replaced' || before === null || after === null) return [];
  const [was, is] = [returned.exec(before)?.[1], returned.exec(after)?.[1]];
  if (was !== undefined && is !== undefined)
    return isShort(was, is) ? [{ kind: 'returnsInstead', within, from: was, to: is }] : [];
  const [old, current] = [assigned.exec(before), assigned.exec(after)];
  const [of, from, to] = [current?.[1], old?.[2], current?.[2]];
  if (of === undefined || from === undefined || to === undefined || old?.[1] !== of) return [];
  return from !== to && isValue(from) && isValue(to)
    ? [{ kind: 'value', within, of: of.replace(/^['"]|['"]$/g, ''), from, to }]
    : [];
}

/** A number, a text, or a name: what else stands behind a sign of equality is read in the excerpt. */
const isValue = (text: string): boolean =>
  isShort(text) && /^(?:-?[\d_.]+\w{0,3}|"[^"]*"|'[^']*'|`[^`]*`|[\w.:]+|\[[^[\]]*\])$/.test(text);
