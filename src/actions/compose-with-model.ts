import { createHash } from 'node:crypto';
import { mostSkippedListed } from '../contract/article.ts';
import { findAiDraft } from '../db/ai-drafts.ts';
import type { Database } from '../db/database.ts';
import type { StoredPullRequest } from '../db/pull-requests.ts';
import type { StartedJob } from '../db/writing-jobs.ts';
import type { GrammarLibrary } from '../grammars.ts';
import type { FileFacts } from '../reading/facts.ts';
import { createAsk } from '../writing/ai/create-ask.ts';
import type { Prompts } from '../writing/ai/fill-prompt.ts';
import type { Model } from '../writing/ai/model.ts';
import { ModelFailure } from '../writing/ai/model-failure.ts';
import { type PreparedWriting, prepareWriting } from '../writing/ai/prepare-writing.ts';
import { sayAgain } from '../writing/ai/say-again.ts';
import type { Telling } from '../writing/ai/telling.ts';
import { type ModelArticle, writeWithModel } from '../writing/ai/write-with-model.ts';
import type { Draft } from '../writing/draft.ts';
import type { Coverage, WrittenArticle } from '../writing/written-article.ts';
import { coverageOf, readPullRequest, type Watch } from './compose-article.ts';
import { createPaidQuestions, type PaidQuestions } from './paid-questions.ts';

/** The models that write and read, what they are told, and how much of them may be had. */
export interface ModelWriting {
  writer: Model;
  /** Reads once more what was written; null where nobody is to. */
  judge: Model | null;
  prompts: Prompts;
  promptVersion: string;
  tokensPerDay: number;
  articlesPerDay: number;
  /** Whether they may be shown what is private. */
  mayReadPrivate: boolean;
}

interface Parts {
  database: Database;
  grammars: GrammarLibrary;
  models: ModelWriting;
  clock: () => Date;
}

/** What a model wrote about a diff, for saying it in another language. */
export interface KeptDraft {
  draft: Draft;
  coverage: Coverage;
}

export interface WrittenByModel {
  words: WrittenArticle;
  /** Null where it was itself said after what is kept. */
  kept: KeptDraft | null;
}

/**
 * Reads a stored pull request and has a model write the article; null where it does not fit into one question. What is
 * asked is the same whoever asks, so that a worker that takes a job over finds the answers that were paid.
 */
export async function composeWithModel(
  parts: Parts,
  job: StartedJob,
  pullRequest: StoredPullRequest,
  watch: Watch,
): Promise<WrittenByModel | null> {
  const { models } = parts;
  const source = await readPullRequest(parts, pullRequest, watch);
  const prepared = prepareWriting(source, job.languageCode);
  const paid = createPaidQuestions({ ...parts, tokensPerDay: models.tokensPerDay }, job.id);
  const telling: Telling = {
    ...(await asking(models, paid, job, watch)),
    check: async (draft) => prepared.check(draft),
    prompts: models.prompts,
    project: `${pullRequest.owner}/${pullRequest.repo}`,
    language: job.languageCode,
    shuffle: shuffleBy(job.id),
    onProgress: (step, done, total) => watch.onProgress({ step, done, total }),
  };
  const written = await tell(parts, telling, prepared, pullRequest, source.facts.files);
  if (!written) return null;
  const { draft, verification, coverage, isNew } = written;
  const { article, quote } = prepared.publish(draft);
  if (article.mainChanges.length === 0) throw new ModelFailure('badOutput');
  const { provider, name: model } = models.writer;
  const writer = { kind: 'ai' as const, provider, model, promptVersion: models.promptVersion };
  const words = { ...article, quote, writer, coverage, verification, usage: paid.spent() };
  return { words, kept: isNew ? { draft, coverage } : null };
}

/** Writes it, or says what was written in another language. */
async function tell(
  { database, models }: Parts,
  telling: Telling,
  prepared: PreparedWriting,
  pullRequest: StoredPullRequest,
  files: FileFacts[],
): Promise<(ModelArticle & { coverage: Coverage; isNew: boolean }) | null> {
  const key = { pullRequestId: pullRequest.id, revision: pullRequest.diffRevision };
  const known = await findAiDraft<KeptDraft>(database, key);
  if (known && known.languageCode !== telling.language) {
    const { draft, coverage } = known.draft;
    return { ...(await sayAgain(telling, draft)), coverage, isNew: false };
  }
  const material = prepared.label(await roomForMaterial(models));
  if (!material) return null;
  const coverage = withoutCutFiles(coverageOf(pullRequest, files), material.cutFiles, pullRequest);
  return { ...(await writeWithModel(telling, material, prepared.known)), coverage, isNew: true };
}

async function asking(
  { writer, judge, prompts }: ModelWriting,
  paid: PaidQuestions,
  job: StartedJob,
  { signal, onProgress }: Watch,
): Promise<Pick<Telling, 'ask' | 'askJudge'>> {
  const common = { askAgain: prompts['ask-again'], signal };
  return {
    ask: createAsk({
      ...common,
      put: paid.put(writer),
      language: job.languageCode,
      maxOutputTokens: (await writer.limits()).outputTokens,
      onText: countSentences((done) => onProgress({ step: 'writing', done, total: 0 })),
    }),
    askJudge:
      judge &&
      createAsk({
        ...common,
        put: paid.put(judge),
        language: null,
        maxOutputTokens: (await judge.limits()).outputTokens,
        onText: () => {},
      }),
  };
}

/** Looked at no more often: an answer comes in thousands of pieces. */
const tellingCharacters = 500;

/** Tells how many sentences an answer has so far; none of them is looked at before it was checked. */
function countSentences(onCount: (sentences: number) => void): (soFar: string) => void {
  const mark = '"text"';
  let looked = 0;
  let count = 0;
  return (soFar) => {
    if (soFar.length < looked) looked = count = 0;
    if (soFar.length - looked < tellingCharacters) return;
    // A mark may lie across the place up to which was looked before.
    const piece = soFar.slice(Math.max(0, looked - mark.length + 1));
    count += piece.split(mark).length - 1;
    looked = soFar.length;
    onCount(count);
  };
}

/** What a prompt's places are filled with, and what a provider puts around it. */
const slackBytes = 2_000;

async function roomForMaterial({ writer, prompts }: ModelWriting): Promise<number> {
  const { promptBytes } = await writer.limits();
  return promptBytes - Buffer.byteLength(prompts['write-article']) - slackBytes;
}

/** A file of which a line was cut was not read whole. */
function withoutCutFiles(coverage: Coverage, cut: string[], { files }: StoredPullRequest): Coverage {
  if (cut.length === 0) return coverage;
  const lines = files
    .filter(({ fileName }) => cut.includes(fileName))
    .reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  const skipped = cut.map((fileName) => ({ fileName, reason: 'a line is too long' }));
  return {
    ...coverage,
    filesRead: coverage.filesRead - cut.length,
    linesRead: coverage.linesRead - lines,
    skipped: [...coverage.skipped, ...skipped].slice(0, mostSkippedListed),
    skippedTotal: coverage.skippedTotal + cut.length,
  };
}

/** An order that tells nothing, and is the same whenever the same job is worked on. */
const shuffleBy =
  (seed: string) =>
  <Item>(items: Item[]): Item[] => {
    const place = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
    return items
      .map((item, index) => ({ item, place: place(index) }))
      .sort((one, other) => (one.place < other.place ? -1 : 1))
      .map(({ item }) => item);
  };
