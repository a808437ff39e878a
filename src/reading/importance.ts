import type { News } from './compare/compare-file.ts';
import { isCommentLine } from './compare/units.ts';
import type { FileFacts, FileKind } from './facts.ts';
import type { HunkLine } from './hunk-lines.ts';

const weights: Record<FileKind, number> = {
  source: 8,
  configuration: 4,
  build: 3,
  test: 3,
  manifest: 4,
  documentation: 3,
  binary: 1,
  generated: 0.2,
  vendored: 0.1,
  lock: 0.05,
};

const publicSymbolBonus = 0.25;
const spokenBonus = 0.6;
const mostSpoken = 4;

export interface Substance {
  lines: number;
  spoken: number;
}

const commentWeight = 0.1;

export function substanceOf(path: string, kind: FileKind, news: News[], words: string[]): Substance {
  const isProse = kind === 'documentation';
  const weigh = (lines: HunkLine[]): number =>
    lines.reduce((sum, line) => sum + (!isProse && isCommentLine(line) ? commentWeight : 1), 0);
  let lines = 0;
  let text = path;
  for (const { gone, come } of news) {
    lines += weigh(come) + weigh(gone) / 2;
    if (words.length > 0) for (const line of [...come, ...gone]) text += ` ${line.text}`;
  }
  const low = text.toLowerCase();
  return { lines, spoken: words.filter((word) => low.includes(word)).length };
}

type Weighed = Pick<FileFacts, 'kind' | 'symbols'>;

/** How important a file is to the change: by its new content, its public symbols and the words of the title. */
export function importanceOf({ kind, symbols }: Weighed, { lines, spoken }: Substance): number {
  const opened = symbols.filter(({ isPublic, change }) => isPublic && change !== 'bodyChanged').length;
  const bonus = 1 + Math.min(opened, 8) * publicSymbolBonus;
  const size = 0.5 + Math.log2(1 + lines);
  const score = weights[kind] * size * bonus * (1 + Math.min(spoken, mostSpoken) * spokenBonus);
  return Math.round(score * 100) / 100;
}

/** Words of many titles, which do not tell which file is important. */
const empty = new Set(
  'add adds added adding allow allows also and are avoid bump bumps but change changes changed cleanup code docs drop drops enable ensure feat feature file files fix fixes fixed for from handle have implement improve improves into issue make makes merge minor more move moves moved new not only pull refactor remove removes removed rename renames replace replaces request revert set some support supports test tests that the this typo update updates upgrade upgrades use uses using version when with without'.split(
    ' ',
  ),
);

export function titleWords(title: string, most = 12): string[] {
  const words = title
    .replace(/^\s*\w+(?:\([^)]*\))?!?:\s+/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\d]{3,}/gu);
  const telling = (words ?? []).filter((word) => !empty.has(word) && !/^\d+$/.test(word));
  return [
    ...new Set(telling.map((word) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word))),
  ].slice(0, most);
}
