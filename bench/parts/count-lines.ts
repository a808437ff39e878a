import { git } from '../../test/make-clone.ts';

/** Every changed line of the newest commit by its file, side and number, as git prints them; read by no code of the service. */
export function changedLinesIn(clone: string, isRead: (path: string) => boolean): Set<string> {
  const lines = new Set<string>();
  let path = '';
  let [old, now] = [0, 0];
  for (const line of rawDiff(clone).split('\n')) {
    const names = /^diff --git a\/(.*) b\//.exec(line);
    const numbers = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (names) [path, old, now] = [names[1] ?? '', 0, 0];
    else if (numbers) [old, now] = [Number(numbers[1]), Number(numbers[2])];
    else if (old + now === 0 || !isRead(path)) continue;
    else if (line.startsWith('+')) lines.add(`${path} ${now++}+`);
    else if (line.startsWith('-')) lines.add(`${path} ${old++}-`);
    else if (line.startsWith(' ')) [old, now] = [old + 1, now + 1];
  }
  return lines;
}

export const rawDiff = (clone: string, ...paths: string[]): string =>
  git(clone, 'diff', 'HEAD~1', 'HEAD', '--', ...paths);

/** The changed lines that a question shows. */
export function changedLinesOf(material: string): string[] {
  let path = '';
  return material.split('\n').flatMap((line) => {
    path = /^f\d+ ([^\s,]+)/.exec(line)?.[1] ?? path;
    const number = /^\d+[+-]/.exec(line)?.[0];
    return number ? [`${path} ${number}`] : [];
  });
}
