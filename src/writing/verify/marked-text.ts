/** A part of a sentence that can be looked up: code, a quotation, or a name, version or number in the prose. */
export interface Mark {
  kind: 'code' | 'quotation' | 'name' | 'version' | 'number';
  text: string;
}

/**
 * A sentence in which each piece of code and each quotation is a single character, so that patterns can match the words
 * around them.
 */
export interface MarkedText {
  /** The sentence with a private character for each mark; `markAt` returns the mark. */
  masked: string;
  marks: Mark[];
  /** Names, versions and numbers in the prose without quotation marks or backticks. */
  unmarked: Mark[];
}

const firstPlace = 0xe000;
const privateCharacters = /[\ue000-\uf8ff]/gu;

export const placeholder = '[\\ue000-\\uf8ff]';

export function markAt({ marks }: MarkedText, character: string): Mark | undefined {
  return marks[(character.codePointAt(0) ?? 0) - firstPlace];
}

export const marksIn = (marked: MarkedText, part: string): Mark[] =>
  Array.from(part.matchAll(places), ([character]) => markAt(marked, character)).filter(
    (mark) => mark !== undefined,
  );

const places = new RegExp(placeholder, 'gu');
const compiled = new Map<string, RegExp>();

/** Matches a pattern of words around marks. Patterns are cached, because compiling takes longer than matching. */
export function matchAround({ masked }: MarkedText, pattern: string): RegExpExecArray[] {
  const known = compiled.get(pattern) ?? new RegExp(pattern, 'giu');
  compiled.set(pattern, known);
  return Array.from(masked.matchAll(known));
}

export function markText(text: string): MarkedText {
  const marks: Mark[] = [];
  const place = (mark: Mark): string => String.fromCodePoint(firstPlace + marks.push(mark) - 1);
  const coded = text
    .replace(privateCharacters, '')
    .replace(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/gu, (_, _ticks, inside) =>
      place({ kind: 'code', text: inside.trim() }),
    );
  const restore = (part: string): string =>
    part.replace(
      privateCharacters,
      (character) => `\`${markAt({ marks, masked: '', unmarked: [] }, character)?.text ?? ''}\``,
    );
  const masked = quotationsOf(coded).reduceRight(
    (whole, { start, end }) =>
      whole.slice(0, start) +
      place({ kind: 'quotation', text: restore(whole.slice(start + 1, end)).trim() }) +
      whole.slice(end + 1),
    coded,
  );
  return { masked, marks, unmarked: unmarkedIn(masked) };
}

const closings = new Map([
  ['“', '”'],
  ['„', '“'],
  ['「', '」'],
  ['『', '』'],
  ['«', '»'],
  ['"', '"'],
]);

function quotationsOf(text: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const open: { at: number; closing: string }[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const top = open.at(-1);
    if (top && character === top.closing) {
      open.pop();
      if (open.length === 0) found.push({ start: top.at, end: at });
      continue;
    }
    const closing = closings.get(character);
    if (closing !== undefined && text.includes(closing, at + 1)) open.push({ at, closing });
  }
  // If a quotation mark inside a quotation is never closed, the first and the last mark belong together.
  const [outer] = open;
  if (outer) {
    const end = text.lastIndexOf(outer.closing);
    if (end > outer.at) return [...found.filter((one) => one.end < outer.at), { start: outer.at, end }];
  }
  return found;
}

export const numbersIn = ({ unmarked }: MarkedText): number[] =>
  unmarked.flatMap(({ kind, text }) => (kind === 'number' ? Number(text.replaceAll(',', '')) : []));

const version = /(?<![\w.])v?\d{1,6}(?:\.\d{1,6}){1,4}(?:[-+][A-Za-z][\w.]{0,30})?(?![\w])/gu;
const path =
  /(?<![\w/.@-])(?:\.{1,2}\/)?(?:[\w.@-]+\/)+[\w@-]+\.[A-Za-z]\w{0,7}(?![\w/])|(?<![\w/.@-])(?:[\w.@-]+\/){2,}[\w.@-]+|(?<![\w/.@-])[\w-]+\.(?:c|cc|cpp|cs|css|cts|go|h|hpp|html|java|js|json|jsx|kt|kts|lock|md|mdx|mjs|mts|php|proto|py|rb|rs|rst|scss|sh|sql|svelte|swift|toml|ts|tsx|txt|vue|xml|ya?ml)(?![\w/])/gu;
const identifier =
  /(?<![\w.@/$-])(?:[a-z_$][a-z\d$]*(?:[A-Z][a-z\d]*)+|[A-Z][a-z\d]+(?:[A-Z][a-z\d]+)+|_*[A-Za-z\d]+(?:_+[A-Za-z\d]+)+|[A-Za-z_$][\w$]*(?:(?:::|\.)[A-Za-z_$][\w$]*)*\(\)|--[a-z][a-z\d-]+|[A-Za-z_]\w*(?:::\w+)+)(?![\w])/gu;
const protocol = /(?<![\w/])[A-Z]{2,6}\/\d(?:\.\d)?(?![\w/]|\.\d)/gu;
const number = /(?<![\w.,#]|[A-Za-z]-)#?\d+(?:,\d{3})*(?![\w]|\.\d)/gu;

/** Product names that look like identifiers but are not names of code. */
const productNames =
  /^(?:GitHub|GitLab|JavaScript|TypeScript|CoffeeScript|PostgreSQL|MySQL|SQLite|MongoDB|GraphQL|WebSockets?|SvelteKit|GoReleaser|YouTube|LinkedIn|StackOverflow|CloudFlare|CircleCI|MacOS|macOS|iOS|iPadOS|tvOS|watchOS|visionOS|iPhone|iPad|OpenAPI|OpenAI|OAuth|DevTools|VSCode|WebKit|CodeQL|DigitalOcean|StackBlitz|OpenTelemetry|IntelliJ|PyPI|NodeJS|NuGet|BitBucket|DockerHub|PowerShell|WebAssembly|OpenSSL|LibreSSL|BoringSSL|eBPF|gRPC|npmJS|McDonald|DeepSeek|FreeBSD|OpenBSD|NetBSD)$/;

function unmarkedIn(masked: string): Mark[] {
  const marks: Mark[] = [];
  let rest = masked;
  const take = (pattern: RegExp, kind: Mark['kind']): void => {
    rest = rest.replace(pattern, (found) => {
      if (!productNames.test(found)) marks.push({ kind, text: found });
      return ' ';
    });
  };
  take(/https?:\/\/\S+/gu, 'name');
  take(path, 'name');
  take(protocol, 'name');
  take(version, 'version');
  take(identifier, 'name');
  take(number, 'number');
  return marks;
}
