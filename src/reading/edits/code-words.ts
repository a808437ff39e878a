import { singleBlanks } from './single-blanks.ts';

/** What one line of code does that can be told without knowing its language. */

const conditional = /^(?:\}\s*)?(?:else\s+)?(?:if|elif|elsif|unless|guard)\b(?!\s*let\b)\s*(.+)$/;
const raising =
  /(?:\bthrow\b|\braise\b|\bpanic!?\(|\bbail!\(|\breject\(|\bErr\(|\berrors\.New\(|\bfmt\.Errorf\(|\bnew \w*(?:Error|Exception)\(|\b\w+(?:Error|Exception)\()[^"'`]*(?=["'])/;
const call =
  /(?<![\w$.]|::|->|\b(?:function|fn|func|def|class|new)\s)((?:[A-Za-z_$][\w$]*(?:\?\.|\.|::|->))*[A-Za-z_$][\w$]*!?)\s*\(/g;

const notCalls =
  /^(?:Self|if|for|while|switch|catch|return|function|fn|func|def|match|when|unless|elif|elsif|and|or|not|in|await|async|typeof|sizeof|super|self|this|print|println!?|(?:warn|info|debug|trace|error)!|(?:tracing|log|logger|slog)(?:\.|::)\w+!?|console\.\w+|isset|unset|empty|array|count|defined|nameof|default|sprintf|printf|len|str|int|bool|float|String|Number|Boolean|Array|Object|list|dict|set|tuple|range|isinstance|Some|Ok|Err|None|expect|assert\w*!?|require|import|it|test|describe|vec!|format!|fmt\.\w+|make|append|new|constructor|Error|TypeError|Promise|Symbol|Math\.\w+|.*\.(?:push|map|filter|forEach|join|slice|length|toString|get|set|has|add|then|catch|includes|clone|unwrap|to_string|into|iter|collect|as_ref|as_str|ok|expect|len|append|keys|values|items|split|trim|strip|lower|upper|replace|startsWith|endsWith|startswith|endswith|test|exec|call|apply|bind|is_empty|isEmpty|size|equals|find|some|every|reduce|concat|sort|reverse|pop|shift|unshift|splice|indexOf|charAt|format|write|WriteString|String|Error))$/;

/** The condition of a line that begins a branch, and what the branch does where that stands on the same line. */
export function branchIn(line: string): { condition: string; rest: string } | null {
  const found = conditional.exec(line.trim())?.[1];
  if (found === undefined) return null;
  // Elixir may say in the same line what to do.
  const head = /^(.*?),\s*do:\s/.exec(found)?.[1] ?? found;
  let condition = head.replace(/(?<!\s)\s*(?:\belse\s*)?(?:\{.*|:\s*|\b(?:then|do)\s*)$/, '').trim();
  let rest = '';
  const end = condition.startsWith('(') ? matchingParenthesis(condition) : -1;
  if (condition.startsWith('(') && end < 0) return null;
  // Where languages need no parentheses, those of a first part are no end: (a || b) && c.
  if (
    end > 0 &&
    !/^\s*(?:&&|\|\||==|!=|[<>+/%?.-]|\*\s|\band\b|\bor\b|\bin\b|\bis\b)/.test(condition.slice(end + 1))
  ) {
    rest = quotable(condition.slice(end + 1));
    condition = condition.slice(1, end).trim();
  }
  const isWhole =
    count(condition, '(') === count(condition, ')') && !/(?:&&|\|\||\band|\bor|[,;])$/.test(condition);
  return isWhole && condition !== '' && condition.length <= 80 ? { condition, rest } : null;
}

function matchingParenthesis(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

const count = (text: string, character: string): number => text.split(character).length - 1;

const literal = /(["'])((?:(?!\1)[^\\]){1,140})\1/y;
/** What puts a literal together with something that is known only when the program runs. */
const joins = /^\s*(?:[+&]|\.(?!\w)|<>|\\$)/;
const joined = /^\s*(?:[+.&]|<>|\.\.)(?:[^"';]{0,120}(?:[+.&]|<>|\.\.))?\s*(?=["'])/;

/** The message of an error that a statement raises; … stands for what it is put together with. */
export function errorIn(statement: string): string | null {
  const head = raising.exec(statement);
  if (!head) return null;
  const pieces: string[] = [];
  let at = head.index + head[0].length;
  for (;;) {
    literal.lastIndex = at;
    const found = literal.exec(statement);
    if (!found) break;
    pieces.push(found[2] ?? '');
    at = literal.lastIndex;
    const between = joined.exec(statement.slice(at));
    if (!between) break;
    // Two literals that only the length of the line has parted belong together.
    if (!/^\s*\S{1,2}\s*$/.test(between[0])) pieces.push('…');
    at += between[0].length;
  }
  if (pieces.length > 0 && joins.test(statement.slice(at))) pieces.push('…');
  const message = pieces
    .join('')
    .replace(/(?<![\s'"([{<=])[\s'"([{<=]*…\s*$/, ' …')
    .trim();
  return message.length >= 6 && message.length <= 160 && /\p{L}{2,}\s+\p{L}/u.test(message) ? message : null;
}

const methodHead =
  /^\s*(?:(?:async|static|get|set|public|private|protected|override)\s+|\*\s*)*(?!if\b|for\b|while\b|switch\b|catch\b|return\b|await\b)[\w$#]+\s*\([^()]*\)\s*(?::[^=]+)?\{\s*$/;

const quoted = /"(?:[^"\\]|\\.){0,300}"|`(?:[^`\\]|\\.){0,300}`|'(?:[^'\\]|\\.){2,300}'/g;

/** A line without what stands in quotation marks and behind a comment sign: words there do nothing. */
export const codeOf = (line: string): string =>
  line
    .replace(quoted, "''")
    .replace(/\s(?:\/\/|#)\s.*$/, '')
    // What was opened and not closed goes on in the next line.
    .replace(/".*$/, '');

/** Sentences, whatever marks of code there are in them: a hunk may lie in a text whose beginning it does not show. */
const prose =
  /(?<![\w.:'])(?!(?:and|or|not|is|in|if|unless|do|then|puts|raise|return) )[a-z']{2,}(?: (?:`[^`]*`|[a-z',]+)){4,}(?![\w(])/i;

/** Where a type stands before the name that is declared, and nothing says that it is a declaration. */
const typeFirst: ReadonlySet<string> = new Set([
  'C',
  'C++',
  'C#',
  'CUDA',
  'Dart',
  'Groovy',
  'Java',
  'Objective-C',
]);
const declaredName =
  /^\s*(?!(?:return|await|throw|else|yield|new|case|goto|delete|co_await|co_return|do)\b)(?:[\w<>[\],.?*&:]+\s+)+[*&]?[\w~]+\s*\(/;

/** What a line calls, as it is written there. */
export function callsIn(written: string, language: string | null): string[] {
  if (!written.includes('(')) return [];
  const line = codeOf(written);
  // Attributes and decorators look like calls and call nothing here.
  if (methodHead.test(line) || /^\s*(?:#!?\[|@|\[[A-Za-z_][\w.:\s]*[(\],])/.test(line) || prose.test(line))
    return [];
  if (
    /^\s*(?:(?:export|pub|public|private|protected|internal|static|async|default|override|abstract|final|suspend|inline)\s+)*(?:function|fn|func|fun|def\w*|class)\b/.test(
      line,
    )
  )
    return [];
  if (typeFirst.has(language ?? '') && declaredName.test(line)) return [];
  return Array.from(line.matchAll(call), ([, name = '']) => name).filter(
    (name) =>
      name.length >= 4 &&
      name.length <= 60 &&
      !notCalls.test(name) &&
      !/(?:Error|Exception)$/.test(name) &&
      // In Rust this makes a value, or takes one apart.
      !(language === 'Rust' && /(?:^|::)[A-Z]\w*$/.test(name)),
  );
}

/** A line of code as it is quoted: without its indentation and what only ties it to the next line. */
export function quotable(line: string): string {
  return singleBlanks(line.trim())
    .replace(/^\}\s*(?=\S)/, '')
    .replace(/(?<!\s)\s*(?<![{;,:([])[{;,:([]+$/, '');
}

/** The same for whoever reads it: a bracket that goes with what stands before it is a part of that, and is left open. */
export function shownLine(line: string): string {
  const open = /[^\s(){}[\],;:][([{]+$/.exec(line.trim())?.[0].slice(1);
  return open === undefined ? quotable(line) : `${quotable(line)}${open} …`;
}

/**
 * What tells two lines apart, with as much of what is around it as fits; cut between tokens, and with … where something
 * is left out. Null where they have too little in common, or differ in too much.
 */
export function difference(
  before: string,
  after: string,
  longest = 90,
): { before: string; after: string } | null {
  const old = before.match(pieces) ?? [];
  const now = after.match(pieces) ?? [];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  if (start + end < 3) return null;
  const size = (tokens: string[]): number =>
    tokens
      .slice(start, tokens.length - end)
      .join('')
      .trim().length;
  const room = longest - 4 - Math.max(size(old), size(now));
  if (room < 0) return null;
  const [from, to] = [
    reach(old.slice(0, start).reverse(), room / 2),
    reach(old.slice(old.length - end), room / 2),
  ];
  const cut = (tokens: string[]): string => {
    const text = tokens
      .slice(start - from, tokens.length - end + to)
      .join('')
      .trim();
    return `${from < start ? '… ' : ''}${text}${to < end ? ' …' : ''}`;
  };
  const shorter = { before: cut(old), after: cut(now) };
  const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
  return hasWords(shorter.before) && hasWords(shorter.after) ? shorter : null;
}

/** Names with what they belong to, operators as a whole, and every other sign by itself. */
const pieces = /[\p{L}\p{N}_$]+(?:(?:\.|::)[\p{L}\p{N}_$]+)*|\s+|[-<>=!|&+*/%^~?:]{2,}|[^\s\p{L}\p{N}_$]/gu;

/** How many of these tokens fit. */
function reach(tokens: string[], room: number): number {
  let length = 0;
  let count = 0;
  for (const token of tokens) {
    length += token.length;
    if (length > room) break;
    count++;
  }
  return count;
}
