import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { type Sides, squeeze } from './compare-lines.ts';
import type { Told, Unit } from './outline.ts';
import { markedIn } from './prose-lines.ts';

/** New comments among these units that are new, and tell of nothing that is not told. */
export function withoutIdleRemarks(units: Unit[], diff: FileDiff | undefined, sides: () => Sides): Unit[] {
  const isRemark = ({ told }: Unit): boolean => told.every(({ statement }) => statement.say === 'remarks');
  if (!diff || !units.some(isRemark)) return units;
  const lines = diff.hunks.flatMap(linesOf);
  const old = fold(lines.flatMap(({ side, text }) => (side === 'added' ? [] : [text])).join('\n'));
  const others = JSON.stringify(
    units.filter((unit) => !isRemark(unit)).map(({ told }) => told.map(({ statement }) => statement)),
  );
  return units.filter((unit) => {
    if (!isRemark(unit)) return true;
    return unit.told.every(
      (told) =>
        !hasStood(told, lines, old, sides) &&
        (diff.status === 'added' || !isOfUntold(told, lines, markedIn(diff), others)),
    );
  });
}

const fold = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;

const isCited = (line: DiffLine, { startLine, endLine, side }: Evidence): boolean =>
  side === 'new' && line.newLine !== null && line.newLine >= startLine && line.newLine <= endLine;

/** Whether a comment stands in the file before, or came from another one. */
function hasStood(
  { statement, evidence }: Told,
  lines: DiffLine[],
  old: string,
  sides: () => Sides,
): boolean {
  if (statement.say !== 'remarks') return false;
  if (old.includes(fold(statement.quote)) || sides().isLike.before(statement.quote)) return true;
  const own = lines.filter((line) => evidence.some((one) => isCited(line, one)));
  const texts = own.map(({ text }) => squeeze(text)).filter((text) => /\p{L}{2,}/u.test(text));
  return texts.length > 0 && texts.every((text) => sides().before.has(text));
}

/** How a declaration begins, whatever the language. */
const modifiers =
  '(?:(?:pub|public|private|protected|internal|static|inline|override|export|default|abstract|final|async|virtual|extern|open|sealed|noncomputable|partial|@\\S+|#\\[.*?\\])\\s+)*';
const declares = new RegExp(
  `^\\s*(?:${modifiers}(?:function|func|fn|fun|def[pn]?|defmacro|class|struct|enum|interface|trait|type|typedef|theorem|lemma|instance|inductive|structure|abbrev|procedure|package|module|task|macro|record|protocol|sub|proc|define)\\b|(?:pub|public|private|protected|static|export)\\s|\\(def\\S*\\s)`,
);

/** Of a variable, only what documents says that others may see it. */
const variable = /^\s*(?:var|val|let|const)\s/;
const documents = /^\s*(?:\/\*\*|\/\/[/!]|\*(?:\s|$))/;

/** What stands before parameters, a type, a value or a body. */
const declaredName = /(?<![\p{L}\p{N}_$'?!])([\p{L}_$][\p{L}\p{N}_$'?!]*)\s*(?:[([:={]|$)/u;

/** Whether a comment belongs to something that is new and not named: the line that it stands above. */
function isOfUntold({ evidence }: Told, lines: DiffLine[], marked: Set<number>, others: string): boolean {
  const end = Math.max(...evidence.map(({ endLine }) => endLine));
  const below = lines.find(
    ({ newLine, text }) =>
      newLine !== null &&
      newLine > end &&
      text.trim() !== '' &&
      !marked.has(newLine) &&
      !/^\s*(?:@|#\[|[-*)}|]+[/}#)]?\s*$)/.test(text),
  );
  if (below?.side !== 'added') return false;
  const isDocumented = lines.some(
    (line) => evidence.some((one) => isCited(line, one)) && documents.test(line.text),
  );
  if (!declares.test(below.text) && !(isDocumented && variable.test(below.text))) return false;
  const [, name] = declaredName.exec(below.text) ?? [];
  return name === undefined || !others.includes(name);
}
