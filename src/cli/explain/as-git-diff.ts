/** What `diff` tools print, one file after the other. */
const gitHeader = Buffer.from('\ndiff --git ');

/** Where git's own form begins; -1 where it is another one. */
export function startOfGitDiff(bytes: Buffer): number {
  if (bytes.subarray(0, gitHeader.length - 1).equals(gitHeader.subarray(1))) return 0;
  const found = bytes.indexOf(gitHeader);
  return found < 0 ? -1 : found + 1;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const colours = /\u001b\[[\d;]*[mK]/g;

/**
 * A diff in the form that git prints, whichever tool it comes from: `svn diff`, `hg diff`, `diff -ru`. Bytes stay what they are,
 * whatever their encoding.
 */
export function asGitDiff(given: Buffer): Buffer {
  const bytes = isColoured(given)
    ? Buffer.from(given.toString('latin1').replace(colours, ''), 'latin1')
    : given;
  return startOfGitDiff(bytes) >= 0 ? bytes : Buffer.from(convert(bytes.toString('latin1')), 'latin1');
}

/** Where people have git colour what they pipe. */
const isColoured = (bytes: Buffer): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /^(?:\u001b\[[\d;]*m)+(?:diff|commit|---) /m.test(bytes.toString('latin1', 0, 10_000));

function convert(text: string): string {
  const lines = text.split('\n');
  const converted: string[] = [];
  let indexed = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = withoutReturn(lines[at]);
    indexed = /^Index: (.+)$/.exec(line)?.[1] ?? indexed;
    const binary = binaryIn(line, indexed);
    if (binary !== null) converted.push(`diff --git a/${binary} b/${binary}`, 'Binary files a and b differ');
    const [before, after] = [namedBy('---', line), namedBy('+++', withoutReturn(lines[at + 1]))];
    if (before === null || after === null || !lines[at + 2]?.startsWith('@@ -')) continue;
    converted.push(...headerOf(before, after));
    const end = endOfHunks(lines, at + 2);
    // One at a time: more than some 100,000 cannot be passed at once.
    for (const one of lines.slice(at + 2, end)) converted.push(one);
    at = end - 1;
  }
  return converted.length === 0 ? '' : `${converted.join('\n')}\n`;
}

const withoutReturn = (line = ''): string => line.replace(/\r$/, '');

function binaryIn(line: string, indexed: string): string | null {
  if (/^Cannot display: file marked as a binary type/.test(line)) return indexed || null;
  const [, ofMercurial, ofDiff] =
    /^Binary file (.+) has changed$|^Binary files .+ and (?:[^/]+\/)?(.+) differ$/.exec(line) ?? [];
  return ofMercurial ?? ofDiff ?? null;
}

interface Side {
  path: string;
  /** Whether there is no such file on this side. */
  isAbsent: boolean;
}

/** What stands behind a tab is a date or a revision. */
function namedBy(sign: string, line: string): Side | null {
  const [, path, about = ''] = /^(?:---|\+\+\+) ([^\t]+)(?:\t(.*))?$/.exec(line) ?? [];
  if (!path || !line.startsWith(`${sign} `)) return null;
  const isAbsent = path === '/dev/null' || /^(?:\(nonexistent\)|\(revision 0\)|1970-01-01 )/.test(about);
  return { path, isAbsent };
}

function headerOf(before: Side, after: Side): string[] {
  const path = pathOf(before, after);
  return [
    `diff --git a/${path} b/${path}`,
    ...(before.isAbsent ? ['new file mode 100644'] : []),
    ...(after.isAbsent ? ['deleted file mode 100644'] : []),
    `--- ${before.isAbsent ? '/dev/null' : `a/${path}`}`,
    `+++ ${after.isAbsent ? '/dev/null' : `b/${path}`}`,
  ];
}

/** Folders that are compared, as a and b are, are no part of a path. */
function pathOf(before: Side, after: Side): string {
  const inside = (path: string): string => path.replace(/^[^/]+\//, '');
  if (before.path === '/dev/null') return after.path.replace(/^b\//, '');
  if (after.path === '/dev/null') return before.path.replace(/^a\//, '');
  const isCompared = before.path !== after.path && inside(before.path) === inside(after.path);
  return isCompared ? inside(after.path) : after.path;
}

/** The first line behind the hunks that begin at a line, by what their counts say. */
function endOfHunks(lines: string[], start: number): number {
  let at = start;
  for (;;) {
    const [, removed = '1', added = '1'] =
      /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[at] ?? '') ?? [];
    if (!lines[at]?.startsWith('@@ -')) return at;
    let [old, fresh] = [Number(removed), Number(added)];
    at += 1;
    for (; at < lines.length && (old > 0 || fresh > 0 || lines[at]?.startsWith('\\')); at += 1) {
      const sign = lines[at]?.[0];
      if (sign !== '+' && sign !== '\\') old -= 1;
      if (sign !== '-' && sign !== '\\') fresh -= 1;
    }
  }
}
