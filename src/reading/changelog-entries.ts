import { changelogName } from './changelog-name.ts';
import type { Evidence, FileFacts } from './facts.ts';
import { type FileDiff, linesOf } from './file-diff.ts';

/** A paragraph or item that a changelog newly has, without its bullet. */
interface ChangelogEntry {
  text: string;
  evidence: Evidence;
}

const codeEnding = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h)$/;
/** Headings, versions and underlines are no entries. */
const isEntry = (text: string): boolean =>
  /\p{L}{3,}.*\s\S+\s/u.test(text) && !/^(?:#|=+$|-+$|\[?v?\d+\.\d)/.test(text);

/** What a change itself newly says in changelogs. */
export function changelogEntries(files: FileFacts[], diff: FileDiff[]): ChangelogEntry[] {
  return files
    .filter(({ path }) => changelogName.test(path) && !codeEnding.test(path))
    .flatMap(({ path, changes }) => {
      const lines = diff.find((file) => file.path === path)?.hunks.flatMap(linesOf) ?? [];
      return changes.flatMap(({ kind, new: span }) => {
        if (kind !== 'added' || !span) return [];
        const own = lines.filter(
          ({ newLine }) => newLine !== null && newLine >= span.startLine && newLine <= span.endLine,
        );
        // An item inside of another belongs to that one.
        if (/^(?:\s{2,}|\t)[-*+•]/.test(own[0]?.text ?? '')) return [];
        const text = own
          .map((line) => line.text.trim())
          .join(' ')
          .replace(/^[-*+•]\s+/, '');
        return isEntry(text) ? [{ text, evidence: span }] : [];
      });
    });
}
