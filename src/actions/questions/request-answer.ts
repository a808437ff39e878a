import { createHash } from 'node:crypto';
import { longestAsked } from '../../contract/questions.ts';
import { findDiffsOfArticles } from '../../db/articles.ts';
import type { Queries } from '../../db/database.ts';
import type { WritingWork } from '../../db/job-queue.ts';
import {
  type AnswerSource,
  findAnswer,
  findAnswerToQuestion,
  type NewAnswer,
  type StoredAnswer,
  saveAnswer,
} from '../../db/questions.ts';
import { searchArticles } from '../../db/search.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { Failure } from '../../domain/errors.ts';
import { rankPassages, wordsOfQuestion } from '../../domain/search/rank-passages.ts';
import { isOfflineLanguage } from '../../writing/articles.ts';
import {
  cancelledTooOften,
  claimOrJoin,
  confirmDiff,
  mostRounds,
  type RequestDeps,
  refuseUnreadable,
  requireLanguage,
  usualLanguage,
} from '../articles/request-article.ts';
import type { Deps, SignedUpViewer } from '../deps.ts';
import {
  findAfterRenewal,
  type Look,
  noRepository,
  type RepositoryAddress,
  requireVisibleRepository,
  seenBy,
} from '../repositories/find-repository.ts';
import type { FindListScope } from '../repositories/list-repositories.ts';

type QuestionDeps = RequestDeps & Pick<Deps, 'renewals'> & { listViewer: FindListScope };

export interface QuestionRequest {
  address: RepositoryAddress;
  number: number | null;
  question: string;
  /** Null for the viewer's own, or English if that cannot be written. */
  language: string | null;
}

type RequestedAnswer =
  | { answer: StoredAnswer; isNew: boolean; jobId: null }
  | { answer: null; jobId: string };

/** The subject of a question, and the diffs that may answer it, most promising first. */
interface Subject {
  /** The repository that the question is about; null if it is about a pull request. */
  repositoryId: string | null;
  isPrivate: boolean;
  isAboutRepository: boolean;
  sources: AnswerSource[];
}

/** Returns the answer to the same question about the same diffs, or the job that writes it. */
export async function requestAnswer(
  deps: QuestionDeps,
  request: QuestionRequest,
  viewer: SignedUpViewer,
): Promise<RequestedAnswer> {
  const { database, clock } = deps;
  const question = tidied(request.question);
  const requestedAt = clock();
  const look = { viewer, now: requestedAt };
  const subject = await findSubject(deps, { ...request, question }, viewer, requestedAt);
  const { repositoryId, isPrivate, isAboutRepository, sources } = subject;
  const language = request.language ?? usualLanguage(deps, viewer.user, isPrivate);
  const writer = requireLanguage(deps, language, isPrivate, 'Answers');
  const keyOf = (by: string): string =>
    hashOfParts([
      repositoryId,
      sources.map(({ pullRequestId, baseSha, headSha }) => [pullRequestId, baseSha, headSha]),
      language,
      normalized(question),
      by,
      isPrivate ? viewer.user.id : null,
    ]);
  const standInKey = keyOf(`offline ${deps.offlineWriter}`);
  let questionKey = writer === 'ai' ? keyOf('ai') : standInKey;
  const find = (db: Queries) => findAnswerToQuestion(db, questionKey, seenBy(look));
  const known = await find(database);
  if (known) return { answer: known, isNew: false, jobId: null };
  const userId = viewer.user.id;
  const [main] = sources;
  if (!main) {
    const nowhere = { repositoryId, userId, question, questionKey, languageCode: language };
    await database.transaction(async (tx) =>
      saveAnswer(tx, { ...nowhere, ...(await foundNowhere(language)), comments: [] }, clock()),
    );
    const answer = await find(database);
    if (!answer) throw noRepository(request.address);
    return { answer, isNew: true, jobId: null };
  }
  const pullRequestIds = sources.map(({ pullRequestId }) => pullRequestId);
  const { prNumber: _, ...diff } = main;
  const asked = { text: question, isAboutRepository, pullRequestIds, key: questionKey, standInKey };
  let work: WritingWork = { ...diff, languageCode: language, writer, question: asked };
  for (let round = 0; round < mostRounds; round += 1) {
    const answer = await find(database);
    if (answer) return { answer, isNew: false, jobId: null };
    await refuseUnreadable(deps, work);
    const jobId = await database.transaction((tx) =>
      claimOrJoin(deps, tx, work, {
        viewer,
        watched: null,
        now: clock(),
        isDone: async () => (await find(tx)) !== null,
      }),
    );
    if (jobId === 'overBudget') {
      questionKey = standInKey;
      work = { ...work, writer: 'offline', because: 'budget', question: { ...asked, key: standInKey } };
    } else if (jobId) return { answer: null, jobId };
  }
  throw cancelledTooOften(true);
}

/** Invisible characters are removed from a question. */
const tidied = (question: string): string =>
  question
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();

const normalized = (question: string): string => question.toLowerCase().replace(/[\s?!.。？！]+$/u, '');

const hashOfParts = (parts: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

async function findSubject(
  deps: QuestionDeps,
  { address, number, question, language: requested }: QuestionRequest,
  viewer: SignedUpViewer,
  now: Date,
): Promise<Subject> {
  if (number === null) {
    const { found, seen } = await requireVisibleRepository(deps, address, { viewer, now });
    const { id: repositoryId, isPrivate } = found;
    const language = requested ?? viewer.user.language;
    const sources = await findCandidates(deps, { address, question, language }, viewer, seen);
    return { repositoryId, isPrivate, isAboutRepository: true, sources };
  }
  const requester = { viewer, watched: null };
  const { id, baseSha, headSha, isPrivate } = await confirmDiff(deps, { address, number }, requester);
  const sources = [{ pullRequestId: id, prNumber: number, baseSha, headSha }];
  return { repositoryId: null, isPrivate, isAboutRepository: false, sources };
}

async function foundNowhere(
  language: string,
): Promise<Pick<NewAnswer, 'isAboutRepository' | 'sources' | 'body'>> {
  const { answerNowhere } = await import('../../writing/questions/answer-by-search.ts');
  const answer = answerNowhere(isOfflineLanguage(language) ? language : 'en');
  const statements = answer.statements.map((one) => ({ ...one, evidence: [] }));
  const body = { ...answer, statements, prNumbers: [], writer: { kind: 'offline' as const } };
  return { isAboutRepository: true, sources: [], body };
}

const mostFound = 20;
const mostRead = 4;

/** The pull requests of a repository whose articles contain most words of the question. */
async function findCandidates(
  { database, listViewer }: Pick<QuestionDeps, 'database' | 'listViewer'>,
  { address, question, language }: Pick<QuestionRequest, 'address' | 'question'> & { language: string },
  viewer: SignedUpViewer,
  seen: DetailScope,
): Promise<AnswerSource[]> {
  const { codeHost, owner, name } = address;
  const questionWords = wordsOfQuestion(question);
  if (questionWords.length === 0) return [];
  const { rows } = await searchArticles(database, {
    viewer: listViewer(viewer),
    host: codeHost.id,
    owner,
    repo: name,
    terms: [],
    questionWords,
    files: [],
    isUnread: false,
    languages: [language],
    limit: mostFound,
    offset: 0,
  });
  const passages = rows.map(({ articleId, sections, title }) => ({
    articleId,
    own: sections.map(({ text }) => text).join('\n'),
    near: [],
    around: [title],
    weight: 1,
  }));
  const best = rankPassages(question, passages).slice(0, mostRead);
  return findDiffsOfArticles(
    database,
    best.map(({ passage }) => passage.articleId),
    seen,
  );
}

/** Throws unless the answer is the viewer's own and visible to them. */
export async function requireOwnAnswer(
  { database, renewals }: Pick<Deps, 'database' | 'renewals'>,
  answerId: string,
  look: Look & { viewer: SignedUpViewer },
): Promise<StoredAnswer> {
  const find = (viewer: DetailScope) => findAnswer(database, answerId, viewer);
  const visible = await findAfterRenewal(renewals, look, find, ({ repository }) => repository);
  if (!visible)
    throw new Failure('NOT_FOUND', 'This answer does not exist, or you do not have access to it.');
  const { found: answer } = visible;
  if (answer.userId !== look.viewer.user.id)
    throw new Failure(
      'FORBIDDEN',
      'Another user asked this question. Only they can share or delete the answer.',
    );
  return answer;
}

/** The length counts after normalizing, which can turn one character into 18. */
export const requireQuestion = (question: string): void => {
  const { length } = [...tidied(question)];
  if (length > 0 && length <= longestAsked) return;
  throw new Failure('INVALID_REQUEST', `The question must have 1 to ${longestAsked} characters.`, {
    details: [{ field: 'question', problem: `must have 1 to ${longestAsked} characters` }],
  });
};
