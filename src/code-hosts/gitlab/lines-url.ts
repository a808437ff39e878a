import { createHash } from 'node:crypto';
import type { DiffLines } from '../code-host.ts';

const mergeRequestPage = /\/-\/merge_requests\/\d+$/;

/**
 * GitLab finds lines of a diff by their numbers on both sides, which are not known of any one: lines as they became are linked to
 * in the file itself, lines as they were to the file within the diff.
 */
export function linesUrl(pullRequestUrl: string | null, headSha: string, lines: DiffLines): string | null {
  if (!pullRequestUrl) return null;
  const { fileName, startLine, endLine, side } = lines;
  if (side === 'old') return `${pullRequestUrl}/diffs#${createHash('sha1').update(fileName).digest('hex')}`;
  const path = fileName.split('/').map(encodeURIComponent).join('/');
  const file = pullRequestUrl.replace(mergeRequestPage, `/-/blob/${headSha}/${path}`);
  return `${file}#L${startLine}${endLine > startLine ? `-${endLine}` : ''}`;
}
