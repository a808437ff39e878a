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
  const name = `${owner}/${repo}#${prNumber}`;
  const parts = [
    `# ${escapeMarkup(content.title)}`,
    `${hostPrUrl ? `[${name}](${hostPrUrl})` : name} · ${escapeMarkup(authorLogin)} · \`${headSha.slice(0, 10)}\``,
    `## ${headings.background}`,
    escapeMarkup(content.backgroundAndPurpose),
  ];
  if (content.mainChanges.length > 0) {
    parts.push(`## ${headings.changes}`);
    for (const { fileName, changeTypes, description, evidence } of content.mainChanges) {
      parts.push(
        `### ${codeSpan(fileName)} (${changeTypes.join(', ')})`,
        escapeMarkup(description),
        places(evidence, headings.evidence, fileName),
      );
    }
  }
  if (content.notablePoints.length > 0) {
    parts.push(`## ${headings.points}`);
    for (const { categories, point, evidence } of content.notablePoints) {
      parts.push(
        `- **${categories.join(', ')}** ${escapeMarkup(point)} ${places(evidence, headings.evidence)}`.trimEnd(),
      );
    }
  }
  parts.push('---', escapeMarkup(headings.footer(content.coverage, content.verification, content.writer)));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** The file that the heading names already is not named again. */
function places(evidence: LinkedEvidence[], label: string, known = ''): string {
  if (evidence.length === 0) return '';
  const shown = evidence.map(({ fileName, startLine, endLine, side, hostUrl }) => {
    const lines = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`;
    const name = fileName === known ? '' : `${codeSpan(fileName)} `;
    const text = `${name}${side === 'old' ? '−' : '+'}${lines}`;
    return hostUrl ? `[${text}](${hostUrl})` : text;
  });
  return `(${label}: ${shown.join(', ')})`;
}

/** A path may hold anything, a backtick too. */
const codeSpan = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** The article is plain text with code spans; whatever else Markdown would make of it is taken literally. */
function escapeMarkup(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\*_[\]<>#|~]/g, '\\$&')))
    .join('');
}
