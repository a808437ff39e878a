import { EgressProblem } from '../../domain/errors.ts';
import { noTokens, type TokenUsage } from './model-question.ts';

/** What can be wrong with a model. A little later it may be well again, or the operator has to do something first. */
export type FailureReason =
  | 'rateLimited'
  | 'overloaded'
  | 'unreachable'
  | 'breakerOpen'
  | 'timeout'
  | 'badKey'
  | 'unknownModel'
  | 'spendLimit'
  | 'tooLong'
  | 'rejected'
  | 'refused'
  | 'badOutput'
  | 'cutOff'
  | 'cutPrompt'
  | 'unread';

interface Circumstances {
  /** What the HTTP answer said, if there was one. */
  status?: number | undefined;
  /** How long the other side asks to be left alone. */
  retryAfterMs?: number | undefined;
  /** Whether it was the form asked for that was refused, and not the question. */
  refusesForm?: boolean;
}

/** Why there is no answer of a model. It carries nothing of what was sent or answered, so that it can be logged. */
export class ModelFailure extends Error {
  readonly reason: FailureReason;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly refusesForm: boolean;
  /** What it cost all the same, as far as is known. */
  spent: TokenUsage = noTokens;

  constructor(reason: FailureReason, { status, retryAfterMs, refusesForm = false }: Circumstances = {}) {
    super(`The model gave no usable answer: ${reason}${status ? ` (${status})` : ''}.`);
    this.reason = reason;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.refusesForm = refusesForm;
  }

  /** Whether the model has answered, which is paid for, but not with an article. */
  get hasAnswered(): boolean {
    return ['refused', 'badOutput', 'cutOff', 'cutPrompt', 'unread'].includes(this.reason);
  }

  /** Whether the next try may go better. */
  get isTransient(): boolean {
    return ['rateLimited', 'overloaded', 'unreachable'].includes(this.reason);
  }
}

/** A second reader that fails has judged nothing; whatever else goes wrong, goes wrong. */
export function asNoAnswer(error: unknown): null {
  if (!(error instanceof ModelFailure)) throw error;
  return null;
}

/** Whatever the libraries throw, as one of a few reasons. */
export function asModelFailure(error: unknown, now: Date): ModelFailure {
  const chain = chainOf(error);
  const ours = chain.find((one) => one instanceof ModelFailure);
  if (ours) return ours;
  const egress = chain.find((one) => one instanceof EgressProblem);
  if (egress) return new ModelFailure(egress.rule === 'size' ? 'badOutput' : 'rejected');
  const status = chain.map(statusOf).find((code) => code !== undefined);
  const said = chain.map(textOf).join('\n');
  const retryAfterMs =
    chain.map((one) => retryAfterOf(one, now)).find((ms) => ms !== undefined) ?? delayIn(said);
  const refusesForm = isAboutForm(status, said);
  const reason = reasonFor(status, said, chain);
  return refusesForm && ['rejected', 'unknownModel', 'overloaded'].includes(reason)
    ? new ModelFailure('rejected', { status, refusesForm })
    : new ModelFailure(reason, { status, retryAfterMs });
}

/** An error and what caused it; streams also tell of errors that are mere objects. */
function chainOf(error: unknown): object[] {
  const chain: object[] = [];
  for (let one = error; one && chain.length < 10; one = valueAt(one, 'cause') ?? valueAt(one, 'error')) {
    if (typeof one !== 'object') return [...chain, { message: String(one) }];
    chain.push(one);
  }
  return chain;
}

const valueAt = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null ? Reflect.get(holder, name) : undefined;

function statusOf(error: object): number | undefined {
  const status = valueAt(error, 'statusCode');
  return typeof status === 'number' ? status : undefined;
}

/** What an error says of itself, for looking for signs in it; never kept. */
function textOf(error: object): string {
  const parts = ['message', 'type', 'code', 'status', 'responseBody', 'name'].map((name) =>
    valueAt(error, name),
  );
  return parts.filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
}

function retryAfterOf(error: object, now: Date): number | undefined {
  const headers = valueAt(error, 'responseHeaders');
  const milliseconds = Number(valueAt(headers, 'retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = valueAt(headers, 'retry-after');
  if (typeof text !== 'string') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Google says in the body how long to wait. */
function delayIn(said: string): number | undefined {
  const seconds = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(said)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

const signs = {
  spendLimit:
    /insufficient_quota|billing_hard_limit|credit balance|billing_error|payment required|insufficient (?:credits|funds|balance)/i,
  badKey: /api[_ ]key[_ ]?(?:not valid|invalid)|invalid[_ ]api[_ ]key|authentication_error|permission_error/i,
  unknownModel:
    /model_not_found|not_found_error|no such model|model\b[^\n]{0,120}(?:not found|does not exist|is not supported|unknown)|unknown model/i,
  tooLong:
    /context[_ ](?:length|window)|prompt is too long|maximum context|too many tokens|request_too_large|exceeds? the (?:maximum|available)/i,
  rateLimited: /rate[_ ]?limit|too many requests|resource_exhausted/i,
  overloaded: /overloaded|server_error|api_error|internal|unavailable|timed? ?out/i,
  form: /response_?format|json[_ ](?:schema|object|mode)|structured[_ ]?output|guided[_ ]|grammar|response_?(?:schema|mime_?type)|output_(?:config|format)|text\.format|\bschema\b/i,
  unreadable: /JSONParseError|TypeValidationError|InvalidResponseData|Invalid JSON response/i,
};

/** Providers that do not support a response format say so in different ways, some as if they had failed themselves. */
const isAboutForm = (status: number | undefined, said: string): boolean =>
  (status === undefined || [400, 404, 415, 422, 500, 501].includes(status)) && signs.form.test(said);

function reasonFor(status: number | undefined, said: string, chain: object[]): FailureReason {
  if (signs.spendLimit.test(said) || status === 402) return 'spendLimit';
  if (status === 401 || status === 403 || signs.badKey.test(said)) return 'badKey';
  if (status === 404 || ((status === undefined || status < 500) && signs.unknownModel.test(said)))
    return 'unknownModel';
  if (status === 429) return 'rateLimited';
  if (status === 413 || ((status === 400 || status === 422) && signs.tooLong.test(said))) return 'tooLong';
  // What was in the way of a request, not wrong with it: a conflict, a wait that a proxy gave up.
  if (status === 408 || status === 409 || status === 425) return 'overloaded';
  if (status !== undefined && status >= 400 && status < 500) return 'rejected';
  if (status !== undefined && status >= 500) return 'overloaded';
  if (signs.rateLimited.test(said)) return 'rateLimited';
  if (signs.unreadable.test(said)) return 'badOutput';
  // An object in the middle of a stream was said by the model's side; an error was met on the way.
  if (!chain.some((one) => one instanceof Error)) return 'overloaded';
  return signs.overloaded.test(said) && !/UND_ERR|ECONN|fetch failed/.test(said)
    ? 'overloaded'
    : 'unreachable';
}
