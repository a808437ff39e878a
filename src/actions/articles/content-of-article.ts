import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { PublishedContent } from '../../db/articles.ts';
import type { StoredPullRequest } from '../../db/pull-requests.ts';
import { placeOfHunk } from '../../domain/article.ts';
import { afterSentence } from '../../domain/text.ts';
import type { Evidence } from '../../reading/facts.ts';
import { plainText } from '../../writing/plain-text.ts';
import { withoutRepeats } from '../../writing/without-repeats.ts';
import type { Hunk, WrittenArticle, WrittenStatement } from '../../writing/written-article.ts';

interface Publication {
  codeHosts: Pick<CodeHost, 'id' | 'linesUrl'>[];
  pullRequest: Pick<StoredPullRequest, 'host' | 'hostUrl' | 'baseSha' | 'headSha'>;
  languageCode: string;
  now: Date;
}

/** What was written about a pull request as it is published, with links to the lines that show it. */
export function contentOf(
  { title, standfirst, scope, background, mainChanges, notablePoints, tests, also, ...same }: WrittenArticle,
  { codeHosts, pullRequest, languageCode, now }: Publication,
): PublishedContent {
  const { host, hostUrl, baseSha, headSha } = pullRequest;
  const codeHost = codeHosts.find(({ id }) => id === host);
  const link = ({ fileName, startLine, endLine, side, unchanged }: Evidence) => {
    const lines = { fileName, startLine, endLine, side };
    const address = codeHost?.linesUrl(hostUrl, headSha, lines) ?? null;
    return { ...lines, hostUrl: address, ...(unchanged && { unchanged }) };
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
    scope: scope && { ...scope, statement: linkOne(scope.statement) },
    backgroundAndPurpose: joinStatements(background) || plainText(same.authorWords?.markdown ?? ''),
    background: background.map(linkOne),
    mainChanges: mainChanges.map(({ heading, fileName, changeTypes, statements, hunk }) => ({
      heading,
      fileName,
      changeTypes,
      statements: statements.map(linkOne),
      description: joinStatements(statements) || placeOfHunk(hunk ?? { fileName, heading: null }),
      evidence: statements.length > 0 ? evidenceOf(statements) : linesOfHunk(hunk).map(link),
      hunk,
    })),
    notablePoints: notablePoints.map(({ categories, label, severity, statements }) => ({
      categories,
      label,
      severity,
      statements: statements.map(linkOne),
      point: joinStatements(statements),
      evidence: evidenceOf(statements),
    })),
    tests: tests && { ...tests, statements: tests.statements.map(linkOne) },
    also: also.map(({ statement, ...row }) => ({ ...row, statement: linkOne(statement) })),
    summaryGeneratedAt: now.toISOString(),
    baseSha,
    headSha,
    ...same,
  };
  return { ...content, readingMinutes: minutesToRead(content) };
}

/** The lines of a hunk that no sentence cites: as they are now, or as they were where all of them go. */
function linesOfHunk(hunk: Hunk | null): Evidence[] {
  if (!hunk) return [];
  const { fileName, lines } = hunk;
  const changed = lines.filter(({ kind }) => kind !== 'context');
  const side = changed.some(({ newLine }) => newLine !== null) ? 'new' : 'old';
  const numbers = changed.flatMap(({ oldLine, newLine }) => (side === 'new' ? newLine : oldLine) ?? []);
  const [startLine, endLine] = [numbers[0], numbers.at(-1)];
  return startLine === undefined || endLine === undefined ? [] : [{ fileName, side, startLine, endLine }];
}

const joinStatements = (statements: WrittenStatement[]): string =>
  statements.reduce((text, one) => (text === '' ? one.text : `${text}${afterSentence(text)}${one.text}`), '');

/** What people read in a minute: words in languages with spaces, characters in Japanese, lines of code. */
const wordsPerMinute = 220;
const japaneseCharactersPerMinute = 500;
const codeLinesPerMinute = 25;

const japaneseCharacter = /[\u3040-\u30ff\u3400-\u9fff]/gu;
const word = /[^\s\u3040-\u30ff\u3400-\u9fff]+/gu;

/** How long it takes to read what is shown of an article; at least one minute. */
function minutesToRead(content: Omit<PublishedContent, 'readingMinutes'>): number {
  const { aiGeneratedTitle, standfirst, backgroundAndPurpose, mainChanges, notablePoints, also } = content;
  const texts = [
    aiGeneratedTitle,
    standfirst?.text ?? '',
    backgroundAndPurpose,
    ...mainChanges.map(({ description }) => description),
    ...notablePoints.map(({ point }) => point),
    ...also.map(({ statement }) => statement.text),
  ].join(' ');
  const minutes =
    mainChanges.flatMap(({ hunk }) => hunk?.lines ?? []).length / codeLinesPerMinute +
    (texts.match(japaneseCharacter)?.length ?? 0) / japaneseCharactersPerMinute +
    (texts.match(word)?.length ?? 0) / wordsPerMinute;
  return Math.max(1, Math.ceil(minutes));
}
