const head = /^\s*\}?\s*(?:else\s+if|elif|elsif|if|unless|while|guard)\b\s*/;
const languageWords = /^(?:let|var|case)\b/;

/** What a condition asks for, without the word before it and the block behind it; null where it is none. */
export function conditionIn(statement: string): string | null {
  const found = head.exec(statement);
  if (!found) return null;
  const rest = statement.slice(found[0].length);
  const asked = rest.startsWith('(') && isClosedAtEnd(rest) ? inBrackets(rest) : beforeBlock(rest);
  const text = asked?.trim() ?? '';
  return text === '' || languageWords.test(text) || !isBalanced(text) ? null : text;
}

/** Whether nothing stands behind the bracket that closes the first one but what it guards. */
function isClosedAtEnd(text: string): boolean {
  const inside = inBrackets(text);
  if (inside === null) return false;
  const behind = text.slice(inside.length + 2).trim();
  return !/^(?:&&|\|\||and\b|or\b|[=!<>+*/%?.-])/.test(behind);
}

function inBrackets(text: string): string | null {
  let depth = 0;
  for (const [index, sign] of [...text].entries()) {
    if (sign === '(') depth++;
    else if (sign === ')' && --depth === 0) return [...text].slice(1, index).join('');
  }
  return null;
}

/** Go, Rust, Swift and Python have no brackets around it. */
function beforeBlock(text: string): string | null {
  const end = /^(.*?)(?:\s*\{\s*(?:\}.*)?|:\s*(?:#.*)?|\s+then)$/.exec(text)?.[1] ?? null;
  // In Go a statement may stand before the condition.
  return end?.includes('; ') ? (end.split('; ').at(-1) ?? null) : end;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const sign of text.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '')) {
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign) && --depth < 0) return false;
  }
  return depth === 0;
}

type ConditionChange =
  | { kind: 'alsoNeeds' | 'alsoHolds' | 'noLongerNeeds'; condition: string }
  | { kind: 'otherCondition'; from: string; to: string };

const squeeze = (text: string): string => text.replace(/\s+/g, '');

/** What is different between two conditions of which one became the other. */
export function compareConditions(from: string, to: string): ConditionChange | null {
  if (squeeze(from) === squeeze(to)) return null;
  for (const [operators, kind] of [
    [['&&', 'and'], 'alsoNeeds'],
    [['||', 'or'], 'alsoHolds'],
  ] as const) {
    for (const operator of operators) {
      const more = remainder(from, to, operator);
      if (more !== null) return { kind, condition: more };
      const less = kind === 'alsoNeeds' ? remainder(to, from, operator) : null;
      if (less !== null) return { kind: 'noLongerNeeds', condition: less };
    }
  }
  return { kind: 'otherCondition', from, to };
}

/** What one condition has beside the other, where nothing but an operator ties the two. */
function remainder(part: string, whole: string, operator: string): string | null {
  const parts = splitBy(whole, operator);
  const known = new Set(splitBy(part, operator).map(squeeze));
  const rest = parts.filter((one) => !known.has(squeeze(one)));
  if (rest.length === 0 || parts.length - rest.length !== known.size) return null;
  // Another operator on the outside would bind differently.
  const others = operator === '&&' || operator === 'and' ? /\|\||\bor\b/ : /&&|\band\b/;
  if (others.test(outside(whole))) return null;
  return rest.join(` ${operator} `).trim();
}

const outside = (text: string): string => {
  let depth = 0;
  return [...text]
    .map((sign) => {
      if ('([{'.includes(sign)) depth++;
      else if (')]}'.includes(sign)) depth--;
      return depth > 0 ? ' ' : sign;
    })
    .join('');
};

/** The parts of a condition between operators that stand in no brackets. */
function splitBy(text: string, operator: string): string[] {
  const flat = outside(text);
  const pattern = /\w/.test(operator) ? `\\b${operator}\\b` : operator.replace(/[|]/g, '\\|');
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: found } of flat.matchAll(new RegExp(pattern, 'g'))) {
    parts.push(text.slice(start, index).trim());
    start = index + found.length;
  }
  parts.push(text.slice(start).trim());
  return parts.filter((part) => part !== '');
}
