import { createHash } from 'node:crypto';
import type { DiffLines } from '../code-host.ts';

/** Gitea gives every line of a diff an anchor that is made from the path of its file. */
export function linesUrl(pullRequestUrl: string | null, _headSha: string, lines: DiffLines): string | null {
  if (!pullRequestUrl) return null;
  const file = createHash('sha1').update(lines.fileName).digest('hex');
  return `${pullRequestUrl}/files#diff-${file}${lines.side === 'old' ? 'L' : 'R'}${lines.startLine}`;
}
