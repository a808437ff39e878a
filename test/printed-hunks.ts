interface Lines {
  start: number;
  end: number;
}

/** The line ranges of a file's hunks on both sides, inclusive. */
interface PrintedHunk {
  old: Lines;
  new: Lines;
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * The hunks of each file in a diff as git prints it, counted line by line. Independent of the service's parser, against which
 * it is compared; quoted names and lines like headers are handled only as the samples need.
 */
export function printedHunks(diff: string): Map<string, PrintedHunk[]> {
  const files = new Map<string, PrintedHunk[]>();
  let hunks: PrintedHunk[] = [];
  let hunk: PrintedHunk | undefined;
  for (const line of diff.split('\n')) {
    const file = /^diff --git a\/(.+) b\/(.+)$/.exec(line);
    const begun = header.exec(line);
    if (file?.[1] && file[2]) {
      hunks = [];
      hunk = undefined;
      for (const name of [file[1], file[2]]) files.set(name, hunks);
    } else if (begun) {
      const [oldStart, newStart] = [Number(begun[1]), Number(begun[3])];
      hunk = { old: { start: oldStart, end: oldStart - 1 }, new: { start: newStart, end: newStart - 1 } };
      hunks.push(hunk);
    } else if (hunk) {
      if (/^[ -]/.test(line)) hunk.old.end += 1;
      if (/^[ +]/.test(line)) hunk.new.end += 1;
    }
  }
  return files;
}
