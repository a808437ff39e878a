import type { Facts } from '../../reading/facts.ts';

/** What an article is written from. */
export interface ArticleSource {
  title: string;
  body: string | null;
  commitMessages: string[];
  /** What was said in comments and reviews. */
  discussion: string[];
  linkedIssues: { number: number; title: string }[];
  facts: Facts;
}
