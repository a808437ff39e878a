import { changelogName } from '../../reading/changelog-name.ts';
import { splitLine } from '../../reading/description/sentences.ts';
import type { Evidence, UnitChange } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import type { ArticleSource } from '../article-source.ts';
import { holdsKey } from '../key-shapes.ts';
import { isBalanced, losesAddress, plainText } from '../plain-text.ts';
import { isAboutOthers } from './own-texts.ts';

/** One sentence that a changelog newly has. */
export interface ChangelogEntry {
  text: string;
  /** Whether its entry begins with it. */
  isFirst: boolean;
  /** The heading above it, as far as its hunk shows one. */
  heading: string;
  evidence: Evidence;
}

/** More than these are what a release collects. */
const mostEntries = 4;

/** What the change itself newly says in a changelog; what a release lists was done before it. */
export function changelogEntriesOf(source: ArticleSource): ChangelogEntry[] {
  const { facts, diff } = source;
  const lists = facts.files.filter(({ path }) => changelogName.test(path));
  const isOnlyList = lists.length === facts.files.length;
  const edits = lists.flatMap(({ path, changes }) => newEntries(path, changes, diff));
  if (isAboutOthers(source) || isOnlyList || edits.length > mostEntries) return [];
  return edits
    .filter(({ text }) => !losesAddress(text) && !holdsKey(text))
    .flatMap((edit) =>
      splitLine(withoutReferences(plainText(edit.text))).map((text, at) => ({
        ...edit,
        text,
        isFirst: at === 0,
      })),
    )
    .map(({ text, isFirst, evidence }) => ({
      text,
      isFirst,
      heading: headingAbove(
        diff.find(({ path }) => path === evidence.fileName),
        evidence.startLine,
      ),
      evidence,
    }))
    .filter(({ text }) => text !== '' && isBalanced(text) && !/[{}]/.test(text));
}

/** Paragraphs and items that a list newly has; headings and versions are none. */
function newEntries(
  path: string,
  changes: UnitChange[],
  diff: FileDiff[],
): { text: string; evidence: Evidence }[] {
  const file = diff.find((one) => one.path === path);
  return changes.flatMap(({ kind, new: span }) => {
    if (kind !== 'added' || !span || !file) return [];
    const lines = file.hunks
      .flatMap((hunk) => linesOf(hunk))
      .filter(({ newLine }) => newLine !== null && newLine >= span.startLine && newLine <= span.endLine);
    const text = lines
      .map((line) => line.text.trim())
      .join(' ')
      .replace(/^[-*+•]\s+/, '');
    const isEntry = /\p{L}{3,}.*\s\S+\s/u.test(text) && !/^(?:#|=+$|-+$|\[?v?\d+\.\d)/.test(text);
    return isEntry ? [{ text, evidence: span }] : [];
  });
}

const reference = String.raw`(?:\[?#\d+\]?|\[?@[\w-]+\]?|\[?(?:gh|pr)[-\s]?#?\d+\]?)`;
const references = new RegExp(
  String.raw`(?:[\s,;.]*(?:\(?\b(?:by|see|in|thanks(?: to)?|via|closes|fixes|issue|pr)\b:?\s*)?[([]*${reference}(?:(?:,|\s|and|&|by)+\(?${reference}\)?)*[)\]]*)+\.?$`,
  'i',
);

/** Without the numbers and names that a list of changes has behind its entries. */
export function withoutReferences(text: string): string {
  const found = references.exec(text);
  if (!found) return text;
  const kept = text.slice(0, found.index).trimEnd();
  return /\.$/.test(found[0]) || /^\s*\./.test(found[0]) ? `${kept}.` : kept;
}

function headingAbove(diff: FileDiff | undefined, line: number): string {
  const hunk = diff?.hunks.find(({ newStart, newLines }) => line >= newStart && line < newStart + newLines);
  const above = hunk ? linesOf(hunk).filter(({ newLine }) => newLine !== null && newLine < line) : [];
  const at = above.findLastIndex(({ text }) => /^#{1,6}\s+\S/.test(text) || /^([=~^-])\1{2,}\s*$/.test(text));
  const found = above[at]?.text ?? '';
  const heading = found.startsWith('#') ? found.replace(/^#+\s+/, '') : (above[at - 1]?.text ?? '');
  return plainText(heading.replace(/[[\]]/g, '')).replace(/:$/, '');
}
