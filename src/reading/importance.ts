import type { FileFacts, FileKind } from './facts.ts';

/** How much a changed line of each kind says about what a change is for. */
const weights: Record<FileKind, number> = {
  source: 10,
  configuration: 4,
  build: 3,
  test: 3,
  manifest: 3,
  documentation: 2.5,
  binary: 1,
  generated: 0.2,
  vendored: 0.1,
  lock: 0.05,
};

/** Changes to what others can use weigh more than those behind them. */
const publicSymbolBonus = 0.25;
const mentionedBonus = 1.5;

type Weighed = Pick<FileFacts, 'path' | 'kind' | 'status' | 'additions' | 'deletions' | 'symbols'>;

/** How near a file is to the heart of the change: by its kind, its size, what it opens to others, and the title. */
export function importanceOf(
  { path, kind, status, additions, deletions, symbols }: Weighed,
  title: string,
): number {
  // A removal is read faster than what replaces it, and the hundredth line adds less than the first.
  const size = Math.log2(1 + additions + deletions / 2);
  const opened = symbols.filter(({ isPublic, change }) => isPublic && change !== 'bodyChanged').length;
  const isOnlyMoved = status === 'renamed' && additions + deletions === 0;
  const bonus = 1 + Math.min(opened, 8) * publicSymbolBonus;
  const score =
    weights[kind] * (isOnlyMoved ? 0.5 : 1 + size) * bonus * (isMentioned(path, title) ? mentionedBonus : 1);
  return Math.round(score * 100) / 100;
}

function isMentioned(path: string, title: string): boolean {
  const name = path.split('/').at(-1)?.split('.')[0]?.toLowerCase() ?? '';
  return name.length >= 4 && title.toLowerCase().includes(name);
}
