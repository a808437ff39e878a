import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { Type } from '../contract/type.ts';
import { StartupProblem } from '../domain/errors.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { openModels } from '../open-models.ts';
import type { Model } from '../writing/ai/model.ts';
import { type FailureReason, ModelFailure } from '../writing/ai/model-failure.ts';
import type { Command } from './command.ts';
import { print } from './print.ts';

const schema = Type.Object({ word: Type.String() }, { additionalProperties: false });

/** Thinking counts too, so that less would look like an answer that was cut off. */
const maxOutputTokens = 1_000;

export const doctor: Command = {
  help: [
    'Usage: pullquote doctor',
    '',
    'Makes one small call to each model that the settings name, and says what is wrong, if anything is.',
  ].join('\n'),
  async run(parameters) {
    parseArgs({ args: parameters, options: {} });
    const config = readConfig();
    const models = openModels(config, {
      clock: () => new Date(),
      connect: (rules) => createEgressClient(config, rules),
    });
    if (!models) {
      print('No model is configured: articles are written without one. AI_MODEL names one.');
      return;
    }
    try {
      for (const model of new Set([models.writer, ...(models.judge ? [models.judge] : [])]))
        await examine(model);
    } finally {
      await models.close();
    }
  },
};

async function examine(model: Model): Promise<void> {
  const name = `${model.provider}/${model.name}`;
  try {
    const { answer, isCutOff } = await model.ask({
      instructions: 'Answer with a JSON object that has one field, "word", and nothing else.',
      prompt: 'Which word did you choose?',
      earlier: [],
      schema,
      maxOutputTokens,
      signal: new AbortController().signal,
    });
    if (answer === undefined) throw new ModelFailure(isCutOff ? 'cutOff' : 'badOutput');
    print(`${name} answers.`);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    const status = error.status === undefined ? '' : ` (HTTP ${error.status})`;
    throw new StartupProblem(`${name} ${ailments[error.reason]}${status}.`);
  }
}

const ailments: Record<FailureReason, string> = {
  rateLimited: 'answers that it has been asked too often. Wait, or ask its provider for a higher limit',
  overloaded: 'answers that it cannot answer now. Try again later',
  unreachable: 'cannot be reached. Check AI_BASE_URL, the network and the proxy settings',
  breakerOpen: 'has failed too often. Try again later',
  timeout: 'did not answer in time. Try again, or set AI_TIMEOUT_SECONDS higher',
  badKey: 'refuses the key. Set one that is valid for this model',
  unknownModel: 'is not known at its address. Check the name in AI_MODEL or AI_JUDGE_MODEL, and AI_BASE_URL',
  spendLimit:
    'refuses because the account has no credit left, or has reached its limit. Top it up at its provider',
  tooLong: 'finds even a short question too long. Check which model serves that name',
  rejected:
    'refuses the request, or leads elsewhere. Check AI_BASE_URL: it must be the address of an API, with its path',
  refused: 'refuses to answer a harmless question. Choose another model',
  badOutput: 'answers, but not with the JSON that it is asked for. Choose another model',
  cutOff: 'answers at such length that it is cut off. Choose another model',
  unread: 'agrees to what is plainly false. Name another one in AI_JUDGE_MODEL',
  cutPrompt: 'reads only a part of what it is sent. Give it a larger context',
};
