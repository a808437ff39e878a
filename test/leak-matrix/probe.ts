import type { Question } from '../leak-questions.ts';

/** A repository with pull request 1, and the ids of the data about it. */
export interface Written {
  /** The code host, if needed in addresses; null for the first host. */
  host: string | null;
  owner: string;
  repo: string;
  articleId: string;
  jobId: string;
  /** The id of a sentence or hunk of the article, for its evidence. */
  sentence: string;
  /** The author of the pull request, who made no other. */
  author: string;
  /** The import of each follower. */
  importIds: string[];
  /** Answers to the questions of each follower, and their jobs. */
  answerIds: string[];
  questionJobIds: string[];
  /** The address of the article's card; empty without one. */
  card: string;
  /** The favorite of each follower. */
  favoriteIds: string[];
}

export interface Probe extends Question {
  /**
   * Whether the request's address names the repository, article or job, so that the response must look as if that did
   * not exist.
   */
  isDetail: boolean;
  route: string;
  /**
   * Whether the request is about another user's favorite, which that user may change without access to the repository.
   */
  isOfOthers?: boolean;
}
