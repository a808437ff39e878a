import type { AnswerBody } from '../../db/questions.ts';
import { wordsOfQuestion } from '../../domain/search/rank-passages.ts';
import { folded } from '../../domain/search/words.ts';
import { classifyFile, skippedFor } from '../../reading/classify-file.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import type { OfflineLanguage, WrittenStatement } from '../../writing/articles.ts';
import type { Sentence } from '../../writing/draft.ts';
import { answerBySearch } from '../../writing/questions/answer-by-search.ts';
import {
  type AnswerSource,
  type ReadPullRequest,
  sourceOfQuestion,
} from '../../writing/questions/passages.ts';
import { type DiffSource, type PullRequestPayload, readForWriting } from '../articles/read-for-writing.ts';

export interface NumberedPayload {
  number: number;
  payload: PullRequestPayload;
}

export interface QuestionTask {
  question: string;
  isAboutRepository: boolean;
  pullRequests: NumberedPayload[];
}

export interface QuestionSource extends Pick<DiffSource, 'onProgress'> {
  nextPart: (place: number) => Promise<Uint8Array | null>;
}

/** A statement with the pull request that it is about, if the answer draws on several. */
export interface FoundStatement extends WrittenStatement {
  evidence: (WrittenStatement['evidence'][number] & { prNumber?: number })[];
}

export interface FoundAnswer extends Pick<AnswerBody, 'found' | 'verification'> {
  statements: FoundStatement[];
}

export interface LabelledAnswer extends FoundAnswer, Pick<AnswerBody, 'writer' | 'usage'> {}

/** The limit per question for diffs and for texts each. Reading this much takes a second. */
const mostBytes = 1024 * 1024;

export async function readSource(
  { question, pullRequests, isAboutRepository }: QuestionTask,
  source: QuestionSource,
  inOrder = (_number: number) => (files: FileDiff[]) => files,
): Promise<AnswerSource> {
  const read: ReadPullRequest[] = [];
  const mostEach = mostBytes / pullRequests.length;
  for (const [place, { number, payload }] of pullRequests.entries()) {
    const feed: DiffSource = {
      nextPart: () => source.nextPart(place),
      onProgress: (progress) => source.onProgress(progress),
    };
    const choose = (files: FileDiff[]) =>
      chooseFiles(inOrder(number)(files), wordsOfQuestion(question), mostEach);
    const { commits, linkedIssues } = payload;
    const bounded = {
      ...payload,
      commits: firstWithin(commits, mostEach),
      linkedIssues: firstWithin(linkedIssues, mostEach),
    };
    const whole = await readForWriting(bounded, feed, choose);
    read.push({ number, read: { ...whole, comments: firstWithin(whole.comments, mostEach) } });
  }
  return sourceOfQuestion(read, isAboutRepository);
}

/** Of a diff too large for one question, the files with most of its words. */
function chooseFiles(files: FileDiff[], words: string[], most: number): FileDiff[] {
  const readable = files.filter((file) => skippedFor({ file, ...classifyFile(file) }) === null);
  if (readable.reduce((sum, { bytes }) => sum + bytes.length, 0) <= most) return files;
  const counted = readable.map((file) => {
    const text = folded(file.bytes.toString());
    return { file, count: words.filter((word) => text.includes(word)).length };
  });
  const best = counted.sort((one, other) => other.count - one.count).map(({ file }) => file);
  const chosen = new Set(firstWithin(best, most, ({ bytes }) => bytes.length));
  return files.filter((file) => chosen.has(file));
}

function firstWithin<One>(
  all: One[],
  most: number,
  sizeOf = (one: One) => JSON.stringify(one).length,
): One[] {
  let size = 0;
  return all.filter((one) => {
    const isWithin = size < most;
    size += isWithin ? sizeOf(one) : 0;
    return isWithin;
  });
}

export async function searchForAnswer(
  task: QuestionTask & { language: OfflineLanguage },
  source: QuestionSource,
): Promise<FoundAnswer> {
  const read = await readSource(task, source);
  void source.onProgress({ step: 'checking claims', done: 0, total: 1 });
  const { statements, sentences, ...answer } = answerBySearch(read, task.question, task.language);
  return { ...answer, statements: statements.map((one) => withNumbers(one, sentences, read)) };
}

/** Adds to a statement the number of the pull request that its lines or cited sentences belong to. */
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
