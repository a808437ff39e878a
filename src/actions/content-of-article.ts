import type { CodeHost } from '../code-hosts/code-host.ts';
import type { PublishedContent } from '../db/articles.ts';
import type { StoredPullRequest } from '../db/pull-requests.ts';
import type { Evidence } from '../reading/facts.ts';
import type { WrittenArticle } from '../writing/written-article.ts';

interface Publication {
  codeHosts: CodeHost[];
  pullRequest: Pick<StoredPullRequest, 'host' | 'hostUrl' | 'baseSha' | 'headSha'>;
  languageCode: string;
  now: Date;
}

/** What was written about a pull request as it is published, with links to the lines that show it. */
export function contentOf(
  { title, backgroundAndPurpose, mainChanges, notablePoints, ...same }: WrittenArticle,
  { codeHosts, pullRequest, languageCode, now }: Publication,
): PublishedContent {
  const { host, hostUrl, baseSha, headSha } = pullRequest;
  const codeHost = codeHosts.find(({ id }) => id === host);
  const link = <Told extends { evidence: Evidence[] }>(told: Told) => ({
    ...told,
    evidence: told.evidence.map(({ fileName, startLine, endLine, side }) => {
      const lines = { fileName, startLine, endLine, side };
      return { ...lines, hostUrl: codeHost?.linesUrl(hostUrl, headSha, lines) ?? null };
    }),
  });
  return {
    languageCode,
    aiGeneratedTitle: title,
    backgroundAndPurpose,
    mainChanges: mainChanges.map(link),
    notablePoints: notablePoints.map(link),
    summaryGeneratedAt: now.toISOString(),
    baseSha,
    headSha,
    ...same,
  };
}
