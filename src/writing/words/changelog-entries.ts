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
  return edits.flatMap(({ text: entry, evidence }) => {
    const file = diff.find(({ path }) => path === evidence.fileName);
    const heading = file ? headingAbove(file, evidence.startLine) : '';
    const isFit = (text: string): boolean => isBalanced(text) && !/[{}]/.test(text) && !holdsKey(text);
    return losesAddress(entry)
      ? []
      : splitLine(withoutReferences(plainText(entry)))
          .map((text, at) => ({ text, isFirst: at === 0, heading, evidence }))
          .filter(({ text }) => isFit(text));
  });
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

const reference = /^[([]*(?:#\d+|@[\w-]+|(?:gh|pr)-?#?\d+)[)\].,;]*$/i;
const joint = /^[([]?(?:by|see|in|and|via|thanks|to|closes|fixes|issue|pr|&)[:,]?$/i;

/** Without the numbers and names that a list of changes has behind its entries. */
export function withoutReferences(text: string): string {
  const words = text.split(' ');
  const last = words.findLastIndex((word) => !reference.test(word) && !joint.test(word));
  const end = words.findIndex((word, index) => index > last && reference.test(word));
  if (end < 0) return text;
  const kept = words
    .slice(0, last + 1)
    .join(' ')
    .replace(/[,;(]$/, '');
  return text.endsWith('.') && !kept.endsWith('.') ? `${kept}.` : kept;
}

function headingAbove({ hunks }: FileDiff, line: number): string {
  const hunk = hunks.find(({ newStart, newLines }) => line >= newStart && line < newStart + newLines);
  const above = hunk ? linesOf(hunk).filter(({ newLine }) => newLine !== null && newLine < line) : [];
  const at = above.findLastIndex(({ text }) => /^#{1,6}\s+\S/.test(text) || /^([=~^-])\1{2,}\s*$/.test(text));
  const found = above[at]?.text ?? '';
  const heading = found.startsWith('#') ? found.replace(/^#+\s+/, '') : (above[at - 1]?.text ?? '');
  return plainText(heading.replace(/[[\]]/g, '')).replace(/:$/, '');
}
