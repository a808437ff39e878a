import { createHash } from 'node:crypto';
import type { DiffLines } from './code-host.ts';

/** GitHub, which clones mostly come from, gives every file of a diff an anchor that is made from its path. */
export function linesUrl(pullRequestUrl: string | null, _headSha: string, lines: DiffLines): string | null {
  if (!pullRequestUrl) return null;
  const anchor = createHash('sha256').update(lines.fileName).digest('hex');
  const side = lines.side === 'old' ? 'L' : 'R';
  return `${pullRequestUrl}/files#diff-${anchor}${side}${lines.startLine}-${side}${lines.endLine}`;
}
