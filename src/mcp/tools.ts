import type { AgentParts } from './agent-parts.ts';
import type { FindArticle } from './find-article.ts';
import type { AgentTool } from './tool.ts';
import { explainPullRequest } from './tools/explain-pull-request.ts';
import { getArticle } from './tools/get-article.ts';
import { getEvidence } from './tools/get-evidence.ts';
import { listMyFeed } from './tools/list-my-feed.ts';
import { listRanking } from './tools/list-ranking.ts';
import { searchArticles } from './tools/search-articles.ts';
import { whatChanged } from './tools/what-changed.ts';

/** Everything that agents can have done, top to bottom. */
export const agentTools = (parts: AgentParts, findArticle: FindArticle): AgentTool[] => [
  searchArticles(parts),
  getArticle(parts, findArticle),
  getEvidence(parts, findArticle),
  listRanking(parts),
  listMyFeed(parts),
  whatChanged(parts),
  explainPullRequest(parts),
];
