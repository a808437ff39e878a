/** A form in which code writes a name that people write differently. */
interface Spelling {
  name: RegExp;
  count: (name: RegExpExecArray, text: string) => number;
}

/** Declarations of command-line options in libraries of Go, Rust, Python, JavaScript, Java and Ruby. */
const declaresOption =
  /\b(?:Flags\(\)|FlagSet\b|[Ff]lags?\.|\w*Flag\{|add_argument|add_option|Arg::|Arg\(|Opt(?:ion)?\(|option\(|(?:short|long)\s*[(=]|opts?\.on\()|\.(?:Bool|String|Int|Uint|Float|Duration|Count|IP)\w*(?:VarP?|P)\(|#\[(?:arg|clap|structopt)\(/;

/** Attributes of an option may be above its declaration. */
const linesOfOption = 12;

function countOptions(text: string, pattern: RegExp): number {
  const lines = text.split('\n');
  const isOption = (at: number): boolean =>
    lines.slice(Math.max(0, at - linesOfOption), at + 1).some((line) => declaresOption.test(line));
  return lines.filter((line, at) => pattern.test(line) && isOption(at)).length;
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The identifiers for `no-color`: `no_color` and `noColor`. */
function identifiersOf(flag: string): string[] {
  const [first = '', ...rest] = flag.split('-');
  return [[first, ...rest].join('_'), first + rest.map(capitalized).join('')];
}

const nothing = 'null|nil|none|undefined';

const statusNames = new Map(
  [
    '200 ok,201 created,202 accepted,204 no content,301 moved permanently,302 found,304 not modified,400 bad request',
    '401 unauthorized,403 forbidden,404 not found,405 method not allowed,408 request timeout,409 conflict,410 gone',
    '413 (?:payload|content|request_?entity) too large,415 unsupported media type,422 unprocessable entity',
    '429 too many requests,500 internal server error,502 bad gateway,503 service unavailable,504 gateway timeout',
  ].flatMap((some) => some.split(',').map((one): [string, string] => [one.slice(0, 3), one.slice(4)])),
);

/**
 * All forms in which code writes a name differently from people. Names that are not in this table have one spelling.
 */
const spellings: Spelling[] = [
  {
    // `-a` is declared as `"a"`.
    name: /^-([A-Za-z\d])$/,
    count: ([, letter = ''], text) =>
      countOptions(
        text,
        new RegExp(
          `P\\(.*["'\`][\\w-]{2,}["'\`],\\s*["'\`]${letter}["'\`]|\\b(?:short\\w*|Shorthand|[Aa]lias(?:es)?)\\s*[(=:]\\s*(?:\\[\\]string\\{|\\[)?["'\`]${letter}["'\`]|[Ff]lags?\\w*(?:\\(\\))?\\.\\w+\\((?:&?[\\w.]+,\\s*)?["'\`]${letter}["'\`]|\\bshort\\b(?!\\s*[(=]).*\\b${letter}\\w*\\s*:`,
        ),
      ),
  },
  {
    // `--no-color` is declared as `"no-color"`, `no_color` or `noColor`.
    name: /^--([a-z][a-z\d]*(?:-[a-z\d]+)*)$/,
    count: ([, flag = ''], text) =>
      countOptions(
        text,
        new RegExp(
          `(?:\\(\\s*(?:&?[\\w.]+,\\s*)?|\\blong\\s*=\\s*|\\bName:\\s*)["'\`]${flag}["'\`]|(?<![\\w$.])(?:${identifiersOf(flag).join('|')})\\s*[:=](?![=:])`,
        ),
      ),
  },
  {
    // HTTP/2 is `HTTP_2` or `http2`, TLS 1.3 is `TLSv1_3` or `TLS13`.
    name: /^([A-Z]{2,6})[/ ]v?(\d)(?:\.(\d))?$/,
    count: ([, protocol = '', major = '', minor], text) => {
      const version = minor === undefined ? major : `${major}[._]?${minor}`;
      const spelled = new RegExp(`(?<![a-z\\d])${protocol}_?v?${version}(?![\\d]|[._]\\d)`, 'gi');
      return text.match(spelled)?.length ?? 0;
    },
  },
  {
    // `null` is `nil`, `None` or `isNull`.
    name: new RegExp(`^(?:${nothing})$`, 'i'),
    count: (_, text) =>
      text.match(new RegExp(`(?<![a-z])(?:is_?)?(?:${nothing})(?![a-z])`, 'gi'))?.length ?? 0,
  },
  {
    // 415 is `StatusUnsupportedMediaType`, 200 `HTTP_OK`.
    name: /^([2-5]\d\d)$/,
    count: ([code = ''], text) => {
      const words = statusNames.get(code)?.split(' ') ?? [];
      // A single word may mean anything.
      const before = words.length > 1 ? '(?<![A-Za-z])(?:Status|HTTP)?' : '(?:Status|HTTP)';
      const name = new RegExp(`${before}[._:]*${words.join('[-_ ]?')}(?![a-z])`, 'gi');
      return words.length > 0 ? (text.match(name)?.length ?? 0) : 0;
    },
  },
];

function countSpelled(name: string, text: string): number {
  for (const { name: pattern, count } of spellings) {
    const found = pattern.exec(name);
    if (found) return count(found, text);
  }
  return 0;
}

/** Whether a hyphen between two words joins them to one name, or is a minus. */
type Reading = 'strict' | 'operators';

/** The longest omission in a long line, and the longest piece in a sentence. */
const longestGap = 4_000;
const longestPiece = 10_000;

interface NamePlace {
  start: number;
  end: number;
}

/**
 * Finds a name or piece of code in a text as whole tokens, however it is spaced and wrapped. A part of a longer name
 * does not count: `limit` is not in `limitRate`, `pin-project` not in `pin-project-lite`, 1.2 not in 1.2.3. An ellipsis
 * marks an omission.
 */
function* placesOf(name: string, text: string, reading: Reading = 'strict'): Generator<NamePlace> {
  const [first, ...rest] = piecesOf(name);
  if (!first) return;
  for (
    let found = find(first, text, 0, reading);
    found;
    found = find(first, text, found.start + 1, reading)
  ) {
    let { end } = found;
    const isWhole = rest.every((piece) => {
      const next = find(piece, text.slice(0, end + longestGap + longestPiece), end, reading);
      if (!next || next.start - end > longestGap) return false;
      end = next.end;
      return true;
    });
    if (isWhole) yield { start: found.start, end };
  }
}

interface Piece {
  /** The longest word of the name: most texts lack it and need no further search. */
  word: string;
  tokens: string[];
  patterns: Partial<Record<Reading, RegExp>>;
}

let known = new Map<string, Piece[]>();

/** The same names are looked up repeatedly; the cache holds as many as an article needs. */
const mostKept = 2_000;

function piecesOf(name: string): Piece[] {
  const found = known.get(name);
  if (found) return found;
  if (known.size >= mostKept) known = new Map();
  const pieces = name
    .split('…')
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
    .map(pieceOf);
  known.set(name, pieces);
  return pieces;
}

const isNameless = (name: string): boolean => piecesOf(name).length === 0;

function find(piece: Piece, text: string, from: number, reading: Reading): NamePlace | null {
  if (text.indexOf(piece.word, from) < 0) return null;
  piece.patterns[reading] ??= compile(piece.tokens, reading);
  const pattern = piece.patterns[reading];
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found && { start: found.index, end: found.index + found[0].length };
}

const token = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;

/** The most brackets before the first word, because a text may consist only of brackets. */
const mostSigns = 16;

function pieceOf(written: string): Piece {
  const all = written.match(token) ?? [];
  const isWord = (one: string): boolean => /^[\p{L}\p{N}_$]/u.test(one);
  const tokens = all.slice(Math.max(0, all.findIndex(isWord) - mostSigns));
  const words = tokens.filter(isWord).sort((one, other) => other.length - one.length);
  return { word: words[0] ?? '', tokens, patterns: {} };
}

function compile(tokens: string[], reading: Reading): RegExp {
  const body = tokens.map((one, index) => between(tokens[index - 1], one) + literally(one)).join('');
  // 2.7 also matches 2.7.0.
  const zeros = /^\d+(?:\.\d+)*$/.test(tokens.join('')) ? '(?:\\.0(?![0-9]))*' : '';
  return new RegExp(edgeBefore(tokens, reading) + body + zeros + edgeBehind(tokens.join(''), reading), 'gv');
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Formatters may put spaces between tokens, and a comma before a closing bracket. */
function between(last: string | undefined, next: string): string {
  if (last === undefined) return '';
  if (/[)\]}>]/.test(next)) return '\\s*(?:,\\s*)?';
  return isWordCharacter(last.at(-1) ?? '') && isWordCharacter(next.charAt(0)) ? '\\s+' : '\\s*';
}

/** Japanese has no spaces, so a name may directly follow one of its characters. */
const inWord = '[[\\p{L}\\p{N}_$]--[\\u3040-\\u30ff\\u3400-\\u9fff\\uff66-\\uff9f]]';
const letter = `[${inWord}--[0-9]]`;
const wordCharacter = new RegExp(`^${inWord}`, 'v');

const isWordCharacter = (character: string): boolean =>
  /^[\w$]/.test(character) || (character > '\x7f' && wordCharacter.test(character));

function edgeBefore([first = '', next = '', third = '']: string[], reading: Reading): string {
  if (first === '-') return `(?<!-|${inWord})`;
  if (!isWordCharacter(first)) return '';
  // A version may have a v before it.
  const isVersion = /^\d+$/.test(first) && next === '.' && /^\d/.test(third);
  const edge = isVersion ? `(?:(?<!${inWord})|(?<=(?<!${inWord})[vV]))` : `(?<!${inWord})`;
  const ofNumber = /^\d/.test(first) ? '(?<![0-9][.,])' : '';
  return edge + ofNumber + (reading === 'strict' ? `(?<!${inWord}-)` : '');
}

function edgeBehind(piece: string, reading: Reading): string {
  if (!isWordCharacter(piece.at(-1) ?? '')) return '';
  return [
    `(?!${inWord})`,
    /\d$/.test(piece) ? '(?![.,][0-9])' : '',
    /\d\.\d+$/.test(piece) ? `(?![\\-+]${inWord})` : '',
    // The name of a file must be complete.
    /^[^/].*\//.test(piece) ? `(?!\\.${letter})` : '',
    reading === 'strict' ? `(?!-${letter})` : '',
  ].join('');
}

const codeFile =
  /\.(?:c|cc|cpp|cs|cts|cxx|dart|ex|exs|go|h|hh|hpp|java|js|jsx|kt|kts|m|mjs|mm|mts|php|py|rb|rs|scala|swift|ts|tsx|zig)$/i;

export const isCodeFile = (path: string): boolean => codeFile.test(path);

/** Whether a name is in a text. In code a hyphen between two names is usually a minus, but never in quotation marks. */
export function occursIn(name: string, text: string, path = ''): boolean {
  if (isNameless(name)) return text.includes(name.replaceAll('…', '').trim());
  const [found] = placesOf(name, text);
  if (found || countSpelled(name, text) > 0) return true;
  if (!text.includes('-') || !codeFile.test(path)) return false;
  for (const { start } of placesOf(name, text, 'operators')) if (!isInQuotes(text, start)) return true;
  return false;
}

function isInQuotes(text: string, index: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', index) + 1, index);
  return (before.match(/["'`]/g)?.length ?? 0) % 2 === 1;
}

/** The names that a plural or verb form of a name may stand for. */
function stemsOf(name: string): string[] {
  if (!/^[A-Za-z_$][\w$]{3,}$/.test(name)) return [];
  const endings: [RegExp, string[]][] = [
    [/ies$/, ['y']],
    [/(?<=s|x|z|ch|sh)es$/, ['']],
    [/(?<!s)s$/, ['']],
    [/ed$/, ['', 'e']],
    [/ing$/, ['', 'e']],
  ];
  return endings.flatMap(([ending, others]) =>
    ending.test(name) ? others.map((other) => name.replace(ending, other)) : [],
  );
}

/**
 * The parts by which lines may contain a name that is not a single token: the words of a shell command, a key and its
 * value, a qualified name and its qualifier, or the base of a plural, verb form, call, annotation or special method.
 */
export function partsOf(name: string): string[][] {
  const words = name.split(/[\s=]+/);
  if (words.length > 1 && words.some((word) => /^--?[A-Za-z]/.test(word))) return [words];
  const [, key, value] = /^["']?([\w-]+)["']?\s*(?::(?!:)|=(?!=))\s*(?=.*\D)([^\s=].*)$/.exec(name) ?? [];
  if (key && value) return [[key, value]];
  const bare = name.replace(/\(\)$/, '').replace(/^@(?=\w)/, '');
  const qualified = bare.split(/\.|::|#/);
  return [
    ...(bare === name ? [] : [[bare]]),
    ...(qualified.length > 1 && qualified.every((part) => /^[\w$]+$/.test(part)) ? [qualified] : []),
    ...(/^[a-z]+$/.test(name) ? [[`__${name}__`]] : []),
    ...stemsOf(name).map((stem) => [stem]),
  ];
}

export const countIn = (text: string, name: string): number =>
  Array.from(placesOf(name, text)).length || countSpelled(name, text);

export function namesFile(name: string, ...paths: (string | null)[]): boolean {
  const wanted = name.replace(/^\.?\//, '').replace(/\/$/, '');
  return (
    wanted !== '' &&
    paths.some(
      (path) =>
        path !== null &&
        (path === wanted || path.endsWith(`/${wanted}`) || `/${path}`.includes(`/${wanted}/`)),
    )
  );
}

/**
 * How a line contains a name: declared by a keyword or as a method, assigned a value, or only mentioned. This is not a
 * grammar of any language, but knows what declarations look like in most of them, independently of how facts are found.
 */

/** The longest line that is searched for declarations; longer ones are data. */
const longestLine = 1_000;

/** The text before and after each occurrence of a name on a line. */
interface Around {
  before: string;
  behind: string;
}

function around(line: string, name: string): Around[] {
  const found: Around[] = [];
  if (name === '') return found;
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (at > 0 && isWordCharacter(line.charAt(at - 1)) && isWordCharacter(name.charAt(0))) continue;
    if (isWordCharacter(line.charAt(end)) && isWordCharacter(name.at(-1) ?? '')) continue;
    found.push({ before: line.slice(0, at), behind: line.slice(end) });
  }
  return found;
}

const keywords = [
  'fn|func|fun|function|def|defp|defmacro|defmodule|sub|proc|lambda|init|subscript|operator|get|set',
  'class|struct|enum|union|trait|interface|protocol|extension|actor|record|object|mixin|impl|module|mod|namespace|package',
  'type|typealias|typedef|newtype|associatedtype|alias|using|data|annotation|template|concept|case|typename',
  'const|let|var|val|static|final|lazy|define|export|extern|global|local|attr_reader|attr_writer|attr_accessor',
  'table|view|index|trigger|procedure|message|service|rpc|resource|variable|output|task|target|macro_rules!|macro',
].join('|');

/** Modifiers, generics, a receiver or a type may be between the keyword and the name. */
const afterKeyword = new RegExp(
  `(?:^|[^\\w$.])(?:${keywords})[\\s*&]+(?:\\([^()]{0,120}\\)\\s*)?(?:<[^<>]{0,120}>\\s*)?(?:[\\w$*&.:<>,'[\\]?@]{1,80}[\\s*&]+){0,4}(?:[\\w$<>*]+(?:\\.|::))*[:*&'"\`]?$`,
);

const opensCall = /^\s{0,2}(?:::)?(?:<[^<>()]{0,120}>|\[[^[\]()]{0,80}\])?[!?]{0,2}\s{0,2}[({`]/;
const givesValue = /^["'`]?\??\s{0,40}(?::(?!:)|:?=(?![=>]))/;

/** Words before a call that are not types. */
const statementWords =
  /(?:^|[^\w$])(?:return|await|new|throw|throws|else|yield|in|not|and|or|case|go|defer|if|elif|while|until|unless|for|switch|match|when|typeof|delete|echo|print|puts|assert|raise|with|from|import|as|is|do|then|catch|try|require|include|use|where|by|of)\s*$/;

export const isComment = (line: string): boolean =>
  /^\s*(?:\/\/|\/\*|\*(?![\w*])|#(?![!\w[])|--\s|<!--|;;|"""|'''|%\s)/.test(line);

const isCode = (line: string, name: string): boolean =>
  line.length <= longestLine && line.includes(name) && !isComment(line);

/** Declared by a keyword, or as methods are declared in languages without one. */
export const declares = (line: string, name: string): boolean =>
  isCode(line, name) &&
  around(line, name).some(
    ({ before, behind }) =>
      afterKeyword.test(before) || (opensCall.test(behind) && isMethodHead(before, behind)),
  );

/** Assigned a value or a type: a variable, field or key. */
export const gives = (line: string, name: string): boolean =>
  isCode(line, name) &&
  around(line, name).some(({ before, behind }) => givesValue.test(behind) && /^[^=(){}]*$/.test(before));

const isMethodHead = (before: string, behind: string): boolean =>
  isTyped(before) ||
  (/^\s*(?:(?:\w+::)+~?)?$/.test(before) &&
    /^\s*[<([].*(?:\{\s*\}?|\)\s*:\s*[^;]+[;,]?|\)\s*=>)\s*$/.test(behind));

/** Only modifiers and types, and at least one of them. */
const isTyped = (before: string): boolean =>
  /^\s*(?:@[\w.]+(?:\([^()]*\))?\s+)*(?:(?:[\w$.]+(?:::[\w$]+)*(?:<[^=()]*>)?|\[[^\]]*\])(?:\[\])*[\s*&?]+)+(?:\w+::)*~?$/.test(
    before,
  ) && !statementWords.test(before);
