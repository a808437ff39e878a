import type { Answer } from '../contract/questions.ts';
import type { DiffRange } from '../domain/pull-requests.ts';
import type { Queries } from './database.ts';
import { isOutdated } from './diffs.ts';
import type { Tables } from './schema.ts';
import { json, type Sql, sql } from './sql.ts';
import { type DetailScope, type Repository, repositoriesKnownTo, visibleTo } from './visibility.ts';

type AnswerColumns = Tables['answers'];

/** The content of an answer, without properties that depend on the viewer or change later. */
export type AnswerBody = Pick<
  Answer,
  'found' | 'statements' | 'prNumbers' | 'writer' | 'verification' | 'usage'
>;

export interface AnswerSource extends DiffRange {
  pullRequestId: string;
  prNumber: number;
}

export interface StoredAnswer
  extends Pick<Repository, 'host' | 'owner'>,
    Pick<AnswerColumns, 'id' | 'userId' | 'question' | 'languageCode' | 'isShared' | 'createdAt'> {
  repo: string;
  prNumber: number | null;
  isOutdated: boolean;
  body: AnswerBody;
  repository: Repository;
}

interface AnswerRow extends Omit<StoredAnswer, 'repository'>, Omit<Repository, 'id' | 'name'> {
  repositoryId: string;
}

const hasOutdatedSource = sql`EXISTS (
  SELECT FROM jsonb_to_recordset(answers.sources) AS source ("pullRequestId" uuid, "baseSha" text, "headSha" text)
  LEFT JOIN pull_requests AS cited ON cited.id = source."pullRequestId"
  WHERE ${isOutdated(sql`cited`, sql`source."baseSha"`, sql`source."headSha"`)})`;

/** Answers in a repository that the viewer may see: shared ones and the viewer's own. */
const selectAnswers = (wanted: Sql, viewer: DetailScope): Sql => sql`
  SELECT answers.id, answers.user_id, answers.question, answers.language_code, answers.is_shared, answers.created_at, answers.body,
    ${hasOutdatedSource} AS is_outdated, pull_requests.number AS pr_number, repositories.id AS repository_id, repositories.host,
    repositories.host_repo_id, repositories.owner, repositories.name AS repo, repositories.is_private, ${repositoriesKnownTo(viewer)}
  FROM answers JOIN repositories ON repositories.id = answers.repository_id
  LEFT JOIN pull_requests ON pull_requests.id = answers.pull_request_id
  WHERE ${wanted} AND ${isForViewer(viewer)} AND ${visibleTo(viewer)}`;

/** Answers for no user are those about the samples, which need no account. */
const isForViewer = ({ userId }: DetailScope): Sql =>
  userId === null ? sql`answers.user_id IS NULL` : sql`(answers.is_shared OR answers.user_id = ${userId})`;

function storedAnswerOf(row: AnswerRow): StoredAnswer {
  const { repositoryId: id, hostRepoId, isPrivate, checkedAt, unreachableSince, ...answer } = row;
  const { host, owner, repo: name } = answer;
  const repository = { id, host, hostRepoId, owner, name, isPrivate, checkedAt, unreachableSince };
  return { ...answer, repository };
}

async function findOne(db: Queries, wanted: Sql, viewer: DetailScope): Promise<StoredAnswer | null> {
  const row = await db.first<AnswerRow>(
    sql`${selectAnswers(wanted, viewer)} ORDER BY answers.created_at DESC LIMIT 1`,
  );
  return row && storedAnswerOf(row);
}

export const findAnswer = (db: Queries, answerId: string, viewer: DetailScope) =>
  findOne(db, sql`answers.id = ${answerId}`, viewer);

/** The stored answer to the same question; in a private repository, only the viewer's own. */
export const findAnswerToQuestion = (db: Queries, questionKey: string, viewer: DetailScope) =>
  findOne(
    db,
    sql`answers.question_key = ${questionKey} AND (NOT repositories.is_private OR answers.user_id = ${viewer.userId})`,
    viewer,
  );

export const hasAnswer = (db: Queries, questionKey: string) =>
  db.any(sql`SELECT FROM answers WHERE question_key = ${questionKey}`);

interface Listed {
  about: { pullRequestId: string } | { repositoryId: string };
  viewer: DetailScope;
  limit: number;
  offset: number;
}

const isAnswerAbout = (about: Listed['about']): Sql =>
  'pullRequestId' in about
    ? sql`answers.pull_request_id = ${about.pullRequestId}`
    : sql`answers.repository_id = ${about.repositoryId} AND answers.pull_request_id IS NULL`;

export async function listAnswers(
  db: Queries,
  { about, viewer, limit, offset }: Listed,
): Promise<StoredAnswer[]> {
  const rows = await db.query<AnswerRow>(sql`
    ${selectAnswers(isAnswerAbout(about), viewer)} ORDER BY answers.created_at DESC, answers.id LIMIT ${limit} OFFSET ${offset}`);
  return rows.map(storedAnswerOf);
}

export const countAnswers = (db: Queries, { about, viewer }: Pick<Listed, 'about' | 'viewer'>) =>
  db.count(sql`
    SELECT count(*) FROM answers JOIN repositories ON repositories.id = answers.repository_id
    WHERE ${isAnswerAbout(about)} AND ${isForViewer(viewer)} AND ${visibleTo(viewer)}`);

export interface NewAnswer
  extends Pick<AnswerColumns, 'userId' | 'question' | 'questionKey' | 'languageCode'> {
  repositoryId: string | null;
  isAboutRepository: boolean;
  /** The answer is deleted together with its first source. */
  sources: AnswerSource[];
  body: AnswerBody;
  /** The ids of the comments that it cites. */
  comments: string[];
}

const mostKept = 1_000;

/** Returns the id; null if the repository is gone. Answers about public repositories are shared from the beginning. */
export async function saveAnswer(tx: Queries, answer: NewAnswer, now: Date): Promise<string | null> {
  const {
    repositoryId,
    isAboutRepository,
    userId,
    question,
    questionKey,
    languageCode,
    sources,
    body,
    comments,
  } = answer;
  const main = sources[0]?.pullRequestId ?? null;
  const id = await tx.value<string>(sql`
    INSERT INTO answers (repository_id, pull_request_id, user_id, question, question_key, language_code, is_shared, sources,
      body, comments, created_at)
    SELECT id, ${isAboutRepository ? null : main}::uuid, ${userId}::uuid, ${question}, ${questionKey}, ${languageCode}, NOT is_private, ${json(sources)},
      ${json(body)}, ${comments}::text[], ${now}
    FROM repositories
    WHERE id = coalesce(${repositoryId}::uuid, (SELECT repository_id FROM pull_requests WHERE id = ${main}::uuid))
    RETURNING id`);
  await tx.run(sql`
    DELETE FROM answers WHERE id IN (
      SELECT id FROM answers WHERE user_id = ${userId} ORDER BY created_at DESC, id OFFSET ${mostKept})`);
  return id;
}

export const shareAnswer = (
  db: Queries,
  { answerId, userId, isShared }: { answerId: string; userId: string; isShared: boolean },
) =>
  db.any(sql`
    UPDATE answers SET is_shared = ${isShared} WHERE id = ${answerId} AND user_id = ${userId} RETURNING 1`);

export const deleteAnswer = (db: Queries, { answerId, userId }: { answerId: string; userId: string }) =>
  db.any(sql`DELETE FROM answers WHERE id = ${answerId} AND user_id = ${userId} RETURNING 1`);

export const deleteAnswersFrom = (tx: Queries, pullRequestIds: string[]) =>
  tx.run(sql`
    DELETE FROM answers USING pull_requests
    WHERE pull_requests.id = ANY(${pullRequestIds}::uuid[]) AND answers.repository_id = pull_requests.repository_id
      AND answers.sources @> jsonb_build_array(jsonb_build_object('pullRequestId', pull_requests.id))`);
