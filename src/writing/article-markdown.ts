import type { ArticleContent } from '../contract/article.ts';
import { type Headings, headingsFor } from './headings.ts';
import { codeSpan, lineOfText, linkTo, paragraphsOfText } from './markdown-text.ts';

/** What a page of Markdown needs to know about an article. */
export interface MarkdownSource {
  owner: string;
  repo: string;
  prNumber: number;
  hostPrUrl: string | null;
  authorLogin: string;
  content: Pick<
    ArticleContent,
    | 'aiGeneratedTitle'
    | 'headSha'
    | 'background'
    | 'mainChanges'
    | 'notablePoints'
    | 'coverage'
    | 'verification'
    | 'writer'
  >;
}

type Statement = ArticleContent['background'][number];

/** One language of an article as a page of Markdown. Languages that have no headings of their own get English ones. */
export function articleMarkdown(source: MarkdownSource, languageCode: string): string {
  const headings = headingsFor(languageCode);
  const { content, owner, repo, prNumber, hostPrUrl, authorLogin } = source;
  const name = `${lineOfText(`${owner}/${repo}`)}#${prNumber}`;
  const parts = [
    `# ${lineOfText(content.aiGeneratedTitle)}`,
    `${hostPrUrl ? linkTo(hostPrUrl, name) : name} · ${lineOfText(authorLogin)} · \`${content.headSha.slice(0, 10)}\``,
    `## ${headings.background}`,
    tell(content.background, { headings, print: paragraphsOfText }),
  ];
  if (content.mainChanges.length > 0) {
    parts.push(`## ${headings.changes}`);
    for (const { fileName, changeTypes, statements } of content.mainChanges) {
      const told = tell(statements, { headings, print: paragraphsOfText, known: fileName });
      parts.push(`### ${codeSpan(fileName)} (${changeTypes.join(', ')})`, told);
    }
  }
  if (content.notablePoints.length > 0) {
    parts.push(`## ${headings.points}`);
    for (const { categories, statements } of content.notablePoints) {
      parts.push(`- **${categories.join(', ')}** ${tell(statements, { headings, print: lineOfText })}`);
    }
  }
  parts.push(
    '---',
    paragraphsOfText(headings.footer(content.coverage, content.verification, content.writer)),
  );
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

interface Manner {
  headings: Headings;
  /** How a sentence becomes Markdown. */
  print: (text: string) => string;
  /** The file that the heading names already. */
  known?: string;
}

/** Each sentence with its lines. */
function tell(statements: Statement[], { headings, print, known = '' }: Manner): string {
  return statements
    .map(({ text, basis, evidence }) => {
      const said = basis === 'judgement' ? `*${headings.judgement}:* ${print(text)}` : print(text);
      const shown = evidence.map((one) => place(one, known)).join(', ');
      return shown === '' ? said : `${said} (${headings.evidence}: ${shown})`;
    })
    .join(' ');
}

function place(lines: Statement['evidence'][number], known: string): string {
  const { fileName, startLine, endLine, side, hostUrl } = lines;
  const range = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`;
  const name = fileName === known ? '' : `${codeSpan(fileName)} `;
  const text = `${name}${side === 'old' ? '−' : '+'}${range}`;
  return hostUrl ? linkTo(hostUrl, text) : text;
}
