import type { Facts } from '../reading/facts.ts';
import type { FileDiff } from '../reading/file-diff.ts';

/** What an article is written from. */
export interface ArticleSource {
  /** Owner and name. */
  repository: string;
  title: string;
  body: string | null;
  /** Who made the pull request. */
  author: string;
  /** Whether it comes from a clone, which keeps of a description only what a commit has of it. */
  isClone: boolean;
  commits: { author: string; message: string }[];
  comments: { author: string; body: string }[];
  linkedIssues: { number: number; title: string; body?: string | null }[];
  facts: Facts;
  diff: FileDiff[];
}
