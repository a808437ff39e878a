import type { Evidence } from './facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from './file-diff.ts';

interface ChangelogEntry {
  text: string;
  evidence: Evidence;
}

export const changelogName =
  /(?:^|\/)(?:changelog|changes|history|news|release[-_ ]?notes|whats[-_ ]?new)[^/]*$/i;

const codeEnding = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h)$/;
const bullet = /^(\s*)[-*+•]\s+/;
const isEntry = (text: string): boolean =>
  /\p{L}{3,}.*\s\S+\s/u.test(text) && !/^(?:#|=+$|-+$|\[?v?\d+\.\d)/.test(text) && !/[:：]$/.test(text);

export const changelogEntries = (diff: FileDiff[]): ChangelogEntry[] =>
  diff
    .filter(({ path }) => changelogName.test(path) && !codeEnding.test(path))
    .flatMap(({ path, hunks }) => hunks.flatMap((hunk) => entriesIn(hunk, path)));

function entriesIn(hunk: Hunk, fileName: string): ChangelogEntry[] {
  const lines = linesOf(hunk);
  const texts = new Set(lines.filter(({ side }) => side !== 'removed').map(({ text }) => text.trim()));
  if (lines.some(({ side, text }) => side === 'removed' && isEntry(text.trim()) && !texts.has(text.trim())))
    return [];
  const entries: DiffLine[][] = [];
  let current: DiffLine[] = [];
  for (const line of lines.filter(({ side }) => side !== 'removed')) {
    const isBlank = line.text.trim() === '';
    const indent = bullet.exec(line.text)?.[1]?.length;
    const outer = bullet.exec(current[0]?.text ?? '')?.[1]?.length ?? 0;
    if (isBlank || (indent !== undefined && indent <= outer)) current = [];
    if (isBlank) continue;
    if (current.length === 0) entries.push(current);
    current.push(line);
  }
  return entries.flatMap((own) => {
    const [first, last] = [own[0]?.newLine, own.at(-1)?.newLine];
    const isNested = own.some(
      ({ text }, index) => /^\s{2,}/.test(text) && (index === 0 || bullet.test(text)),
    );
    if (!first || !last || isNested || own.some(({ side }) => side !== 'added')) return [];
    const text = own.map((line) => line.text.trim()).join(' ');
    const entry = text.replace(bullet, '');
    return isEntry(entry)
      ? [{ text: entry, evidence: { fileName, startLine: first, endLine: last, side: 'new' as const } }]
      : [];
  });
}
