import { parseDiff } from '../src/reading/parse-diff.ts';
import { cut, mergedPullRequests, printAll } from './mirrors.ts';

// Holds what the diff parser counts against what git counts, for every merged pull request of the mirrors given.
// Usage: node bench/counts.ts MIRROR …

const letters = {
  added: 'A',
  removed: 'D',
  modified: 'M',
  renamed: 'R',
  copied: 'C',
  typeChanged: 'T',
} as const;

/** One line for each file: letter, counts, and names. Git prints a hyphen for the counts of binary files. */
function ours(diff: Buffer): string[] {
  return parseDiff(diff).map(
    ({ status, additions, deletions, previousPath, path }) =>
      `${letters[status]} ${additions} ${deletions} ${previousPath ?? ''} ${path}`,
  );
}

function theirs(names: string, numbers: string): string[] {
  const counts = new Map<string, string>();
  for (let fields = numbers.split('\0'), index = 0; index < fields.length - 1; ) {
    const [additions = '', deletions = '', ...rest] = (fields[index] ?? '').split('\t');
    const name = rest.join('\t');
    counts.set(name || (fields[index + 2] ?? ''), `${Number(additions) || 0} ${Number(deletions) || 0}`);
    index += name ? 1 : 3;
  }
  const lines: string[] = [];
  for (let fields = names.split('\0'), index = 0; index < fields.length - 1; ) {
    const letter = fields[index]?.[0] ?? '';
    const hasTwo = letter === 'R' || letter === 'C';
    const path = fields[index + (hasTwo ? 2 : 1)] ?? '';
    lines.push(`${letter} ${counts.get(path)} ${hasTwo ? fields[index + 1] : ''} ${path}`);
    index += hasTwo ? 3 : 2;
  }
  return lines;
}

let compared = 0;
let different = 0;
for (const mirror of process.argv.slice(2)) {
  const all = mergedPullRequests(mirror);
  let here = 0;
  for (let start = 0; start < all.length; start += 200) {
    const some = all.slice(start, start + 200);
    const diffs = cut(printAll(mirror, some, '-p', '-U3'), some);
    const names = cut(printAll(mirror, some, '-z', '--name-status'), some, '\0');
    const numbers = cut(printAll(mirror, some, '-z', '--numstat'), some, '\0');
    for (const [index, diff] of diffs.entries()) {
      const expected = theirs(String(names[index]), String(numbers[index])).sort().join('\n');
      compared += 1;
      if (ours(diff).sort().join('\n') === expected) continue;
      here += 1;
      if (here <= 3) console.log(`differs: ${mirror} ${some[index]?.sha}`);
    }
  }
  different += here;
  console.log(`${mirror}: ${all.length} compared, ${here} differ`);
}
console.log(`${compared} pull requests compared, ${different} differ`);
