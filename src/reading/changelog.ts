/** Where projects keep their changelog. Paths that do not exist cost nothing. */
export const changelogPaths: string[] = ['', 'docs/', 'doc/'].flatMap((folder) =>
  [
    'CHANGELOG',
    'Changelog',
    'ChangeLog',
    'changelog',
    'CHANGES',
    'changes',
    'HISTORY',
    'History',
    'NEWS',
  ].flatMap((name) => ['.md', '.rst', '.txt', ''].map((ending) => `${folder}${name}${ending}`)),
);

/** Longer headings are sentences. */
const longestHeading = 60;

/** Strangers write changelogs, and longer texts would slow down the patterns for names and numbers. */
const longestMarkedHeading = 200;
const longestEntry = 2_000;

const fence = /^ {0,3}(?:```|~~~)/;
const hashed = /^ {0,3}#{1,6}[ \t]/;
const bold = /^(?:\*\*|__)([^*_]{1,80})(?:\*\*|__):?$/;
const underline = /^([=\-~^"'`*+#.])\1{2,}$/;
const bullet = /^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)])[ \t]/;
const indented = /^[ \t]+\S/;

/** A number, with the address that it links to. */
const numbered = /(?<![\w/&])#([1-9]\d{0,9})\b(?:\]\((\S{1,300}?)\)| <(\S{1,300}?)>`)?/g;

/** A version, a date, or a heading that groups nothing, such as those of lists that GitHub makes. */
const versions = /\d\.\d|\b(?:19|20)\d\d-\d\d|\bunreleased\b|\bversion\b|^v?\d+$/i;
const groupsNothing =
  /^(?:changes?|change ?logs?|what'?s (?:changed|new)|release notes|notes|highlights|history|new contributors|contributors|credits|thanks.*|acknowledge?ments|known issues|full changelog)$/i;

/**
 * The heading under which changelogs list each of the pull requests. One that is listed under several headings has
 * none, because its group is not certain.
 */
export function changelogHeadings(
  texts: readonly string[],
  { name, numbers }: { name: string; numbers: ReadonlySet<number> },
): Map<number, string> {
  const found = new Map<number, string | null>();
  for (const text of texts)
    for (const { heading, line } of entriesOf(text))
      for (const [, digits, link, other] of line.matchAll(numbered)) {
        const number = Number(digits);
        const address = link ?? other;
        if (!numbers.has(number) || (address && !address.toLowerCase().includes(`/${name.toLowerCase()}/`)))
          continue;
        const known = found.get(number);
        found.set(number, known === undefined || known === heading ? heading : null);
      }
  return new Map([...found].flatMap(([number, heading]) => (heading === null ? [] : [[number, heading]])));
}

/** The lines of list items, with the heading above them; null below the heading of a version. */
function* entriesOf(text: string): Generator<{ heading: string | null; line: string }> {
  let heading: string | null = null;
  let isItem = false;
  let isCode = false;
  const lines = text.split(/\r?\n/);
  for (const [place, line] of lines.entries()) {
    if (fence.test(line)) isCode = !isCode;
    if (isCode || line.trim() === '') continue;
    const called = headingAt(line, lines[place + 1] ?? '');
    if (called !== null) {
      heading = nameOf(called);
      isItem = false;
    } else if (bullet.test(line)) isItem = true;
    else if (!indented.test(line)) isItem = false;
    if (isItem && line.length <= longestEntry) yield { heading, line };
  }
}

function headingAt(line: string, next: string): string | null {
  if (hashed.test(line))
    return line
      .replace(hashed, '')
      .trim()
      .replace(/(?<!#)#+$/, '');
  const marked = bold.exec(line.trimEnd())?.[1];
  if (marked !== undefined) return marked;
  const isUnderlined = !bullet.test(line) && !indented.test(line) && underline.test(next.trimEnd());
  return isUnderlined && !underline.test(line.trimEnd()) ? line.trim() : null;
}

function nameOf(heading: string): string | null {
  if (heading.length > longestMarkedHeading) return null;
  const plain = heading
    .replace(/^(?:\p{Extended_Pictographic}|\uFE0F|\u200D|\s)+|:[a-z_]{2,30}:|\*\*|[:：]\s*$/gu, '')
    .trim()
    .replace(/^([_*])(.+)\1$/, '$2')
    .trim();
  const isName =
    plain !== '' && plain.length <= longestHeading && !versions.test(plain) && !groupsNothing.test(plain);
  return isName ? plain : null;
}
