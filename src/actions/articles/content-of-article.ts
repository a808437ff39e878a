import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { PublishedContent } from '../../db/articles.ts';
import type { StoredPullRequest } from '../../db/pull-requests.ts';
import type { Evidence } from '../../reading/facts.ts';
import { joinStatements } from '../../writing/join-statements.ts';
import { readingMinutes } from '../../writing/reading-minutes.ts';
import { withoutRepeats } from '../../writing/without-repeats.ts';
import type { WrittenArticle, WrittenStatement } from '../../writing/written-article.ts';

interface Publication {
  codeHosts: Pick<CodeHost, 'id' | 'linesUrl'>[];
  pullRequest: Pick<StoredPullRequest, 'host' | 'hostUrl' | 'baseSha' | 'headSha'>;
  languageCode: string;
  now: Date;
}

/** What was written about a pull request as it is published, with links to the lines that show it. */
export function contentOf(
  { title, standfirst, background, mainChanges, notablePoints, also, ...same }: WrittenArticle,
  { codeHosts, pullRequest, languageCode, now }: Publication,
): PublishedContent {
  const { host, hostUrl, baseSha, headSha } = pullRequest;
  const codeHost = codeHosts.find(({ id }) => id === host);
  const link = ({ fileName, startLine, endLine, side }: Evidence) => {
    const lines = { fileName, startLine, endLine, side };
    return { ...lines, hostUrl: codeHost?.linesUrl(hostUrl, headSha, lines) ?? null };
  };
  const linkOne = ({ id, text, basis, source, evidence }: WrittenStatement) => ({
    id,
    text,
    basis,
    ...(source && { source }),
    evidence: evidence.map(link),
  });
  const evidenceOf = (statements: WrittenStatement[]) =>
    withoutRepeats(statements.flatMap(({ evidence }) => evidence)).map(link);
  const content = {
    languageCode,
    aiGeneratedTitle: title,
    standfirst: standfirst && linkOne(standfirst),
    backgroundAndPurpose: joinStatements(background),
    background: background.map(linkOne),
    mainChanges: mainChanges.map(({ fileName, changeTypes, statements, excerpts }) => ({
      fileName,
      changeTypes,
      statements: statements.map(linkOne),
      description: joinStatements(statements),
      evidence: evidenceOf(statements),
      excerpts,
    })),
    notablePoints: notablePoints.map(({ categories, label, statements }) => ({
      categories,
      label,
      statements: statements.map(linkOne),
      point: joinStatements(statements),
      evidence: evidenceOf(statements),
    })),
    also: also.map(({ statement, ...row }) => ({ ...row, statement: linkOne(statement) })),
    summaryGeneratedAt: now.toISOString(),
    baseSha,
    headSha,
    ...same,
  };
  return { ...content, readingMinutes: minutesToRead(content) };
}

/** How long it takes to read what is shown of an article. */
export function minutesToRead(content: Omit<PublishedContent, 'readingMinutes'>): number {
  const { aiGeneratedTitle, standfirst, quote, backgroundAndPurpose, mainChanges, notablePoints, also } =
    content;
  const texts = [
    aiGeneratedTitle,
    standfirst?.text ?? '',
    quote?.text ?? '',
    backgroundAndPurpose,
    ...mainChanges.map(({ description }) => description),
    ...notablePoints.map(({ point }) => point),
    ...also.map(({ statement }) => statement.text),
  ];
  const excerpts = mainChanges.flatMap((change) => change.excerpts);
  return readingMinutes(texts, excerpts.flatMap(({ lines }) => lines).length);
}
