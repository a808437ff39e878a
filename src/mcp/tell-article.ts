import { printArticleBlocks } from '../actions/articles/read-article.ts';
import { Type } from '../contract/type.ts';
import type { ArticleSection } from '../domain/article.ts';
import { isSameDiff } from '../domain/diff-range.ts';
import { articleLink } from '../pages/links.ts';
import type { AgentParts } from './agent-parts.ts';
import { inShort, type Piece, takeFitting } from './answer-size.ts';
import { resourceOf } from './article-resources.ts';
import { sentencePiece, sentencesOf, ToldSentence } from './article-sentences.ts';
import { cursorAt, offsetWithin } from './cursor.ts';
import { cutMarkdown } from './cut-markdown.ts';
import type { FoundArticle } from './find-article.ts';
import { type AgentCall, NextCursor, Notice, notice, type Told } from './tool.ts';

const closed = { additionalProperties: false } as const;

const longestTitle = 120;

export const ArticleHead = Type.Object(
  {
    articleId: Type.String(),
    pullRequest: Type.String({ description: 'What it is about, as in owner/repo#7.' }),
    host: Type.String({ description: 'The code host.' }),
    language: Type.String(),
    languages: Type.Array(Type.String(), { description: 'All that it is written in.' }),
    title: Type.String(),
    author: Type.String({ description: 'Who made the pull request.' }),
    state: Type.String(),
    mergedAt: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    writer: Type.String({ description: 'offline, or the model that wrote it.' }),
    isStale: Type.Boolean({ description: 'Whether the pull request has changed since it was written.' }),
    url: Type.String({ description: 'Its page.' }),
    resource: Type.String({ description: 'The article as a resource.' }),
  },
  closed,
);

export const ArticleAnswer = Type.Object(
  {
    notice: Notice,
    article: ArticleHead,
    sentences: Type.Optional(Type.Array(ToldSentence, { description: 'In brief: what it says.' })),
    markdown: Type.Optional(Type.String({ description: 'In full: the same with code and places.' })),
    nextCursor: NextCursor,
  },
  closed,
);

/** What is said of an article whatever of it is told. */
export function headOf({ codeHosts }: Pick<AgentParts, 'codeHosts'>, found: FoundArticle, call: AgentCall) {
  const { article, content, said } = found;
  const { languageCode: language } = content;
  const place = { host: article.host, owner: article.owner, repo: article.repo, prNumber: article.number };
  return {
    articleId: article.id,
    pullRequest: `${article.owner}/${article.repo}#${article.number}`,
    host: article.host,
    language,
    languages: article.contents.map(({ languageCode }) => languageCode),
    title: inShort(said.aiGeneratedTitle, longestTitle),
    author: inShort(article.authorLogin, longestTitle),
    state: article.state,
    mergedAt: article.mergedAt?.toISOString() ?? null,
    writer: inShort(said.writer.model ?? said.writer.kind, longestTitle),
    isStale: article.hasMoved || !isSameDiff(content, article),
    url: `${call.origin}${articleLink(place, codeHosts[0]?.id ?? '', { language })}`,
    resource: resourceOf(article.id, language),
  };
}

interface Wish {
  section?: ArticleSection;
  detail: 'brief' | 'full';
  cursor?: string;
}

/** An article or a part of it, as much as one answer has. */
export async function tellArticle(
  parts: Pick<AgentParts, 'codeHosts'>,
  found: FoundArticle,
  call: AgentCall,
  { section, detail, cursor }: Wish,
): Promise<Told> {
  const { revision } = found.content;
  const from = offsetWithin(cursor, revision);
  const article = headOf(parts, found, call);
  const isWanted = (one: { section: ArticleSection }) => section === undefined || one.section === section;
  const end = <Data>(pieces: Piece<Data>[]) => {
    const fitting = takeFitting(pieces.slice(from), [
      notice,
      article,
      notice,
      article.title,
      article.url,
      article.author,
    ]);
    const offset = from + fitting.length;
    return { fitting, nextCursor: offset < pieces.length ? cursorAt({ offset, revision }) : null };
  };
  const next = (nextCursor: string | null): string =>
    nextCursor === null ? '' : `\n\nThere is more of it. Go on with cursor "${nextCursor}".`;
  if (detail === 'full') {
    const blocks = (await printArticleBlocks(found.article, found.content)).filter(isWanted);
    const { fitting, nextCursor } = end(cutMarkdown(blocks));
    const markdown = fitting.map(({ text }) => text).join('\n\n');
    return {
      text: `${notice}\n\n${markdown}${next(nextCursor)}`,
      data: { notice, article, markdown, nextCursor },
    };
  }
  const sentences = sentencesOf(found.said).filter(isWanted);
  const { fitting, nextCursor } = end(sentences.map(sentencePiece));
  const about = [
    article.pullRequest,
    `on ${article.host}`,
    article.author,
    article.state,
    ...(article.isStale ? ['stale'] : []),
  ];
  const lines = fitting.map(({ text }) => text).join('\n');
  return {
    text: `${notice}\n\n# ${article.title}\n${about.join(' · ')}\n${article.url}\n\n${lines}${next(nextCursor)}`,
    data: { notice, article, sentences: fitting.map(({ data }) => data), nextCursor },
  };
}
