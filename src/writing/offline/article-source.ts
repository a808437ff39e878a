import type { Facts } from '../../reading/facts.ts';

/** What an article is written from. */
export interface ArticleSource {
  title: string;
  body: string | null;
  /** Who made the pull request. */
  author: string;
  commits: { author: string; message: string }[];
  comments: { author: string; body: string }[];
  linkedIssues: { number: number; title: string }[];
  facts: Facts;
}
