import type { QuoteSource } from '../../domain/article.ts';
import type { DependencyChange, Evidence, NamedRange } from '../../reading/facts.ts';
import type { DiffLine, FileDiff } from '../../reading/file-diff.ts';
import type { ArticleSource } from '../article-source.ts';
import type { ChangeFact, RiskFact } from './lead.ts';
import { codeLines, idleLines, standsIn } from './lines.ts';
import type { ScopeFact } from './scope.ts';

/** The function in which most lines changed, for a headline where nothing better is certain. */
export interface LargestFact {
  kind: 'largest';
  name: string;
  change: 'added' | 'removed' | 'changed';
  /** Whether code outside of it changed too; then the counts are those of the whole diff. */
  hasMore: boolean;
  additions: number;
  deletions: number;
  files: number;
  evidence: Evidence[];
}

/** A risk that is not a quotation. */
export type ShownRisk = Exclude<RiskFact, { kind: 'breaking' }>;

/** The first of some names, as Markdown, and how many more there are. */
export interface Names {
  names: string[];
  more: number;
}

export const firstOf = (names: string[], most: number): Names => {
  const all = [...new Set(names)];
  // A name costs no more room than the words that leave it out.
  const count = all.length === most + 1 ? all.length : most;
  return { names: all.slice(0, count), more: Math.max(0, all.length - count) };
};

/** A sentence before it has a language, with the lines that prove it. */
export interface RuleSentence {
  say: (phrases: RulePhrases) => string;
  evidence: Evidence[];
  /** For a quotation. */
  source?: QuoteSource;
}

/** An edit that was made many times, as a caption tells it. */
export interface ManyTimes {
  from: string;
  to: string;
  times: number | null;
  files: number;
}

export interface Assertion {
  test: string | null;
  from: string;
  to: string;
}

/** What is not read, by the number of files. */
interface UnreadFiles {
  locks: number;
  generated: number;
  vendored: number;
  binary: number;
  submodules: number;
  tooLarge: number;
}

/** How one language says what is certain. */
export interface RulePhrases {
  // The opening, without a full stop.
  scope: (fact: ScopeFact) => string;
  lead: (fact: ChangeFact) => string;
  risk: (fact: ShownRisk) => string;
  /** Null where a scope makes no headline. */
  headline: (fact: ChangeFact | ScopeFact | LargestFact, counts: DiffCounts) => string | null;
  stop: string;
  // Hunks, tests and what is left, in sentences.
  sameEdit: (places: number, where: Names) => string;
  renamed: (edit: ManyTimes) => string;
  replaced: (edit: ManyTimes) => string;
  addedOften: (edit: ManyTimes) => string;
  removedOften: (edit: ManyTimes) => string;
  moved: (what: Names, from: string, to: string) => string;
  fileMoved: (from: string, to: string, isEdited: boolean) => string;
  filesMoved: (files: number) => string;
  removedTests: (tests: Names) => string;
  assertion: (assertion: Assertion) => string;
  alsoAdded: (what: Names) => string;
  alsoChanged: (what: Names) => string;
  alsoRemoved: (what: Names) => string;
  changedTests: (tests: Names) => string;
  documentation: (sections: Names) => string;
  tooLong: (files: Names) => string;
  nothingButLayout: (files: Names) => string;
  dependencies: (changes: DependencyChange[], most: number) => string;
  unread: (files: UnreadFiles) => string;
  executable: (files: Names, isExecutable: boolean) => string;
}

export interface DiffCounts {
  files: number;
  additions: number;
  deletions: number;
}

/** Text as code; one that has a backtick of its own gets two around it. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** A version that is pinned says the same without its sign. */
export const bareVersion = (version: string | null): string => (version ?? '').replace(/^==?\s*/, '');

/** 「+9 −1」; what is none is left out. */
export const sizeOf = ({ additions, deletions }: Pick<DiffCounts, 'additions' | 'deletions'>): string =>
  [additions > 0 ? `+${additions}` : '', deletions > 0 ? `−${deletions}` : ''].filter(Boolean).join(' ');

export const countsOf = (diff: FileDiff[]): DiffCounts => ({
  files: diff.length,
  additions: diff.reduce((sum, file) => sum + file.additions, 0),
  deletions: diff.reduce((sum, file) => sum + file.deletions, 0),
});

interface Touched {
  name: string;
  path: string;
  lines: DiffLine[];
}

export function largestOf({ facts, diff }: ArticleSource): LargestFact | null {
  const touched = new Map<string, Touched>();
  let outside = 0;
  for (const file of facts.files) {
    const { path, kind, skipped, ranges } = file;
    if (kind !== 'source' || skipped !== null) continue;
    const functions = ranges.filter(({ isFunction }) => isFunction);
    const isIdle = idleLines(file);
    const own = diff.find((one) => one.path === path);
    for (const line of own ? codeLines(own, file) : []) {
      const around = functions.filter((range) => standsIn(line, range));
      const inner = around.sort((one, other) => spanOf(one) - spanOf(other))[0];
      const key = `${path} ${inner?.name ?? ''}`;
      if (inner) {
        const known = touched.get(key) ?? { name: inner.name, path, lines: [] };
        touched.set(key, { ...known, lines: [...known.lines, line] });
      } else if (line.text.trim() !== '' && !isIdle(line)) outside++;
    }
  }
  const all = [...touched.values()].sort((one, other) => other.lines.length - one.lines.length);
  const [largest, ...others] = all;
  if (!largest) return null;
  const { name, path, lines } = largest;
  const symbol = facts.files
    .find((file) => file.path === path)
    ?.symbols.find((one) => (one.container === null ? one.name : `${one.container}.${one.name}`) === name);
  const change = symbol?.change === 'added' || symbol?.change === 'removed' ? symbol.change : 'changed';
  const hasMore = others.length > 0 || outside > 0;
  const count = (side: DiffLine['side']): number => lines.filter((line) => line.side === side).length;
  const own = { additions: count('added'), deletions: count('removed'), files: 1 };
  const counts = hasMore ? countsOf(diff) : own;
  return {
    kind: 'largest',
    name,
    change,
    hasMore,
    ...counts,
    evidence: placesOf(path, lines),
  };
}

const spanOf = ({ startLine, endLine }: NamedRange): number => endLine - startLine;

/** Runs of changed lines, each on its own side. */
function placesOf(fileName: string, lines: DiffLine[]): Evidence[] {
  const places: Evidence[] = [];
  for (const { side: kind, oldLine, newLine } of lines) {
    const side = kind === 'removed' ? 'old' : 'new';
    const line = (side === 'old' ? oldLine : newLine) ?? 0;
    const last = places.findLast((place) => place.side === side);
    if (last?.endLine === line - 1) last.endLine = line;
    else places.push({ fileName, startLine: line, endLine: line, side });
  }
  return places.slice(0, 8);
}
