import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { PublishedContent } from '../../db/articles.ts';
import type { StoredPullRequest } from '../../db/pull-requests.ts';
import type { Evidence } from '../../reading/facts.ts';
import { joinStatements } from '../../writing/join-statements.ts';
import { readingMinutes } from '../../writing/reading-minutes.ts';
import { withoutRepeats } from '../../writing/without-repeats.ts';
import type { WrittenArticle, WrittenStatement } from '../../writing/written-article.ts';

interface Publication {
  codeHosts: CodeHost[];
  pullRequest: Pick<StoredPullRequest, 'host' | 'hostUrl' | 'baseSha' | 'headSha'>;
  languageCode: string;
  now: Date;
}

/** What was written about a pull request as it is published, with links to the lines that show it. */
export function contentOf(
  { title, changeTypes, background, mainChanges, notablePoints, ...same }: WrittenArticle,
  { codeHosts, pullRequest, languageCode, now }: Publication,
): PublishedContent {
  const { host, hostUrl, baseSha, headSha } = pullRequest;
  const codeHost = codeHosts.find(({ id }) => id === host);
  const link = ({ fileName, startLine, endLine, side }: Evidence) => {
    const lines = { fileName, startLine, endLine, side };
    return { ...lines, hostUrl: codeHost?.linesUrl(hostUrl, headSha, lines) ?? null };
  };
  const linkAll = (statements: WrittenStatement[]) =>
    statements.map(({ text, basis, evidence }) => ({ text, basis, evidence: evidence.map(link) }));
  const evidenceOf = (statements: WrittenStatement[]) =>
    withoutRepeats(statements.flatMap(({ evidence }) => evidence)).map(link);
  const changes = mainChanges.map(({ fileName, changeTypes: types, statements }) => ({
    fileName,
    changeTypes: types,
    statements: linkAll(statements),
    description: joinStatements(statements),
    evidence: evidenceOf(statements),
  }));
  const points = notablePoints.map(({ categories, statements }) => ({
    categories,
    statements: linkAll(statements),
    point: joinStatements(statements),
    evidence: evidenceOf(statements),
  }));
  const backgroundAndPurpose = joinStatements(background);
  return {
    languageCode,
    aiGeneratedTitle: title,
    changeTypes,
    readingMinutes: readingMinutes([
      title,
      backgroundAndPurpose,
      ...changes.map(({ description }) => description),
      ...points.map(({ point }) => point),
    ]),
    backgroundAndPurpose,
    background: linkAll(background),
    mainChanges: changes,
    notablePoints: points,
    summaryGeneratedAt: now.toISOString(),
    baseSha,
    headSha,
    ...same,
  };
}
