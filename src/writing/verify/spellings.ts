/** Another way in which code writes a name that people write differently. */
interface Spelling {
  /** Which names have it; its groups say what to look for. */
  name: RegExp;
  /** How often a text shows the name in that way. */
  count: (name: RegExpExecArray, text: string) => number;
}

/** What declares an option of the command line, in the libraries of Go, Rust, Python, JavaScript, Java and Ruby. */
const declaresOption =
  /\b(?:Flags\(\)|FlagSet\b|[Ff]lags?\.|\w*Flag\{|add_argument|add_option|Arg::|Arg\(|Opt(?:ion)?\(|option\(|(?:short|long)\s*[(=]|opts?\.on\()|\.(?:Bool|String|Int|Uint|Float|Duration|Count|IP)\w*(?:VarP?|P)\(|#\[(?:arg|clap|structopt)\(/;

/** Attributes of an option may stand above what they are for. */
const linesOfOption = 12;

/** Lines on which a pattern is found and an option is declared, there or just above. A default value is no name. */
function countOptions(text: string, pattern: RegExp): number {
  const lines = text.split('\n');
  const isOption = (at: number): boolean =>
    lines.slice(Math.max(0, at - linesOfOption), at + 1).some((line) => declaresOption.test(line));
  return lines.filter((line, at) => pattern.test(line) && isOption(at)).length;
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `no-color` as code writes it: `no_color`, `noColor`. */
function identifiersOf(flag: string): string[] {
  const [first = '', ...rest] = flag.split('-');
  return [[first, ...rest].join('_'), first + rest.map(capitalized).join('')];
}

/** What libraries for commands call the name of one. */
const commandName = (name: string): RegExp =>
  new RegExp(
    `(?:\\bUse:\\s*|\\bcommand\\(\\s*|\\bCommand(?:::new)?\\(\\s*|\\badd_parser\\(\\s*|\\bsubcommand\\(\\s*)["'\`]${name}(?![\\w-])`,
  );

/** Every way in which code writes a name otherwise than people do. What is not in this table has one spelling. */
const spellings: Spelling[] = [
  {
    // `-a` is `"a"` where an option is declared.
    name: /^-([A-Za-z\d])$/,
    count: ([, letter = ''], text) =>
      countOptions(
        text,
        new RegExp(
          `P\\(.*["'\`][\\w-]{2,}["'\`],\\s*["'\`]${letter}["'\`]|\\b(?:short\\w*|Shorthand|[Aa]lias(?:es)?)\\s*[(=:]\\s*(?:\\[\\]string\\{|\\[)?["'\`]${letter}["'\`]|[Ff]lags?\\w*(?:\\(\\))?\\.\\w+\\((?:&?[\\w.]+,\\s*)?["'\`]${letter}["'\`]`,
        ),
      ),
  },
  {
    // `--no-color` is `"no-color"`, `no_color` or `noColor` where an option is declared.
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
];

/** How often a text shows a name in another spelling. */
export function countSpelled(name: string, text: string): number {
  for (const { name: pattern, count } of spellings) {
    const found = pattern.exec(name);
    if (found) return count(found, text);
  }
  return 0;
}

const plainWord = /^[a-z][\w-]*$/;

/**
 * A command line of words and options, such as `gh auth status -a`: the last word by where a command gets its name, the
 * words before it by such a place, by a folder or by the repository's name, and each option by itself.
 */
export function showsCommand(
  written: string,
  { text, names, hasOption }: { text: string; names: string[]; hasOption: (option: string) => boolean },
): boolean {
  const parts = written.split(/\s+/);
  const words = parts.filter((part) => plainWord.test(part));
  const options = parts.filter((part) => /^--?[A-Za-z]/.test(part));
  const [last, ...parents] = words.toReversed();
  if (parts.length < 2 || last === undefined || words.length + options.length !== parts.length) return false;
  const isParent = (word: string): boolean => names.includes(word) || commandName(word).test(text);
  return (
    plainWord.test(parts[0] ?? '') &&
    (commandName(last).test(text) || (options.length > 0 && isParent(last))) &&
    parents.every(isParent) &&
    options.every(hasOption)
  );
}
