import { articleLink, webAddress } from '../pages/links.ts';
import { articleContent } from './article-content.ts';
import type { FeedArticle, FeedEntry, FeedRoot } from './feed.ts';
import { line } from './feed-text.ts';
import { stableId } from './stable-id.ts';

/** An article in one language as an entry of a feed, which it stays when it is written anew. */
export function articleEntry(root: FeedRoot, article: FeedArticle): FeedEntry {
  const { articleId, owner, repo, prNumber, authorLogin, createdAt, generatedAt, content } = article;
  const { languageCode: language, aiGeneratedTitle, standfirst, changeTypes, notablePoints } = content;
  const name = line(`${owner}/${repo}`);
  const isBreaking = notablePoints.some(({ label }) => label === 'breaking');
  return {
    id: stableId('article', articleId, language),
    title: line(aiGeneratedTitle) || `${name}#${prNumber}`,
    summary: standfirst && line(standfirst.text),
    author: line(authorLogin) || name,
    tags: [name, ...changeTypes, ...(isBreaking ? ['BREAKING'] : [])],
    url: root.origin + articleLink(article, root.firstHost, { language }),
    hostUrl: webAddress(article.hostPrUrl),
    language,
    published: createdAt,
    // What is written is stored a moment later.
    updated: generatedAt > createdAt ? generatedAt : createdAt,
    html: articleContent(root, article),
  };
}
