/** A line of a diff as git prints it. */
export interface GitLine {
  kind: 'context' | 'added' | 'removed';
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

export interface GitFile {
  path: string;
  previousPath: string;
  hunks: GitLine[][];
  /** The heading of each hunk: the function around it, by git. */
  headings: string[];
}

export interface Numbers {
  additions: number;
  deletions: number;
}

const kinds = { ' ': 'context', '+': 'added', '-': 'removed' } as const;

/** Parses the output of `git diff` without the parser of the service, so that mistakes of that one show. */
export function readGitDiff(printed: string): Map<string, GitFile> {
  const files = new Map<string, GitFile>();
  let head: string[] = [];
  let lines: GitLine[] = [];
  let [oldLine, newLine, oldLeft, newLeft] = [0, 0, 0, 0];
  const nameFile = (): GitFile => {
    const { path, previousPath } = namesIn(head);
    // A file that becomes a link is printed twice: removed and added.
    const file = files.get(path) ?? { path, previousPath, hunks: [], headings: [] };
    files.set(path, file);
    return file;
  };
  for (const line of printed.split('\n')) {
    if (line.startsWith('\\')) continue;
    if (oldLeft + newLeft > 0) {
      const kind = kinds[(line[0] ?? ' ') as keyof typeof kinds];
      const isOld = kind !== 'added';
      const isNew = kind !== 'removed';
      lines.push({
        kind,
        oldLine: isOld ? oldLine++ : null,
        newLine: isNew ? newLine++ : null,
        text: line.slice(1),
      });
      oldLeft -= Number(isOld);
      newLeft -= Number(isNew);
      continue;
    }
    const [, oldStart, oldCount = '1', newStart, newCount = '1', heading = ''] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)/.exec(line) ?? [];
    if (oldStart !== undefined) {
      [oldLine, newLine, oldLeft, newLeft] = [oldStart, newStart, oldCount, newCount].map(Number) as Four;
      lines = [];
      const file = nameFile();
      file.hunks.push(lines);
      file.headings.push(heading);
    } else if (line.startsWith('diff --git ')) {
      if (head.length > 0) nameFile();
      head = [line];
    } else head.push(line);
  }
  if (head.length > 0) nameFile();
  return files;
}

type Four = [number, number, number, number];

function namesIn(head: string[]): { path: string; previousPath: string } {
  const after = (start: string): string | undefined =>
    head.find((line) => line.startsWith(start))?.slice(start.length);
  const [, same = ''] = /^diff --git "?a\/(.+?)"? "?b\/\1"?$/.exec(head[0] ?? '') ?? [];
  const [before, behind] = [after('--- '), after('+++ ')].map((name) =>
    name === undefined || name === '/dev/null' ? undefined : unquote(name).slice(2),
  );
  const from = after('rename from ') ?? after('copy from ');
  const to = after('rename to ') ?? after('copy to ');
  const path = behind ?? (to && unquote(to)) ?? before ?? unquote(same);
  return { path, previousPath: before ?? (from && unquote(from)) ?? path };
}

/** Git ends a name with a space in it with a tab, and writes unusual bytes as octal numbers. */
function unquote(name: string): string {
  const bare = name.replace(/\t$/, '').replace(/^"(.*)"$/, '$1');
  if (!bare.includes('\\')) return bare;
  const bytes = bare.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : code,
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** The counts of `git diff --numstat -z` by the file's new name. Git prints a hyphen for binary files. */
export function readNumstat(printed: string): Map<string, Numbers> {
  const counts = new Map<string, Numbers>();
  for (let fields = printed.split('\0'), index = 0; index < fields.length - 1; ) {
    const [additions, deletions, ...rest] = (fields[index] ?? '').split('\t');
    const name = rest.join('\t');
    counts.set(name || (fields[index + 2] ?? ''), {
      additions: Number(additions) || 0,
      deletions: Number(deletions) || 0,
    });
    index += name ? 1 : 3;
  }
  return counts;
}
