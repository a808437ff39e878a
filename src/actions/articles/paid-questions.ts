import type { Database, Queries } from '../../db/database.ts';
import { findPaidAnswer, savePaidAnswer } from '../../db/drafts.ts';
import { reserveTokens, settleTokens } from '../../db/quotas.ts';
import { type HeldJob, noteModelCall } from '../../db/writing-jobs.ts';
import type { Failure } from '../../domain/errors.ts';
import { quotaExhausted } from '../../domain/limits.ts';
import { utcDay } from '../../domain/time.ts';
import type { Model } from '../../writing/ai/model.ts';
import { ModelFailure } from '../../writing/ai/model-failure.ts';
import {
  addTokens,
  bytesOf,
  type ModelAnswer,
  type ModelQuestion,
  noTokens,
  type TokenUsage,
} from '../../writing/ai/model-question.ts';
import { questionKey } from '../../writing/ai/question-key.ts';
import { readAnswer } from '../../writing/ai/read-answer.ts';
import { tallyTokens } from './tally-tokens.ts';
import type { ModelQuestions } from './tell-with-model.ts';
import { WorkLost } from './work-lost.ts';

interface Parts {
  database: Database;
  clock: () => Date;
  tokensPerDay: number;
}

interface PaidAnswer {
  text: string;
  isCutOff: boolean;
  usage: TokenUsage;
  costUsd?: number;
}

/** Questions of one job: tokens are set aside before each call, and what was answered outlives this process. */
export function createPaidQuestions({ database, clock, tokensPerDay }: Parts, job: HeldJob): ModelQuestions {
  const { id: jobId } = job;
  const { note, spent } = tallyTokens();
  // Calls of one job change the same rows: those that waited for each other in the database would wait too long for a lock.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: (tx: Queries) => Promise<void>): Promise<void> => {
    const done = turn.then(() => database.transaction(work));
    turn = done.catch(() => {});
    return done;
  };
  const pay = async (model: Model, question: ModelQuestion, key: string): Promise<ModelAnswer> => {
    const now = clock();
    const read = model.estimateTokens(bytesOf(question));
    const tokens = read + question.maxOutputTokens;
    const reserved = { day: utcDay(now), tokens: 0 };
    let spentBefore = noTokens;
    let isCalled = false;
    // Each try may cost as much as the first.
    const beforeCall = async (spent: TokenUsage): Promise<void> => {
      spentBefore = spent;
      isCalled = false;
      const missing = spent.inputTokens + spent.outputTokens + tokens - reserved.tokens;
      await inTurn(async (tx) => {
        if (!(await noteModelCall(tx, job))) throw new WorkLost('Nobody waits for this answer any more.');
        if (!(await reserveTokens(tx, { tokens: missing, tokensPerDay, now }))) throw ceilingReached(now);
      });
      reserved.tokens += missing;
      isCalled = true;
    };
    const settle = (db: Queries, used: TokenUsage) =>
      settleTokens(db, reserved, used.inputTokens + used.outputTokens);
    const said = await model.ask({ ...question, beforeCall }).catch(async (error: unknown) => {
      const used =
        error instanceof ModelFailure ? error.spent : spentUnheard(isCalled ? read : 0, spentBefore);
      await settle(database, used);
      note(used, await model.priceOf(used));
      throw error;
    });
    const { text, isCutOff } = said;
    const cost = await model.priceOf(said.usage);
    const answer: PaidAnswer = {
      text,
      isCutOff,
      usage: said.usage,
      ...(cost !== undefined && { costUsd: cost }),
    };
    await inTurn(async (tx) => {
      await savePaidAnswer(tx, { jobId, question: key, answer });
      await settle(tx, said.usage);
    });
    note(said.usage, cost);
    return said;
  };
  return {
    put: (model) => async (question) => {
      const key = questionKey(question, model);
      const paid = await findPaidAnswer<PaidAnswer>(database, { jobId, question: key });
      if (!paid) return pay(model, question, key);
      const { text, isCutOff } = paid;
      note(paid.usage, paid.costUsd);
      const answer = isCutOff ? undefined : await readAnswer(text, { isCut: false });
      return { text, isCutOff, answer, usage: paid.usage };
    },
    spent,
  };
}

/** What a question has cost whose caller gave it up. It does not learn what the last call cost; if there was one, it was read. */
const spentUnheard = (read: number, before: TokenUsage): TokenUsage =>
  addTokens(before, { ...noTokens, inputTokens: read });

export function ceilingReached(now: Date): Failure {
  return quotaExhausted('This service has used up what its models may read and write in a day.', now);
}
