import type { TSchema } from 'typebox';
import { EgressProblem } from '../../domain/errors.ts';

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

export const noTokens: TokenUsage = { inputTokens: 0, outputTokens: 0 };

export const addTokens = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
});

export interface ModelQuestion {
  instructions: string;
  prompt: string;
  earlier: { reply: string; complaint: string }[];
  schema: TSchema;
  maxOutputTokens: number;
  signal: AbortSignal;
  /** May refuse a call by throwing; gets what earlier calls used for nothing. */
  beforeCall?: (spent: TokenUsage) => Promise<void>;
  onText?: (soFar: string) => void;
  /** Before a pause after which the question is put again. */
  onWait?: () => void;
}

export interface ModelReply {
  text: string;
  value: unknown;
  isCutOff: boolean;
  usage: TokenUsage;
}

export function bytesOf({
  instructions,
  prompt,
  earlier,
}: Pick<ModelQuestion, 'instructions' | 'prompt' | 'earlier'>): number {
  const said = earlier.flatMap(({ reply, complaint }) => [reply, complaint]);
  return [instructions, prompt, ...said].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

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
  | 'notStreamed'
  | 'badOutput'
  | 'cutOff'
  | 'cutPrompt'
  | 'unread';

interface Circumstances {
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  refusesForm?: boolean;
}

/** Why there is no reply of a model. It carries nothing of what was sent or replied, so that it can be logged. */
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

  /** Whether the model has replied, which is paid for, but not with an article. */
  get hasReplied(): boolean {
    return ['refused', 'badOutput', 'cutOff', 'cutPrompt', 'unread'].includes(this.reason);
  }

  get isTransient(): boolean {
    return ['rateLimited', 'overloaded', 'unreachable'].includes(this.reason);
  }
}

/** A second reader that fails has judged nothing; whatever else goes wrong, goes wrong. */
export function nullWithoutReply(error: unknown): null {
  if (!(error instanceof ModelFailure)) throw error;
  return null;
}

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

/** What to wait before the second try and the third, which is the last, where the other side does not say. */
const pausesMs = [2_000, 8_000];

/** A longer pause is not waited out here: clients come back later. */
const longestPauseMs = 60_000;

/** Makes a call again that failed for reasons that pass, after as long as the other side asks for. */
export async function tryAgain<Result>(
  call: () => Promise<Result>,
  wait: (ms: number) => Promise<void>,
): Promise<Result> {
  for (const pauseMs of pausesMs) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ModelFailure) || !error.isTransient) throw error;
      const { retryAfterMs = pauseMs } = error;
      if (retryAfterMs > longestPauseMs) throw error;
      await wait(retryAfterMs);
    }
  }
  return call();
}

const failuresToOpen = 5;

const firstPauseMs = 30_000;
const longestRestMs = 10 * 60_000;

type Breaker = <Result>(call: () => Promise<Result>) => Promise<Result>;

/**
 * Leaves a model alone that keeps failing: for half a minute, then twice as long each time that the one call fails that is
 * let through to see whether it is well again.
 */
export function createBreaker(clock: () => Date): Breaker {
  let failures = 0;
  let pauseMs = 0;
  let openUntil = 0;
  let isProbing = false;

  const note = (failure: ModelFailure | null, isProbe: boolean): void => {
    if (failure === null || !isTrouble(failure)) {
      failures = 0;
      pauseMs = 0;
      return;
    }
    failures += 1;
    // What was under way when it opened tells nothing new.
    if (pauseMs > 0 && !isProbe) return;
    if (pauseMs === 0 && failures < failuresToOpen && failure.reason !== 'badKey') return;
    pauseMs = pauseMs === 0 ? firstPauseMs : Math.min(longestRestMs, pauseMs * 2);
    openUntil = clock().getTime() + pauseMs;
  };

  return async (call) => {
    const restMs = pauseMs === 0 ? 0 : openUntil - clock().getTime();
    if (restMs > 0 || isProbing) {
      throw new ModelFailure('breakerOpen', { retryAfterMs: restMs > 0 ? restMs : firstPauseMs });
    }
    const isProbe = pauseMs > 0;
    isProbing = isProbe;
    try {
      const result = await call();
      note(null, isProbe);
      return result;
    } catch (error) {
      if (error instanceof ModelFailure) note(error, isProbe);
      throw error;
    } finally {
      if (isProbe) isProbing = false;
    }
  };
}

function isTrouble({ reason, isTransient }: ModelFailure): boolean {
  return isTransient || ['timeout', 'badKey', 'unknownModel', 'notStreamed', 'spendLimit'].includes(reason);
}
