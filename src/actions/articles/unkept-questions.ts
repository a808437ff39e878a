import { ModelFailure } from '../../writing/ai/model-failure.ts';
import { tallyTokens } from './tally-tokens.ts';
import type { ModelQuestions } from './tell-with-model.ts';

/** Questions of somebody who pays for them alone: nothing is kept of what is answered, and no limit is held but theirs. */
export function createUnkeptQuestions(): ModelQuestions {
  const { note, spent } = tallyTokens();
  return {
    put: (model) => async (question) => {
      const said = await model.ask(question).catch(async (error: unknown) => {
        if (error instanceof ModelFailure) note(error.spent, await model.priceOf(error.spent));
        throw error;
      });
      note(said.usage, await model.priceOf(said.usage));
      return said;
    },
    spent,
  };
}
