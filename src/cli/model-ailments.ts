import type { FailureReason } from '../writing/ai/model-failure.ts';

/** What is wrong with a model, behind its name, and what to do about it. */
export const ailments: Record<FailureReason, string> = {
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
