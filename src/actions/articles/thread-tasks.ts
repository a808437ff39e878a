import type { Database } from '../../db/database.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import type { JobProgress } from '../../domain/jobs.ts';
import { isFromClone } from '../../domain/repositories.ts';
import type { writeParagraph } from '../digests/paragraph-in-thread.ts';
import type { outlineParts, splitDiff } from '../pull-requests/diff-tasks.ts';
import type { highlightCode } from '../pull-requests/highlight-code.ts';
import { readStoredParts } from '../pull-requests/stored-diff.ts';
import type { answerQuestionWithModel } from '../questions/answer-in-thread.ts';
import type { searchForAnswer } from '../questions/answer-question.ts';
import type {
  DiffSource,
  PullRequestPayload,
  readAndWrite,
  readFactsOfDiff,
  writeOfflineArticles,
} from './read-for-writing.ts';
import type { writeModelArticle } from './write-model-article.ts';

/**
 * The functions that run in threads, by name. A task gets plain data and functions of its caller, which it calls
 * asynchronously.
 */
export interface ThreadTasks {
  splitDiff: typeof splitDiff;
  outlineDiff: typeof outlineParts;
  readFacts: typeof readFactsOfDiff;
  writeOffline: typeof writeOfflineArticles;
  readAndWrite: typeof readAndWrite;
  writeWithModel: typeof writeModelArticle;
  searchForAnswer: typeof searchForAnswer;
  answerWithModel: typeof answerQuestionWithModel;
  writeParagraph: typeof writeParagraph;
  highlightCode: typeof highlightCode;
  drawCard: (svg: string, parent: object) => Promise<Uint8Array>;
}

type TaskName = keyof ThreadTasks;
export type InputOf<Name extends TaskName> = Parameters<ThreadTasks[Name]>[0];
export type ParentOf<Name extends TaskName> = Parameters<ThreadTasks[Name]>[1];
export type OutputOf<Name extends TaskName> = Awaited<ReturnType<ThreadTasks[Name]>>;

export type RunInThread = <Name extends TaskName>(
  name: Name,
  input: InputOf<Name>,
  parent: ParentOf<Name>,
  signal?: AbortSignal,
) => Promise<OutputOf<Name>>;

export interface ProgressHooks {
  onProgress: (progress: JobProgress) => void;
  signal: AbortSignal;
  /** Called if another worker took over the job, or all its requesters cancelled it. */
  onLost?: () => void;
}

export function payloadOf(
  pullRequest: Omit<PullRequestPayload, 'repository' | 'author' | 'isClone' | 'unreadTotal' | 'review'> &
    Pick<
      PullRequestToWriteAbout,
      'host' | 'owner' | 'repo' | 'authorLogin' | 'filesInDiff' | 'discussion' | 'headSha'
    >,
): PullRequestPayload {
  const { title, body, labels, linkedIssues, commits, discussion, headSha, authorLogin } = pullRequest;
  const { changedFiles, filesInDiff, additions, deletions, unread, outlines } = pullRequest;
  return {
    repository: `${pullRequest.owner}/${pullRequest.repo}`,
    author: authorLogin,
    isClone: isFromClone(pullRequest),
    title,
    body,
    labels,
    linkedIssues,
    commits,
    review: discussion && { discussion, headSha },
    changedFiles,
    additions,
    deletions,
    unread,
    unreadTotal: changedFiles - filesInDiff,
    outlines,
  };
}

export function diffSourceOf(
  database: Database,
  pullRequest: PullRequestToWriteAbout,
  onProgress: (progress: JobProgress) => void,
): DiffSource {
  const parts = readStoredParts(database, pullRequest);
  return {
    nextPart: async () => (await parts.next()).value ?? null,
    onProgress: async (progress) => onProgress(progress),
  };
}
