import { mentions } from '../declaration-forms.ts';
import type { PlacedLine } from '../diff-lines.ts';
import type { Scope } from '../scope.ts';

/** `Foo.bar` is the innermost of its parts. */
const innermost = (name: string): string => name.split(/\.|::|#/).at(-1) ?? name;

const indentOf = (text: string): number => /^[\t ]*/.exec(text)?.[0].replaceAll('\t', '    ').length ?? 0;

/** Lines that close what is above them, or only open a body, do not begin anything. */
const beginsNothing =
  /^\s*(?:[)\]}{]|\/\/|\/?\*|#(?!\[|define|include)|--|<!--|@\w[\w.]*(?:\([^)]*\))?\s*$|(?:else|catch|finally|except|elif|rescue|ensure|end|where)\b|(?:private|public|protected)\s*:?\s*$)/;

/** Whether what is cited lies inside of a declaration, or is that declaration. */
export function liesWithin(name: string, scope: Scope): boolean {
  // Where it is known which lines it has, one of them is cited.
  if (scope.ground.knowsRange(name)) return scope.evidence.some((one) => scope.ground.isWithin(name, one));
  return (
    isEnclosed(name, scope) ||
    scope.files.some(({ headings }) => headings.some((heading) => mentions(heading, innermost(name))))
  );
}

/** The same by the lines alone, without what git prints above them. */
function isEnclosed(name: string, scope: Scope): boolean {
  const wanted = innermost(name);
  return scope.files.some(({ path, lines }) => {
    const all = scope.ground.lines.of(path);
    return lines.some(
      (line) =>
        mentions(line.text, wanted) ||
        (line.side !== 'context' && enclosing(line, all).some((text) => mentions(text, wanted))),
    );
  });
}

/** The first lines of what a line stands in, from the inside out, as far as its hunk shows them. */
function enclosing(line: PlacedLine, all: PlacedLine[]): string[] {
  const side = line.newLine !== null ? 'newLine' : 'oldLine';
  const above = all.filter((one) => one.hunk === line.hunk && one[side] !== null);
  const heads: string[] = [];
  let indent = Number.POSITIVE_INFINITY;
  for (let at = above.indexOf(line); at >= 0; at--) {
    const { text } = above[at] ?? { text: '' };
    if (text.trim() === '' || (at < above.indexOf(line) && beginsNothing.test(text))) continue;
    if (indentOf(text) >= indent) continue;
    // What begins by closing a bracket belongs to what opened it, at the same depth.
    indent = indentOf(text) + (/^\s*[)\]}]/.test(text) && heads.length === 0 ? 1 : 0);
    heads.push(text);
  }
  return heads;
}
