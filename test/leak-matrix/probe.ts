import type { Question } from '../leak-questions.ts';

/** What there is about a repository, a pull request of which is number 1. */
export interface Written {
  /** The code host, where it has to be said; null where there is one, or the first is meant. */
  host: string | null;
  owner: string;
  repo: string;
  articleId: string;
  jobId: string;
  /** The id of a sentence or hunk of the article, for its evidence. */
  sentence: string;
  /** Who made the pull request, and no other. */
  author: string;
  /** The import of each who follows it. */
  importIds: string[];
  /** The answers to the questions of each who follows it, and the jobs that found them. */
  answerIds: string[];
  questionJobIds: string[];
  /** The address of the picture beside links to the article; empty where it has none. */
  card: string;
  /** The favorite of each who follows it. */
  favoriteIds: string[];
}

export interface Probe extends Question {
  /** Whether its address names the repository, the article or the job, so that it must look as if there were none. */
  isDetail: boolean;
  route: string;
  /** Whether it is about the favorite of another, who may do this to their own whatever they may see. */
  isOfOthers?: boolean;
}
