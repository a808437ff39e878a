import type { FileKind } from '../facts.ts';
import type { FileDiff } from '../file-diff.ts';

export interface KindedFile {
  file: FileDiff;
  kind: FileKind;
}

interface Tally {
  files: number;
  newFiles: number;
  additions: number;
  deletions: number;
}

/** What can be told from kinds, statuses and counts, without reading a line. */
export function shapeFeatures(files: KindedFile[]): Set<string> {
  const kinds = new Map<FileKind, Tally>();
  const statuses = new Map<string, number>();
  const total: Tally = { files: 0, newFiles: 0, additions: 0, deletions: 0 };
  let moved = 0;
  for (const { file, kind } of files) {
    const tally = kinds.get(kind) ?? { files: 0, newFiles: 0, additions: 0, deletions: 0 };
    kinds.set(kind, tally);
    count(tally, file);
    count(total, file);
    statuses.set(file.status, (statuses.get(file.status) ?? 0) + 1);
    if (file.status === 'renamed' && linesOf(file) === 0) moved += 1;
  }
  const found = new Set<string>();
  addKinds(found, kinds, total);
  addSizes(found, total);
  addSource(found, kinds);
  for (const [status, number] of statuses) found.add(`status ${status} ${share(number / total.files)}`);
  if (moved > 0) found.add(`moved ${share(moved / total.files)}`);
  return found;
}

function count(tally: Tally, file: FileDiff): void {
  tally.files += 1;
  tally.additions += file.additions;
  tally.deletions += file.deletions;
  if (file.status === 'added') tally.newFiles += 1;
}

function addKinds(found: Set<string>, kinds: Map<FileKind, Tally>, total: Tally): void {
  const lines = linesOf(total) || 1;
  let main = 'nothing';
  let most = -1;
  for (const [kind, tally] of kinds) {
    found.add(`kind ${kind}`);
    found.add(`kind ${kind} files ${share(tally.files / total.files)}`);
    found.add(`kind ${kind} lines ${share(linesOf(tally) / lines)}`);
    if (tally.newFiles > 0) found.add(`kind ${kind} new ${share(tally.newFiles / tally.files)}`);
    if (linesOf(tally) > most) {
      most = linesOf(tally);
      main = kind;
    }
  }
  found.add(`kinds ${[...kinds.keys()].sort().join('+')}`);
  found.add(`main ${main}`);
  found.add(`main ${main} size ${size(lines)}`);
}

function addSizes(found: Set<string>, total: Tally): void {
  found.add(`files ${size(total.files)}`);
  found.add(`additions ${size(total.additions)}`);
  found.add(`deletions ${size(total.deletions)}`);
  found.add(`size ${size(total.additions)} ${size(total.deletions)}`);
  found.add(`balance ${balance(total)}`);
}

/** Code is where the kinds of change are hardest to tell apart, so its size and balance count once more. */
function addSource(found: Set<string>, kinds: Map<FileKind, Tally>): void {
  const source = kinds.get('source');
  if (!source) return;
  const tested = kinds.has('test') ? 'tested' : 'untested';
  found.add(`source size ${size(linesOf(source))} ${tested}`);
  found.add(`source size ${size(source.additions)} ${size(source.deletions)}`);
  found.add(`source balance ${balance(source)} ${tested}`);
  found.add(`source balance ${balance(source)} files ${size(source.files)}`);
  found.add(`source new ${size(source.newFiles)} ${tested}`);
  if (kinds.has('documentation')) found.add(`source documented ${tested}`);
}

const linesOf = (counts: { additions: number; deletions: number }): number =>
  counts.additions + counts.deletions;

const share = (part: number): string =>
  part >= 1 ? 'all' : part > 0.8 ? 'most' : part > 0.5 ? 'half' : part > 0.2 ? 'some' : 'few';

/** Sizes matter by how often they double; beyond a thousand they are all large. */
const size = (number: number): number => Math.min(10, Math.ceil(Math.log2(1 + number)));

/** How one-sided a change is: 0 where everything was removed, 8 where everything was added. */
const balance = (tally: Tally): number =>
  linesOf(tally) === 0 ? 4 : Math.round((8 * tally.additions) / linesOf(tally));
