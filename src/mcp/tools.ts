import type { FindArticle } from './find-article.ts';
import type { AgentDeps, AgentTool } from './tool.ts';
import { explainPullRequest, getArticle } from './tools/get-article.ts';
import { getEvidence } from './tools/get-evidence.ts';
import { listMyFeed, listRanking, searchArticles } from './tools/list-articles.ts';
import { whatChanged } from './tools/what-changed.ts';

/** Everything that agents can have done, top to bottom. */
export const agentTools = (parts: AgentDeps, findArticle: FindArticle): AgentTool[] => [
  searchArticles(parts),
  getArticle(parts, findArticle),
  getEvidence(parts, findArticle),
  listRanking(parts),
  listMyFeed(parts),
  whatChanged(parts),
  explainPullRequest(parts),
];
