import { codeSpan, lineOfText, linkTo, paragraphsOfText } from './markdown-text.ts';
import { phrasesFor } from './offline/phrases.ts';
import type { WrittenArticle } from './written-article.ts';

/** What a page of Markdown needs to know about an article. */
export interface MarkdownSource {
  owner: string;
  repo: string;
  prNumber: number;
  hostPrUrl: string | null;
  authorLogin: string;
  headSha: string;
  content: Pick<WrittenArticle, 'title' | 'backgroundAndPurpose' | 'coverage' | 'verification' | 'writer'> & {
    mainChanges: (Omit<WrittenArticle['mainChanges'][number], 'evidence'> & { evidence: LinkedEvidence[] })[];
    notablePoints: (Omit<WrittenArticle['notablePoints'][number], 'evidence'> & {
      evidence: LinkedEvidence[];
    })[];
  };
}

interface LinkedEvidence {
  fileName: string;
  startLine: number;
  endLine: number;
  side: 'old' | 'new';
  hostUrl: string | null;
}

/** One language of an article as a page of Markdown. Languages that have no headings of their own get English ones. */
export function articleMarkdown(source: MarkdownSource, languageCode: string): string {
  const { headings } = phrasesFor(languageCode);
  const { content, owner, repo, prNumber, hostPrUrl, authorLogin, headSha } = source;
  const name = `${lineOfText(`${owner}/${repo}`)}#${prNumber}`;
  const parts = [
    `# ${lineOfText(content.title)}`,
    `${hostPrUrl ? linkTo(hostPrUrl, name) : name} · ${lineOfText(authorLogin)} · \`${headSha.slice(0, 10)}\``,
    `## ${headings.background}`,
    paragraphsOfText(content.backgroundAndPurpose),
  ];
  if (content.mainChanges.length > 0) {
    parts.push(`## ${headings.changes}`);
    for (const { fileName, changeTypes, description, evidence } of content.mainChanges) {
      parts.push(
        `### ${codeSpan(fileName)} (${changeTypes.join(', ')})`,
        paragraphsOfText(description),
        places(evidence, headings.evidence, fileName),
      );
    }
  }
  if (content.notablePoints.length > 0) {
    parts.push(`## ${headings.points}`);
    for (const { categories, point, evidence } of content.notablePoints) {
      parts.push(
        `- **${categories.join(', ')}** ${lineOfText(point)} ${places(evidence, headings.evidence)}`.trimEnd(),
      );
    }
  }
  parts.push(
    '---',
    paragraphsOfText(headings.footer(content.coverage, content.verification, content.writer)),
  );
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The file that the heading names already is not named again. */
function places(evidence: LinkedEvidence[], label: string, known = ''): string {
  if (evidence.length === 0) return '';
  const shown = evidence.map(({ fileName, startLine, endLine, side, hostUrl }) => {
    const lines = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`;
    const name = fileName === known ? '' : `${codeSpan(fileName)} `;
    const text = `${name}${side === 'old' ? '−' : '+'}${lines}`;
    return hostUrl ? linkTo(hostUrl, text) : text;
  });
  return `(${label}: ${shown.join(', ')})`;
}
