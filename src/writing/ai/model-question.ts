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
  /** Called with the tokens that failed calls have cost; may prevent a call by throwing. */
  beforeCall?: (spent: TokenUsage) => Promise<void>;
  onText?: (soFar: string) => void;
  /** Called before a pause after which the question is sent again. */
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

/** The error if a model gives no usable reply. Contains nothing of the question or reply, so that it can be logged. */
export class ModelFailure extends Error {
  readonly reason: FailureReason;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly refusesForm: boolean;
  /** The tokens that the failed calls cost, as far as known. */
  spent: TokenUsage = noTokens;

  constructor(reason: FailureReason, { status, retryAfterMs, refusesForm = false }: Circumstances = {}) {
    super(`The model gave no usable answer: ${reason}${status ? ` (${status})` : ''}.`);
    this.reason = reason;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.refusesForm = refusesForm;
  }

  /** Whether the model replied, which costs money even without an article. */
  get hasReplied(): boolean {
    return ['refused', 'badOutput', 'cutOff', 'cutPrompt', 'unread'].includes(this.reason);
  }

  get isTransient(): boolean {
    return ['rateLimited', 'overloaded', 'unreachable'].includes(this.reason);
  }
}

/** Null if the second model failed and has judged nothing; any other error is rethrown. */
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

/** An error and its causes; errors in streams may be plain objects. */
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

/** The text of an error, in which its cause is searched; never stored. */
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

/** Google names the time to wait in the body. */
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

/** Providers without support for a response format report that in different ways, some as an internal error. */
const isAboutForm = (status: number | undefined, said: string): boolean =>
  (status === undefined || [400, 404, 415, 422, 500, 501].includes(status)) && signs.form.test(said);

function reasonFor(status: number | undefined, said: string, chain: object[]): FailureReason {
  if (signs.spendLimit.test(said) || status === 402) return 'spendLimit';
  if (status === 401 || status === 403 || signs.badKey.test(said)) return 'badKey';
  if (status === 404 || ((status === undefined || status < 500) && signs.unknownModel.test(said)))
    return 'unknownModel';
  if (status === 429) return 'rateLimited';
  if (status === 413 || ((status === 400 || status === 422) && signs.tooLong.test(said))) return 'tooLong';
  // Statuses of a temporary conflict, or of a proxy that gave up waiting.
  if (status === 408 || status === 409 || status === 425) return 'overloaded';
  if (status !== undefined && status >= 400 && status < 500) return 'rejected';
  if (status !== undefined && status >= 500) return 'overloaded';
  if (signs.rateLimited.test(said)) return 'rateLimited';
  if (signs.unreadable.test(said)) return 'badOutput';
  // A plain object in the stream comes from the model's server, and an Error from the connection.
  if (!chain.some((one) => one instanceof Error)) return 'overloaded';
  return signs.overloaded.test(said) && !/UND_ERR|ECONN|fetch failed/.test(said)
    ? 'overloaded'
    : 'unreachable';
}

/** The pauses before the second and the third, last attempt, if the server names none. */
const pausesMs = [2_000, 8_000];

/** The service does not wait longer than this; clients come back later. */
const longestPauseMs = 60_000;

/** Repeats a call after a temporary failure, once the time that the server asks for has passed. */
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
 * A circuit breaker: after repeated failures no calls are made for half a minute, then a single one tests the model. If
 * that fails, the pause is doubled.
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
    // The failure of a call that began before the breaker opened is no news.
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
