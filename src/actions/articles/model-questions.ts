import type { Queries } from '../../db/database.ts';
import { findPaidReply, savePaidReply } from '../../db/drafts.ts';
import { type HeldJob, noteJobModelCall } from '../../db/job-queue.ts';
import { countModelUsage } from '../../db/model-usage.ts';
import { giveBackTokens, reserveTokens } from '../../db/quotas.ts';
import type { ModelLimits } from '../../domain/model-providers.ts';
import { readReply } from '../../writing/ai/call-model.ts';
import type { Model } from '../../writing/ai/model.ts';
import {
  addTokens,
  bytesOf,
  ModelFailure,
  type ModelQuestion,
  type ModelReply,
  noTokens,
  type TokenUsage,
} from '../../writing/ai/model-question.ts';
import { questionKey } from '../../writing/ai/prompts.ts';
import type { Deps } from '../deps.ts';
import { ceilingReached } from './request-article.ts';

export interface ModelQuestions {
  /** Asks a model, unless a reply to the same question was paid for and stored. */
  put: (model: Model) => (question: ModelQuestion) => Promise<ModelReply>;
  spent: () => { inputTokens: number; outputTokens: number; estimatedCostUsd?: number };
}

function tallyTokens() {
  let usage = noTokens;
  let costUsd: number | undefined = 0;
  return {
    note(tokens: TokenUsage, cost: number | undefined): void {
      usage = addTokens(usage, tokens);
      costUsd = costUsd === undefined || cost === undefined ? undefined : costUsd + cost;
    },
    // Digits below a millionth of a dollar are rounding errors.
    spent: () => ({
      ...usage,
      ...(costUsd !== undefined && { estimatedCostUsd: Math.round(costUsd * 1e6) / 1e6 }),
    }),
  };
}

/** Stores no replies and has no token limit, for commands whose user pays for the model. */
export function createUnkeptQuestions(): ModelQuestions {
  const { note, spent } = tallyTokens();
  return {
    put: (model) => async (question) => {
      const reply = await model.ask(question).catch(async (error: unknown) => {
        if (error instanceof ModelFailure) note(error.spent, await model.priceOf(error.spent));
        throw error;
      });
      note(reply.usage, await model.priceOf(reply.usage));
      return reply;
    },
    spent,
  };
}

interface PaidReply extends Pick<ModelReply, 'text' | 'isCutOff' | 'usage'> {
  costUsd?: number;
}

interface PayingDeps extends Pick<Deps, 'database' | 'clock'> {
  models: Pick<ModelLimits, 'tokensPerDay' | 'tokensPerMonth'>;
}

/** Reserves tokens before each call and stores each reply, so that another worker need not pay for it again. */
export function createPaidQuestions(
  { database, clock, models }: PayingDeps,
  job: HeldJob,
  onLost: () => void,
): ModelQuestions {
  const { id: jobId } = job;
  const { note, spent } = tallyTokens();
  // Calls of one job change the same rows; taking turns here keeps them from waiting for locks.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: (tx: Queries) => Promise<void>): Promise<void> => {
    const done = turn.then(() => database.transaction(work));
    turn = done.catch(() => {});
    return done;
  };
  const pay = async (model: Model, question: ModelQuestion, key: string): Promise<ModelReply> => {
    const now = clock();
    const inputTokens = model.estimateTokens(bytesOf(question));
    let reserved = 0;
    const settle = async (tx: Queries, used: TokenUsage, costUsd: number | undefined): Promise<void> => {
      await giveBackTokens(tx, reserved - totalOf(used), now);
      if (totalOf(used) > 0) await countModelUsage(tx, { jobId, ...used, costUsd, at: now });
    };
    let spentBefore = noTokens;
    let isCalled = false;
    // Each retry may cost as much as the first call.
    const beforeCall = async (used: TokenUsage): Promise<void> => {
      spentBefore = used;
      isCalled = false;
      const missing = totalOf(used) + inputTokens + question.maxOutputTokens - reserved;
      await inTurn(async (tx) => {
        if (!(await noteJobModelCall(tx, job))) {
          onLost();
          throw new Error('Another worker holds this job, or it was cancelled.');
        }
        const ceiling = await reserveTokens(tx, missing, models, now);
        if (ceiling) throw ceilingReached(ceiling, now);
      });
      reserved += missing;
      isCalled = true;
    };
    const reply = await model.ask({ ...question, beforeCall }).catch(async (error: unknown) => {
      // The cost of an abandoned call is unknown; if it was made, its question was read.
      const givenUp = () => addTokens(spentBefore, { ...noTokens, inputTokens: isCalled ? inputTokens : 0 });
      const used = error instanceof ModelFailure ? error.spent : givenUp();
      const costUsd = await model.priceOf(used);
      await inTurn((tx) => settle(tx, used, costUsd));
      note(used, costUsd);
      throw error;
    });
    const { text, isCutOff, usage } = reply;
    const costUsd = await model.priceOf(usage);
    const kept: PaidReply = { text, isCutOff, usage, ...(costUsd !== undefined && { costUsd }) };
    await inTurn(async (tx) => {
      await savePaidReply(tx, { jobId, question: key, reply: kept });
      await settle(tx, usage, costUsd);
    });
    note(usage, costUsd);
    return reply;
  };
  return {
    put: (model) => async (question) => {
      const key = questionKey(question, model);
      const paid = await findPaidReply<PaidReply>(database, { jobId, question: key });
      if (!paid) return pay(model, question, key);
      const { text, isCutOff, usage } = paid;
      note(usage, paid.costUsd);
      return {
        text,
        isCutOff,
        usage,
        value: isCutOff ? undefined : await readReply(text, { isCut: false }),
      };
    },
    spent,
  };
}

const totalOf = ({ inputTokens, outputTokens }: TokenUsage): number => inputTokens + outputTokens;
