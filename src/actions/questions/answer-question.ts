import type { AnswerBody } from '../../db/answers.ts';
import type { AskedQuestion, StartedJob } from '../../db/writing-jobs.ts';
import { answerBySearch } from '../../writing/answers/answer-by-search.ts';
import {
  type AnswerSource,
  type ReadPullRequest,
  sourceOfQuestion,
} from '../../writing/answers/question-source.ts';
import type { Sentence } from '../../writing/draft.ts';
import type { OfflineLanguage, WrittenStatement } from '../../writing/written-article.ts';
import { type DiffSource, type PullRequestPayload, readForWriting } from '../articles/read-for-writing.ts';

export type QuestionJob = StartedJob & { question: AskedQuestion };

export interface NumberedPayload {
  number: number;
  payload: PullRequestPayload;
}

export interface QuestionTask {
  question: string;
  isAboutRepository: boolean;
  pullRequests: NumberedPayload[];
}

/** The diffs of the pull requests, by their places. */
export interface QuestionSource extends Pick<DiffSource, 'onProgress'> {
  nextPart: (place: number) => Promise<Uint8Array | null>;
}

/** A statement and the pull request that it is about, where there may be several. */
export interface FoundStatement extends WrittenStatement {
  evidence: (WrittenStatement['evidence'][number] & { prNumber?: number })[];
}

export interface FoundAnswer extends Pick<AnswerBody, 'found' | 'verification'> {
  statements: FoundStatement[];
}

/** An answer and who found it. */
export interface LabelledAnswer extends FoundAnswer, Pick<AnswerBody, 'writer' | 'usage'> {}

export async function readSource(
  { pullRequests, isAboutRepository }: QuestionTask,
  source: QuestionSource,
): Promise<AnswerSource> {
  const read: ReadPullRequest[] = [];
  for (const [place, { number, payload }] of pullRequests.entries()) {
    const feed: DiffSource = {
      nextPart: () => source.nextPart(place),
      onProgress: (progress) => source.onProgress(progress),
    };
    read.push({ number, read: await readForWriting(payload, feed) });
  }
  return sourceOfQuestion(read, isAboutRepository);
}

/** Searches what a question is about, without a model. */
export async function searchForAnswer(
  task: QuestionTask & { language: OfflineLanguage },
  source: QuestionSource,
): Promise<FoundAnswer> {
  const read = await readSource(task, source);
  void source.onProgress({ step: 'checking claims', done: 0, total: 1 });
  const { statements, sentences, ...answer } = answerBySearch(read, task.question, task.language);
  return { ...answer, statements: statements.map((one) => withNumbers(one, sentences, read)) };
}

/** Says which pull request a statement is about, by its lines or by the words that its sentence cites. */
export function withNumbers(
  { evidence, ...statement }: WrittenStatement,
  sentences: Sentence[],
  { placeOf, numberOf }: AnswerSource,
): FoundStatement {
  const placed = evidence.map(({ fileName, ...lines }) => {
    const { path, prNumber } = placeOf(fileName);
    return { ...lines, fileName: path, ...(prNumber !== null && { prNumber }) };
  });
  const [said] = sentences.find(({ text }) => text === statement.text)?.words ?? [];
  const prNumber = placed[0]?.prNumber ?? (said && numberOf(said));
  return { ...statement, ...(prNumber != null && { prNumber }), evidence: placed };
}
